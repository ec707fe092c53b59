"""The method once more, from the CLOG2 file to the phases: written by somebody who had read what the method and the format are, and no line
of pas2p. Every definition stands as it reads; the section of docs/explain/method.md is named beside it. It shares nothing with pas2p, and takes its time.
"""
import argparse
import json
import struct
import sys
from fractions import Fraction
from heapq import heappush, heappop

import reference_clog2 as clog2
from reference_clog2 import Clog2, text, unpack_cargo

COLLECTIVES = set('Barrier Bcast Gather Gatherv Scatter Scatterv Allgather Allgatherv Alltoall Alltoallv Alltoallw Reduce '
                  'Allreduce Reduce_scatter Reduce_scatter_block Scan Exscan'.split())
COLLECTIVES |= {'Neighbor_' + x for x in 'allgather allgatherv alltoall alltoallv alltoallw'.split()}
COLLECTIVES |= {'I' + x[0].lower() + x[1:] for x in COLLECTIVES}          # nonblocking forms, at their start

TRACER_STATES = {'CLOG_Buffer_write2disk', 'PAS2P_sync_clocks'}           # the tracer's own
TRACER_EVENTS = {'PAS2P_clock'}                                           # belongs to clock synchronisation
SEND, RECV, COLL = 0, 1, 2
KIND = ['send', 'receive', 'collective']


class Event:
    __slots__ = ('p', 'number', 'time', 'kind', 'peer', 'size', 'comm', 'key', 'tag', 'op', 'compute', 'call_end',
                 'match', 'group', 'lt', 'tick', 'type', 'nsend', 'order', 'thread')

    def __init__(self, p, number, time, kind):
        self.p, self.number, self.time, self.kind = p, number, time, kind
        self.peer = self.op = self.compute = self.match = self.group = self.lt = self.tick = None
        self.call_end = None
        self.nsend = None


LATEST = True             # end(p) where the clock steps back: the latest time (True), or that of the last record in order
CLAMP = True              # a negative gap counts as 0


def gap(x):
    return 0.0 if CLAMP and x < 0 else x


class Trace:
    pass


# ------------------------------------------------------------------------------------------------ reading (section 1)

class Thread:
    """What compute times need of one thread (section 1, "compute time after an event")."""
    __slots__ = ('stack', 'C', 'last_end', 'Cs', 'made', 'waiting', 'wait_C', 'reading', 'call_since', 'depth', 'call_has',
                 'final_C')

    def __init__(self):
        self.stack = []           # open MPI or tracer states: (final etype, name)
        self.C = 0.0              # computing so far
        self.last_end = None      # end of the last outermost call
        self.Cs = 0.0             # C at the start of the present outermost call
        self.waiting = None       # last event, whose compute time is still open
        self.wait_C = None        # C at the end of its call; None: the call is not over
        self.reading = None
        self.call_since = False
        self.call_has = False
        self.final_C = None       # C when MPI_Finalize began


