#!/bin/sh
# What tells other programs how to install or to find pas2p: the Debian packaging, the recipe for Spack, the files for environment modules. They
# name this version and what the program is built with; and the last two are run, with stand-ins for the programs that read them.
. t/lib/lib.sh

unset MAKEFLAGS MAKELEVEL MFLAGS
version=$("$PAS2P" --version | sed -n 's/^pas2p \([^ ]*\).*/\1/p')
like "$version" '^[0-9]+\.[0-9]+\.[0-9]+$' 'the program has a version'
is "$(sed -n '1s/^pas2p (\(.*\)-[0-9]*) .*/\1/p' packaging/debian/changelog)" "$version" 'the Debian packages are of that'
if [ -e CITATION.cff ]; then
	is "$(sed -n 's/^version: *"*\([^"]*\)"*$/\1/p' CITATION.cff)" "$version" 'and what is cited'
else
	skip 1 'there is no CITATION.cff'
fi

# Debian: what the tracer's library and the probes are called decides which package they go to.
for mpi in openmpi mpich; do
	is "$(sed 's,.*/pas2p/,,' "packaging/debian/pas2p-mpi-$mpi.install" | xargs)" "*-$mpi *-$mpi.so" "what is of $mpi goes to its package"
	ok "which is described" grep -qx "Package: pas2p-mpi-$mpi" packaging/debian/control
done
# Every library that the Makefile looks for is asked for: by the names of tools/deps.sh.
need() { # LIBRARY: the package that has it
	sed -n "s/^[[:space:]]*need_library $1 \([^ ]*\).*/\1/p" tools/deps.sh
}
libraries="$(sed -n 's/^[A-Z0-9]*_PKG := $(call library,[A-Z0-9]*,\(.*\))/\1/p' Makefile) ncursesw yaml-0.1 libpcre2-8 nettle"
for library in $libraries; do
	ok "the Debian packages are built with $library" grep -q "^ *\(Build-Depends: \)\{0,1\}$(need "$library")\( <.*>\)\{0,1\},\{0,1\}$" packaging/debian/control
done

# Spack, before and since 1.0, of which the recipe uses this much.
cat >"$TMP/spack.py" <<'END'
import sys, types

since, path, version, *libraries = sys.argv[1:]
said = {"version": [], "variant": [], "depends_on": []}
made = []

class MakefilePackage:
    pass

module = types.ModuleType("spack.package")
for name in said:
    setattr(module, name, lambda *a, _n=name, **k: said[_n].append((a, k)))
module.make = lambda *words: made.append(words)
if since == "before":
    module.MakefilePackage = MakefilePackage
else:
    for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[name] = types.ModuleType(name)
    last = types.ModuleType("spack_repo.builtin.build_systems.makefile")
    last.MakefilePackage = MakefilePackage
    sys.modules[last.__name__] = last
sys.modules["spack"] = types.ModuleType("spack")
sys.modules["spack.package"] = module
recipe = {"__name__": "recipe"}
exec(compile(open(path).read(), path, "exec"), recipe)

class Mpi:
    def __init__(self, name):
        self.name, self.mpicc = name, "/x/" + name + "/mpicc"

class Spec:
    def __init__(self, mpi, otf2):
        self.mpi, self.has = mpi, {"+mpi": mpi is not None, "~otf2": not otf2}
    def __getitem__(self, name):
        assert name == "mpi"
        return Mpi(self.mpi)
    def satisfies(self, what):
        return self.has[what]

assert said["version"] == [((version,), {})], said["version"]
asked = {a[0] for a, k in said["depends_on"]}
names = {"ncursesw": "ncurses", "yaml-0.1": "libyaml", "libpcre2-8": "pcre2", "zlib": "zlib-api", "liblzma": "xz", "libzstd": "zstd"}
assert {names.get(l, l) for l in libraries} <= asked, asked
for mpi, otf2, want in (("openmpi", True, "MPICC_OPENMPI=/x/openmpi/mpicc MPICC_MPICH="),
                        ("mvapich-plus", True, "MPICC_OPENMPI= MPICC_MPICH=/x/mvapich-plus/mpicc"),
                        (None, False, "MPICC_OPENMPI= MPICC_MPICH= OTF2=no")):
    package = recipe["Pas2p"]()
    package.spec, package.prefix = Spec(mpi, otf2), "/some/prefix"
    made.clear()
    package.build(package.spec, package.prefix)
    package.install(package.spec, package.prefix)
    rest = ("NO_WERROR=1", "PREFIX=/some/prefix", *want.split(" "))
    assert made == [("all", *rest), ("install", *rest)], made
assert package.url_for_version("1.2.3").endswith("/pas2p-1.2.3.tar.xz")
END
if command -v python3 >/dev/null; then
	for since in before since; do
		# shellcheck disable=SC2086  # words
		run_ok "the recipe for Spack, $since 1.0" python3 -B "$TMP/spack.py" $since packaging/spack/packages/pas2p/package.py "$version" $libraries ||
			diag "$(cat "$ERR")"
	done
	run_fails 1 'the check of it can fail' python3 -B "$TMP/spack.py" since packaging/spack/packages/pas2p/package.py 9.9.9
else
	skip 3 'no python3'
fi
# What the recipe tells make is what make listens to: an MPI that is ruled out is not built for.
run_ok 'make can be told of no MPI' make -s BUILD="$TMP/build" MPICC_OPENMPI= MPICC_MPICH= OTF2=no -n preload
unlike "$(cat "$OUT")" 'openmpi|mpich' 'and builds for none'

# Module files: what they put in front of which variable, from wherever they lie.
modules=$TMP/prefix/share/modulefiles/pas2p
mkdir -p "$modules"
make -s BUILD="$TMP/build" "$TMP/build/modulefile" "$TMP/build/modulefile.lua" >"$OUT" 2>&1
cp "$TMP/build/modulefile" "$modules/$version"
cp "$TMP/build/modulefile.lua" "$modules/$version.lua"
is "$(head -c 8 "$modules/$version")" '#%Module' 'the module file says what it is'
cat >"$TMP/module.tcl" <<'END'
proc conflict name { puts "conflict $name" }
proc prepend-path {name value} { puts "$name $value" }
proc module-whatis text { puts "whatis [string length $text]" }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
ModulesHelp
END
cat >"$TMP/module.lua" <<'END'
local file = arg[1]
function conflict(name) print("conflict " .. name) end
function prepend_path(name, value) print(name .. " " .. value) end
function whatis(text) if text:match("^Description") then print("whatis " .. #text - #"Description: ") end end
function help(text) io.stderr:write(text .. "\n") end
function myFileName() return file end
dofile(file)
END
check_module() { # READER SCRIPT FILE
	run_ok "$1 reads it" env -u MANPATH XDG_DATA_DIRS=/x "$1" "$TMP/$2" "$3" || diag "$(cat "$ERR")"
	is "$(grep -v whatis "$OUT" | LC_ALL=C sort | xargs)" "PATH $TMP/prefix/bin XDG_DATA_DIRS $TMP/prefix/share conflict pas2p" "$1: where the program is"
	run_ok "$1 reads it without XDG_DATA_DIRS" env -u XDG_DATA_DIRS "$1" "$TMP/$2" "$3"
	is "$(sed -n 's/^XDG_DATA_DIRS //p' "$OUT" | xargs)" "/usr/share /usr/local/share $TMP/prefix/share" "$1: the folders of the system stay"
	run_ok "$1 reads it with an empty XDG_DATA_DIRS" env XDG_DATA_DIRS= "$1" "$TMP/$2" "$3"
	is "$(sed -n 's/^XDG_DATA_DIRS //p' "$OUT" | xargs)" "/usr/share /usr/local/share $TMP/prefix/share" "$1: that is as without it"
	like "$(cat "$ERR")" "^pas2p $version " "$1: it has help"
	run_ok "$1 reads it again" env MANPATH=/x "$1" "$TMP/$2" "$3"
	ok "$1: where the man pages are" grep -qx "MANPATH $TMP/prefix/share/man" "$OUT"
}
if command -v tclsh >/dev/null; then check_module tclsh module.tcl "$modules/$version"; else skip 9 'no tclsh'; fi
if command -v lua >/dev/null; then check_module lua module.lua "$modules/$version.lua"; else skip 9 'no lua'; fi
done_testing
