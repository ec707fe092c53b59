#!/bin/sh
# Install what is missing to build and test: tools/deps.sh [build|check|ci|package]
# check: also Open MPI, which the tests of the tracer and the runner run programs with. ci: also MPICH, Slurm, and what fuzzing needs.
# package: what make deb, make portable and make package-check need besides build.
#
# Looks before it installs, so that it is quick and needs no rights where all is there. Debian and its
# kin only; elsewhere, and without root or sudo, it says what is missing and stops.
set -eu

missing=
need_command() { # COMMAND PACKAGE
	command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need_library() { # PKG-CONFIG-NAME PACKAGE
	pkg-config --exists "$1" 2>/dev/null || missing="$missing $2"
}

cc=${CC:-cc}
need_command "${cc%% *}" gcc
need_command pkg-config pkg-config
need_library ncursesw libncurses-dev
need_library yaml-0.1 libyaml-dev
need_library libpcre2-8 libpcre2-dev
need_library nettle nettle-dev
need_library otf2 libopen-trace-format2-dev
need_library zlib zlib1g-dev
need_library liblzma liblzma-dev
need_library libzstd libzstd-dev
# A compiler without the C library's headers is of no use.
[ -e /usr/include/stdio.h ] || missing="$missing libc6-dev"
if [ "${1:-build}" = check ] || [ "${1:-build}" = ci ]; then
	need_command prove perl
	need_command xz xz-utils # traces of the tests are compressed
	need_library vterm libvterm-dev
	# Debian lets several MPIs be there at once, each under a name of its own, and the tests ask for those; elsewhere
	# any Open MPI will do.
	if command -v apt-get >/dev/null 2>&1 || ! mpicc --showme:version 2>/dev/null | grep -q 'Open MPI'; then
		need_command mpicc.openmpi libopenmpi-dev
		need_command mpirun.openmpi openmpi-bin
	fi
	need_command gfortran gfortran
	# Several nodes are played by network namespaces, which only root can make.
	[ "$(id -u)" -ne 0 ] || need_command ip iproute2
fi
if [ "${1:-build}" = ci ]; then
	need_command mpicc.mpich libmpich-dev
	need_command mpiexec.mpich mpich
	# Batch jobs, on two such nodes.
	[ "$(id -u)" -ne 0 ] || need_command slurmctld slurm-wlm
	# Some tests look closer where these are: at JSON, SVG, pages and the man pages.
	need_command python3 python3
	need_command mandoc mandoc
	need_command xmllint libxml2-utils
	# The readers of others: of OTF2 archives, and of time-independent traces.
	need_command otf2-print otf2-tools
	need_command smpirun libsimgrid-dev
	need_command clang clang
	# A fresh machine to run README's commands on (make pristine).
	need_command mmdebstrap mmdebstrap
	# Who reads module files.
	need_command tclsh tcl
	need_command lua lua5.4
	ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a >/dev/null 2>&1 || missing="$missing libclang-rt-14-dev"
fi
if [ "${1:-build}" = package ]; then
	need_command git git
	need_command xz xz-utils
	need_command dpkg-buildpackage dpkg-dev
	need_command dh debhelper
	need_command lintian lintian
	need_command debootstrap debootstrap
	need_command mpicc.openmpi libopenmpi-dev
	need_command mpicc.mpich libmpich-dev
fi
[ -n "$missing" ] || exit 0

otherwise=
[ "${1:-build}" != check ] || otherwise='
(make test installs nothing, and skips the tests of what is not there.)'
if ! command -v apt-get >/dev/null 2>&1; then
	echo "Missing; please install what these Debian packages hold:$missing$otherwise" >&2
	exit 1
elif [ "$(id -u)" -eq 0 ]; then
	sudo=
elif command -v sudo >/dev/null 2>&1; then
	sudo=sudo
else
	echo "Missing, and there is neither root nor sudo; please run: apt-get install$missing$otherwise" >&2
	exit 1
fi
echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086  # one word per package
$sudo apt-get install -y -qq --no-install-recommends $missing
