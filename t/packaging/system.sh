# For the tests of this room that install: the commands of docs/install.md as they are printed there, and a Debian 12 of one's own to run them in.
# They take minutes and need root and a network, so they are skipped unless make package-check asks for them (PACKAGE_CHECK).
# Source it behind t/lib/lib.sh; the whole test is skipped if it cannot run.

[ -n "${PACKAGE_CHECK:-}" ] || skip_all 'only make package-check asks for it: it builds packages, and a system to install them in'
[ "$(id -u)" -eq 0 ] || skip_all 'only root can make a system to install in'
for tool in git xz dpkg-buildpackage dh lintian debootstrap unshare; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
unshare --mount mount -t tmpfs none /mnt 2>/dev/null || skip_all 'nothing can be mounted here'
unset MAKEFLAGS MAKELEVEL MFLAGS
BUILD=$(dirname "$PAS2P")
export BUILD OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# The commands of a section: commands TITLE.
commands() {
	awk -v want="## $1" '/^## / { here = $0 == want } /^```/ { shown = $0 == "```sh"; next } here && shown && !/^#/ { sub(/ +# .*/, ""); print }' docs/install.md
}

# A fresh Debian 12, in $ROOT, with a user "someone" (1000). It is unpacked from one that the first of these tests makes.
ROOT=$TMP/root
make_root() {
	kept=$BUILD/package-check/root.tar
	if [ ! -e "$kept" ]; then
		mkdir -p "$(dirname "$kept")"
		debootstrap --variant=minbase bookworm "$ROOT" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$TMP/debootstrap.log" 2>&1 || {
			diag "$(tail -n 3 "$TMP/debootstrap.log")"
			skip_all 'no Debian could be fetched'
		}
		tar -C "$ROOT" -cf "$kept.new" . && mv "$kept.new" "$kept"
	else
		mkdir "$ROOT"
		tar -C "$ROOT" -xf "$kept"
	fi
	# Where this system fetches packages from; what is recommended besides would take minutes.
	for file in etc/apt/apt.conf.d etc/resolv.conf etc/hosts; do
		[ ! -e "/$file" ] || cp -R "/$file" "$ROOT/$(dirname $file)/"
	done
	rm -f "$ROOT"/etc/apt/apt.conf.d/docker*
	echo 'APT::Install-Recommends "false";' >"$ROOT/etc/apt/apt.conf.d/99lean"
	printf 'someone:x:1000:1000::/home/someone:/bin/bash\n' >>"$ROOT/etc/passwd"
	printf '#!/bin/sh\nexec "$@"\n' >"$ROOT/usr/bin/sudo"
	chmod +x "$ROOT/usr/bin/sudo"
	mkdir -p "$ROOT/home/someone/source"
	chown -R 1000:1000 "$ROOT/home/someone"
}

# in_root USER COMMAND: what a shell does there, in the folder of the source. Whatever it mounts goes with it.
in_root() {
	case $1 in root) in_home=/root in_id=0:0 ;; *) in_home=/home/someone in_id=1000:1000 ;; esac
	# shellcheck disable=SC2016  # for the shell within
	unshare --mount sh -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot --userspec="$2" "$1" \
		env -i HOME="$3" USER=someone TERM=xterm LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
		OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
		bash -c "cd /home/someone/source && $4"' sh "$ROOT" "$in_id" "$in_home" "$2"
}

# A program for each MPI that is here, in the folder of the source there.
put_programs() {
	for mpi in openmpi mpich; do
		"mpicc.$mpi" -w -O1 -o "$ROOT/home/someone/source/collectives.$mpi" t/preload/mpi/collectives.c || bail_out "mpicc.$mpi does not work"
	done
}

# traces USER PROGRAM MPI: it traces a program of that MPI there, and what it wrote has phases.
traces() {
	run_ok "$3: a program is traced" in_root "$1" "$2 trace -o /tmp/$1.$3.clog2 -- mpiexec.$3 -n 2 ./collectives.$3 20"
	run_ok "$3: the trace has phases" in_root "$1" "$2 phases /tmp/$1.$3.clog2"
	like "$(cat "$OUT")" "^$1\.$3: 2 processes" "$3: of two processes"
}

# shares USER PROGRAM MPI: what a job of that MPI says of this trace is what the program alone says.
shares() {
	run_ok "$3: the trace is analysed by a job" in_root "$1" "mpiexec.$3 -n 2 $2 phases -q -o /tmp/$1.$3.job /tmp/$1.$3.clog2"
	run_ok "$3: and without one" in_root "$1" "$2 phases -q -o /tmp/$1.$3.alone /tmp/$1.$3.clog2"
	ok "$3: they say the same" cmp "$ROOT/tmp/$1.$3.job" "$ROOT/tmp/$1.$3.alone"
}
