"""pas2p against the reference (reference_method.py): python3 reference_compare.py PAS2P TRACE OPTION...

Prints each kind of difference once, with how often it occurs, then "compared N": how many values there were."""
import collections
import csv
import io
import itertools
import json
import subprocess
import sys

import reference_method as reference

EXACT = ('id', 'weight', 'ticks', 'relevant', 'occurrence', 'tick', 'checkpoint', 'entry', 'exit')
TIMES = ('time', 'time_min', 'time_max', 'between_sends')


class Comparison:
    def __init__(self, aet):
        self.tolerance, self.compared = 1e-9 * aet + 1e-15, 0
        self.found, self.times = {}, collections.Counter()

    def differ(self, what, where, got, want):
        self.found.setdefault(what, '%s %s: %s, reference %s' % (what, where, got, want))
        self.times[what] += 1

    def same(self, what, where, got, want):
        self.compared += 1
        if got != want:
            self.differ(what, where, got, want)

    def near(self, what, where, got, want):
        self.compared += 1
        if (got is None) != (want is None) or (got is not None and abs(got - want) > self.tolerance):
            self.differ(what, where, got, want)


def printed(program, command, options, form, trace):
    run = subprocess.run([program, command, '-q', '--no-config', '--format', form, *options, trace], capture_output=True, text=True, check=True)
    return json.loads(run.stdout) if form == 'json' else list(csv.DictReader(io.StringIO(run.stdout)))


def number(text):
    return float(text) if text else None


def compare_phases(c, table, result):
    c.same('run time', '', round(table['trace']['aet'], 9), round(result['trace']['aet'], 9))
    c.same('source of compute times', '', table['trace']['compute'], result['trace']['compute'])
    c.same('phases', '', len(table['phases']), len(result['phases']))
    for got, want in zip(table['phases'], result['phases']):
        for key in EXACT:
            c.same(key, 'of phase %d' % want['id'], got[key]['sends'] if key in ('entry', 'exit') else got[key], want[key])
        for key in TIMES:
            c.near(key, 'of phase %d' % want['id'], got.get(key), want.get(key))


def compare_blocks(c, rows, trace, each):
    c.same('blocks', '', len(rows), len(trace.labels))
    for i, (row, label, compute) in enumerate(zip(rows, trace.labels, trace.block_compute)):
        c.same('label', 'of block %d' % (i + 1), int(row['label']), label)
        if not each:
            c.near('compute time', 'of block %d' % (i + 1), number(row['compute']), compute)


def compare_events(c, rows, trace):
    for row, event in itertools.zip_longest(rows, (event for events in trace.events for event in events)):
        if row is None or event is None:
            c.differ('events', 'in all', len(rows), 'another number')
            return
        where = 'of event %d of rank %d' % (event.number, event.p)
        for key, want in (('rank', event.p), ('number', event.number), ('kind', reference.KIND[event.kind]), ('type', event.type.split('/')[0]),
                          ('size', event.size), ('lt', event.lt), ('tick', event.tick), ('sends', event.nsend),
                          ('match_rank', event.match.p if event.match else None), ('match_number', event.match.number if event.match else None)):
            c.same(key, where, row[key], '' if want is None else str(want))
        c.near('time', where, number(row['time']), event.time)
        c.near('compute time', where, number(row['compute']), event.compute)


def main():
    program, path, *options = sys.argv[1:]
    settings = reference.parser().parse_args([path, *options])
    settings.compute = float(settings.compute)
    trace = reference.read_trace(path, settings.collectives)
    result = reference.analyse(trace, settings)
    c = Comparison(trace.aet)
    compare_phases(c, printed(program, 'phases', options, 'json', path), result)
    compare_blocks(c, printed(program, 'bbps', options, 'csv', path), trace, settings.compute_of == 'each')
    compare_events(c, printed(program, 'events', options, 'csv', path), trace)
    for what, first in c.found.items():
        print('%d times, first: %s' % (c.times[what], first))
    print('compared %d' % c.compared)


main()
