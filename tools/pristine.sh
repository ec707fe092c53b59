#!/bin/bash
# README's two commands where nothing is installed: tools/pristine.sh
#
# Makes a root of this machine's Debian, from its own package sources, that holds ca-certificates, git and make and nothing else,
# clones what is committed into it, and runs make demo and make check there. It fails if one of them fails. Where such a root
# cannot be made, one sentence says so, and the exit status is 77.
#
# All of it runs in namespaces of its own: whoever ends it, by whatever signal, no process and no mount stays. Only then is the
# root removed, and never if something is mounted below it: a removal that walks into a bound /dev takes the machine's devices away.
set -euo pipefail
cd "$(dirname "$0")/.."

# What is done in the namespaces, in the folder WORK.
within() { # WORK
	work=$1 root=$1/root begun=$(date +%s) times=
	took() { # STAGE
		times="$times, $1 $(($(date +%s) - begun)) s"
		begun=$(date +%s)
	}

	# shellcheck disable=SC1091
	suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
	sources=()
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
		! grep -Eqs '^(deb|Types:)' "$file" || sources+=("$file")
	done
	# How packages are fetched here; a program that looks for a proxy is not there.
	apt-config dump | grep '^Acquire::' | grep -iv 'proxy-auto' >"$work/apt.conf"
	# shellcheck disable=SC2016 # for the shell of the hook
	mmdebstrap --quiet --mode=root --variant=minbase --format=directory --include=ca-certificates,git,make --aptopt="$work/apt.conf" \
		--setup-hook='for file in auth.conf auth.conf.d preferences preferences.d; do
			[ ! -e "/etc/apt/$file" ] || cp -a "/etc/apt/$file" "$1/etc/apt"; done' "$suite" "$root" "${sources[@]}"
	for keys in etc/apt/keyrings etc/apt/trusted.gpg.d usr/share/keyrings; do
		[ ! -d "/$keys" ] || { mkdir -p "$root/$keys" && cp -Ru "/$keys/." "$root/$keys"; }
	done
	cp -L /etc/hosts /etc/resolv.conf "$root/etc"
	git clone --quiet --no-local . "$root/root/pas2p"
	took root

	mount -t proc proc "$root/proc"
	mount --bind /sys "$root/sys"
	mount --bind /dev "$root/dev"
	mount --bind /dev/pts "$root/dev/pts"
	mount -t tmpfs shm "$root/dev/shm"
	network=()
	for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
		[ -z "${!name:-}" ] || network+=("$name=${!name}")
	done
	status=0
	for target in demo check; do
		chroot "$root" env -i "${network[@]}" HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			make -C /root/pas2p $target 2>&1 | tee "$work/log" || status=1
		took "make $target"
		[ $status -eq 0 ] || break
	done
	sed -n '/^Test Summary Report/,$p; /^All tests successful/,$p' "$work/log"
	if [ $status -eq 0 ]; then said=pass; else said="do not pass (make $target)"; fi
	echo "On a fresh $suite README's commands $said: ${times#, }."
	exit $status
}

if [ "${1:-}" = within ]; then
	within "$2"
fi

skip() { # WHY
	echo "README's commands were not tried on a fresh machine: $1." >&2
	exit 77
}
[ "$(id -u)" -eq 0 ] || skip 'only root can make one'
for tool in apt-config mmdebstrap git; do
	command -v $tool >/dev/null || skip "there is no $tool"
done
space=(unshare --mount --propagation private --pid --fork --kill-child --mount-proc)
"${space[@]}" true 2>/dev/null || skip 'nothing can be mounted here'
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo 'What is not committed is not tried.' >&2

child=
# shellcheck disable=SC2317 # when the script ends
remove() {
	# The first process of the namespace takes all others and every mount with it; it is gone when they are.
	if [ -n "$child" ]; then
		# shellcheck disable=SC2046 # at most one number
		kill -KILL $(cat "/proc/$child/task/$child/children" 2>/dev/null) "$child" 2>/dev/null || true
		wait "$child" || true
	fi
	while read -r _ _ _ _ point _; do
		printf -v point %b "$point"
		if [[ $point/ = "$work"/* ]]; then
			echo "$point is mounted: $work is not removed." >&2
			exit 1
		fi
	done </proc/self/mountinfo
	rm -rf --one-file-system "$work"
}
work=$(realpath "$(mktemp -d "${TMPDIR:-/tmp}/pas2p-pristine.XXXXXX")")
trap remove EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
chmod 755 "$work"
# A shell starts what it does not wait for with signals ignored; tests send those.
env --default-signal=INT,QUIT setpriv --pdeathsig KILL "${space[@]}" tools/pristine.sh within "$work" </dev/null &
child=$!
status=0
wait $child || status=$?
child=
exit $status
