#%Module1.0
# pas2p for Environment Modules and Lmod. It finds the program from where it lies itself, so that the folder that pas2p was installed into
# can be moved as a whole; if this file is copied to other module files, write that folder's bin and man into the two paths.
set here [file dirname [file normalize $ModulesCurrentModulefile]]

proc ModulesHelp {} {
	puts stderr "pas2p @VERSION@ finds the phases of a message-passing program in a trace of it, and predicts the run on other machines."
	puts stderr "See pas2p --help, and man pas2p."
}

module-whatis "analysis of message-passing traces, prediction of run times"
conflict pas2p
prepend-path PATH [file normalize $here/@BIN@]
# Where the variable is not set, man looks beside the folders of PATH; a value would take that away.
if {[info exists env(MANPATH)]} {
	prepend-path MANPATH [file normalize $here/@MAN@]
}
