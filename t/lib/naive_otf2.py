#!/usr/bin/env python3
"""The events of an OTF2 archive, found a second time: of what otf2-print prints, by docs/reference/formats.md, "OTF2 records" alone, slowly and plainly.

    naive_otf2.py ANCHOR

A line for each event: rank, number, type, size, communicator, tag, time and following compute time in seconds with 9 digits. Sound archives
only, with clocks that do not step back; compute times are those of states.
"""
import re
import subprocess
import sys

TEXT = r'"(?:[^"\\]|\\.)*"'
COLLECTIVES = set(('Barrier Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Alltoallw Reduce Allreduce '
                   'Reduce_scatter Reduce_scatter_block Scan Exscan Neighbor_allgather Neighbor_allgatherv Neighbor_alltoall '
                   'Neighbor_alltoallv Neighbor_alltoallw').split())
COLLECTIVES |= {'I' + name[0].lower() + name[1:] for name in COLLECTIVES}
NO_EVENT = ('HANDLE', 'ALLOCATE')


def printed(*arguments):
    """The lines of otf2-print that are records: kind, number, the rest."""
    out = subprocess.run(['otf2-print', *arguments, sys.argv[1]], capture_output=True, text=True, errors='replace', check=True).stdout
    for line in out.split('\n'):
        match = re.match(r'([A-Z][A-Z_]*)\s+(.*)', line)
        if match:
            yield match.group(1), match.group(2)


def reference(text, key):
    return int(re.search(r'\b%s: (?:%s|\S+?) <(\d+)>' % (key, TEXT), text).group(1))


def number(text, key):
    return int(re.search(r'\b%s: (\d+)' % key, text).group(1))


class Definitions:
    def __init__(self):
        self.groups, self.comms, self.inter, self.locations, self.regions = {}, {}, {}, {}, {}
        for kind, text in printed('-G'):
            if kind == 'CLOCK_PROPERTIES':
                self.ticks, self.offset = number(text, 'Ticks per Seconds'), number(text, 'Global Offset')
                continue
            match = re.match(r'(\d+)\s+(.*)', text)
            if match and hasattr(self, 'add_' + kind.lower()):
                getattr(self, 'add_' + kind.lower())(int(match.group(1)), match.group(2))
        self.settle()

    def add_location(self, ref, text):
        self.locations[ref] = (re.search(r'Type: (\w+)', text).group(1), reference(text, 'Group'))

    def add_region(self, ref, text):
        name = re.search(r'Name: (%s)' % TEXT, text).group(1)[1:-1]
        canonical = re.search(r'\(Aka\. (%s)' % TEXT, text)
        name = canonical.group(1)[1:-1] if canonical else name
        mpi = re.search(r'Paradigm: "?MPI"?(?: <\d+>)?,', text) is not None
        self.regions[ref] = (name, mpi or name.startswith(('MPI_', 'mpi_')))

    def add_group(self, ref, text):
        kind = re.search(r'Type: (\w+)', text).group(1)
        mpi = re.search(r'Paradigm: "?MPI"?(?: <\d+>)?,', text) is not None
        members = re.split(r'\d+ Members?: ', text, maxsplit=1)[1:]
        pattern = r'%s <(\d+)>' % TEXT if kind == 'COMM_LOCATIONS' else r'(?:^|, )(\d+) \('
        self.groups.setdefault(ref, []).append((kind, mpi, [int(m) for m in re.findall(pattern, members[0])] if members else []))

    def add_comm(self, ref, text):
        self.comms[ref] = reference(text, 'Group')

    def add_inter_comm(self, ref, text):
        self.inter[ref] = [reference(text, 'Group A'), reference(text, 'Group B')]

    def settle(self):
        """Which location each rank is, and which threads its process has."""
        self.world = [group[2] for ref in sorted(self.groups) for group in self.groups[ref] if group[:2] == ('COMM_LOCATIONS', True)]
        self.world = self.world[0] if self.world else []
        rank = {self.locations[location][1]: r for r, location in reversed(list(enumerate(self.world)))}
        self.threads = [sorted(ref for ref, (kind, group) in self.locations.items() if kind == 'CPU_THREAD' and rank.get(group) == r)
                        for r in range(len(self.world))]

    def group_members(self, ref, rank):
        kind, _, members = [group for group in self.groups[ref] if group[0] != 'COMM_LOCATIONS'][0]
        return [rank] if kind == 'COMM_SELF' else members

    def partners(self, comm, rank):
        """The world's ranks that a partner's number on this communicator counts in."""
        if comm in self.comms:
            return self.group_members(self.comms[comm], rank)
        if comm not in self.inter:
            return []
        a, b = (self.group_members(ref, rank) for ref in self.inter[comm])
        return b if rank in a else a

    def world_comm(self):
        everyone = list(range(len(self.world)))
        return min((ref for ref, group in self.comms.items() if self.group_members(group, -1) == everyone), default=0)

    def size(self, comm, rank):
        return len(self.group_members(self.comms[comm], rank)) if comm in self.comms else 2


