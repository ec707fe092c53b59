#!/bin/sh
# make pristine, which shows that README's commands work where nothing is installed, must end as they do, leave nothing, and never remove what
# is mounted. Looked at on a machine that is played: what makes the root takes this machine's programs, and the project has two commands
# that say what they see. Where no root can be made that is said, with a status of its own.
. t/lib/lib.sh

bin=$TMP/bin
mkdir "$bin"
for tool in bash dirname git; do
	ln -s "$(command -v $tool)" "$bin/$tool" 2>/dev/null
done
machine() { # WHO TOOL...: that user's, with these tools
	printf '#!/bin/sh\necho %s\n' "$1" >"$bin/id"
	shift
	chmod +x "$bin/id"
	rm -f "$bin/apt-config" "$bin/mmdebstrap"
	for tool in "$@"; do
		printf '#!/bin/sh\n' >"$bin/$tool"
		chmod +x "$bin/$tool"
	done
}
machine 1000 apt-config mmdebstrap
run_fails 77 'without root' env PATH="$bin" bash tools/pristine.sh
is "$(cat "$ERR")" "README's commands were not tried on a fresh machine: only root can make one." 'it says what it did not do'
machine 0 mmdebstrap
run_fails 77 'without apt' env PATH="$bin" bash tools/pristine.sh
like "$(cat "$ERR")" ': there is no apt-config\.$' 'says so'
machine 0 apt-config
run_fails 77 'without mmdebstrap' env PATH="$bin" bash tools/pristine.sh
like "$(cat "$ERR")" ': there is no mmdebstrap\.$' 'says so'
for command in demo check; do
	ok "make $command is README's" grep -q "make $command" README.md
done

left=19
[ "$(id -u)" -eq 0 ] || { skip $left 'only root can mount'; done_testing; }
unshare --mount --propagation private --pid --fork --mount-proc true 2>/dev/null || { skip $left 'nothing can be mounted here'; done_testing; }
{ command -v git && command -v make && command -v apt-config && [ -L /bin ]; } >/dev/null || { skip $left 'no git, no make, or no Debian'; done_testing; }

# The root: this machine's programs, bound to where they belong.
rm -rf "$bin"
mkdir "$bin"
cat >"$bin/mmdebstrap" <<'END'
#!/bin/sh
root=
while [ $# -gt 0 ]; do
	case $1 in */root) root=$1 ;; esac
	shift
done
mkdir -p "$root/usr" "$root/etc" "$root/root" "$root/tmp" "$root/proc" "$root/sys" "$root/dev"
mount --bind -o ro /usr "$root/usr"
mount -t tmpfs share "$root/usr/share" # keys are put there
for folder in bin sbin lib lib64; do
	[ ! -L "/$folder" ] || ln -s "usr/$folder" "$root/$folder"
done
cp -a /etc/ld.so.cache /etc/alternatives "$root/etc"
END
chmod +x "$bin/mmdebstrap"
project=$TMP/project
mkdir -p "$project/tools" "$TMP/work"
cp tools/pristine.sh "$project/tools"
cat >"$project/Makefile" <<END
demo:
	@echo "terminal: \$\$(test -t 0 || test -t 1 && echo yes || echo no), \$\$(pwd)"
check:
	@echo 'All tests successful.'
	@echo 'Result: PASS'
	@sh ./checks
END
echo 'test -c /dev/null && test -c /dev/ptmx && test -d /dev/pts && test -w /dev/shm && test -d /sys/kernel && test -d /proc/1' >"$project/checks"
git_project() {
	git -C "$project" -c user.name=x -c user.email=x@example.org "$@" >/dev/null 2>&1
}
git_project init
git_project add .
git_project commit -m x
pristine() {
	PATH=$bin:$PATH TMPDIR=$TMP/work "$project/tools/pristine.sh"
}
run_ok 'the commands of a project' pristine || diag "$(cat "$OUT")"
like "$(cat "$OUT")" '^terminal: no, /root/pas2p$' 'run in a clone, without a terminal'
is "$(grep -c '^Result: PASS' "$OUT")" 2 'what the tests say is repeated at the end'
like "$(tail -n 1 "$OUT")" "^On a fresh [a-z]+ README's commands pass: root [0-9]+ s, make demo [0-9]+ s, make check [0-9]+ s\\.\$" 'with the time of each stage'
is "$(ls -A "$TMP/work")" '' 'nothing is left'
echo 'exit 1' >>"$project/checks"
run_ok 'what is not committed' pristine
like "$(cat "$ERR")" '^What is not committed is not tried\.$' 'is not tried, and that is said'
git_project commit -am x
run_fails 1 'a command that fails' pristine
like "$(tail -n 1 "$OUT")" 'do not pass \(make check\)' 'is named'
is "$(ls -A "$TMP/work")" '' 'nothing is left'

# Ended while it runs: no process and no mount stays. The first line of standard output of a run that has got so far names its folder.
cat >"$project/checks" <<'END'
touch /root/begun
exec sleep 600
END
git_project commit -am x
begin() {
	PATH=$bin:$PATH TMPDIR=$TMP/work env --default-signal=INT "$project/tools/pristine.sh" >"$OUT" 2>"$ERR" &
	script=$!
	while kill -0 $script 2>/dev/null && [ -z "$(find "$TMP/work" -maxdepth 4 -path '*/root/root/begun')" ]; do
		:
	done
	inside=$(grep -l "$TMP/work" /proc/[0-9]*/mountinfo 2>/dev/null | wc -l)
}
for signal in INT TERM; do
	begin
	kill -$signal $script
	wait $script
	is "$? $([ "$inside" -gt 0 ] && echo inside)" "$([ $signal = INT ] && echo 130 || echo 143) inside" "SIG$signal ends it"
	is "$(ls -A "$TMP/work") $(grep -l "$TMP/work" /proc/[0-9]*/mountinfo 2>/dev/null)" ' ' 'and nothing is left'
done
begin
kill -KILL $script
wait $script
while grep -qs "$TMP/work" /proc/[0-9]*/mountinfo; do
	:
done
pass 'SIGKILL, too, leaves no mount'
ok 'but a folder' rm -r --one-file-system "$TMP/work"
mkdir "$TMP/work"

# Something is mounted below the root where all can see it.
cat >"$project/checks" <<'END'
touch /root/begun
while [ ! -e /root/go ]; do :; done
END
git_project commit -am x
cat >"$TMP/mounts" <<'END'
"$1/tools/pristine.sh" &
while [ -z "$(find "$2" -maxdepth 4 -path '*/root/root/begun')" ]; do
	kill -0 $! || exit 5
done
root=$(echo "$2"/*/root)
mkdir "$root/tmp/there"
mount -t tmpfs there "$root/tmp/there"
touch "$root/tmp/there/file" "$root/root/go"
wait $!
status=$?
test -e "$root/tmp/there/file" && echo 'it is still there'
exit $status
END
run_fails 1 'a mount below the root' env PATH="$bin:$PATH" TMPDIR="$TMP/work" unshare --mount sh "$TMP/mounts" "$project" "$TMP/work"
like "$(cat "$ERR")" 'is mounted: .* is not removed\.$' 'is said'
like "$(cat "$OUT")" '^it is still there$' 'and nothing is removed'
done_testing
