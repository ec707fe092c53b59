# The screens of one view as one text (tools/screens.sh). Files, in order: glyphs.def, then 80x24, its looks, without colours, ASCII;
# 120x40, ASCII; 200x60, ASCII. wide=1: with the roles of 200x60. In the C locale: characters are bytes here.

BEGIN { glyph_count = 0 }

function hex(text,    n, i) {
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789ABCDEF", toupper(substr(text, i, 1))) - 1
	return n
}

function utf8(code) {
	if (code < 2048)
		return sprintf("%c%c", 192 + int(code / 64), 128 + code % 64)
	return sprintf("%c%c%c", 224 + int(code / 4096), 128 + int(code / 64) % 64, 128 + code % 64)
}

function folded(text,    i) {
	if (text ~ /[\200-\377]/)
		for (i = 0; i < glyph_count; i++)
			while ((at = index(text, glyph[i])) > 0)
				text = substr(text, 1, at - 1) ascii[i] substr(text, at + length(glyph[i]))
	sub(/ +$/, "", text)
	return text
}

glyphs {
	if (match($0, /^GLYPH\(.*0x[0-9A-F]+, +'.*'\)/)) {
		match($0, /0x[0-9A-F]+/)
		glyph[glyph_count] = utf8(hex(substr($0, RSTART + 2, RLENGTH - 2)))
		match($0, /'.*'\)/)
		ascii[glyph_count++] = substr($0, RSTART + (RLENGTH == 5 ? 2 : 1), 1)
	}
	next
}

FNR == 1 {
	file++
	layer = ""
	if (file == 1) print "== 80x24"
	if (file == 2) print "-- seen as"
	if (file == 3) print "== 80x24 without colours: rows that are otherwise"
	if (file == 4) print "== 80x24 in ASCII: rows that are otherwise"
	if (file == 5) print "== 120x40"
	if (file == 6) print "== 120x40 in ASCII: rows that are otherwise"
	if (file == 7) print "== 200x60"
	if (file == 8) print "== 200x60 in ASCII: rows that are otherwise"
}

/^-- / { layer = $0 }

file == 1 || file == 5 || file == 7 {
	if (layer == "")
		row[FNR] = $0
	if (file == 1 || layer == "" || (file == 7 && wide && layer == "-- roles"))
		print
	next
}

layer != "" { next }
file == 2 { print; next }
file == 3 { if ($0 != row[FNR]) printf "%2d %s\n", FNR, $0; next }
$0 != folded(row[FNR]) { printf "%2d %s\n", FNR, $0 }