class Thread:
    """What one location records. A call is [begin, end, events, place of its last record, whether it is MPI_Finalize], outermost ones alone."""

    def __init__(self, defs, rank, location):
        self.defs, self.rank, self.location = defs, rank, location
        self.stack, self.calls, self.flushes, self.begins, self.requests = [], [], [], [], {}
        self.place = 0
        self.records = []  # (time, place) of those that are not the tracer's own

    def mpi(self):
        return [entry for entry in self.stack if self.defs.regions[entry[0]][1]]

    def event(self, time, place, name=None, size=0, comm=0, tag=0):
        event = {'rank': self.rank, 'location': self.location, 'time': time, 'place': place, 'type': name, 'size': size, 'comm': comm,
                 'tag': tag, 'compute': 0}
        if not self.mpi():
            self.calls.append([time, time, [], self.place, False])
        self.calls[-1][2].append(event)
        return event

    def record(self, kind, time, text):
        self.place += 1
        if kind != 'BUFFER_FLUSH':
            self.records.append((time, self.place))
        if kind == 'ENTER':
            region = reference(text, 'Region')
            if self.defs.regions[region][1] and not self.mpi():
                self.calls.append([time, None, [], self.place, self.defs.regions[region][0] == 'MPI_Finalize'])
            self.stack.append((region, time, self.place))
        elif kind == 'LEAVE':
            inside = bool(self.mpi())
            self.stack.pop()
            if inside and not self.mpi():
                self.calls[-1][1] = time
                self.calls[-1][3] = self.place
        elif kind in ('MPI_SEND', 'MPI_ISEND', 'MPI_RECV', 'MPI_IRECV'):
            self.message(kind.endswith('SEND'), time, text)
        elif kind == 'MPI_COLLECTIVE_BEGIN':
            self.begins.append((time, self.place))
        elif kind == 'MPI_COLLECTIVE_END':
            self.collective(self.begins.pop() if self.begins else (time, self.place), text)
        elif kind == 'NON_BLOCKING_COLLECTIVE_REQUEST':
            region, start, place = self.mpi()[-1] if self.mpi() else (None, time, self.place)
            self.requests[number(text, 'Request')] = (self.event(start, place), region, len(self.mpi()))
        elif kind == 'NON_BLOCKING_COLLECTIVE_COMPLETE':
            event, region, depth = self.requests.pop(number(text, 'Request'), (None, None, 0))
            if event and depth < 2:
                self.name(event, region, text, True)
        elif kind == 'BUFFER_FLUSH':
            self.flushes.append((time, int(re.search(r'Stop Time: (\d+)', text).group(1)) - self.defs.offset))

    def message(self, sent, time, text):
        comm = int(re.search(r'Communicator: .*?<(\d+)>, Tag', text).group(1))
        partner = int(re.search(r'(?:Receiver|Sender): (\d+|UNDEFINED)', text).group(1).replace('UNDEFINED', '4294967295'))
        partners, tag = self.defs.partners(comm, self.rank), number(text, 'Tag')
        known = 0 <= partner < len(partners)
        self.event(time, self.place, ('+' if sent else '-') + (str(partners[partner] + 1) if known else '?'),
                   number(text, 'Length'), comm if known else self.defs.world_comm(), tag if tag < 1 << 31 else -1)

    def collective(self, begin, text):
        open_calls = self.mpi()
        region, time, place = open_calls[-1] if open_calls else (None, *begin)
        if len(open_calls) < 2:
            self.name(self.event(time, place), region, text, False)

    def name(self, event, region, text, nonblocking):
        """What a collective is; it stays nameless if it is no event."""
        operation = re.search(r'Operation: ([A-Z_+ ]+)', text).group(1).strip()
        comm = int(re.search(r'Communicator: .*?<(\d+)>, Root', text).group(1))
        if any(word in operation for word in NO_EVENT) or self.defs.size(comm, self.rank) < 2:
            return
        called = self.defs.regions[region][0][4:] if region is not None else ''
        if called not in COLLECTIVES:
            called = operation.capitalize()
            called = 'I' + called[0].lower() + called[1:] if nonblocking else called
        event.update(type='C' + called, comm=comm, size=number(text, 'Sent'))

    def computing(self, begin, end):
        """Time between two calls, without the tracer's own."""
        return end - begin - sum(max(0, min(end, b) - max(begin, a)) for a, b in self.flushes)

    def events(self, work_end):
        """All events with their compute times: what is computed from an event to the next one of the thread; from the last one to
        where the process's work ends, which is not known without a record after its call."""
        last, sum_since, ended, found = None, 0, None, []
        for begin, end, events, place, finalizes in self.calls:
            events = [event for event in events if event['type']]
            if ended is not None:
                sum_since += self.computing(ended, begin)
            if finalizes and last:
                last['compute'], last = sum_since, None
            if events:
                if last:
                    last['compute'] = sum_since
                last, sum_since = events[-1], 0
                last_end, last_place = end, place
                found += events
            ended = begin if end is None else end
        if last:
            known = last_end is not None and (work_end > last_end or self.records[-1][1] > last_place)
            last['compute'] = sum_since + max(0, self.computing(ended, work_end)) if known else float('nan')
        return found


def main():
    defs = Definitions()
    threads = {location: Thread(defs, rank, location) for rank, locations in enumerate(defs.threads) for location in locations}
    for kind, text in printed():
        match = re.match(r'(\d+)\s+(\d+)(?:\s+(.*)|$)', text)
        if match and int(match.group(1)) in threads:
            threads[int(match.group(1))].record(kind, int(match.group(2)) - defs.offset, match.group(3) or '')
    for rank, locations in enumerate(defs.threads):
        rank_threads = [threads[location] for location in locations]
        finalized = [call[0] for thread in rank_threads for call in thread.calls if call[4]]
        times = [time for thread in rank_threads for time, place in thread.records if not finalized or time <= finalized[0]]
        work_end = finalized[0] if finalized else max(times, default=0)
        events = [event for thread in rank_threads for event in thread.events(work_end)]
        events.sort(key=lambda event: (event['time'], event['location'], event['place']))
        for n, event in enumerate(events):
            print('%d,%d,%s,%d,%d,%d,%.9f,%.9f' % (rank, n + 1, event['type'], event['size'], event['comm'], event['tag'],
                                                   event['time'] / defs.ticks, event['compute'] / defs.ticks))


main()