def read_trace(path, collectives):
    f = Clog2(path)
    data, o = f.data, f.order
    i1, i2, i3, i4, i5 = (struct.Struct(o + '%di' % n).unpack_from for n in (1, 2, 3, 4, 5))
    f8 = struct.Struct(o + 'd').unpack_from

    # Pass A: definitions and communicators
    start, final, solo, formats, consts = {}, {}, {}, {}, {}
    for sid, name in clog2.KNOWN.items():
        start[2 * sid] = (2 * sid + 1, name)
        final[2 * sid + 1] = name
    start[-1001], final[-1002] = (-1002, 'CLOG_Buffer_write2disk'), 'CLOG_Buffer_write2disk'
    world, members = {}, {}
    gids = {}
    elog_time = None
    for t, ic, r, th, ty, p in f.raw():
        if ty == clog2.STATEDEF:
            sid, s, e = i3(data, p)
            name = text(data[p + 40:p + 72])
            start[s] = (e, name)
            final[e] = name
            formats[s] = text(data[p + 72:p + 112])
        elif ty == clog2.EVENTDEF:
            e = i1(data, p)[0]
            solo[e] = text(data[p + 32:p + 64])
            formats[e] = text(data[p + 64:p + 104])
        elif ty == clog2.CONSTDEF:
            consts[text(data[p + 8:p + 40])] = i2(data, p)[1]
        elif ty == clog2.COMM and not f.old:
            e, nic, nr, wr = i4(data, p)
            if nr >= 0 and e in (0, 1, 100, 101, 1000):
                world[(nic, nr)] = wr
                if e != 1000:
                    members.setdefault(nic, set()).add(wr)
        elif ty == clog2.ENDLOG:
            elog_time = t
    local = f.finalized is False or (f.finalized is None and elog_time != 1.0e8)
    proc_null = consts.get('MPI_PROC_NULL')
    if f.old:
        ranks = range(1 + max((r for t, ic, r, th, ty, p in f.raw() if ty in (clog2.BARE, clog2.CARGO, clog2.MSG)),
                              default=-1))                       # open: the header names no size
    else:
        ranks = sorted({w for w in world.values()})
    index = {r: i for i, r in enumerate(ranks)}
    P = len(ranks)
    if f.old:
        members[0] = set(ranks)
    reading_ids = {e for e, name in solo.items() if name == 'PAS2P_compute'}
    size_ids = {e for e, name in solo.items() if name == 'PAS2P_size'}
    tracer_ids = {e for e, name in solo.items() if name in TRACER_EVENTS}

    T = Trace()
    T.format, T.processes, T.file = f.version, P, path
    T.warn = []

    # Which source?  readings if there are any, else MPI call states if there are any, else gaps
    has_reading = has_state = False
    for t, ic, r, th, ty, p in f.raw():
        if ty == clog2.BARE or ty == clog2.CARGO:
            e = i1(data, p)[0]
            if e in reading_ids and ty == clog2.CARGO:
                has_reading = True
                break
            if e in start and start[e][1].startswith('MPI_'):
                has_state = True
    source = 'events' if has_reading else 'states' if has_state else 'gaps'
    T.source = source

    events = [[] for _ in range(P)]
    first = [None] * P
    last = [None] * P
    endp = [None] * P             # end(p)
    nrec = [0] * P                # records that count for end(p), so far
    nrec_last = [0] * P           # ... at the end of the last event's call (None: not over)
    finalizing = [False] * P
    big_size = {}
    shift = {}
    threads = {}
    coll_count = {}

    def new_event(rank, th, t, kind):
        q = index[rank]
        T_ = threads.get((q, th))
        if T_ is None:
            T_ = threads[(q, th)] = Thread()
        ev = Event(q, len(events[q]) + 1, t, kind)
        ev.thread = th
        outside = not T_.stack
        if outside and source != 'events' and T_.last_end is not None:     # a call of no length
            T_.C += gap(t - T_.last_end)
            T_.last_end = t
        if outside or source == 'gaps':
            T_.Cs = T_.C
        w = T_.waiting
        if w is not None:
            if T_.wait_C is None:
                w.compute = 0.0                        # "0 between events of one call"
            else:
                w.compute = T_.Cs - T_.wait_C
        T_.waiting = ev
        if outside:
            T_.wait_C = T_.C
            T_.last_end = t
            ev.call_end = t
        else:
            T_.wait_C = None
        events[q].append(ev)
        return ev

    for t, ic, r, th, ty, p in f.raw():
        if ty in (clog2.ENDLOG, clog2.ENDBLOCK, clog2.STATEDEF, clog2.EVENTDEF, clog2.CONSTDEF, clog2.SRCLOC):
            continue
        if f.old:
            rank = r
        else:
            rank = world.get((ic, r))
        q = index.get(rank)
        if ty == clog2.SHIFT:
            if local:
                shift[q] = f8(data, p)[0]
            continue
        if q is None:
            T.warn.append('unknown process (%d, %d)' % (ic, r))
            continue
        if local:
            t += shift.get(q, 0.0)
        if ty == clog2.COMM or ty == clog2.COLL:      # open: taken as definitions of communicators
            continue
        # AET: all records but definitions, clock and end markers
        if first[q] is None or t < first[q]:
            first[q] = t
        if last[q] is None or t > last[q]:
            last[q] = t
        counts = not finalizing[q]
        if ty == clog2.BARE or ty == clog2.CARGO:
            e = i1(data, p)[0]
            key = (q, th)
            T_ = threads.get(key)
            if T_ is None:
                T_ = threads[key] = Thread()
            if e in start:
                fin, name = start[e]
                mpi = name.startswith('MPI_')
                tracer = name in TRACER_STATES
                if tracer:
                    counts = False
                if counts:
                    nrec[q] += 1
                    endp[q] = t if endp[q] is None or not LATEST else max(endp[q], t)
                if name == 'MPI_Finalize':
                    finalizing[q] = True
                if mpi or tracer:
                    outermost = not any(s[2] for s in T_.stack)
                    inside_start = bool(T_.stack) and T_.stack[-1][1] in ('MPI_Start', 'MPI_Startall')
                    if not T_.stack:
                        if source != 'events' and T_.last_end is not None:
                            T_.C += gap(t - T_.last_end)
                        T_.Cs = T_.C
                        # open: no reading stands around a buffer write, so what it took cannot be told from computing
                        if mpi or name != 'CLOG_Buffer_write2disk':
                            T_.call_since = True
                    if name == 'MPI_Finalize':
                        T_.final_C = T_.C
                    T_.stack.append((fin, name, mpi))
                    op = name[4:]
                    if mpi and op in COLLECTIVES and collectives == 'events' and len(members.get(ic, ())) > 1 \
                            and (outermost or (inside_start and op[0] == 'I')):
                        ev = new_event(rank, th, t, COLL)
                        ev.op, ev.comm, ev.tag = op, ic, 0
                        ev.size = 0
                        if ty == clog2.CARGO and 'size=' in formats.get(e, ''):
                            s = unpack_cargo(formats[e], data[p + 8:p + 40]).get('size')
                            if s is not None:
                                ev.size = s if s >= 0 else None
                        k = coll_count.get((q, ic), 0)
                        coll_count[(q, ic)] = k + 1
                        ev.key = (ic, k)
            elif e in final:
                name = final[e]
                mpi = name.startswith('MPI_')
                tracer = name in TRACER_STATES
                if tracer:
                    counts = False
                if counts:
                    nrec[q] += 1
                    endp[q] = t if endp[q] is None or not LATEST else max(endp[q], t)
                if mpi or tracer:
                    for i in range(len(T_.stack) - 1, -1, -1):
                        if T_.stack[i][0] == e:
                            del T_.stack[i:]
                            if not T_.stack:
                                if T_.waiting is not None and T_.wait_C is None:
                                    T_.wait_C = T_.C
                                    T_.waiting.call_end = t
                                    if events[q][-1] is T_.waiting:
                                        nrec_last[q] = nrec[q]
                                T_.last_end = t
                                if mpi or name != 'CLOG_Buffer_write2disk':
                                    T_.call_since = True
                            break
            else:
                # a solo event
                if e in tracer_ids or any(s[1] in TRACER_STATES for s in T_.stack):
                    counts = False
                if counts:
                    nrec[q] += 1
                    endp[q] = t if endp[q] is None or not LATEST else max(endp[q], t)
                if e in reading_ids and ty == clog2.CARGO:
                    v = unpack_cargo(formats.get(e, 'cpu=%E') or 'cpu=%E', data[p + 8:p + 40]).get('cpu')
                    if v is not None and counts:
                        if T_.reading is not None and not T_.call_since and not T_.stack:
                            T_.C += gap(v - T_.reading)
                        T_.reading = v
                        T_.call_since = bool(T_.stack)
                elif e in size_ids and ty == clog2.CARGO:
                    big_size[(q, th)] = unpack_cargo(formats.get(e, 'size=%l'), data[p + 8:p + 40]).get('size')
        elif ty == clog2.MSG:
            if f.old:
                et, tag, pr, mic, size = i5(data, p)
                mic = 0
            else:
                et, mic, pr, tag, size = i5(data, p)
                if mic == -999999999:
                    mic = ic
            if et not in (-101, -102) or (proc_null is not None and pr == proc_null):
                continue
            if counts:
                nrec[q] += 1
                endp[q] = t if endp[q] is None or not LATEST else max(endp[q], t)
            partner = pr if f.old else world.get((mic, pr))
            ev = new_event(rank, th, t, SEND if et == -101 else RECV)
            ev.peer = index.get(partner)
            ev.comm, ev.tag = ic, tag
            ev.size = size if size >= 0 else None
            b = big_size.pop((q, th), None)
            if b is not None and size < 0:
                ev.size = b
            if et == -101:
                ev.key = (ic, mic, q, ev.peer, tag)
            else:
                ev.key = (mic, ic, ev.peer, q, tag)
            if ev.call_end is not None:
                nrec_last[q] = nrec[q]

    # open: an event of p lies after the last record before MPI_Finalize (inside MPI_Finalize, or the clock stepped back):
    # end(p) is then that event's time, so that no stretch is negative for that reason
    end_calls = list(endp)
    for q in range(P):
        if events[q] and endp[q] is not None and events[q][-1].time > endp[q]:
            endp[q] = events[q][-1].time
    # After the last event: until end(p); unknown if no record follows the end of its call  (1.2)
    for q in range(P):
        if endp[q] is None:
            endp[q] = last[q]
    for (q, th), T_ in threads.items():
        w = T_.waiting
        if w is None:
            continue
        is_last = events[q][-1] is w
        if T_.wait_C is None or (is_last and nrec_last[q] >= nrec[q]):
            w.compute = None
            continue
        C = T_.C if T_.final_C is None else T_.final_C
        if T_.final_C is None and source != 'events' and not T_.stack and T_.last_end is not None:
            C += gap((end_calls[q] if end_calls[q] is not None else endp[q]) - T_.last_end)
        w.compute = C - T_.wait_C
    T.events, T.end = events, endp
    T.first, T.last = first, last
    have = [q for q in range(P) if first[q] is not None]
    T.aet = max(last[q] for q in have) - min(first[q] for q in have)
    T.ranks = list(ranks)
    T.warn += f.problems

    # Types
    for q in range(P):
        n = 0
        for ev in events[q]:
            if ev.kind == SEND:
                ev.type = '+%d' % (0 if ev.peer is None else ev.peer + 1)
            elif ev.kind == RECV:
                ev.type = '-%d' % (0 if ev.peer is None else ev.peer + 1)
            else:
                ev.type = 'C%s/%d' % (ev.op, ev.comm)
            if ev.kind != RECV:
                n += 1
                ev.nsend = n                                  # section 6: numbered from 1
    relate(T)
    return T


