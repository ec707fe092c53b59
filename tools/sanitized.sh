#!/bin/sh
# Runs a command whose programs were built with a sanitizer, or run under valgrind, and fails if any of them reported something:
#
#     tools/sanitized.sh FOLDER COMMAND...
#
# A test may expect that a command fails, and throw its stderr away: so each report goes to a file of its own in FOLDER, which is made
# anew, and all that is there at the end is printed. Each program that reports ends with 99, which no command of pas2p does.
set -u

reports=$1
shift
rm -rf "$reports" && mkdir -p "$reports" || exit 2
reports=$(realpath "$reports")
supp=$(realpath t/lib)/lsan.supp

# Memory that is asked for and cannot be had is NULL, as without sanitizers. The tracer's library is loaded into programs that were
# not built with a sanitizer, too (t/sanitize.mk): its order among libraries is then wrong, and heap is not looked at.
export ASAN_OPTIONS="log_path=$reports/asan:exitcode=99:strict_string_checks=1:check_initialization_order=1:allocator_may_return_null=1:verify_asan_link_order=0:quarantine_size_mb=64:symbolize=1:handle_sigill=1"
export LSAN_OPTIONS="suppressions=$supp:print_suppressions=0:max_leaks=20"
# Curses draws in its handler of SIGTSTP.
export TSAN_OPTIONS="log_path=$reports/tsan:exitcode=99:report_signal_unsafe=0:second_deadlock_stack=1"
export SANITIZER_REPORTS="$reports"

"$@"
status=$?

count=0
for report in "$reports"/*; do
	[ -s "$report" ] || continue
	count=$((count + 1))
	[ "$count" -gt 20 ] || { echo "--- $report"; head -n 40 "$report"; } >&2
done
if [ "$count" -gt 0 ]; then
	[ "$count" -eq 1 ] && programs='1 program' || programs="$count programs"
	echo "$programs reported something; what each said is in $reports" >&2
	exit 1
fi
[ "$status" -ne 0 ] || echo "No program reported anything."
exit "$status"
