#!/bin/sh
# What is no trace, or no longer one, is told in one sentence that names the file and says what to do, with the documented exit
# status, and nothing on stdout: a script must be able to tell "cannot read" from "damaged" from "fine". Where part of a
# trace is readable, the result is of that part. An export that is stopped in the middle leaves the old file or the new one.
. t/lib/lib.sh

XDG_CONFIG_HOME=$TMP/none
export XDG_CONFIG_HOME
trace=sample-traces/ep.S.4.clog2

refused() { # STATUS NAME ERE FILE
	run_fails "$1" "$2" "$PAS2P" info "$4"
	like "$(cat "$ERR")" "$3" "$2: says so"
	is "$(grep -vc '^hint: ' "$ERR")" 1 "$2: in one line"
	like "$(cat "$ERR")" "^pas2p: .*${4##*/}" "$2: names the file"
	is "$(wc -c <"$OUT")" 0 "$2: nothing on stdout"
}

mkdir "$TMP/dir"
mkfifo "$TMP/pipe"
: >"$TMP/empty.clog2"
gzip -c "$trace" | gzip -c >"$TMP/gzip.clog2"
head -c 500 "$trace" >"$TMP/head.clog2"
head -c 1024 "$trace" >"$TMP/preamble.clog2"
{ printf 'CLOG-01.00'; tail -c +11 "$trace"; } >"$TMP/old.clog2"
{ printf 'CLOG-02.00'; tail -c +11 "$trace"; } >"$TMP/zero.clog2"
{ printf 'CLOG-02.99'; tail -c +11 "$trace"; } >"$TMP/new.clog2"
printf 'time,rank,event\n1,2,3\n' >"$TMP/text.clog2"
head -c 70000 /dev/zero >"$TMP/zeros.clog2"
refused 3 'a missing file' 'No such file' "$TMP/missing.clog2"
refused 3 'a directory' 'is a directory' "$TMP/dir"
refused 3 'a pipe' 'is a pipe.*file first' "$TMP/pipe"
refused 3 'a device' 'is a device' /dev/null
refused 3 'an empty file' 'is empty \(0 bytes\)' "$TMP/empty.clog2"
refused 3 'a file compressed twice' 'compressed twice' "$TMP/gzip.clog2"
refused 3 'CLOG-01' 'CLOG-01' "$TMP/old.clog2"
refused 3 '02.00' '02\.00' "$TMP/zero.clog2"
refused 3 'a version to come' '02\.99' "$TMP/new.clog2"
refused 3 'text' 'text' "$TMP/text.clog2"
refused 3 'zeros' 'zero' "$TMP/zeros.clog2"
refused 3 'a cut preamble' 'ends inside its preamble' "$TMP/head.clog2"
refused 3 'a preamble alone' 'no record' "$TMP/preamble.clog2"

# An unreadable file; the superuser reads all, so as somebody else.
cp "$trace" "$TMP/secret.clog2"
chmod 0 "$TMP/secret.clog2"
if [ "$(id -u)" -ne 0 ]; then
	refused 3 'an unreadable file' 'Permission denied' "$TMP/secret.clog2"
elif setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	chmod 755 "$TMP"
	cp "$PAS2P" "$TMP/pas2p"
	if setpriv --reuid=65534 --clear-groups "$TMP/pas2p" --version >/dev/null 2>&1; then
		run_fails 3 'an unreadable file' setpriv --reuid=65534 --clear-groups "$TMP/pas2p" info "$TMP/secret.clog2"
		like "$(cat "$ERR")" '^pas2p: .*secret.clog2: Permission denied' 'an unreadable file: says so'
	else
		skip 2 'another user cannot run the program here'
	fi
else
	skip 2 'no other user to be'
fi

# A false block size: the blocks themselves say how long they are.
for size in 1 64 0 70; do
	# The value stands at the same place in every file of this version.
	sed "1s/block_size=\x0065536/block_size=\x00$(printf '%05d' "$size")/" "$trace" >"$TMP/size.clog2"
	if cmp -s "$trace" "$TMP/size.clog2"; then fail 'the block size is changed'; fi
	"$PAS2P" phases --no-config --format csv "$TMP/size.clog2" >"$TMP/a" 2>"$ERR"
	is $? 0 "block size $size: read all the same"
	"$PAS2P" phases --no-config --format csv "$trace" >"$TMP/b"
	ok "block size $size: the same phases" cmp "$TMP/a" "$TMP/b"
	"$PAS2P" check "$TMP/size.clog2" >"$OUT"
	is $? 1 "block size $size: check finds it"
	like "$(cat "$OUT")" "block_size= is \"$(printf '%05d' "$size")\", but the blocks have 65536" "block size $size: says so"
