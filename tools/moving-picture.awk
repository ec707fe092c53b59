# Several pictures of the workbench's screen, of one size, as one that shows each for a while: awk -f tools/moving-picture.awk 1.svg 2.svg ...
#
# A row of cells that is the same in all of them stands in the picture once. Where pictures do not move, or should not, the first is seen.
function row_of(line) { # counted from the top; -1: no cell's
	if (!match(line, / y="[0-9.]+"/))
		return -1
	return int((substr(line, RSTART + 4, RLENGTH - 5) - 14) / 17)
}

FNR == 1 { frames++; inside = 0 }
/^<g / { inside = 1; if (frames == 1) group = $0; next }
/^<\/g>/ { inside = 0; next }
!inside { if (frames == 1 && !/^<\/svg>/) head = head $0 "\n"; next }
{
	y = row_of($0)
	rows[frames, y] = rows[frames, y] $0 "\n"
	if (y > last)
		last = y
}

END {
	seconds = 2
	printf "%s", head
	printf "<style>\n@media (prefers-reduced-motion: no-preference) {\n"
	for (f = 1; f <= frames; f++) {
		from = (f - 1) * 100 / frames
		to = f * 100 / frames
		printf "@keyframes f%d {", f
		if (f > 1)
			printf " 0%% { visibility: hidden; }"
		printf " %.4g%% { visibility: visible; }", from
		if (f < frames)
			printf " %.4g%% { visibility: hidden; }", to
		printf " }\n#f%d { animation: f%d %gs step-end infinite; }\n", f, f, seconds * frames
	}
	printf "}\n</style>\n%s\n", group
	for (y = -1; y <= last; y++) {
		still[y] = 1
		for (f = 2; f <= frames; f++)
			still[y] = still[y] && rows[f, y] == rows[1, y]
		if (still[y])
			printf "%s", rows[1, y]
	}
	for (f = 1; f <= frames; f++) {
		printf "<g id=\"f%d\"%s>\n", f, (f > 1 ? " visibility=\"hidden\"" : "")
		for (y = -1; y <= last; y++)
			if (!still[y])
				printf "%s", rows[f, y]
		printf "</g>\n"
	}
	printf "</g>\n</svg>\n"
}