def relate(T):
    """FIFO per (communicator, source, destination, tag); within equal size where counts or sizes disagree."""
    sends, recvs = {}, {}
    groups = {}
    for evs in T.events:
        for ev in evs:
            if ev.kind == COLL:
                groups.setdefault((ev.key, ev.op), []).append(ev)
            elif ev.peer is None:
                continue
            else:
                (sends if ev.kind == SEND else recvs).setdefault(ev.key, []).append(ev)

    def pair(a, b):
        a.match, b.match = b, a

    for key in sends.keys() & recvs.keys():
        S, R = sends[key], recvs[key]
        good = len(S) == len(R) and all(a.size is None or b.size is None or a.size == b.size for a, b in zip(S, R))
        if good:
            for a, b in zip(S, R):
                pair(a, b)
        else:
            by = {}
            for b in R:
                by.setdefault(b.size, []).append(b)
            for b in by.values():
                b.reverse()
            for a in S:
                if by.get(a.size):
                    pair(a, by[a.size].pop())
    for g in groups.values():
        for ev in g:
            ev.group = g
    T.lost_sends = sum(1 for evs in T.events for ev in evs if ev.kind == SEND and ev.match is None)
    T.lost_receives = sum(1 for evs in T.events for ev in evs if ev.kind == RECV and ev.match is None)