done

# Where the file is one block that is said to be longer, nothing is lost either.
sed '1s/block_size=\x0065536/block_size=\x0099999/' "$trace" >"$TMP/size.clog2"
run_fails 4 'a block longer than the file' "$PAS2P" check "$TMP/size.clog2"
like "$(cat "$OUT")" '^error: cut-tail .*no events are missing' 'a block longer than the file: cut, but no event is missing'

# Numbers that the records contradict change no figure, and never in silence: a world rank of a million in the record of rank 3,
# and a world of a million of which six processes log.
world=sample-traces/comms.6.clog2
"$PAS2P" phases --no-config --format csv "$world" >"$TMP/b"
cp "$world" "$TMP/comms.6.clog2"
printf '\000\017\102\100' | dd of="$TMP/comms.6.clog2" bs=1 seek=1092 conv=notrunc 2>/dev/null
run_fails 1 'a world rank of a million: check' "$PAS2P" check -q "$TMP/comms.6.clog2"
like "$(cat "$OUT")" 'world rank 1000000, and rank 3 in its header; pas2p uses rank 3' 'a world rank of a million: said'
run_ok 'a world rank of a million: phases' "$PAS2P" phases --no-config --format csv "$TMP/comms.6.clog2"
ok 'a world rank of a million: the same phases' cmp "$OUT" "$TMP/b"
{
	head -c 1024 "$world" | sed 's/comm_world_size=\x006\x00/comm_world_size=\x001000000\x00/' | head -c 1024
	tail -c +1025 "$world"
} >"$TMP/comms.6.clog2"
run_fails 1 'a world of a million: check' "$PAS2P" check -q "$TMP/comms.6.clog2"
like "$(cat "$OUT")" 'the preamble gives 1000000 processes, but the records show 6' 'a world of a million: said'
run_ok 'a world of a million: phases' "$PAS2P" phases --no-config --format csv "$TMP/comms.6.clog2"
ok 'a world of a million: the same phases' cmp "$OUT" "$TMP/b"

# Damage: the result is of what is readable, the status says that it is not all.
large=sample-traces/cg.S.4.clog2
head -c 1000000 "$large" >"$TMP/cut.clog2"
run_fails 4 'a cut file' "$PAS2P" events --format csv "$TMP/cut.clog2"
like "$(cat "$ERR")" '^pas2p: .*cut.clog2 is damaged: block 15, byte 1000000: .*these are partial results$' 'a cut file: where'
ok 'a cut file: its events are there' test "$(wc -l <"$OUT")" -gt 3000
run_fails 4 'check of a cut file' "$PAS2P" check "$TMP/cut.clog2"
like "$(cat "$OUT")" '^error: truncated \(1\): ' 'check of a cut file: what it means'
{ head -c 600000 "$large"; head -c 400000 /dev/zero; } >"$TMP/tail.clog2"
run_fails 4 'a tail of zeros' "$PAS2P" phases "$TMP/tail.clog2"
like "$(cat "$ERR")" 'zeros instead of a record' 'a tail of zeros: says so'
ok 'a tail of zeros: phases of the rest' test -s "$OUT"

