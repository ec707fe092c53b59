#!/bin/sh
# On a fresh machine `make check` tests the tracer and the runner too: it installs Open MPI, and MPICH in CI. Where nothing
# can be installed one sentence says what is missing. Looked at on machines that are played: a folder of commands.
. t/lib/lib.sh

bin=$TMP/bin
machine() { # COMMAND...: those that there are; apt-get notes what it is to install
	rm -rf "$bin" "$TMP/installed"
	mkdir "$bin"
	for tool in grep ls; do
		ln -s "$(command -v $tool)" "$bin/$tool"
	done
	for tool in "$@"; do
		case $tool in
		apt-get) body="[ \"\$1\" != install ] || echo \"\$*\" >'$TMP/installed'" ;;
		root) tool=id body='echo 0' ;;
		user) tool=id body='echo 1000' ;;
		sudo) body='"$@"' ;;
		mpicc) body='echo "mpicc: Open MPI 5.0.0"' ;;
		*) body='exit 0' ;;
		esac
		printf '#!/bin/sh\n%s\n' "$body" >"$bin/$tool"
		chmod +x "$bin/$tool"
	done
}
deps() { # NAME STATUS WHAT
	run_fails "$2" "$1: $3" env PATH="$bin" CC=cc /bin/sh tools/deps.sh "$3"
}
basics='cc pkg-config prove xz gfortran ip'

[ -e /usr/include/stdio.h ] || skip_all 'the C library has its headers elsewhere'
# shellcheck disable=SC2086
{
	machine $basics apt-get root
	deps 'without an MPI' 0 check
	is "$(sed 's/.*recommends //' "$TMP/installed")" 'libopenmpi-dev openmpi-bin' 'Open MPI is installed'
	deps 'without an MPI' 0 ci
	like "$(cat "$TMP/installed")" 'libopenmpi-dev openmpi-bin.* libmpich-dev mpich slurm-wlm' 'both MPIs are installed, and Slurm'
	like "$(cat "$TMP/installed")" ' mmdebstrap' 'and what makes a fresh machine'
	rm "$TMP/installed"
	deps 'without an MPI' 0 build
	ok 'a build needs none' test ! -e "$TMP/installed"

	machine $basics mpicc.mpich mpiexec.mpich mpicc apt-get user sudo
	deps 'with MPICH alone' 0 check
	is "$(sed 's/.*recommends //' "$TMP/installed")" 'libopenmpi-dev openmpi-bin' 'Open MPI is installed beside it'
	machine $basics mpicc.openmpi mpirun.openmpi apt-get user
	deps 'with Open MPI' 0 check
	ok 'nothing is installed' test ! -e "$TMP/installed"
	machine cc pkg-config prove xz mpicc.openmpi mpirun.openmpi apt-get user sudo
	deps 'with Open MPI, without Fortran' 0 check
	is "$(sed 's/.*recommends //' "$TMP/installed")" 'gfortran' 'Fortran is installed'

	machine $basics apt-get user
	deps 'without rights' 1 check
	like "$(cat "$ERR")" 'neither root nor sudo; please run: apt-get install libopenmpi-dev openmpi-bin$' 'says what to do'
	like "$(cat "$ERR")" 'make test installs nothing' 'and what can be done without'
	ok 'nothing is installed' test ! -e "$TMP/installed"
	machine $basics user
	deps 'not on Debian' 1 check
	like "$(cat "$ERR")" 'please install what these Debian packages hold: libopenmpi-dev openmpi-bin$' 'says what to install'
	machine $basics mpicc user
	deps 'not on Debian, with an Open MPI' 0 check
}
done_testing
