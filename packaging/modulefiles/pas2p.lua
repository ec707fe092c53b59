-- pas2p for Lmod. The paths are relative to this file, so you can move the installation. If you copy this file to other module files, write
-- the folders of the installation into the paths.
local here = myFileName():match("^(.*)/[^/]*$")
local function from_here(path)
	local left
	path = here .. "/" .. path .. "/"
	repeat path, left = path:gsub("/[^/]+/%.%./", "/", 1) until left == 0
	return path:sub(1, -2)
end

help([[pas2p @VERSION@ shows where an MPI program spends its time, which phases it repeats, and how long it would run on another machine.
See pas2p --help, and man pas2p.]])
whatis("Name: pas2p")
whatis("Version: @VERSION@")
whatis("Description: analysis of MPI traces, prediction of run times")
conflict("pas2p")
prepend_path("PATH", from_here("@BIN@"))
-- If MANPATH is unset or empty, man finds the pages from PATH. Any value would replace this rule.
if (os.getenv("MANPATH") or "") ~= "" then
	prepend_path("MANPATH", from_here("@MAN@"))
end
-- bash and fish look for completions in these folders. If the variable is unset or empty, the default has to stay.
if (os.getenv("XDG_DATA_DIRS") or "") == "" then
	prepend_path("XDG_DATA_DIRS", "/usr/share")
	prepend_path("XDG_DATA_DIRS", "/usr/local/share")
end
prepend_path("XDG_DATA_DIRS", from_here("@SHARE@"))