# A file that ends in a hole, as one that was enlarged ahead: a terabyte of nothing is not read.
if truncate -s 1T "$TMP/cut.clog2" 2>/dev/null; then
	run_fails 4 'a terabyte of nothing behind a cut trace' timeout 60 "$PAS2P" check -q "$TMP/cut.clog2"
	like "$(cat "$OUT")" 'to its end at byte 1099511627776: nothing was ever written there' 'a terabyte of nothing: says so'
	cp "$large" "$TMP/ahead.clog2"
	truncate -s 1T "$TMP/ahead.clog2"
	run_ok 'a terabyte of nothing behind a whole trace' timeout 60 "$PAS2P" phases --no-config --format csv "$TMP/ahead.clog2"
	"$PAS2P" phases --no-config --format csv "$large" >"$TMP/b"
	ok 'a terabyte of nothing: the same phases' cmp "$OUT" "$TMP/b"
	# Limits come from what was written, not from the size: no room is taken for two thousand million processes.
	{
		head -c 1024 "$large" | sed 's/comm_world_size=\x004\x00/comm_world_size=\x002000000000\x00/' | head -c 1024
		tail -c +1025 "$large" | head -c 300000
	} >"$TMP/ahead.clog2"
	ok 'a terabyte of nothing: the preamble is changed' grep -aq 2000000000 "$TMP/ahead.clog2"
	truncate -s 1T "$TMP/ahead.clog2"
	# A sanitizer takes terabytes of addresses for itself: a program built with one runs without the limit.
	room=4000000
	! sanitized || room=unlimited
	run_fails 4 'a terabyte of nothing: and of processes' timeout 60 sh -c 'ulimit -v "$2"; exec "$PAS2P" check -q "$1"' \
		sh "$TMP/ahead.clog2" $room
	rm "$TMP/ahead.clog2"

	# Wherever the cut is in a record: what is left of it before zeros is no end of a log, and the trace no local file.
	for cut in 301020 301024 301028 301032 301036 301040 301044 301048 301052; do
		head -c $cut "$large" >"$TMP/ahead.clog2"
		truncate -s 400000 "$TMP/ahead.clog2"
		run_fails 4 "zeros from byte $cut on" "$PAS2P" check -q "$TMP/ahead.clog2"
		unlike "$(cat "$OUT")" 'local file' "zeros from byte $cut on: still a whole trace"
	done
else
	skip 24 'no file here can be a terabyte long'
fi

# Text in a trace never reaches the terminal as commands.
printf '\033]0;x\007' >"$TMP/esc"
name="$TMP/$(cat "$TMP/esc").clog2"
head -c 1000000 "$large" >"$name"
"$PAS2P" check "$name" >"$OUT" 2>&1
is "$(tr -d '\n[:print:]' <"$OUT" | tr -dc '\033\007' | wc -c)" 0 'a file name with an escape sequence is shown harmlessly'

# Sets of local files that are none.
local=sample-traces/unfinalized.m240.abortme.rank000
run_fails 2 'the same file twice' "$PAS2P" info "${local}0.clog2" "${local}0.clog2"
like "$(cat "$ERR")" 'both the local file of rank 0' 'the same file twice: says so'
run_fails 2 'a whole trace among local files' "$PAS2P" info "${local}0.clog2" "$trace"
like "$(cat "$ERR")" '^pas2p: info: expected one run, found 2$' 'a whole trace among local files: says so'
like "$(cat "$ERR")" '^hint: pas2p diff A B, or pas2p metrics A B$' 'a whole trace among local files: says what to use'

# Every other file that is read is a regular one too: neither waited for nor read without end, whatever it is for.
irregular() { # NAME STATUS FILE COMMAND...
	name=$1 status=$2 file=$3
	shift 3
	for kind in pipe device directory; do
		rm -rf "$file"
		case $kind in
		pipe) mkfifo "$file" ;;
		device) mknod "$file" c 1 5 2>/dev/null || { skip 2 "making a device needs root"; rm -f "$file"; continue; } ;;
		directory) mkdir "$file" ;;
		esac
		run_fails "$status" "$name is a $kind" timeout 20 "$@"
		like "$(cat "$ERR")" "^pas2p: .*${file##*/} is a $kind" "$name is a $kind: says so"
	done
	rm -rf "$file"
}

table=$TMP/good.yaml
"$PAS2P" phases --no-config -q --format yaml -o "$table" "$trace"
irregular 'a config file' 3 "$TMP/mine.yaml" "$PAS2P" phases --config "$TMP/mine.yaml" "$trace"
mkdir -p "$TMP/xdg/pas2p"
irregular "the user's config file" 3 "$TMP/xdg/pas2p/config.yaml" env XDG_CONFIG_HOME="$TMP/xdg" "$PAS2P" phases "$trace"
irregular 'what the workbench has saved' 3 "$TMP/xdg/pas2p/saved.yaml" env XDG_CONFIG_HOME="$TMP/xdg" "$PAS2P" phases "$trace"
irregular 'a result' 3 "$TMP/result.yaml" "$PAS2P" compare "$TMP/result.yaml"
for kind in pipe device; do
	case $kind in
	pipe) mkfifo "$TMP/table.yaml" ;;
	device) ln -s /dev/zero "$TMP/table.yaml" ;;
	esac
	for command in 'run' "sign -o $TMP/x.sig"; do
		# shellcheck disable=SC2086
		run_fails 3 "$command: the table is a $kind" timeout 20 "$PAS2P" $command "$TMP/table.yaml" -- mpirun true
		like "$(cat "$ERR")" "^pas2p: .*table.yaml is a $kind" "$command: the table is a $kind: says so"
	done
	rm "$TMP/table.yaml"
