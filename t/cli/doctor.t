#!/bin/sh
# pas2p doctor is what one runs first when something does not work, and what is sent with a report: the same findings in each format, the
# same again on the same machine, lines that fit, an exit code that scripts can ask. It executes nothing but what it says. What it
# finds on machines unlike this one is tested with t/doctor; here are the command, this machine, and terminals.
. t/lib/lib.sh

TMPDIR=$TMP
PAS2P_LIBDIR=$TMP/libraries
bin=$TMP/bin
mkdir "$bin" "$PAS2P_LIBDIR" "$TMP/there"
# The program in a folder of its own, or it would find what was built beside it.
tested=$PAS2P
cp "$PAS2P" "$TMP/there/pas2p"
PAS2P=$TMP/there/pas2p
: >"$TMP/there/Makefile"
HOME=$TMP
export TMPDIR PAS2P_LIBDIR HOME
unset XDG_CONFIG_HOME XDG_STATE_HOME
# A PATH with one launcher, whose library and programs are there.
cat >"$bin/mpirun" <<'END'
#!/bin/sh
echo "$*" >>"$TMPDIR/asked"
echo 'mpirun (Open MPI) 4.1.4'
END
for file in libpas2p-openmpi.so pas2p-probe-openmpi pas2p-pingpong-openmpi; do
	: >"$PAS2P_LIBDIR/$file"
	chmod +x "$PAS2P_LIBDIR/$file"
done
chmod +x "$bin/mpirun"
# same NAME FILE FILE: but for what is free on the disk, which others fill meanwhile.
same() {
	is "$(sed 's/at least [0-9.]* [KMGT]iB//' "$2")" "$(sed 's/at least [0-9.]* [KMGT]iB//' "$3")" "$1"
}

doctor() { # NAME STATUS ARGUMENT...
	name=$1
	status=$2
	shift 2
	run_fails "$status" "$name" env PATH="$bin" TERM=xterm PAS2P_CRIU=/nowhere/criu "$PAS2P" doctor "$@"
}

doctor 'all that is needed is here' 0
cp "$OUT" "$TMP/table"
is "$(cat "$ERR")" '' 'nothing is said on stderr'
like "$(cat "$OUT")" '^ok +mpi +mpirun is Open MPI 4\.1\.4; libpas2p-openmpi\.so matches it$' 'a launcher and its library'
like "$(cat "$OUT")" '^missing +criu ' 'what is missing'
like "$(cat "$OUT")" "^ +fix: +make -C $TMP/there criu\$" 'what mends it'
like "$(tail -n 1 "$OUT")" '^All requirements are met; ' 'and how it is in all'
is "$(awk 'length > 80 && !/^ +fix:/ && NF > 1' "$OUT")" '' 'lines of 80 columns'
is "$(sort -u "$TMP/asked")" '--version' 'the launcher was asked for its version alone'
doctor 'again' 0
same 'the same again' "$OUT" "$TMP/table"

for format in csv json yaml; do
	doctor "as $format" 0 --format $format
	cp "$OUT" "$TMP/doctor.$format"
done
is "$(head -n 1 "$TMP/doctor.csv")" 'check,state,needed,text,mend' 'columns by their names'
if command -v python3 >/dev/null && python3 -c 'import yaml' 2>/dev/null; then
	is "$(python3 - "$TMP" <<'END'
import csv, json, sys, yaml
at = sys.argv[1] + "/doctor."
j = json.load(open(at + "json"))
y = yaml.safe_load(open(at + "yaml"))
c = list(csv.DictReader(open(at + "csv")))
plain = [{k: "" if v is None else str(v).lower() if isinstance(v, bool) else v for k, v in row.items()} for row in j]
words = " ".join(open(sys.argv[1] + "/table").read().replace("fix:", "").split())
print(j == y, plain == c, all(" ".join(row["text"].split()) in words for row in j), {row["state"] for row in j} <= {"ok", "note", "missing"})
END
	)" 'True True True True' 'each format says the same'
else
	skip 1 'no python3 with YAML'
fi
doctor 'into a file' 0 --format yaml -o "$TMP/out.yaml"
same 'the same bytes' "$TMP/out.yaml" "$TMP/doctor.yaml"

# A program of ours that is linked with another version of this MPI than is here.
probe=$(dirname "$tested")/preload/pas2p-probe-openmpi
if [ -x "$probe" ]; then
	cp "$PAS2P_LIBDIR/pas2p-probe-openmpi" "$TMP/kept"
	cp "$probe" "$PAS2P_LIBDIR/pas2p-probe-openmpi"
	doctor 'its library is here' 0
	like "$(cat "$OUT")" '^ok +mpi +mpirun is Open MPI' 'and found'
	LC_ALL=C sed 's/libmpi\.so\.40/libmpi.so.39/g' "$probe" >"$PAS2P_LIBDIR/pas2p-probe-openmpi"
	: >"$PAS2P_LIBDIR/libpas2p-job-openmpi.so"
	doctor 'its library is not here' 0 --format csv
	like "$(cat "$OUT")" '^mpi,missing,false,"mpirun is Open MPI 4\.1\.4 and libpas2p-openmpi\.so matches it, but libmpi\.so\.39 is missing' 'nothing can be measured'
	like "$(cat "$OUT")" '^job,note,false,"libpas2p-job-openmpi\.so is installed, but libmpi\.so\.39' 'nor shared'
	rm "$PAS2P_LIBDIR/libpas2p-job-openmpi.so"
	mv "$TMP/kept" "$PAS2P_LIBDIR/pas2p-probe-openmpi"
