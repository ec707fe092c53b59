#!/bin/sh
# The tarball of make portable starts on systems since 2012 because packaging/old_glibc.c stands in for every function of the C library that is newer. A function that
# somebody begins to use, and that is not in there, would be noticed by make package-check alone, which takes minutes: so what was built here is looked at.
. t/lib/lib.sh

[ "$(uname -m)" = x86_64 ] || skip_all 'what is asked for is known for x86-64'
for tool in objdump nm cc; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
! sanitized || skip_all 'a sanitizer asks for functions of its own'
built=$(dirname "$PAS2P")

run_ok 'the stand-ins can be compiled' cc -D_GNU_SOURCE -std=gnu11 -O2 -fPIC -Wall -Wextra -Werror -c -o "$TMP/old_glibc.o" packaging/old_glibc.c
nm "$TMP/old_glibc.o" | sed -n 's/.* [TBD] __wrap_//p' | sort >"$TMP/there"
like "$(wc -l <"$TMP/there")" '^[1-9][0-9]$' 'there are some'

# FILE: the functions and variables that it asks the C library for in a version since 2.18.
newer() {
	objdump -T "$1" | sed -n 's/.*\*UND\*.*[ (]GLIBC_2\.\([0-9]*\)[0-9.]*)\{0,1\} *\([^ ]*\)$/\1 \2/p' | awk '$1 > 17 { print $2 }' | sort -u
}
for file in "$PAS2P" "$built"/preload/*pas2p-*; do
	[ -f "$file" ] || continue
	newer "$file" >"$TMP/asked"
	is "$(comm -23 "$TMP/asked" "$TMP/there" | xargs)" '' "${file##*/} asks for nothing newer that has no stand-in"
done
ok 'newer functions are seen' grep -qx __libc_start_main "$TMP/asked"
done_testing
