#!/bin/sh
# The pictures of the documents look the same wherever they are shown. Renderers differ in whether they heed a text's
# length and in how wide they make blanks and symbols, so no text of a picture may hold a blank, and lines and blocks are
# shapes. Where librsvg is installed (it ignores lengths), what it draws is compared with the same picture cut into
# single characters, each at its own place.
. t/lib/lib.sh

command -v python3 >/dev/null || skip_all 'no python3 to read SVG with'

cat >"$TMP/pictures.py" <<'X'
import functools, re, struct, sys, xml.etree.ElementTree as ET, zlib
NS = '{http://www.w3.org/2000/svg}'

def texts(path):
    return list(ET.parse(path).getroot().iter(NS + 'text'))

def check(*paths):
    for path in paths:
        bad = [t.text for t in texts(path) if re.search(r'[\s\u00a0─-▟]', t.text)]
        print(path, f'text with blanks, lines or blocks: {bad[:3]}' if bad else 'good')

def cut(path, to):
    tree = ET.parse(path)
    ET.register_namespace('', NS[1:-1])
    for group in tree.getroot().iter(NS + 'g'):
        for t in list(group.findall(NS + 'text')):
            if len(t.text) < 2:
                continue
            group.remove(t)
            step = float(t.get('textLength')) / len(t.text)
            for i, c in enumerate(t.text):
                if c not in ' \u00a0':
                    one = ET.SubElement(group, NS + 'text', {k: v for k, v in t.items() if k != 'textLength'})
                    one.set('x', str(float(t.get('x')) + i * step))
                    one.text = c
    tree.write(to, encoding='utf-8')

# A row of a PNG, of what is stored of it and the row above.
@functools.lru_cache(maxsize=4096)
def unfiltered(how, line, last, size):
    if how == 0:
        return line
    if how == 2:
        return bytes(a + b & 255 for a, b in zip(line, last))
    row = bytearray(len(line))
    for i, b in enumerate(line):
        a, up, c = row[i - size] if i >= size else 0, last[i], last[i - size] if i >= size else 0
        if how == 4:
            pa, pb, pc = abs(up - c), abs(a - c), abs(a + up - 2 * c)
            row[i] = b + (a if pa <= pb and pa <= pc else up if pb <= pc else c) & 255
        else:
            row[i] = b + (a if how == 1 else (a + up) // 2) & 255
    return bytes(row)

def pixels(path):
    data, at, packed = open(path, 'rb').read(), 8, b''
    while at < len(data):
        n, kind = struct.unpack('>I4s', data[at:at + 8])
        if kind == b'IHDR':
            w, h, depth, colour = struct.unpack('>IIBB', data[at + 8:at + 18])
        if kind == b'IDAT':
            packed += data[at + 8:at + 8 + n]
        at += n + 12
    size = {2: 3, 6: 4}[colour]
    raw, rows, last = zlib.decompress(packed), [], bytes(w * size)
    for y in range(h):
        line = raw[y * (w * size + 1):(y + 1) * (w * size + 1)]
        last = unfiltered(line[0], line[1:], last, size)
        rows.append(last)
    return rows, size

def compare(one, two):
    (a, size), (b, _) = pixels(one), pixels(two)
    differ = sum(abs(x - y) > 96 for p, q in zip(a, b) if p != q for x, y in zip(p[::size], q[::size]))
    ink = sum(x > 96 for p in a for x in p[::size])
    print(f'{differ} of {ink} pixels of ink differ')
    sys.exit(differ > ink / 20)

globals()[sys.argv[1]](*sys.argv[2:])
X
run_ok 'all pictures are read' python3 "$TMP/pictures.py" check docs/*.svg
cp "$OUT" "$TMP/checked"
for picture in docs/*.svg; do
	is "$(sed -n "s|^$picture ||p" "$TMP/checked")" good "$picture: text without blanks, lines and blocks as shapes"
done
# The moving picture: small enough for a page, the first frame where nothing moves, each frame once in a round, what all frames share only once.
moving=docs/tour.svg
ok "$moving is at most 400 kB" test "$(wc -c <"$moving")" -le 400000
is "$(grep -c '^<g id="f[0-9]*">$' "$moving")" 1 'one frame is seen where nothing moves'
is "$(grep '^<g id=' "$moving" | head -n 1)" '<g id="f1">' 'which is the first'
is "$(grep -c '^<g id="f[0-9]*" visibility="hidden">$' "$moving")" 5 'and five are hidden'
is "$(grep -c '^#f[0-9]* { animation: f[0-9]* 12s step-end infinite; }$' "$moving")" 6 'six are shown in turn'
is "$(sed '/^<g id=/,$d' "$moving" | grep -c '>lu.S.4.clog2</text>')" 1 'a row that does not change is there once'
frame=0
for word in breakdown '382' '0.008333' '0.008234' MPI_Send factor; do
	frame=$((frame + 1))
	ok "frame $frame has $word" test -n "$(sed -n "/^<g id=\"f$frame\"/,/^<\/g>/p" "$moving" | grep -F ">$word<")"
done
if command -v rsvg-convert >/dev/null; then
	for picture in docs/tour-timeline.svg docs/tour.svg; do
		python3 "$TMP/pictures.py" cut "$picture" "$TMP/cut.svg"
		rsvg-convert -o "$TMP/whole.png" "$picture"
		rsvg-convert -o "$TMP/cut.png" "$TMP/cut.svg"
		run_ok "$picture: librsvg puts every character into its cell" \
			python3 "$TMP/pictures.py" compare "$TMP/whole.png" "$TMP/cut.png" || diag "$(cat "$OUT")"
	done
else
	skip 1 'no rsvg-convert to draw with'
fi
done_testing
