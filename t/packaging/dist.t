#!/bin/sh
# make dist: what is committed, all of it and nothing else, whatever lies in the working tree; the same commit gives the same bytes; and what
# is unpacked needs no git. That it builds, and that what is built of it works, is checked by make package-check.
. t/lib/lib.sh

unset MAKEFLAGS MAKELEVEL MFLAGS
[ -e .git ] || skip_all 'this is no repository'
command -v git >/dev/null || skip_all 'no git'
command -v xz >/dev/null || skip_all 'no xz'
# Another user's repository will do.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
# Packing well is the only thing here that takes long.
export DIST_XZ=-0

run_ok 'the source is packed' packaging/dist.sh pas2p-9.8.7 "$TMP/one.tar.xz"
git -c core.quotePath=false ls-tree -r --name-only HEAD | sed 's,^,pas2p-9.8.7/,' | sort >"$TMP/committed"
tar -tf "$TMP/one.tar.xz" | grep -v '/$' | sort >"$TMP/packed"
ok 'it is what is committed' cmp "$TMP/packed" "$TMP/committed"
is "$(tar -tvf "$TMP/one.tar.xz" | awk '{ print $1 }' | sort -u | xargs)" '-rw-r--r-- -rwxr-xr-x drwxr-xr-x' 'who made it has no say in who may read it'

# A working tree that somebody works in.
git clone -q --shared . "$TMP/tree" 2>"$ERR" || diag "$(cat "$ERR")"
(
	cd "$TMP/tree" && git checkout -q "$(git -C "$OLDPWD" rev-parse HEAD)" && umask 077 && echo more >>Makefile && echo secret >notes.txt &&
		packaging/dist.sh pas2p-9.8.7 "$TMP/two.tar.xz" 2>"$TMP/said"
)
ok 'nothing of a working tree leaks in, and the same commit gives the same bytes' cmp "$TMP/one.tar.xz" "$TMP/two.tar.xz"
like "$(cat "$TMP/said")" '^note: .* has what is committed' 'who has changed something is told'

# Unpacked, where there is no git.
mkdir "$TMP/bin"
printf '#!/bin/sh\necho "git $*" >>"%s"\nexit 1\n' "$TMP/asked" >"$TMP/bin/git"
chmod +x "$TMP/bin/git"
tar -xf "$TMP/one.tar.xz" -C "$TMP"
unpacked=$TMP/pas2p-9.8.7
run_ok 'make has all that it needs' env -u BUILD PATH="$TMP/bin:$PATH" make -C "$unpacked" -n all tests install
like "$(cat "$OUT")" 'src/main\.c' 'to build the program'
ok 'and asks no git' test ! -e "$TMP/asked"
run_ok 'the tree is as it must be' env -C "$unpacked" t/house/tree.t
run_fails 1 'a source without its repository cannot be packed' env -C "$unpacked" packaging/dist.sh x "$TMP/three.tar.xz"
like "$(cat "$ERR")" 'needs git, and the repository' 'and says so'
ok 'nothing is left' test ! -e "$TMP/three.tar.xz"
done_testing