# ------------------------------------------------------------------------------------------- logical time (section 2)

def logical_time(T, order):
    P = T.processes
    at = [0] * P                  # next event of each process
    value = [0] * P               # pas2p: what a send would get; lamport: previous LT + 1
    broken = set()                # events that lost their relation for this purpose
    T.broken = 0
    left = sum(len(e) for e in T.events)

    def ready(ev):
        if ev in broken:
            return True
        if ev.kind == RECV and ev.match is not None:
            return ev.match.lt is not None
        if ev.kind == COLL:
            for m in ev.group:
                if m not in broken and m.lt is None:
                    if at[m.p] >= len(T.events[m.p]) or T.events[m.p][at[m.p]] is not m:
                        return False
            return True
        return True

    def give(ev, lt):
        ev.lt = lt
        p = ev.p
        if order == 'lamport':
            value[p] = lt + 1
        else:
            value[p] = max(value[p], lt if ev.kind == RECV else lt + 1)
        at[p] += 1

    while left:
        progress = False
        for p in range(P):
            evs = T.events[p]
            while at[p] < len(evs) and ready(evs[at[p]]):
                ev = evs[at[p]]
                progress = True
                if ev.kind == RECV and ev.match is not None and ev not in broken:
                    lt = ev.match.lt + 1
                    if order == 'lamport':
                        lt = max(lt, value[p])
                    give(ev, lt)
                    left -= 1
                elif ev.kind == COLL and ev not in broken:
                    g = [m for m in ev.group if m not in broken]
                    lt = max(value[m.p] for m in g)
                    for m in g:
                        give(m, lt)
                    left -= len(g)
                else:
                    give(ev, value[p])
                    left -= 1
        if not progress:
            ev = min((T.events[p][at[p]] for p in range(P) if at[p] < len(T.events[p])), key=lambda e: (e.time, e.p))
            broken.add(ev)
            T.broken += 1


