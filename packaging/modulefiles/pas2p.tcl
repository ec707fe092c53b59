#%Module1.0
# pas2p for Environment Modules and Lmod. The paths are relative to this file, so you can move the installation. If you copy this file to other
# module files, write the folders of the installation into the paths.
set here [file dirname [file normalize $ModulesCurrentModulefile]]

proc ModulesHelp {} {
	puts stderr "pas2p @VERSION@ shows where an MPI program spends its time, which phases it repeats, and how long it would run on another machine."
	puts stderr "See pas2p --help, and man pas2p."
}

module-whatis "analysis of MPI traces, prediction of run times"
conflict pas2p
prepend-path PATH [file normalize $here/@BIN@]
# If MANPATH is unset or empty, man finds the pages from PATH. Any value would replace this rule.
if {[info exists env(MANPATH)] && $env(MANPATH) ne ""} {
	prepend-path MANPATH [file normalize $here/@MAN@]
}
# bash and fish look for completions in these folders. If the variable is unset or empty, the default has to stay.
if {![info exists env(XDG_DATA_DIRS)] || $env(XDG_DATA_DIRS) eq ""} {
	prepend-path XDG_DATA_DIRS /usr/share
	prepend-path XDG_DATA_DIRS /usr/local/share
}
prepend-path XDG_DATA_DIRS [file normalize $here/@SHARE@]
