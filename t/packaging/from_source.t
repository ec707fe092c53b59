#!/bin/sh
# The tarball of make dist, unpacked where there is no git, is built and installed as docs/install.md says, and passes tests; the module files that are installed are
# understood by Environment Modules and by Lmod.
. t/lib/lib.sh
. t/packaging/system.sh

make_root
version=$("$PAS2P" --version | sed -n 's/^pas2p \([^ ]*\).*/\1/p')
run_ok 'make dist' make -s dist
tar -xf "$BUILD/pas2p-$version.tar.xz" -C "$TMP"
unpacked=$TMP/pas2p-$version
home=$TMP/home
mkdir "$home"
unset BUILD

commands 'From source' >"$TMP/commands"
ok 'the page has commands' test "$(wc -l <"$TMP/commands")" -ge 4
while read -r line <&3; do
	# It is the rules that are looked at, not the compiler's optimizer.
	run_ok "$line" env -C "$unpacked" HOME="$home" CFLAGS=-O0 NO_WERROR=1 sh -c "$line" || diag "$(tail -n 20 "$ERR")"
done 3<"$TMP/commands"
is "$(sed -n 's/^pas2p \([^ ]*\).*/\1/p' "$OUT")" "$version" 'it is that version'
for test in t/house/tree.t t/house/references.t t/cli/cli_commands.t t/cli/convert.t; do
	run_ok "$test passes" env -C "$unpacked" PAS2P="$unpacked/build/pas2p" $test || diag "$(grep '^not' "$OUT")"
done

# In the other system, where the libraries come from the packages that Debian has them in.
there() { # PACKAGE...
	in_root root "apt-get -qq install $*" >"$OUT" 2>&1 || diag "$(tail -n 5 "$OUT")"
}
in_root root 'apt-get -qq update' >"$OUT" 2>&1
there libncursesw6 libyaml-0-2 libpcre2-8-0 libnettle8 libopen-trace-format2-10 zlib1g liblzma5 libzstd1
cp -R "$home/.local" "$ROOT/home/someone"
commands 'Environment modules' | paste -sd'&' | sed 's/&/ \&\& /g' >"$TMP/modules"
ok 'the page loads the module' grep -q 'module load pas2p && pas2p --version' "$TMP/modules"
for reader in environment-modules 'lmod environment-modules-'; do # of which there can be but one at a time
	there "$reader"
	init=$(cd "$ROOT" && echo usr/share/modules/init/bash usr/share/lmod/*/init/bash | tr ' ' '\n' | while read -r f; do [ ! -e "$f" ] || echo "/$f"; done)
	run_ok "${reader% *}: as the page says" in_root someone ". $init && $(cat "$TMP/modules") && command -v pas2p" || diag "$(cat "$ERR")"
	is "$(sed -n 's/^pas2p \([^ ]*\).*/\1/p' "$OUT")" "$version" "${reader% *}: it is that version"
	is "$(tail -n 1 "$OUT")" /home/someone/.local/bin/pas2p "${reader% *}: from that folder"
	run_ok "${reader% *}: unloaded" in_root someone ". $init && module use ~/.local/share/modulefiles && module load pas2p && module unload pas2p && ! command -v pas2p"
done
run_ok 'uninstalled' make -s -C "$unpacked" uninstall PREFIX="$home/.local"
is "$(find "$home/.local" -type f)" '' 'nothing is left'
done_testing