# -------------------------------------------------------------------------------------------------- ticks (section 3)

def make_ticks(T, order):
    """ticks: list of {process: event}"""
    by = {}
    for evs in T.events:
        for ev in evs:
            by.setdefault(ev.lt, []).append(ev)
    ticks = []
    for lt in sorted(by):
        if order == 'lamport':
            ticks.append({ev.p: ev for ev in by[lt]})
            assert len(ticks[-1]) == len(by[lt])
        else:
            recv = {}
            rest = {}
            for ev in by[lt]:
                if ev.kind == RECV:
                    recv.setdefault(ev.p, []).append(ev)
                else:
                    assert ev.p not in rest
                    rest[ev.p] = ev
            if recv:
                for r in recv.values():
                    r.sort(key=lambda e: (-1 if e.peer is None else e.peer, e.comm, e.tag,
                                          e.match.number if e.match is not None else float('inf'), e.number))
                for i in range(max(len(r) for r in recv.values())):
                    ticks.append({p: r[i] for p, r in recv.items() if i < len(r)})
            if rest:
                ticks.append(rest)
    for i, tick in enumerate(ticks):
        for ev in tick.values():
            ev.tick = i
    T.ticks = ticks


# -------------------------------------------------------------------------------------------------- blocks (section 4)

def sizes_similar(a, b, volume):
    """abs(a-b) <= volume x max(a,b), exact; an unknown size is similar to any (4)"""
    if a is None or b is None:
        return True
    if a == b:
        return True
    return abs(a - b) * volume.denominator <= volume.numerator * max(a, b)


def compute_similar(a, b, share):
    return abs(a - b) <= share * max(a, b)


