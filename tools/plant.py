#!/usr/bin/env python3
"""What the golden screens see: tools/plant.py [LIST [FAULT...]]

Plants the faults of a list (tools/plant.list) in the sources one at a time, builds the program in a folder of its own, draws all screens
(tools/screens.sh), and says for each fault which part of which golden shows it: the size; text, roles or stress; ASCII. For whoever
changes what goldens hold: what was seen before is to be seen afterwards. A fault is a line of a file, known by its text, and what stands
there instead; a line that is not found exactly once is an error. CC and TMPDIR are as for make.
"""
import pathlib, re, signal, subprocess, sys, tempfile

BUILD, GOLDENS = 'build/plant', pathlib.Path('t/tui/screens')


def faults_of(text):
    for fault in re.split(r'\n\n+', re.sub(r'(?m)^#.*\n', '', text).strip()):
        (name, file), before, after = fault.split('\n')[0].split(), *fault.split('\n')[1:]
        yield name, pathlib.Path(file), before[2:], after[2:]


def planted(file, before, after):
    found = re.findall(r'(?m)^[ \t]*' + re.escape(before) + '$', file.read_text())
    if len(found) != 1:
        sys.exit(f'{file}: found {len(found)} times, not once: {before}')
    return file.read_text().replace(found[0], found[0].replace(before, after))


def parts_of(file):
    """{part: lines} of a golden"""
    script = file.name[:-4] + '.keys'
    part = '' if 'views' in file.parts else (GOLDENS / script).read_text().split()[1]
    parts, layer = {}, 'text'
    for line in file.read_text().split('\n'):
        if re.match('== |-- ', line):
            part, layer = (line[3:], 'text') if line[0] == '=' else (part, line[3:])
        else:
            parts.setdefault(f'{part}, {layer}'.replace(': rows that are otherwise, text', ''), []).append(line)
    return parts


def seen(folder):
    """{part: [golden...]} that are not as in the repository"""
    of = {}
    for golden in sorted(GOLDENS.rglob('*.txt')):
        old, new = parts_of(golden), parts_of(folder / golden.relative_to(GOLDENS))
        for part in sorted(old.keys() | new.keys()):
            if old.get(part) != new.get(part):
                of.setdefault(part, []).append(str(golden.relative_to(GOLDENS))[:-4])
    return of


def drawn():
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run(['make', '-s', '-j2', f'BUILD={BUILD}', f'{BUILD}/pas2p'], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(['tools/screens.sh', f'{BUILD}/pas2p', tmp], check=True)
        return seen(pathlib.Path(tmp))


def main(path='tools/plant.list', *names):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit('ended'))
    faults = [f for f in faults_of(pathlib.Path(path).read_text()) if not names or f[0] in names]
    for _, *fault in faults:
        planted(*fault)
    if drawn():
        sys.exit('the goldens are not what the sources draw: make update-screens')
    for name, file, before, after in faults:
        was = file.read_text()
        try:
            file.write_text(planted(file, before, after))
            of = drawn()
        finally:
            file.write_text(was)
        print(f'{name}: ' + ('' if of else 'no screen'), flush=True)
        for part, goldens in of.items():
            print(f'    {part}: {len(goldens)}: ' + ' '.join(goldens[:6]) + (' ...' if len(goldens) > 6 else ''), flush=True)


main(*sys.argv[1:])
