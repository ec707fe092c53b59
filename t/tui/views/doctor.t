#!/bin/sh
# :doctor in the workbench says what `pas2p doctor` says, from wherever one is: in a trace, without one, read out line by line. The cursor is on what matters most,
# all of a row can be read however narrow the screen is, rows are searched, sorted and exported as any, and looked for again once something is mended.
. t/lib/lib.sh

# A machine whose programs are known: one launcher, whose library is not there.
bin=$TMP/bin
PAS2P_LIBDIR=$TMP/libraries
HOME=$TMP
TMPDIR=$TMP
mkdir "$bin" "$PAS2P_LIBDIR" "$TMP/there"
cp "$PAS2P" "$TMP/there/pas2p"
: >"$TMP/there/Makefile"
printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\n' >"$bin/mpirun"
chmod +x "$bin/mpirun"
export PAS2P_LIBDIR HOME TMPDIR
unset XDG_CONFIG_HOME XDG_STATE_HOME
workbench() { # OPTION...
	env PATH="$bin" PAS2P_CRIU=/nowhere/criu "$TMP/there/pas2p" --no-config "$@" </dev/null
}
env PATH="$bin" PAS2P_CRIU=/nowhere/criu "$TMP/there/pas2p" doctor --format csv >"$TMP/doctor.csv" </dev/null

cat >"$TMP/script" <<X
:doctor
:expect this machine  1 requirement is missing.
:expect missing  mpi         mpirun is Open MPI 4.1.4, but
:expect programs of this MPI cannot be traced or measured
:expect fix: 
:expect E rows to a file
:export $TMP/rows.csv
:resize 40x10
:expect missing  mpi 
:resize 80x24
s
:expect by state, A to Z
/ "system call" Enter
:expect ▸
& "missing" Enter
:expect filter: 
& C-u Enter
Esc
:expect run time
F9
:expect this machine
F9
:expect run time
X
run_ok 'in a trace' workbench --script "$TMP/script" --size 80x24 sample-traces/cg.S.4.clog2
ok 'the rows are those of the command' cmp "$TMP/rows.csv" "$TMP/doctor.csv" || diag "$(diff "$TMP/rows.csv" "$TMP/doctor.csv")"

cat >"$TMP/script" <<X
:doctor
:expect missing  mpi
:screen $TMP/screen.txt
X
mkdir "$TMP/empty"
run_ok 'where a trace is to be chosen' workbench --script "$TMP/script" --size 200x60 "$TMP/empty"
run_ok 'of models alone' workbench --script "$TMP/script" --size 120x40 sample-models/pi.yaml
is "$(grep -c 'Samples\|samples' "$TMP/screen.txt")" 1 'to the last check'

# Read out: one line says what mends it, and after Enter what is mended is so.
printf ':doctor\nEsc\n' | env PATH="$bin" PAS2P_CRIU=/nowhere/criu "$TMP/there/pas2p" --no-config --plain sample-traces/cg.S.4.clog2 >"$OUT"
like "$(cat "$OUT")" '^row [0-9]+ of [0-9]+: state missing, check mpi, finding mpirun is Open MPI 4\.1\.4, but' 'the row that matters most'
like "$(cat "$OUT")" '^fix: .*make -C [^ ]*there, .*libpas2p-openmpi\.so was not found, which pas2p loads into the ranks: .* cannot be traced or measured$' 'what mends it, and all of the sentence'
cat >"$TMP/script" <<X
:doctor
:expect 1 requirement is missing
:expect mpirun is Open MPI 4.1.4, but
X
cat >"$bin/mpirun" <<'X'
#!/bin/sh
for file in libpas2p-openmpi.so pas2p-probe-openmpi pas2p-pingpong-openmpi; do
	: >"$PAS2P_LIBDIR/$file"
done
/bin/chmod +x "$PAS2P_LIBDIR"/*
echo "mpirun (Open MPI) 4.1.4"
X
rm -f "$PAS2P_LIBDIR"/*
# This launcher brings its library along when it is asked, after it was looked for the first time, or before: so twice.
cat >"$TMP/script" <<X
:doctor
Enter
:expect All requirements are met
:expect mpirun is Open MPI 4.1.4; libpas2p-openmpi.so matches it
X
run_ok 'it is looked again' workbench --script "$TMP/script" --size 120x40 sample-traces/cg.S.4.clog2
done_testing