def make_blocks(T, s):
    P = T.processes
    ticks = T.ticks
    labels = []
    T.block_compute = []
    leaders = {}                           # types -> leaders in order: (label, sizes, computes, unknown)
    shares = s.compute
    for i in range(1, len(ticks)):
        entry, exit_ = ticks[i - 1], ticks[i]
        ps = sorted(set(entry) | set(exit_))
        types = tuple((p, entry[p].type if p in entry else None, exit_[p].type if p in exit_ else None) for p in ps)
        sizes = [t[p].size if p in t else 0 for p in ps for t in (entry, exit_)]
        computes = [entry[p].compute if p in entry else 0.0 for p in ps]
        unknown = any(c is None for c in computes)
        if not unknown:
            if s.compute_of == 'max':
                computes = [max(computes)]
            elif s.compute_of == 'sum':
                computes = [sum(computes)]
        T.block_compute.append(None if unknown else max(computes, default=0.0) if s.compute_of != 'sum' else sum(computes))
        found = None
        cands = leaders.setdefault(types, [])
        for label, lsizes, lcomputes, lunknown in cands:
            if not (unknown or lunknown) and not all(compute_similar(a, b, shares) for a, b in zip(computes, lcomputes)):
                continue
            if all(sizes_similar(a, b, s.volume) for a, b in zip(sizes, lsizes)):
                found = label
                break
        if found is None:
            found = i
            cands.append((i, sizes, computes, unknown))
        labels.append(found)
    T.labels = labels


def phases_from_blocks(labels):
    """-> phases: [{'labels': run}], occurrences: [(phase index, first block, last block)]"""
    count, follow = {}, {}
    for i, a in enumerate(labels):
        count[a] = count.get(a, 0) + 1
        follow.setdefault(a, set()).add(labels[i + 1] if i + 1 < len(labels) else None)
    joined = {}
    for a, f in follow.items():
        if len(f) == 1:
            b = next(iter(f))
            if b is not None and b != a and count[a] == count[b] and count[a] >= 2:
                joined[a] = b
    ids, phases, occ = {}, [], []
    i = 0
    while i < len(labels):
        j = i
        while labels[j] in joined:
            j += 1                                   # every a is followed by its b
        run = tuple(labels[i:j + 1])
        if run not in ids:
            ids[run] = len(phases)
            phases.append({'labels': list(run)})
        occ.append((ids[run], i + 1, j + 1))
        i = j + 1
    return phases, occ


# ------------------------------------------------------------------------------------------------ windows (section 5)

def phases_from_windows(T, s):
    """-> phases, occurrences: [(phase index, first tick, last tick)] with ticks of the whole logical trace"""
    where, cells = [], []                            # send ticks only
    for i, tick in enumerate(T.ticks):
        c = {p: (ev.type, ev.size) for p, ev in tick.items() if ev.kind != RECV}
        if c:
            where.append(i)
            cells.append(c)
    saved = []                                       # (length, first send tick)
    bylen = {}
    occ = []
    num, den = s.events.numerator, s.events.denominator
    N = len(cells)

    def similar(a, b, n):
        """windows of n ticks that start at a (saved) and b"""
        m = z = x = 0
        for k in range(n):
            A, B = cells[a + k], cells[b + k]
            for p, u in A.items():
                v = B.get(p)
                if v is None:
                    z += 1
                elif u[0] == v[0] and sizes_similar(u[1], v[1], s.volume):
                    m += 1
                else:
                    x += 1
            for p in B:
                if p not in A:
                    z += 1
        if s.absent == 'different':
            x += z
            z = 0
        return m >= 1 and (m + z) * den >= num * (m + z + x)

    def lookup(a, e):
        for k in bylen.get(e - a + 1, ()):
            if similar(saved[k], a, e - a + 1):
                return k
        return None

    def close(a, e):
        k = lookup(a, e)
        if k is None:
            k = len(saved)
            saved.append(a)
            bylen.setdefault(e - a + 1, []).append(k)
            phases.append({'ticks': e - a + 1})
        occ.append((k, where[a], where[e]))

    phases = []
    start = 0
    while start < N:
        e = start
        had = {}                                     # (process, type) -> tick at which it first occurred
        for p, u in cells[e].items():
            had[(p, u[0])] = e
        while True:
            if e + 1 >= N:
                close(start, e)
                start = N
                break
            repeated = [had[(p, u[0])] for p, u in cells[e + 1].items() if (p, u[0]) in had]
            if repeated:
                f = min(repeated)
                if f == start:
                    close(start, e)
                else:
                    close(start, f - 1)
                    close(f, e)
                start = e + 1
                break
            e += 1
            for p, u in cells[e].items():
                had[(p, u[0])] = e
            k = lookup(start, e)
            if k is not None:
                occ.append((k, where[start], where[e]))
                start = e + 1
                break
    return phases, occ