done

# A signature of which all is right but the file that is looked at.
signature() {
	rm -rf "$TMP/x.sig"
	mkdir "$TMP/x.sig"
	cp "$table" "$TMP/x.sig/table.yaml"
	printf 'true\0' >"$TMP/x.sig/command"
	cat >"$TMP/x.sig/signature.yaml" <<END
pas2p_signature: 1
application: ep.S.4
mechanism: {name: replay, version: ""}
directory: /
kernel: ""
mpi: ""
cpu: ""
cpu_flags: ""
files: []
END
}
for part in signature.yaml table.yaml command; do
	signature
	irregular "a signature's $part" 3 "$TMP/x.sig/$part" "$PAS2P" run "$TMP/x.sig"
	signature
	truncate -s 2G "$TMP/x.sig/$part" 2>/dev/null || head -c 20000000 /dev/zero >"$TMP/x.sig/$part"
	run_fails 7 "a signature's $part of 2 GB" timeout 20 "$PAS2P" run "$TMP/x.sig"
	like "$(cat "$ERR")" "$part has more than [0-9]* bytes, the limit for a file of this kind" "a signature's $part of 2 GB: says so"
done

# A version that no number can hold is another version.
for version in 7 99999999999999999999; do
	signature
	sed -i "s/^pas2p_signature: .*/pas2p_signature: $version/" "$TMP/x.sig/signature.yaml"
	run_fails 3 "a signature of version $version" "$PAS2P" run "$TMP/x.sig"
	like "$(cat "$ERR")" "signature.yaml: line 1: a signature has version $version, but this pas2p reads versions? [0-9]+" 'says so'
	sed "s/^pas2p: .*/pas2p: $version/" "$table" >"$TMP/table.yaml"
	run_fails 3 "a table of version $version" "$PAS2P" run "$TMP/table.yaml" -- mpirun true
	like "$(cat "$ERR")" "table.yaml: line 1: a phase table has version $version, but this pas2p reads versions? [0-9]+" 'says so'
	sed "s/^pas2p_result: .*/pas2p_result: $version/" t/runner/results/lu.S.4.laptop.yaml >"$TMP/result.yaml"
	run_fails 3 "a result of version $version" "$PAS2P" compare "$TMP/result.yaml"
	like "$(cat "$ERR")" "result.yaml: line 1: a result has version $version, but this pas2p reads" 'says so'
done
signature
sed -i 's/^pas2p_signature: .*/pas2p_signature: one/' "$TMP/x.sig/signature.yaml"
run_fails 3 'a version that is no number' "$PAS2P" run "$TMP/x.sig"
like "$(cat "$ERR")" "pas2p_signature is 'one': expected a version number" 'says so'

# Exports: a full disk, a size limit, and kill -9 in the middle leave the old file or the new one.
"$PAS2P" events --format csv --no-config "$large" >"$TMP/new"
echo old >"$TMP/table.csv"
run_fails 6 'an export over the size limit' sh -c 'ulimit -f 100; exec "$PAS2P" events --format csv -o "$1" "$2"' sh "$TMP/table.csv" "$large"
like "$(cat "$ERR")" '^pas2p: cannot write .*table.csv' 'an export over the size limit: says so'
is "$(cat "$TMP/table.csv")" old 'an export over the size limit: the old file stands'
is "$(find "$TMP" -name '.table*' | wc -l)" 0 'an export over the size limit: nothing is left beside it'
halves=0
whole=0
for delay in 0 1 2 3 4 5 6 7 8 9 10 11 12; do
	echo old >"$TMP/table.csv"
	"$PAS2P" events --format csv -o "$TMP/table.csv" "$large" 2>/dev/null &
	pid=$!
	# The moment is the test's, not the machine's: after so many looks at the directory.
	i=0
	while [ $i -lt $((delay * delay)) ]; do
		: "$TMP"/.table*
		i=$((i + 1))
	done
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	if [ "$(cat "$TMP/table.csv")" = old ] 2>/dev/null; then
		whole=$((whole + 1))
	elif cmp -s "$TMP/table.csv" "$TMP/new"; then
		whole=$((whole + 1))
	else
		halves=$((halves + 1))
	fi
	rm -f "$TMP"/.table*
done
is "$halves" 0 'killed in the middle, a file is never half'
is "$whole" 13 'but always the old or the new one'
done_testing
