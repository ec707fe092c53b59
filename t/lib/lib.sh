# TAP for the shell tests. Source it first:
#
#     #!/bin/sh
#     # Behaviour and reason, one paragraph.
#     . t/lib/lib.sh
#     run_ok 'help is help' "$PAS2P" --help        # stdout in $OUT, stderr in $ERR (files)
#     like "$(cat "$OUT")" '^usage' 'it begins with the usage'
#     run_fails 2 'an unknown option' "$PAS2P" --nonsense
#     done_testing
#
# They run from the repository's root; $PAS2P is the built program; $TMP is a directory that goes away.

: "${PAS2P:=$PWD/build/pas2p}"
LC_ALL=C.UTF-8
export PAS2P LC_ALL
TAP_RUN=0
TAP_FAILED=0
TAP_DONE=
TMP=$(mktemp -d "${TMPDIR:-/tmp}/pas2p-test.XXXXXX") || { echo 'Bail out!  no temporary directory'; exit 255; }
# Programs make their temporary files there as well. Open MPI's launchers share a folder in it, make it and remove it when it is empty: of
# two tests whose jobs began or ended at once one failed.
TMPDIR=$TMP/.tmp
mkdir "$TMPDIR"
export TMPDIR
OUT=$TMP/.out
ERR=$TMP/.err
tap_newline='
'

tap_end() {
	status=$?
	trap - EXIT
	rm -rf "$TMP"
	if [ -z "$TAP_DONE" ]; then
		echo '# the test ended before done_testing' >&2
		[ "$status" -ne 0 ] || status=1
	fi
	exit "$status"
}
trap tap_end EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Whether the program was built with a sanitizer: it then takes terabytes of addresses, and crashes are the sanitizer's.
sanitized() {
	! "$PAS2P" --version | grep -qx 'sanitizers *none'
}

# As words for env -i: where sanitizers report to (tools/sanitized.sh).
sanitizer_options() {
	[ -z "${SANITIZER_REPORTS:-}" ] || printf '%s ' "ASAN_OPTIONS=$ASAN_OPTIONS" "LSAN_OPTIONS=$LSAN_OPTIONS"
}

# Rows of CSV without a column, by its name.
csv_without() {
	awk -F, -v OFS=, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
		{ line = ""; for (i = 1; i <= NF; i++) if (i != c) line = line (line == "" && i <= 1 + (c == 1) ? "" : OFS) $i; print line }'
}

# The answers of a diagnosis in the table of `pas2p metrics`, a line each and blanks squeezed, as if none were wrapped.
diagnosis() {
	awk '/^(Efficiency|Scalability|Main loss|Effect of the change)  / { if (on) print text; text = ""; on = 1 }
		on { $1 = $1; text = text (text == "" ? "" : " ") $0 } END { print text }'
}

diag() {
	printf '%s\n' "$*" | sed 's/^/# /' >&2
}

bail_out() {
	printf 'Bail out!  %s\n' "$*"
	TAP_DONE=1
	exit 255
}

# The name of a check as TAP wants it, in $tap_text. Nearly all need no program for that, and to start one takes longer than most checks.
tap_name_text() {
	case $1 in
	*[#"$tap_newline"]*) tap_text=$(printf '%s' "$1" | tr '#\n' '  ') ;;
	*) tap_text=$1 ;;
	esac
}

pass() {
	TAP_RUN=$((TAP_RUN + 1))
	tap_name_text "$1"
	printf 'ok %d - %s\n' "$TAP_RUN" "$tap_text"
}

# fail NAME: always returns 1, so that `check || return` reads well.
fail() {
	TAP_RUN=$((TAP_RUN + 1))
	TAP_FAILED=$((TAP_FAILED + 1))
	tap_name_text "$1"
	printf 'not ok %d - %s\n' "$TAP_RUN" "$tap_text"
	diag "failed: $1 ($0)"
	return 1
}

# ok NAME COMMAND...: the command (a test, grep, cmp) succeeds.
ok() {
	tap_name=$1
	shift
	if "$@"; then
		pass "$tap_name"
	else
		fail "$tap_name"
		diag "    command:  $*"
		return 1
	fi
}

# is GOT WANT NAME
is() {
	if [ "x$1" = "x$2" ]; then
		pass "$3"
	else
		fail "$3"
		diag "    got:      $1"
		diag "    expected: $2"
		return 1
	fi
}

has_line() { # TEXT ERE
	grep -Eq -e "$2" <<-tap_text_ends_here
	$1
	tap_text_ends_here
}

# like TEXT ERE NAME, unlike TEXT ERE NAME: some line (no line) of the text matches.
like() {
	if has_line "$1" "$2"; then
		pass "$3"
	else
		fail "$3"
		diag "    got:      $1"
		diag "    expected: a line like $2"
		return 1
	fi
}

unlike() {
	if has_line "$1" "$2"; then
		fail "$3"
		diag "    got:      $1"
		diag "    expected: no line like $2"
		return 1
	else
		pass "$3"
	fi
}

# run_fails CODE NAME COMMAND...: it exits with CODE. Output goes to $OUT and $ERR; no input.
run_fails() {
	tap_want=$1
	tap_name=$2
	shift 2
	"$@" </dev/null >"$OUT" 2>"$ERR"
	tap_got=$?
	if [ "$tap_got" -eq "$tap_want" ]; then
		pass "$tap_name"
	else
		fail "$tap_name"
		diag "    command:  $*"
		diag "    got:      exit status $tap_got"
		diag "    expected: exit status $tap_want"
		diag "$(head -n 20 "$ERR")"
		return 1
	fi
}

# run_ok NAME COMMAND...
run_ok() {
	run_fails 0 "$@"
}

# cmp_golden FILE GOLDEN NAME: the same bytes. With UPDATE_GOLDEN=1 the golden file is made anew, to be
# looked over with git diff before it is committed.
cmp_golden() {
	if [ -n "${UPDATE_GOLDEN:-}" ]; then
		mkdir -p "$(dirname "$2")" && cp "$1" "$2"
	fi
	if cmp -s "$1" "$2"; then
		pass "$3"
	else
		fail "$3"
		diag "$(diff -u "$2" "$1" 2>&1 | head -n 40)"
		return 1
	fi
}

# How many processes run a program of the test's own folder. It is one program that looks, not one for each process of the machine:
# what is waited for may be over within 80 ms.
left_behind() {
	ls -l /proc/[0-9]*/exe 2>/dev/null | grep -cF -- "-> $TMP/"
}

# wait_until COMMAND...: until it succeeds, for half a minute at least.
wait_until() {
	wait_tries=0
	until "$@" 2>/dev/null || [ "$wait_tries" -ge 1500 ]; do
		sleep 0.02
		wait_tries=$((wait_tries + 1))
	done
}

# skip COUNT WHY
skip() {
	tap_left=$1
	while [ "$tap_left" -gt 0 ]; do
		TAP_RUN=$((TAP_RUN + 1))
		tap_left=$((tap_left - 1))
		printf 'ok %d # skip %s\n' "$TAP_RUN" "$2"
	done
}

# skip_all WHY: before any check.
skip_all() {
	printf '1..0 # skip %s\n' "$1"
	TAP_DONE=1
	exit 0
}

done_testing() {
	TAP_DONE=1
	printf '1..%d\n' "$TAP_RUN"
	[ "$TAP_RUN" -gt 0 ] || diag 'no check was made'
	[ "$TAP_FAILED" -eq 0 ] && [ "$TAP_RUN" -gt 0 ]
	exit
}