# ------------------------------------------------------------------------------------------------ figures (section 6)

def analyse(T, s):
    P = T.processes
    logical_time(T, s.order)
    make_ticks(T, s.order)
    make_blocks(T, s)
    nticks = len(T.ticks)
    if s.similarity == 'bbp':
        phases, occ = phases_from_blocks(T.labels)
        occ = [(k, i - 1, j, j - i + 2) for k, i, j in occ]                 # run (i..j) spans ticks i-1..j
        for ph in phases:
            ph['ticks'] = len(ph['labels']) + 1
    else:
        phases, occ = phases_from_windows(T, s)
        occ = [(k, a, b, None) for k, a, b in occ]

    # sends and collectives at ticks before c, per process
    before = [[0] * (nticks + 1) for _ in range(P)]
    for p in range(P):
        b = before[p]
        n = 0
        for c in range(nticks):
            b[c] = n
            ev = T.ticks[c].get(p)
            if ev is not None and ev.kind != RECV:
                n += 1
        b[nticks] = n
    numbered = [[ev for ev in evs if ev.kind != RECV] for evs in T.events]
    total = [len(x) for x in numbered]
    end = [T.end[p] if T.end[p] is not None else 0.0 for p in range(P)]

    def when(p, n):
        """physical time of event number n+1 of p's sends and collectives; end(p) if there is none"""
        return numbered[p][n].time if n < total[p] else end[p]

    # stretches, summed by the tick of their event: prefix sums over ticks (6.1)
    pre = None
    if s.similarity == 'bbp':
        pre = []
        for p in range(P):
            a = [0.0] * (nticks + 1)
            evs = T.events[p]
            for k, ev in enumerate(evs):
                a[ev.tick + 1] += (evs[k + 1].time if k + 1 < len(evs) else end[p]) - ev.time
            pre.append(a)

    entries, exits = [], []
    for n, (k, a, b, _) in enumerate(occ):
        entries.append([before[p][a] for p in range(P)])
    for n in range(len(occ)):
        exits.append(entries[n + 1] if n + 1 < len(occ) else list(total))
    between = [[when(p, exits[n][p]) - when(p, entries[n][p]) for p in range(P)] for n in range(len(occ))]
    if pre is not None:
        durations = []
        for n, (k, a, b, _) in enumerate(occ):
            stop = occ[n + 1][1] if n + 1 < len(occ) else nticks
            durations.append([sum(pre[p][a + 1:stop + 1]) for p in range(P)])
    else:
        durations = between

    def phase_time(occs, D):
        per = [sum(D[n][p] for n in occs) / len(occs) for p in range(P)]
        return max(per) if s.phase_time == 'slowest' else sum(per) / P

    out = []
    for k, ph in enumerate(phases):
        occs = [n for n, q in enumerate(occ) if q[0] == k] if len(phases) < 50 else None
        if occs is None:
            if k == 0:
                lists = [[] for _ in phases]
                for n, q in enumerate(occ):
                    lists[q[0]].append(n)
            occs = lists[k]
        w = len(occs)
        time = phase_time(occs, durations)
        means = [sum(durations[n]) / P for n in occs]
        longest = [max(durations[n]) for n in occs]
        if s.representative == 'first':
            rep = 0
        elif s.representative == 'last':
            rep = w - 1
        else:
            cand = list(range(1 if w >= 3 else 0, w))
            cand.sort(key=lambda i: (longest[i], i))
            rep = cand[(len(cand) - 1) // 2]                       # open: the lower one of an even number
        n = occs[rep]
        c = checkpoint(T, s, before, numbered, total, end, occ[n][1], entries[n], when)
        sends = [before[p][c] for p in range(P)]
        stop = ['before' if p in T.ticks[c] and T.ticks[c][p].kind != RECV else 'after' for p in range(P)]
        row = {'id': k + 1, 'weight': w, 'ticks': ph['ticks'], 'time': time, 'time_min': min(means), 'time_max': max(means),
               'share': w * time / T.aet if T.aet else 0.0, 'relevant': w * time >= float(s.relevance) * T.aet,
               'occurrence': rep + 1, 'tick': {'first': occ[n][1], 'last': occ[n][2]},
               'checkpoint': {'tick': c, 'sends': sends, 'stop': stop}, 'entry': entries[n], 'exit': exits[n],
               'representative_longest': sorted(longest)}
        if s.similarity == 'bbp':
            row['labels'] = ph['labels']
            row['between_sends'] = phase_time(occs, between)
        out.append(row)
    rel = [r for r in out if r['relevant']]
    SET = sum(r['time'] for r in rel)
    PET = sum(r['weight'] * r['time'] for r in rel)
    cov = PET / T.aet if T.aet else 0.0
    res = {'trace': {'format': T.format, 'processes': P,
                     'events': {KIND[i]: sum(1 for evs in T.events for ev in evs if ev.kind == i) for i in range(3)},
                     'lost_sends': T.lost_sends, 'lost_receives': T.lost_receives, 'broken': T.broken,
                     'compute': T.source, 'aet': T.aet, 'end': T.end,
                     'unknown_compute': [sum(1 for ev in evs if ev.compute is None) for evs in T.events],
                     'warnings': T.warn},
           'ticks': nticks, 'blocks': len(T.labels), 'distinct_labels': len(set(T.labels)),
           'occurrences': len(occ),
           'prediction': {'coverage': cov, 'set': SET, 'pet': PET, 'pet_scaled': PET / cov if cov else 0.0,
                          'pete': abs(PET - T.aet) / T.aet if T.aet else 0.0},
           'phases': out}
    if s.similarity == 'bbp':
        res['prediction']['coverage_between_sends'] = \
            sum(r['weight'] * r['between_sends'] for r in rel) / T.aet if T.aet else 0.0
    return res


def checkpoint(T, s, before, numbered, total, end, first, entry, when):
    """The largest tick c, not after the occurrence's first, with enough sends and seconds on every process; 0 if none."""
    P = T.processes
    need = s.warmup_seconds
    t_entry = [when(p, entry[p]) for p in range(P)]
    for c in range(first, -1, -1):
        ok = True
        tick = T.ticks[c]
        for p in range(P):
            n = before[p][c]
            if entry[p] - n < s.warmup_sends:
                ok = False
                break
            t = when(p, n)
            if t_entry[p] - t < need:
                ok = False
                break
        if ok:
            return c
    return 0


def share(textual):
    t = textual.strip()
    return Fraction(t[:-1]) / 100 if t.endswith('%') else Fraction(t)


def parser():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument('trace')
    a.add_argument('--order', choices=['lamport', 'pas2p'], default='pas2p')
    a.add_argument('--similarity', choices=['bbp', 'phase'], default='phase')
    a.add_argument('--collectives', choices=['events', 'ignore'], default='events')
    a.add_argument('--absent', choices=['similar', 'different'], default='similar')
    a.add_argument('--compute-of', choices=['max', 'sum', 'each'], default='max')
    a.add_argument('--phase-time', choices=['mean', 'slowest'], default='mean')
    a.add_argument('--representative', choices=['first', 'median', 'last'], default='median')
    a.add_argument('--volume', type=share, default=share('5%'))
    a.add_argument('--compute', type=share, default=share('5%'))
    a.add_argument('--events', type=share, default=share('80%'))
    a.add_argument('--relevance', type=share, default=share('1%'))
    a.add_argument('--warmup-sends', type=int, default=10)
    a.add_argument('--warmup-seconds', type=float, default=0.1)
    return a
