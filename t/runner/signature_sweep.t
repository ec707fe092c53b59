#!/bin/sh
# `pas2p sign` removes what a killed one left beside its -o, and nothing else. That place may be a folder where others write, and
# the one who signs is often root: a folder of another user, a link, a folder that is exchanged for a link while it is
# removed, or one of the caller's own that someone gave such a name must not cost anybody a file.
. t/lib/lib.sh
. t/lib/run_table.sh

steps_table 2 400 20 >"$TMP/steps.yaml"
SHARED=$TMP/shared
VICTIM=$TMP/victim
mkdir "$SHARED" "$VICTIM"
LEFT=$SHARED/x.sig.partial-DeadAB

# It sweeps first; whether it can go on then is of no matter here.
sweep() {
	"$PAS2P" sign "$TMP/steps.yaml" --mechanism replay --mpi openmpi -o "$SHARED/x.sig" -- true run_steps >"$OUT" 2>"$ERR" </dev/null
	rm -rf "$SHARED/x.sig"
}

fill() { # FOLDER COUNT
	mkdir -p "$1"
	fill_i=0
	while [ "$fill_i" -lt "$2" ]; do
		touch "$1/f$fill_i"
		fill_i=$((fill_i + 1))
	done
}

count() {
	ls "$1" | wc -l
}

fill "$LEFT/cut-0/images" 3
touch "$LEFT/table.yaml" "$LEFT/command" "$LEFT/.hidden"
ln -s "$VICTIM" "$LEFT/cut-0/link"
ln -s nowhere "$LEFT/cut-1"
mkfifo "$LEFT/cut-0/fifo"
fill "$VICTIM" 20
sweep
ok 'what a killed maker left goes, with all in it' test ! -e "$LEFT"
like "$(cat "$ERR")" 'removed 1 unfinished signature of ' 'and is told of'
is "$(count "$VICTIM")" 20 'what a link in it leads to stays'

ln -s "$VICTIM" "$LEFT"
sweep
ok 'a link of such a name stays' test -L "$LEFT"
is "$(count "$VICTIM")" 20 'and what it leads to'
rm "$LEFT"

# Deeper than a name can be long, with few descriptors.
perl -e 'chdir shift or die; for (1 .. 3000) { mkdir "deeper" or die; chdir "deeper" or die }' "$(mkdir "$LEFT" && echo "$LEFT")"
# shellcheck disable=SC3045  # it is defined in the shells that are used
(ulimit -n 32 && sweep)
ok 'folders 3000 deep go' test ! -e "$LEFT"
perl -e 'chdir shift or die; for (1 .. 5000) { mkdir "deeper" or die; chdir "deeper" or die }' "$(mkdir "$LEFT" && echo "$LEFT")"
sweep
ok 'beyond all measure they stay' test -d "$LEFT"
unlike "$(cat "$ERR")" 'removed' 'and nothing is said to be gone'
rm -rf "$LEFT"

# Exchanged at the worst moment: between the removal of the first file of a folder and the next one.
if command -v "${CC:-cc}" >/dev/null; then
	cat >"$TMP/exchange.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void exchange(const char *name)
{
	static int done;
	const char *from = getenv("EXCHANGE"), *file = strrchr(name, '/');
	if (!from || done || (file ? file[1] : name[0]) != 'f')
		return;
	done = 1;
	if (rename(from, getenv("ASIDE")) == 0 && symlink(getenv("VICTIM"), from) == 0)
		fprintf(stderr, "exchanged\n");
}
int remove(const char *name)
{
	int (*real)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "remove");
	int r = real(name);
	exchange(name);
	return r;
}
int unlinkat(int in, const char *name, int flags)
{
	int (*real)(int, const char *, int) = (int (*)(int, const char *, int))dlsym(RTLD_NEXT, "unlinkat");
	int r = real(in, name, flags);
	exchange(name);
	return r;
}
END
	if "${CC:-cc}" -w -shared -fPIC -o "$TMP/exchange.so" "$TMP/exchange.c" -ldl 2>"$ERR" &&
		! nm "$PAS2P" 2>/dev/null | grep -q '__[at]san_init'; then
		fill "$LEFT/cut-0/images" 20
		LD_PRELOAD=$TMP/exchange.so EXCHANGE=$LEFT/cut-0/images ASIDE=$TMP/aside VICTIM=$VICTIM sweep
		like "$(cat "$ERR")" '^exchanged$' 'a folder is exchanged for a link while it is emptied'
		is "$(count "$VICTIM")" 20 'what the link leads to stays'
		ok 'and the link too: it is not what was to go' test -L "$LEFT/cut-0/images"
		unlike "$(cat "$ERR")" 'removed' 'nothing is said to be gone'
		rm -rf "$LEFT" "$TMP/aside"
	else
		skip 4 'no library can be preloaded here'
	fi
else
	skip 4 'no compiler'
fi

# And at any moment.
fill "$SHARED/other" 40
perl -e '
	my ($at, $aside, $to) = @ARGV;
	$SIG{TERM} = sub { exit };
	my $parent = getppid;
	while (getppid == $parent) {
		rename $at, $aside and symlink $to, $at;
		unlink $at if -l $at;
		rename $aside, $at;
	}' "$LEFT/cut-0" "$TMP/aside" "$VICTIM" &
exchanger=$!
rounds=0
while [ "$rounds" -lt 40 ]; do
	fill "$LEFT/cut-0" 20 2>/dev/null
	sweep
	rounds=$((rounds + 1))
done
kill "$exchanger"
wait "$exchanger" 2>/dev/null
is "$(count "$VICTIM")" 20 'exchanged again and again over 40 rounds, what the link leads to stays'
is "$(count "$SHARED/other")" 40 'and what is beside it'
rm -rf "$LEFT" "$TMP/aside"

fill "$LEFT" 1
chmod 777 "$LEFT"
sweep
ok 'a folder that others can write to stays' test -d "$LEFT"
rm -rf "$LEFT"

# Where others may rename it, any folder can get such a name.
chmod 777 "$SHARED"
fill "$LEFT" 2
sweep
is "$(count "$LEFT")" 2 'a folder renamed to look half-made stays, where others can do that'
rm "$LEFT"/f*
touch "$LEFT/table.yaml"
mkdir "$LEFT/cut-0"
sweep
ok 'one that a maker left goes there too' test ! -e "$LEFT"
fill "$LEFT" 2
chmod 1777 "$SHARED"
sweep
ok 'and where they cannot, whatever it holds' test ! -e "$LEFT"

if [ "$(id -u)" -eq 0 ]; then
	fill "$LEFT" 2
	chown -R 12345 "$LEFT"
	sweep
	is "$(count "$LEFT")" 2 "another user's folder stays"
	chown 0 "$LEFT"
	sweep
	is "$(count "$LEFT")" 2 "and another user's file"
	# What cp -a took along: nobody but the maker could enter where it is.
	chmod 700 "$LEFT"
	sweep
	ok "but not in a folder that was the maker's alone from the start" test ! -e "$LEFT"
else
	skip 3 'only root can give files away'
fi

done_testing