else
	skip 5 'nothing was built for Open MPI'
fi

rm "$PAS2P_LIBDIR/libpas2p-openmpi.so"
doctor 'the library for the MPI that is here is needed' 1
like "$(cat "$OUT")" '^missing +mpi +mpirun is Open MPI 4\.1\.4, but' 'is missed'
like "$(tail -n 1 "$OUT")" '^1 requirement is missing\.$' 'is counted'
TMPDIR=/nowhere/at/all doctor 'so is a folder for files' 1
like "$(tail -n 1 "$OUT")" '^2 requirements are missing\.$' 'are counted'
like "$(cat "$OUT")" '^ +fix: +export TMPDIR=' 'with what mends it'
doctor 'takes no file' 2 sample-traces/cg.S.4.clog2
like "$(cat "$ERR")" 'doctor takes no file' 'says so'
doctor 'no such option' 2 --volume 3%
run_fails 6 'to a full disk' sh -c '"$PAS2P" doctor >/dev/full'
is "$("$PAS2P" doctor --help | head -n 1)" 'Usage: pas2p doctor [OPTION...]' 'its usage, without operands'

# A container that lacks more than most; a sanitizer would need what it lacks.
if [ "$(id -u)" -eq 0 ] && unshare --mount umount -l /proc 2>/dev/null && ! sanitized; then
	run_ok 'without /proc' unshare --mount sh -c 'umount -l /proc && PATH=$1 && unset HOME && exec "$PAS2P" doctor --format csv' sh "$bin"
	like "$(cat "$OUT")" '^program,missing,false,"/proc is missing.*,mount -t proc proc /proc$' 'that is said'
	like "$(cat "$OUT")" '^processors,.*(^|[^0-9])([0-9]+) of \2 \(|^processors,note' 'processors are not more than there are'
	like "$(cat "$OUT")" '^config,note,false,"HOME is not set' 'nor is there a home'
else
	skip 4 'only root can take /proc away'
fi

# On terminals: what the workbench would find.
if command -v script >/dev/null; then
	on() { # TERM
		TERM=$1 script -qec "stty columns 100 rows 30; exec '$PAS2P' doctor --format csv -o '$TMP/on.csv'" /dev/null >/dev/null </dev/null
		grep '^terminal,' "$TMP/on.csv"
	}
	is "$(on xterm-256color)" 'terminal,ok,false,"xterm-256color: 256 colours, 100x30",' 'a terminal'
	is "$(on vt100)" 'terminal,ok,false,"vt100: no colours, 100x30",' 'one without colours'
	TERM=xterm script -qec "'$PAS2P' doctor --format csv >'$TMP/on.csv' 2>&1" /dev/null >/dev/null </dev/null
	like "$(grep '^terminal,' "$TMP/on.csv")" '^terminal,ok,false,"?xterm: 8 colours' 'it is looked at though all is written to a file'
	like "$(on nosuchterminal)" '^terminal,missing,true,.*TERM is nosuchterminal, which is unknown here' 'one that is not known'
	like "$(on dumb)" '^terminal,note,false,.*TERM is dumb' 'one without places'
else
	skip 5 'no script'
fi

# What it prints to be typed in is there to be installed.
if apt-cache policy liblzma-dev 2>/dev/null | grep -q 'Candidate: [0-9]'; then
	for packages in 'libopenmpi-dev openmpi-bin' libopenmpi-dev libmpich-dev libopen-trace-format2-dev zlib1g-dev liblzma-dev libzstd-dev; do
		ok "apt-get finds $packages" sh -c "apt-get -s install $packages >/dev/null 2>&1"
	done
	PATH=$bin "$PAS2P" doctor --format csv 2>/dev/null | grep -o 'apt-get install [a-z0-9 -]*' | sort -u >"$TMP/lines"
	is "$(while read -r line; do sh -c "apt-get -s ${line#apt-get }" >/dev/null 2>&1 </dev/null || echo "$line"; done <"$TMP/lines")" '' 'each line that is printed works'
else
	skip 8 'apt-get knows no packages here'
fi

# What --version adds: how it was built, and what it found.
run_ok 'version' "$PAS2P" --version
like "$(head -n 1 "$OUT")" '^pas2p [0-9]+\.[0-9]+\.[0-9]+( \(git [0-9a-f]+\+?\))?$' 'the version, and the commit where it is known'
like "$(cat "$OUT")" '^traces not +.*Open MPI' 'an MPI whose library is not there'
for line in compiler flags sanitizers; do
	like "$(cat "$OUT")" "^$line +[^ ]" "$line"
done
done_testing
