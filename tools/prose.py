#!/usr/bin/env python3
"""Measure the English that users read: README, docs, man pages, help, labels and messages.

    tools/prose.py [--program PAS2P] [--show] [FILE...]

Without files: everything, judged by the targets below; the exit status is 1 if one is missed. With Markdown files: their
measures alone. --show lists each place behind a measure that is missed (or, with files, all places).

Two kinds of measures. Some things may not be there at all: words that tools/prose.rules retires, diary, messages that ramble,
help that does not fit a screen. The others are rates of a group of pages, with targets that the guides of well-written programs
meet. They are signs: text that is written for them alone (chopped sentences, "you" in each of them) fails its reader.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Group -> measure -> most ('<') or least ('>') that is good.
PAGES = {
    'words a sentence': ('<', 18.5), '% of sentences over 30 words': ('<', 12), 'what, which, one per 100 words': ('<', 1.4),
    'turned sentences per 1000 words': ('<', 1.0), 'reported passives per 1000 words': ('<', 2.0),
    'colons and semicolons per 100 words': ('<', 1.8), 'you per 100 words': ('>', 1.0), 'examples per 1000 words': ('>', 5),
    'words in the longest paragraph': ('<', 160), 'words a heading': ('<', 320), 'retired words': ('<', 0), 'diary': ('<', 0),
}
TARGETS = {
    'README': {**PAGES, 'words': ('<', 900), 'lines': ('<', 120)},
    'guides': PAGES,
    'reference': {**PAGES, 'words a sentence': ('<', 19.5), '% of sentences over 30 words': ('<', 16), 'you per 100 words': ('>', 0.2),
                  'colons and semicolons per 100 words': ('<', 2.5), 'reported passives per 1000 words': ('<', 3.0), 'examples per 1000 words': ('>', 2)},
    'man': {**PAGES, 'you per 100 words': ('>', 0), 'colons and semicolons per 100 words': ('<', 2.5), 'reported passives per 1000 words': ('<', 5.0),
            'words in the longest paragraph': ('<', 250), 'words a heading': ('<', 900), 'examples per 1000 words': ('>', 0)},
    'help': {'lines of the longest page': ('<', 40), 'lines of the first page': ('<', 24), 'columns': ('<', 80), 'pages without an example': ('<', 0),
             'retired words': ('<', 0), 'turned sentences': ('<', 0), 'topics that fail': ('<', 0)},
    'texts of the source': {'retired words': ('<', 0), 'turned sentences': ('<', 0), 'words in the longest': ('<', 30)},
}
TOPICS = 'settings options keys exit-status glossary'.split()


def read_rules():
    rules = {}
    for line in (ROOT / 'tools/prose.rules').read_text().splitlines():
        if line and not line.startswith('#'):
            kind, stays, pattern, instead = re.split(r'\t+', line)
            flags = 0 if kind != 'term' or re.search(r'[A-Z]', re.sub(r'\\.', '', pattern)) else re.I
            begin = '' if pattern.startswith(('(?:^', ',', '(?:[')) else r'\b'
            end = '' if pattern.endswith(')') and re.search(r'\(\?[=!][^()]*\)$', pattern) else r'\b'
            rules.setdefault(kind, []).append((re.compile(begin + '(?:' + pattern + ')' + end, flags), instead, None if stays == '-' else re.compile(stays)))
    return rules


RULES = read_rules()


def broken_rules(kind, text, path):
    return [(m.group(0), instead) for pattern, instead, stays in RULES[kind] if not (stays and stays.search(path)) for m in pattern.finditer(text)]


def words_in(text):
    return re.findall(r"[A-Za-z][A-Za-z'/-]*", text)


def sentences_in(text):
    text = re.sub(r'\b(e\.g|i\.e|etc|vs|cf|approx)\.', r'\1', text)
    return [s for s in re.split(r'(?<=[.!?])[)"\']*\s+(?=["(\'*]?[A-Z0-9])', text) if re.search('[a-z]{2}', s)]


class Text:
    """Paragraphs of prose with their lines, and how many headings and examples stand between them."""

    def __init__(self):
        self.paragraphs, self.headings, self.examples = [], 0, 0

    def add_line(self, number, line, goes_on):
        if goes_on and self.paragraphs:
            self.paragraphs[-1][1] += ' ' + line
        else:
            self.paragraphs.append([number, line])


def read_markdown(source):
    text, fenced, goes_on = Text(), False, False
    for number, line in enumerate(source.splitlines(), 1):
        line = line.strip()
        if line.startswith('```'):
            fenced = not fenced
            text.examples += fenced
            goes_on = False
        elif fenced or not line or line.startswith(('|', '<', '![', '[![')):
            goes_on = False
        elif line.startswith('#'):
            text.headings += 1
            goes_on = False
        else:
            item = re.match(r'(?:[-*+]|\d+\.) +', line)
            line = line[item.end():] if item else line
            line = re.sub(r'!?\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])', r'\1', line)
            line = re.sub(r'`[^`]*`', 'Code', line).replace('**', '')
            text.add_line(number, line, goes_on and not item)
            goes_on = True
    return text


def read_mdoc(source):
    text, literal, goes_on = Text(), False, False
    for number, line in enumerate(source.splitlines(), 1):
        macro = re.match(r"[.'] *(\\?\S*)", line)
        if macro and macro.group(1) in ('Bd', 'Ed', 'Dl'):
            text.examples += macro.group(1) != 'Ed'
            literal = macro.group(1) == 'Bd'
            goes_on = False
        elif literal:
            continue
        elif not macro:
            text.add_line(number, line.replace('\\-', '-').replace('\\&', ''), goes_on)
            goes_on = True
        elif macro.group(1) in ('Sh', 'Ss'):
            text.headings += 1
            goes_on = False
        elif macro.group(1) in ('Pp', 'It', 'Bl', 'El'):
            goes_on = False
        elif goes_on:
            text.add_line(number, 'Code' + ''.join(re.findall(r' ([.,;:])$', line)), True)
    return text


def measure_pages(files):
    """Measures of a group of pages, and the places: (measure, where, found, advice)."""
    count = dict.fromkeys('words sentences long heavy turned passive joints you examples headings lines retired diary'.split(), 0)
    longest, places = 0, []
    for file in files:
        path, source = str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file), file.read_text()
        text = read_mdoc(source) if re.search(r'\.\d$', path) else read_markdown(source)
        count['examples'] += text.examples
        count['headings'] += text.headings
        count['lines'] += source.count('\n')
        for number, paragraph in text.paragraphs:
            where = '%s:%d' % (path, number)
            longest = max(longest, len(words_in(paragraph)))
            for measure, kind in (('retired words', 'term'), ('diary', 'diary')):
                for found, instead in broken_rules(kind, paragraph, path):
                    count['retired' if kind == 'term' else 'diary'] += 1
                    places.append((measure, where, found, instead))
            for sentence in sentences_in(paragraph):
                size = len(words_in(sentence))
                heavy = re.findall(r'\b(?:what|which|whose|whom|ones?|whoever|whatever|wherever|those|such)\b', sentence, re.I)
                count['words'] += size
                count['sentences'] += 1
                count['long'] += size > 30
                count['heavy'] += len(heavy)
                count['you'] += len(re.findall(r"\b(?:you|your|yours|you're|you'll|we|our)\b", sentence, re.I))
                count['joints'] += len(re.findall(r'[;:] ', sentence))
                if size > 30:
                    places.append(('% of sentences over 30 words', where, '%d words' % size, sentence[:100]))
                if len(heavy) > 2:
                    places.append(('what, which, one per 100 words', where, ' '.join(heavy), sentence[:100]))
                for measure, kind, counter in (('turned sentences per 1000 words', 'order', 'turned'), ('reported passives per 1000 words', 'passive', 'passive')):
                    for found, instead in broken_rules(kind, sentence, path):
                        count[counter] += 1
                        places.append((measure, where, found, instead))
    words, sentences = max(count['words'], 1), max(count['sentences'], 1)
    return {
        'words': count['words'], 'lines': count['lines'], 'words a sentence': count['words'] / sentences, '% of sentences over 30 words': 100 * count['long'] / sentences,
        'what, which, one per 100 words': 100 * count['heavy'] / words, 'turned sentences per 1000 words': 1000 * count['turned'] / words,
        'reported passives per 1000 words': 1000 * count['passive'] / words, 'colons and semicolons per 100 words': 100 * count['joints'] / words,
        'you per 100 words': 100 * count['you'] / words, 'examples per 1000 words': 1000 * count['examples'] / words, 'words in the longest paragraph': longest,
        'words a heading': words / max(count['headings'], 1), 'retired words': count['retired'], 'diary': count['diary'],
    }, places


def measure_help(program):
    def printed(*arguments):
        run = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60)
        return run.stdout if run.returncode == 0 else ''

    names = re.findall(r'^COMMAND\(\w+, "([a-z]+)"', (ROOT / 'src/cli/commands.def').read_text(), re.M)
    pages = {'': printed('--help'), **{name: printed(name, '--help') for name in names}}
    places = []
    for name, page in pages.items():
        prose = re.sub(r'\s+', ' ', re.sub(r'--?[a-z][a-z-]*', 'Code', page))
        for measure, kind in (('retired words', 'term'), ('turned sentences', 'order')):
            places += [(measure, 'pas2p %s --help' % name, found, instead) for found, instead in broken_rules(kind, prose, 'help')]
    failing = [topic for topic in TOPICS + names if not printed('help', topic)]
    longest = max(pages, key=lambda name: pages[name].count('\n') if name else 0)
    places += [('topics that fail', 'pas2p help ' + topic, '', '') for topic in failing]
    places.append(('lines of the longest page', 'pas2p %s --help' % longest, '', ''))
    return {
        'lines of the longest page': pages[longest].count('\n'), 'lines of the first page': pages[''].count('\n'),
        'columns': max(len(line) for page in pages.values() for line in page.splitlines()),
        'pages without an example': sum('xample' not in page for page in pages.values()), 'topics that fail': len(failing),
        'retired words': sum(p[0] == 'retired words' for p in places), 'turned sentences': sum(p[0] == 'turned sentences' for p in places),
    }, places


def literals_of(source):
    """String literals with their lines, neighbours joined."""
    source = re.sub(r'/\*.*?\*/', lambda m: '\n' * m.group(0).count('\n'), source, flags=re.S)
    source = re.sub(r'"[ \t]*\\?\n\s*"', '\0', source)
    for m in re.finditer(r'"((?:[^"\\\n]|\\.)*)"', source):
        yield len(re.findall('[\n\0]', source[:m.start()])) + 1, m.group(1).replace('\\"', '"').replace('\0', '')


def measure_source():
    longest, places = 0, []
    for file in sorted((ROOT / 'src').rglob('*')):
        if file.suffix not in ('.c', '.h', '.def'):
            continue
        path = str(file.relative_to(ROOT))
        for number, literal in literals_of(file.read_text()):
            if not re.search('[a-z] [a-z]', literal) or re.search(r'[{;][a-z-]+:[^ ]', literal): # no text, or a style sheet
                continue
            literal = re.sub('`[^`]*`', 'Code', literal)
            where = '%s:%d' % (path, number)
            for measure, kind in (('retired words', 'term'), ('turned sentences', 'order')):
                for found, instead in broken_rules(kind, literal, path):
                    places.append((measure, where, found, instead))
            for line in literal.split('\\n'):
                for sentence in sentences_in(line):
                    size = len(words_in(re.sub('%[-0-9.*+]*[a-zA-Z]+', 'x', sentence)))
                    longest = max(longest, size)
                    if size > TARGETS['texts of the source']['words in the longest'][1]:
                        places.append(('words in the longest', where, '%d words' % size, sentence[:100]))
    return {'retired words': sum(p[0] == 'retired words' for p in places), 'turned sentences': sum(p[0] == 'turned sentences' for p in places),
            'words in the longest': longest}, places


def is_reference(path):
    return re.match(r'docs/(reference|explain|internals)/|docs/(results|performance|security)\.md|ARCHITECTURE|CONTRIBUTING', path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('files', nargs='*', type=pathlib.Path)
    parser.add_argument('--program', default=str(ROOT / 'build/pas2p'))
    parser.add_argument('--show', action='store_true')
    asked = parser.parse_args()

    if asked.files:
        values, places = measure_pages([file.resolve() for file in asked.files])
        for measure, value in values.items():
            print('%-40s %8.1f' % (measure, value))
        for place in places if asked.show else []:
            print('%s: %s: "%s" (%s)' % (place[1], place[0], place[2], place[3]))
        return 0
    docs = sorted((ROOT / 'docs').rglob('*.md'))
    pages = {file: str(file.relative_to(ROOT)) for file in docs + [ROOT / 'ARCHITECTURE.md', ROOT / 'CONTRIBUTING.md']}
    groups = {
        'README': measure_pages([ROOT / 'README.md']),
        'guides': measure_pages([file for file, path in pages.items() if not is_reference(path)]),
        'reference': measure_pages([file for file, path in pages.items() if is_reference(path)]),
        'man': measure_pages(sorted((ROOT / 'man').glob('*.[157]'))),
        'help': measure_help(asked.program),
        'texts of the source': measure_source(),
    }
    missed = 0
    for group, (values, places) in groups.items():
        for measure, (way, target) in TARGETS[group].items():
            value = values[measure]
            if value <= target if way == '<' else value >= target:
                continue
            missed += 1
            print('%s: %s: %.3g, target %s %g' % (group, measure, value, {'<': 'at most', '>': 'at least'}[way], target))
            for place in places if asked.show else []:
                if place[0] == measure:
                    print('  %s: "%s" (%s)' % place[1:])
    print('%d of %d targets are missed' % (missed, sum(len(t) for t in TARGETS.values())) if missed else 'The English meets its targets.')
    return 1 if missed else 0


if __name__ == '__main__':
    sys.exit(main())
