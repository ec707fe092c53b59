# A page of documentation again, with what its commands print now: awk -v there=FOLDER -f t/lib/rerun_page.awk PAGE
#
# Each line "$ COMMAND" of a console block runs in FOLDER, in order, and the lines below it become its output, in the shape
# that the page gives them: a line "..." stands for lines that are left out. As many lines as the page has before the first
# "..." are the output's first; as many as it has after the last, the output's last; those between two of them are looked for by
# their first line, or its first words. A page that is true comes out as it is.
function first_words(line, n,    words, i, text) {
	split(line, words)
	for (i = 1; i <= n; i++)
		text = text " " words[i]
	return text
}

# Where lines that begin as this one are, after line `from`; 0: nowhere.
function find(line, from,    n, i) {
	for (n = 3; n >= 0; n--)
		for (i = from + 1; i <= lines; i++)
			if (n == 3 ? out[i] == line : n > 0 && first_words(out[i], n) == first_words(line, n))
				return i
	return 0
}

function run(command,    line, status) {
	lines = 0
	command = "cd '" there "' && { " command "\n} </dev/null 2>&1"
	while ((command | getline line) > 0)
		out[++lines] = line
	close(command)
}

# The page's lines below the last command are wanted[1 .. shown].
function print_output(    i, j, parts, part, size, at) {
	parts = 1
	size[1] = 0
	for (i = 1; i <= shown; i++)
		if (wanted[i] == "...")
			size[++parts] = 0
		else
			size[parts]++
	if (parts == 1) {
		for (i = 1; i <= lines; i++)
			print out[i]
		return
	}
	at = 0
	i = 1
	for (part = 1; part <= parts; part++) {
		if (part > 1) {
			print "..."
			i++
		}
		if (part == parts)
			at = lines - size[part]
		else if (part > 1)
			at = find(wanted[i], at) - 1
		for (j = 1; j <= size[part]; j++)
			if (at >= 0 && at + j <= lines)
				print out[at + j]
		at += size[part]
		i += size[part]
	}
}

function finish_command() {
	if (pending)
		print_output()
	pending = shown = 0
}

/^```console$/ { inside = 1; print; next }
/^```$/ { finish_command(); inside = 0; print; next }
!inside { print; next }
/^\$ / { finish_command(); print; fflush(); run(substr($0, 3)); pending = 1; next }
{ wanted[++shown] = $0 }
