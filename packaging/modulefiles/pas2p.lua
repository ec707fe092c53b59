-- pas2p for Lmod. It finds the program from where it lies itself, so that the folder that pas2p was installed into
-- can be moved as a whole; if this file is copied to other module files, write that folder's bin and man into the two paths.
local here = myFileName():match("^(.*)/[^/]*$")

help([[pas2p @VERSION@ finds the phases of a message-passing program in a trace of it, and predicts the run on other machines.
See pas2p --help, and man pas2p.]])
whatis("Name: pas2p")
whatis("Version: @VERSION@")
whatis("Description: analysis of message-passing traces, prediction of run times")
conflict("pas2p")
prepend_path("PATH", pathJoin(here, "@BIN@"))
-- Where the variable is not set, man looks beside the folders of PATH; a value would take that away.
if os.getenv("MANPATH") then
	prepend_path("MANPATH", pathJoin(here, "@MAN@"))
end
