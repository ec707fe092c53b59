#!/bin/sh
# The source as one file: packaging/dist.sh NAME FILE (make dist)
#
# What is committed, and nothing else of the working tree, in a folder NAME. The same commit gives the same bytes: order, times, modes and owners
# are git's, and the packing is told all that it would look up.
set -eu

name=${1:?usage: packaging/dist.sh NAME FILE}
to=${2:?usage: packaging/dist.sh NAME FILE}

# An unpacked tarball may well lie in somebody else's repository.
if [ ! -e .git ] || ! command -v git >/dev/null 2>&1; then
	echo "make dist packs what is committed: it needs git, and the repository" >&2
	exit 1
fi
# Another user's repository, as in a container, is as good as one's own here: nothing of its configuration runs.
repository() {
	git -c safe.directory='*' -c tar.umask=0022 -c core.autocrlf=false "$@"
}
[ -z "$(repository status --porcelain)" ] || echo "note: $to has what is committed, not what was changed since" >&2
mkdir -p "$(dirname "$to")"
repository archive --format=tar --prefix="$name/" HEAD >"$to.tar"
XZ_DEFAULTS='' XZ_OPT='' xz "${DIST_XZ:--6}" --threads=1 --stdout "$to.tar" >"$to.new"
rm "$to.tar"
mv "$to.new" "$to"
