#!/usr/bin/env python3
"""A plain second implementation of patterns as they are defined (docs/explain/patterns.md), to check another one against.

  naive_patterns.py FILE [--steps] [--no-sizes]   grid, reading and steps of a case file or a .json vector
  naive_patterns.py --check DIR                   all vectors of a directory against their truth and figures
  naive_patterns.py --generate SEED               a random program as a case file, its truth in comments
  naive_patterns.py --many FROM TO                such programs of these seeds, with our own reading, each with a line `end`
  naive_patterns.py --judge FILE [READING]        right, unnamed or wrong: a reading (or our own) against the truth

Cases are written by naive_cases.py beside this file.
Case file: lines that begin with # are comments; `processes N`; then a line a rank: `RANK event event ...` with
`>peer:bytes:tag` (send), `<peer:tag` (receive), `Allreduce:0,1,2` or `Allreduce:*` (collective and its members).
"""
import collections
import fnmatch
import glob
import itertools
import json
import math
import os
import re
import sys

import naive_cases

MOST = 0.95                                  # "at least 95 %" of the page


# ---------------------------------------------------------------- section 1: input

class Node:
    """One message (both ends) or one collective (all members)."""
    __slots__ = ("msg", "src", "dst", "bytes", "si", "di", "op", "members", "atom", "id")


class Trace:
    """Per process the list of (node, 'S' | 'R' | 'C'), and the unmatched sends counted."""
    def __init__(self, streams):
        self.P = len(streams)
        queues = collections.defaultdict(lambda: ([], []))
        calls = collections.defaultdict(dict)
        count = collections.Counter()
        for p, events in enumerate(streams):
            for i, e in enumerate(events):
                if e[0] == "S":
                    queues[p, e[1], e[3] if len(e) > 3 else 0][0].append((p, i, e[2]))
                elif e[0] == "R":
                    queues[e[1], p, e[2] if len(e) > 2 else 0][1].append((p, i))
                else:
                    members = tuple(sorted(e[2])) if len(e) > 2 else tuple(range(self.P))
                    count[p, members] += 1
                    calls[members, count[p, members], e[1]][p] = i
        at = {}                              # (process, place) -> (node, kind)
        self.nodes = []
        self.lost_sends = 0
        for key in sorted(queues):
            sends, receives = queues[key]
            self.lost_sends += max(0, len(sends) - len(receives))
            for (s, i, size), (d, j) in zip(sends, receives):
                n = Node()
                n.msg, n.src, n.dst, n.bytes, n.members = True, s, d, size, (s, d)
                at[s, i] = (n, "S")
                at[d, j] = (n, "R")
                self.nodes.append(n)
        for key in sorted(calls):
            n = Node()
            n.msg, n.op, n.members = False, word_of(key[2]), tuple(sorted(calls[key]))
            n.bytes = 0
            for p, i in calls[key].items():
                at[p, i] = (n, "C")
            self.nodes.append(n)
        for k, n in enumerate(self.nodes):
            n.id = k
        self.events = []
        for p, events in enumerate(streams):
            mine = [at[p, i] for i in range(len(events)) if (p, i) in at]
            for i, (n, kind) in enumerate(mine):
                if kind == "S":
                    n.si = i
                elif kind == "R":
                    n.di = i
            self.events.append(mine)


def word_of(op):
    """A collective in the page's words: MPI_Bcast -> broadcast, Alltoallv -> all-to-all."""
    w = op.lower().replace("mpi_", "").replace("_", "-")
    if w in ("bcast", "broadcast"):
        return "broadcast"
    if w in ("alltoall", "alltoallv", "alltoallw", "all-to-all"):
        return "all-to-all"
    if w in ("gatherv", "scatterv", "allgatherv"):
        return w[:-1]
    return w


def read_case(path):
    """The streams of a case file or of a JSON vector."""
    if path.endswith(".json"):
        with open(path) as f:
            return json.load(f)["streams"]
    with open(path) as f:
        return parse_case(f.read())


def parse_case(text):
    streams = None
    for line in text.splitlines():
        w = line.split()
        if not w or w[0].startswith("#"):
            continue
        if w[0] == "processes":
            streams = [[] for _ in range(int(w[1]))]
            continue
        rank = int(w[0])
        for t in w[1:]:
            if t[0] == ">":
                peer, size, tag = t[1:].split(":")
                streams[rank].append(("S", int(peer), int(size), int(tag)))
            elif t[0] == "<":
                peer, tag = t[1:].split(":")
                streams[rank].append(("R", int(peer), int(tag)))
            else:
                op, who = t.split(":")
                members = range(len(streams)) if who == "*" else [int(x) for x in who.split(",")]
                streams[rank].append(("C", op, list(members)))
    return streams


# ---------------------------------------------------------------- section 2: atoms

def find_atoms(tr):
    """Strongly connected components of 'directly after'; Tarjan without recursion. Sets node.atom."""
    succ = [[] for _ in tr.nodes]
    for mine in tr.events:
        for (a, _), (b, _) in zip(mine, mine[1:]):
            if a is not b:
                succ[a.id].append(b.id)
    index, low, on, stack, comp = {}, {}, set(), [], {}
    atoms = []
    for root in range(len(tr.nodes)):
        if root in index:
            continue
        work = [(root, 0)]
        while work:
            v, k = work.pop()
            if k == 0:
                index[v] = low[v] = len(index)
                stack.append(v)
                on.add(v)
            else:
                low[v] = min(low[v], low[succ[v][k - 1]])
            while k < len(succ[v]):
                w = succ[v][k]
                k += 1
                if w not in index:
                    work.append((v, k))
                    work.append((w, 0))
                    break
                if w in on:
                    low[v] = min(low[v], index[w])
            else:
                if low[v] == index[v]:
                    atom = []
                    while True:
                        w = stack.pop()
                        on.discard(w)
                        comp[w] = len(atoms)
                        atom.append(w)
                        if w == v:
                            break
                    atoms.append(sorted(atom))
    for n in tr.nodes:
        n.atom = comp[n.id]
    after = [[] for _ in atoms]              # successors, one entry an edge
    before = [0] * len(atoms)
    for v, ws in enumerate(succ):
        for w in ws:
            if comp[v] != comp[w]:
                after[comp[v]].append(comp[w])
                before[comp[w]] += 1
    return atoms, after, before


# ---------------------------------------------------------------- section 3: grid

class Grid:
    """Sides and each rank's coordinates, slowest first."""
    def __init__(self, dims, coords=None):
        self.dims = tuple(dims)
        self.n = len(self.dims)
        self.permuted = coords is not None
        self.text = "x".join(map(str, self.dims))
        self.coords = coords or list(itertools.product(*[range(d) for d in self.dims]))
        self.rank = {c: r for r, c in enumerate(self.coords)}
        self.letters = "xyz"[:self.n][::-1]

    def offset(self, s, d):
        """(offset per dimension the shorter way round, dimensions that wrap)"""
        off, wraps = [], []
        for k, n in enumerate(self.dims):
            o = self.coords[d][k] - self.coords[s][k]
            if n > 2 and 2 * abs(o) > n:
                o -= n if o > 0 else -n
                wraps.append(k)
            off.append(o)
        return tuple(off), tuple(wraps)

    def cost(self, s, d):
        off, wraps = self.offset(s, d)
        return min(4, sum(map(abs, off)) + 0.02 * len(wraps))

    def step(self, r, off, periodic=()):
        """The rank at an offset from r, or None; it may go round in the periodic dimensions."""
        c = []
        for k, n in enumerate(self.dims):
            x = self.coords[r][k] + off[k]
            if not 0 <= x < n:
                if k not in periodic or n <= 2:
                    return None
                x %= n
            c.append(x)
        return self.rank[tuple(c)]

    def unit(self, off):
        """The dimension of a unit offset, else None."""
        return next(k for k, o in enumerate(off) if o) if sum(map(abs, off)) == 1 else None

    def say(self, off):
        """+x, or -x+y for a diagonal: x first."""
        return "".join("%s%s" % ("+" if o > 0 else "-", self.letters[k])
                       for k, o in reversed(list(enumerate(off))) if o)

    def links(self, offs, periodic):
        """Every link of the grid with one of these offsets."""
        out = set()
        for off in offs:
            for r in range(len(self.coords)):
                d = self.step(r, off, periodic)
                if d is not None:
                    out.add((r, d))
        return out


def factorings(P):
    found = [(P,)] if P >= 2 else []
    for a in range(2, P):
        if P % a == 0:
            found.append((a, P // a))
            for b in range(2, P // a):
                if P // a % b == 0:
                    found.append((a, b, P // a // b))
    return found


def find_grid(tr):
    count = collections.Counter((n.src, n.dst) for n in tr.nodes if n.msg and n.src != n.dst)
    if not count:
        return None
    busiest = max(count.values())
    channels = sorted(c for c in count if count[c] * 100 >= busiest)
    every = -(-len(channels) // 4096)
    sample = channels[::every]
    ranked = []
    for dims in factorings(tr.P):
        g = Grid(dims)
        cost = round(sum(g.cost(s, d) for s, d in sample) / len(sample), 6)
        ranked.append((cost, len(dims), max(dims) - min(dims), dims))
    ranked.sort()
    best = ranked[0]
    if best[0] <= 1.05:
        return Grid(best[3])
    g = permuted_grid(tr.P, channels)
    if g:
        return g
    if best[0] > 1.3:
        boxes = []
        for cand in ranked:
            if cand[1] < 2 or min(cand[3]) < 3:
                continue
            g = Grid(cand[3])
            near, wrapped = 0, set()
            for s, d in sample:
                off, wraps = g.offset(s, d)
                if max(map(abs, off)) <= 1:
                    near += 1
                    wrapped.update(wraps)
            if near >= MOST * len(sample) and all(cand[3][k] > 3 for k in wrapped):
                boxes.append((-near, cand))
        if boxes:
            return Grid(min(boxes)[1][3])
    return Grid(best[3]) if best[0] <= 1.5 else None


def permuted_grid(P, channels):
    """The page's rule 3.4: a mesh or torus whose ranks stand in any order."""
    nb = [set() for _ in range(P)]
    for s, d in channels:
        nb[s].add(d)
        nb[d].add(s)
    if any(not 1 <= len(x) <= 6 for x in nb):
        return None
    links = sorted((u, v) for u in range(P) for v in nb[u] if u < v)
    if any(nb[u] & nb[v] for u, v in links):
        return None                          # a triangle
    number = {l: i for i, l in enumerate(links)}
    link = lambda a, b: number[min(a, b), max(a, b)]
    up = list(range(len(links)))

    def find(i):
        while up[i] != i:
            up[i] = up[up[i]]
            i = up[i]
        return i

    meets = []
    for u in range(P):
        for v, w in itertools.combinations(sorted(nb[u]), 2):
            common = sorted((nb[v] & nb[w]) - {u})
            if len(common) > 1:
                return None
            if common:
                x = common[0]
                for a, b in ((link(u, v), link(w, x)), (link(u, w), link(v, x))):
                    a, b = find(a), find(b)
                    up[max(a, b)] = min(a, b)
                meets.append((link(u, v), link(u, w)))
    cuts = sorted({find(i) for i in range(len(links))})
    enemies = collections.defaultdict(set)
    for a, b in meets:
        a, b = find(a), find(b)
        if a == b:
            return None
        enemies[a].add(b)
        enemies[b].add(a)
    dims = []                                # first fit: cuts that never meet share a dimension
    for c in cuts:
        for dim in dims:
            if not dim & enemies[c]:
                dim.add(c)
                break
        else:
            dims.append({c})
    if len(dims) > 3:
        return None
    places = []                              # per dimension (length, layer of each rank)
    for dim in dims:
        layer = [None] * P
        layers = 0
        for r in range(P):                   # components without the dimension's links; in order of smallest rank
            if layer[r] is None:
                layer[r], todo = layers, [r]
                while todo:
                    u = todo.pop()
                    for v in nb[u]:
                        if layer[v] is None and find(link(u, v)) not in dim:
                            layer[v] = layers
                            todo.append(v)
                layers += 1
        beside = [set() for _ in range(layers)]
        for u, v in links:
            if find(number[u, v]) in dim:
                if layer[u] == layer[v]:
                    return None
                beside[layer[u]].add(layer[v])
                beside[layer[v]].add(layer[u])
        if layers < 2 or any(not 1 <= len(b) <= 2 for b in beside):
            return None
        ends = [i for i in range(layers) if len(beside[i]) == 1]
        order = [ends[0] if ends else 0]
        while True:
            ahead = sorted(b for b in beside[order[-1]] if b not in order)
            if not ahead:
                break
            order.append(ahead[0])
        if len(order) != layers:
            return None
        where = {l: i for i, l in enumerate(order)}
        places.append((layers, [where[layer[r]] for r in range(P)]))
    places.sort(key=lambda p: p[0])
    if math.prod(p[0] for p in places) != P:
        return None
    coords = [tuple(p[1][r] for p in places) for r in range(P)]
    if len(set(coords)) != P:
        return None
    return Grid([p[0] for p in places], coords)


# ---------------------------------------------------------------- section 4: the parse

class Step:
    """One instance: how it was found, its messages or collectives, and later its pattern."""
    def __init__(self, how, nodes, pattern=None):
        self.how = how                       # coll, sweep, shift, step, bag, or joined from several
        self.nodes = nodes
        self.msgs = [n for n in nodes if n.msg]
        self.pattern = pattern
        self.bytes = sum(n.bytes for n in self.msgs)
        if how == "coll":
            self.messages = sum(len(n.members) for n in nodes)
        else:
            self.messages = len(self.msgs)

    def mean(self):
        return self.bytes / len(self.msgs) if self.msgs else 0

    def link_set(self):
        return frozenset((n.src, n.dst) for n in self.msgs)


class Pattern:
    def __init__(self, kind, short, long, share=1.0, **more):
        self.kind, self.short, self.long, self.share = kind, short[:24], long, share
        self.__dict__.update(more)

    @property
    def named(self):
        return self.share > 0


def collective_pattern(op, nodes, P):
    size = len(nodes[0].members)
    if size == P and len(nodes) == 1:
        return Pattern("collective", op, "MPI %s of all %d" % (op, P))
    short = "%s, groups of %d" % (op, size)
    return Pattern("collective", short, "MPI %s in %d group%s of %d"
                   % (op, len(nodes), "s" if len(nodes) > 1 else "", size))


class Parser:
    def __init__(self, tr, grid):
        self.tr, self.grid = tr, grid
        self.atoms, self.after, self.before = find_atoms(tr)
        self.done = [False] * len(self.atoms)
        self.cursor = [0] * tr.P
        self.ready = {a for a in range(len(self.atoms)) if self.before[a] == 0}
        self.roles = {}                      # per D: (list of (process, U, W), number of links)
        self.line_roles = {}
        self.one_way = []
        for atom in self.atoms:
            n = tr.nodes[atom[0]]
            self.one_way.append(len(atom) == 1 and n.msg and n.src != n.dst)

    def consume(self, atoms):
        for a in atoms:
            self.done[a] = True
            self.ready.discard(a)
            for b in self.after[a]:
                self.before[b] -= 1
                if self.before[b] == 0 and not self.done[b]:
                    self.ready.add(b)
        for p, mine in enumerate(self.tr.events):
            c = self.cursor[p]
            while c < len(mine) and self.done[mine[c][0].atom]:
                c += 1
            self.cursor[p] = c

    def nodes_of(self, atoms):
        return [self.tr.nodes[n] for a in sorted(atoms) for n in self.atoms[a]]

    def run(self):
        steps = []
        while self.ready:
            colls = collections.defaultdict(list)
            single, joined = [], []
            for a in sorted(self.ready):
                n = self.tr.nodes[self.atoms[a][0]]
                if self.one_way[a]:
                    single.append(a)
                elif len(self.atoms[a]) == 1 and not n.msg:
                    colls[n.op, len(n.members)].append(a)
                else:
                    joined.append(a)
            if colls:
                most = max(colls, key=lambda k: (k[1] * len(colls[k]), k[0], k[1]))
                nodes = self.nodes_of(colls[most])
                steps.append(Step("coll", nodes, collective_pattern(most[0], nodes, self.tr.P)))
                self.consume(colls[most])
                continue
            if single:
                found = self.grid and self.sweep(single) or self.line(single) or self.grid and self.shift(single)
                if found:
                    steps.append(found)
                    self.consume([n.atom for n in found.nodes])
                    continue
            if joined:
                steps.append(Step("step", self.nodes_of(joined)))
                self.consume(joined)
                continue
            nodes = self.nodes_of(single)
            if steps and steps[-1].how == "bag":
                steps[-1] = Step("bag", steps[-1].nodes + nodes)
            else:
                steps.append(Step("bag", nodes))
            self.consume(single)
        return steps

    # -- sweeps

    def role_table(self, D):
        if D not in self.roles:
            g, table, links = self.grid, [], 0
            for p in range(self.tr.P):
                U, W = set(), set()
                for k, sign in enumerate(D):
                    if sign:
                        one = tuple(sign if j == k else 0 for j in range(g.n))
                        W.add(g.step(p, one))
                        U.add(g.step(p, tuple(-o for o in one)))
                U.discard(None)
                W.discard(None)
                links += len(W)
                if U or W:
                    table.append((p, U, W))
            self.roles[D] = (table, links)
        return self.roles[D]

    def block(self, p, c, need, kind):
        """Does process p show one event of this kind with every peer needed, from place c on, in any order?"""
        mine = self.tr.events[p]
        seen = set()
        for n, what in mine[c:c + len(need)]:
            peer = n.src if what == "R" else n.dst if what == "S" else None
            if what != kind or peer not in need or peer in seen or not self.one_way[n.atom]:
                return False
            seen.add(peer)
        return len(seen) == len(need)

    def sweep(self, single):
        g = self.grid
        units = set()
        for a in single:
            n = self.tr.nodes[self.atoms[a][0]]
            off, wraps = g.offset(n.src, n.dst)
            if not wraps and g.unit(off) is not None:
                units.add(off)
        best = None
        for D in itertools.product((1, 0, -1), repeat=g.n):
            if not any(all(not o or o == D[k] for k, o in enumerate(u)) for u in units):
                continue
            table, links = self.role_table(D)
            K = None
            proven = any(U and W for _, U, W in table)
            for p, U, W in table:
                c, k = self.cursor[p], 0
                while (K is None or k < K) and self.block(p, c, U, "R") and self.block(p, c + len(U), W, "S"):
                    c += len(U) + len(W)
                    k += 1
                K = k
                if K == 0:
                    break
            while K:                         # both ends of every message must lie inside the blocks
                sent, got = set(), set()
                for p, U, W in table:
                    c = self.cursor[p]
                    for n, what in self.tr.events[p][c:c + K * (len(U) + len(W))]:
                        (sent if what == "S" else got).add(n.id)
                if sent == got:
                    break
                K -= 1
            if not K or not (proven or K >= 3):
                continue
            key = (K * links, -sum(map(abs, D)), D)
            if best is None or key > best[0]:
                best = (key, K, sorted(sent))
        if best is None:
            return None
        (_, _, D), K, ids = best
        nodes = [self.tr.nodes[i] for i in ids]
        return Step("sweep", nodes, sweep_pattern(g, D, self.role_table(D)[0], K))

    def line(self, single):
        """A sweep along the line of all ranks, which a program may make besides its grid."""
        grid, roles = self.grid, self.roles
        self.grid, self.roles = Grid((self.tr.P,)), self.line_roles
        found = self.sweep(single)
        self.grid, self.roles = grid, roles
        return found

    def shift(self, single):
        g = self.grid
        offs = set()
        for a in single:
            n = self.tr.nodes[self.atoms[a][0]]
            off, wraps = g.offset(n.src, n.dst)
            if g.unit(off) is not None:
                offs.add(off)
        for off in sorted(offs):
            back = tuple(-o for o in off)
            for periodic in ((g.unit(off),), ()):
                sent, got = set(), set()
                for p in range(self.tr.P):
                    want = {("S", g.step(p, off, periodic)), ("R", g.step(p, back, periodic))}
                    want = {w for w in want if w[1] is not None}
                    c = self.cursor[p]
                    for n, what in self.tr.events[p][c:c + len(want)]:
                        w = (what, n.dst if what == "S" else n.src if what == "R" else None)
                        if w not in want or not self.one_way[n.atom]:
                            break
                        want.discard(w)
                        (sent if what == "S" else got).add(n.id)
                    if want:
                        break
                else:
                    if sent == got and sent:
                        step = Step("shift", [self.tr.nodes[i] for i in sorted(sent)])
                        if not periodic or g.dims[periodic[0]] <= 2:
                            step.pattern = neighbour_pattern(g, [off], ())
                        return step
        return None


def sweep_pattern(g, D, table, K):
    starts = [p for p, U, W in table if not U]
    along = " ".join(g.say(tuple(s if j == k else 0 for j in range(g.n)))
                     for k, s in reversed(list(enumerate(D))) if s)
    one = sum(map(abs, D)) == 1
    return Pattern("pipeline" if one else "sweep", "%s from %d" % ("pipeline" if one else "sweep", min(starts)),
                   sweep_long(g, [min(starts)], along), D=D, K=K, corner=min(starts))


def sweep_long(g, corners, along=None):
    who = "rank %d along %s" % (corners[0], along) if along else "ranks " + ", ".join(map(str, corners))
    return ("wavefront over the %s grid from %s: each process receives from upstream before it sends downstream"
            % (g.text, who))


# ---------------------------------------------------------------- section 5: names of a step

def neighbour_pattern(g, offs, periodic, share=1.0):
    """Halo if every offset has its opposite, else shift."""
    offs = set(offs)
    per = "periodic " if periodic else ""
    closed = all(tuple(-o for o in off) in offs for off in offs)
    units = {o for o in offs if g.unit(o) is not None}
    diag = offs - units
    more = dict(offs=offs, periodic=tuple(periodic))
    if closed:
        axes = [g.letters[k] for k in range(g.n - 1, -1, -1) if any(g.unit(o) == k for o in units)]
        if not axes:                         # a diagonal and its opposite
            axes = [g.say(max(diag))]
            return Pattern("halo", "halo %s of %s" % (axes[0], g.text), "exchange with the neighbours along %s of the "
                           "%s%s grid" % (axes[0], per, g.text), share, **more)
        short = "halo " + ("" if len(axes) == g.n else ",".join(axes) + " of ") + g.text + (" +diag" if diag else "")
        if diag:
            long = "exchange with the neighbours, diagonal ones too, of the %s%s grid" % (per, g.text)
        else:
            long = "exchange with the neighbours along %s of the %s%s grid" % (", ".join(axes), per, g.text)
        return Pattern("halo", short, long, share, **more)
    names = " ".join(sorted(g.say(o) for o in offs))
    return Pattern("shift", "shift %s of %s" % (names, g.text), "each process sends to its %s neighbour of the %s%s grid"
                   % (names, per, g.text), share, **more)


def components(links):
    """Groups of processes that links join."""
    nb = collections.defaultdict(set)
    for s, d in links:
        nb[s].add(d)
        nb[d].add(s)
    seen, out = set(), []
    for r in sorted(nb):
        if r not in seen:
            seen.add(r)
            group, todo = [r], [r]
            while todo:
                for v in nb[todo.pop()]:
                    if v not in seen:
                        seen.add(v)
                        group.append(v)
                        todo.append(v)
            out.append(sorted(group))
    return out


def complete_groups(links):
    """(size, groups) if the links are all ordered pairs of disjoint groups of one size, else None."""
    groups = components(links)
    sizes = {len(x) for x in groups}
    if len(sizes) != 1:
        return None
    g = sizes.pop()
    return (g, groups) if len(links) == len(groups) * g * (g - 1) else None


def all_pairs_pattern(g, groups, share):
    where = " in %d groups of %d" % (len(groups), g) if len(groups) > 1 else ""
    return Pattern("all pairs", "all pairs of %d" % g, "everyone with everyone%s, written with messages" % where, share)


def mirror(P):
    """(map of the transpose, its grid as text) for P = n x n or m x 2m; else None."""
    n = math.isqrt(P)
    if n * n == P and n > 1:
        return [r % n * n + r // n for r in range(P)], "%dx%d" % (n, n)
    m = math.isqrt(P // 2)
    if 2 * m * m == P and m > 1:
        return [2 * (r // 2 % m * m + r // 2 // m) + r % 2 for r in range(P)], "%dx%d" % (m, 2 * m)
    return None


def neighbours(g, links):
    """Best (share, offsets, periodic dimensions) of a bag's links (a Counter), or None."""
    total = sum(links.values())
    where = {l: g.offset(*l) for l in links if l[0] != l[1]}
    may = sorted({k for l, (off, wraps) in where.items() if max(map(abs, off)) <= 1 for k in wraps})
    best = None
    for size in range(len(may) + 1):
        for periodic in itertools.combinations(may, size):
            by = collections.defaultdict(list)
            for l, (off, wraps) in where.items():
                if max(map(abs, off)) <= 1 and set(wraps) <= set(periodic):
                    by[off].append(l)
            good = {o for o in by if len(by[o]) >= MOST * len(g.links([o], periodic))}
            unit = any(g.unit(o) is not None for o in good)
            pair = len(good) == 2 and all(tuple(-x for x in o) in good for o in good)
            if not unit and not pair:
                continue
            if any(g.unit(o) is None and any(x and g.dims[k] == 2 for k, x in enumerate(o)) for o in good):
                box = [o for o in itertools.product((-1, 0, 1), repeat=g.n) if any(o) and g.links([o], periodic)]
                if not all(o in good for o in box):
                    continue
            share = sum(links[l] for o in good for l in by[o]) / total
            used = tuple(k for k in periodic if any(k in where[l][1] for o in good for l in by[o]))
            if best is None or share > best[0] + 1e-12:
                best = (share, good, used)
    return best


def tree_parent(v, low):
    return v & (v - 1) if low else v - (1 << (v.bit_length() - 1))


def tree_of(links, P):
    """(share, 'broadcast' | 'reduce', root) of a binomial tree over all processes, or None."""
    if P < 4 or not P - 2 <= len(links) <= 2 * P:
        return None
    total = sum(links.values())
    best = None
    for root in range(P):
        for low in (True, False):
            pairs = [((tree_parent(v, low) + root) % P, (v + root) % P) for v in range(1, P)]
            for kind in ("broadcast", "reduce"):
                want = set(pairs) if kind == "broadcast" else {(d, s) for s, d in pairs}
                share = sum(links[l] for l in want if l in links) / total
                if share >= MOST and len(want & links.keys()) >= MOST * (P - 1):
                    if best is None or share > best[0]:
                        best = (share, kind, root)
    return best


def star_or_tree(links, P):
    """The rows gather, scatter, workers, in groups, and trees: a pattern or None."""
    total = sum(links.values())
    ends = collections.Counter()
    for (s, d), c in links.items():
        if s != d:
            ends[s] += c
            ends[d] += c
    if not ends:
        return None
    r = max(sorted(ends), key=lambda x: ends[x])
    share = ends[r] / total
    if share >= MOST:
        senders = {s for s, d in links if d == r and s != r}
        getters = {d for s, d in links if s == r and d != r}
        others = senders | getters
        if len(others) >= 3:
            if not getters:
                return Pattern("gather", "gather to %d" % r, "%d processes send to rank %d" % (len(others), r), share)
            if not senders:
                return Pattern("scatter", "scatter from %d" % r, "rank %d sends to %d processes" % (r, len(others)),
                               share)
            return Pattern("workers", "workers of %d" % r, "rank %d exchanges messages with %d workers, and they with "
                           "nobody else" % (r, len(others)), share)
    sends, gets = {s for s, _ in links}, {d for _, d in links}
    if not sends & gets and len(sends | gets) >= MOST * P:
        for leaves, roots, word, verb in ((sends, gets, "gather", "sends to its root"),
                                          (gets, sends, "scatter", "receives from its root")):
            if len(links) == len(leaves) and len(roots) >= 2 and len(leaves) >= 2 * len(roots):
                return Pattern(word + " groups", "%s, %d groups" % (word, len(roots)),
                               "%d groups of processes, each %s" % (len(roots), verb))
    tree = tree_of(links, P)
    if tree:
        share, kind, root = tree
        return Pattern("tree", "tree %s %s %d" % (kind, "from" if kind == "broadcast" else "to", root),
                       "binomial tree over %d processes, root %d" % (P, root), share)
    return None


def pair_pattern(m, share=1.0):
    return Pattern("pair exchange", "pair exchange ^%d" % m, "exchange in pairs of ranks that differ by bit %d" % m,
                   share, mask=m)


def classify(msgs, P, g):
    """The first row of the table that explains at least 95 % of a bag's messages."""
    links = collections.Counter((n.src, n.dst) for n in msgs)
    total = len(msgs)
    if not total:
        return Pattern("irregular", "irregular, 0 nb", "no messages", 0)
    across = {l for l in links if l[0] != l[1]}
    crossing = sum(links[l] for l in across) / total
    if not across:
        return Pattern("to itself", "to itself", "messages of processes to themselves")
    groups = complete_groups(across) if crossing >= MOST else None
    if groups and groups[0] >= 5:
        return all_pairs_pattern(*groups, crossing)
    # transpose
    m = mirror(P)
    if m:
        share = sum(c for (s, d), c in links.items() if m[0][s] == d) / total
        sent = sum(1 for r in range(P) if m[0][r] == r or (r, m[0][r]) in links)
        fixed = all((r, r) in links for r in range(P) if m[0][r] == r)
        if share >= MOST and sent >= MOST * P and (P > 4 or fixed):
            return Pattern("transpose", "transpose " + m[1], "each process exchanges with its mirror image in the %s grid"
                           % m[1], share)
    # ring shift
    by = collections.Counter()
    ranks = collections.Counter()
    for (s, d), c in links.items():
        by[(d - s) % P] += c
        ranks[(d - s) % P] += 1
    k = max(sorted(by), key=lambda x: by[x])
    if k and by[k] >= MOST * total and ranks[k] >= MOST * P and 2 * k != P:
        units = {g.offset(*l)[0] for l in across if (l[1] - l[0]) % P == k} if g and g.n > 1 else set()
        if not (len(units) == 1 and g.unit(min(units)) is not None):
            return Pattern("ring shift", "ring shift by %d" % k, "each process sends to rank +%d, round the ring" % k,
                           by[k] / total, k=k)
    # pair exchange, by all that can
    masks = collections.Counter()
    hit = collections.Counter()
    for (s, d) in across:
        if (d, s) in links:
            masks[s ^ d] += links[s, d]
            hit[s ^ d] += 1
    mask, pairs = None, 0
    if masks:
        mask = max(sorted(masks), key=lambda x: masks[x])
        pairs = masks[mask] / total
        can = sum(1 for r in range(P) if r ^ mask < P)
        if pairs >= MOST and hit[mask] >= MOST * can:
            return pair_pattern(mask, pairs)
    # neighbours
    if g:
        found = neighbours(g, links)
        if found and found[0] >= MOST:
            return neighbour_pattern(g, found[1], found[2], found[0])
    found = star_or_tree(links, P)
    if found:
        return found
    if mask and pairs >= MOST:
        return pair_pattern(mask, pairs)
    if groups and groups[0] >= 3:
        return all_pairs_pattern(*groups, crossing)
    sends, gets = {s for s, _ in links}, {d for _, d in links}
    if not sends & gets and len(sends) == len(gets) == len(links) == total:
        return Pattern("one-way pairs", "one-way pairs",
                       "%d processes send one message each, to processes that send none" % len(sends))
    # described, not named
    if total == len(links) == len(sends) == len(gets) and sends == gets:
        return Pattern("permutation", "permutation", "each of %d processes sends to one and receives from one"
                       % len(sends), 0)
    if g:
        near = {l for l in across if max(map(abs, g.offset(*l)[0])) <= 1}
        if sum(links[l] for l in near) >= MOST * total:
            periodic = {k for l in near for k in g.offset(*l)[1]}
            offs = {g.offset(*l)[0] for l in near}
            part = 100 * len(near) / len(g.links(offs, periodic))
            return Pattern("some neighbours", "some nbs of " + g.text, "some of the processes exchange with neighbours of "
                           "the %s grid (%.0f %% of its links)" % (g.text, part), 0)
    out = collections.Counter(s for s, d in across)
    lo, hi = min(out.values()), max(out.values())
    span = "%d-%d" % (lo, hi) if lo < hi else "%d" % lo
    return Pattern("irregular", "irregular, %s nb" % span, "each process sends to %s others; no known pattern" % span, 0)


def token_or_permutation(bag, P, k):
    """Messages one after the other are no ring shift, in which all send at once: a token that went round, if all but
    one process received it before they sent it on."""
    sent = {n.src: n.si for n in bag}
    got = {n.dst: n.di for n in bag}
    if len(bag) == P and k in (1, P - 1) and len(sent) == P and sum(got[p] < sent[p] for p in range(P)) == P - 1:
        return Pattern("token", "token ring of %d" % P, "a message goes from rank to rank once round the ring of %d" % P)
    pat = Pattern("permutation", "permutation", "each of %d processes sends to one and receives from one; no known pattern" % P)
    pat.share = 0
    return pat


def loose_sweep(bag, P, g):
    """A bag that is a sweep though not every process shows whole blocks."""
    total = len(bag)
    offs = collections.Counter()
    for n in bag:
        off, wraps = g.offset(n.src, n.dst)
        if not wraps and g.unit(off) is not None:
            offs[off] += 1
    fair = [o for o in offs if offs[o] >= total / g.n / 4]
    axes = [g.unit(o) for o in fair]
    if not fair or len(set(axes)) != len(axes) or sum(offs[o] for o in fair) < MOST * total:
        return None
    grid_links = g.links(fair, ())
    have = {(n.src, n.dst) for n in bag} & grid_links
    if len(have) < MOST * len(grid_links):
        return None
    D = tuple(next((o[k] for o in fair if o[k]), 0) for k in range(g.n))
    table = [(p, {s for s, d in grid_links if d == p}, {d for s, d in grid_links if s == p}) for p in range(P)]
    table = [t for t in table if t[1] or t[2]]
    order = [[] for _ in range(P)]
    for n in bag:
        order[n.src].append((n.si, "S", n.dst))
        order[n.dst].append((n.di, "R", n.src))
    good = seen = 0
    for p, U, W in table:
        if U and W:
            got, sent = collections.Counter(), collections.Counter()
            for _, what, peer in sorted(order[p]):
                if what == "R":
                    got[peer] += 1
                else:
                    sent[peer] += 1
                    seen += 1
                    good += peer in W and all(got[u] == sent[peer] for u in U)
    if not seen or good < MOST * seen:
        return None
    pat = sweep_pattern(g, D, table, 0)
    pat.share = sum(offs[o] for o in fair) / total
    return pat


# ---------------------------------------------------------------- section 5: steps together

def alike(a, b):
    """Sizes that agree within 5 %."""
    return abs(a - b) <= 0.05 * max(a, b)


def join(steps, pattern):
    """Several steps as one instance of a pattern."""
    return Step("joined", [n for s in steps for n in s.nodes], pattern)


def is_permutation(step):
    if step.how == "coll" or len(step.msgs) != len(step.nodes) or not step.msgs:
        return False
    sends, gets = [n.src for n in step.msgs], [n.dst for n in step.msgs]
    return (len(set(sends)) == len(sends) and len(set(gets)) == len(gets) and set(sends) == set(gets)
            and all(n.src != n.dst for n in step.msgs))


def rule_trees(steps, P, g):
    """1. A fragment and a shift beside it that are one tree or star; token rings."""
    out = []
    for s in steps:
        out.append(s)
        while len(out) > 1 and {out[-1].how, out[-2].how} == {"bag", "shift"}:
            both = out[-2].msgs + out[-1].msgs
            pat = star_or_tree(collections.Counter((n.src, n.dst) for n in both), P)
            if not pat or out[-1].pattern.kind == pat.kind or out[-2].pattern.kind == pat.kind:
                break
            out[-2:] = [Step("bag", out[-2].nodes + out[-1].nodes, pat)]
    steps, out, i = out, [], 0
    while i < len(steps):
        a = steps[i]
        b = steps[i + 1] if i + 1 < len(steps) else None
        if b and a.how == "sweep" and a.pattern.K == 1 and len(a.pattern.D) == 1 and b.how != "coll" and len(b.msgs) == 1:
            first = a.pattern.corner
            order = g if g and g.n == 1 else Grid((P,))
            last = next(r for r in range(P) if abs(order.coords[r][0] - order.coords[first][0]) == P - 1)
            if (b.msgs[0].src, b.msgs[0].dst) == (last, first):
                out.append(join([a, b], Pattern("token ring", "token ring of %d" % P, "a message goes from rank to rank "
                                                "once round the ring of %d" % P)))
                i += 2
                continue
        out.append(a)
        i += 1
    return out


def rule_all_pairs(steps, P, g):
    """2. Permutations that make complete groups; rings."""
    out, i = [], 0
    while i < len(steps):
        links, found, j = set(), None, i
        while j < len(steps) and is_permutation(steps[j]):
            more = steps[j].link_set()
            if links & more:
                break
            links |= more
            j += 1
            whole = complete_groups(links) if j - i >= 3 else None
            if whole and whole[0] == j - i + 1:
                found = (j, whole)
        if found:
            j, whole = found
            out.append(join(steps[i:j], all_pairs_pattern(*whole, 1.0)))
            i = j
            continue
        if steps[i].pattern.kind == "ring shift":
            same = lambda s: (s.pattern.kind == "ring shift" and s.pattern.k == steps[i].pattern.k
                              and sorted(n.bytes for n in s.msgs) == sorted(n.bytes for n in steps[i].msgs))
            j = i
            while j < len(steps) and same(steps[j]):
                j += 1
            if j - i == P - 1:
                k = steps[i].pattern.k
                out.append(join(steps[i:j], Pattern("ring", "ring of %d" % P, "%d ring shifts by %d: an allgather or an "
                                                    "all-to-all round a ring" % (P - 1, k))))
            else:
                out += steps[i:j]
            i = j
            continue
        out.append(steps[i])
        i += 1
    return out


def rule_butterfly(steps, P, g):
    """3. Pair exchanges with masks that double or halve."""
    once = lambda s: s.pattern.kind == "pair exchange" and len(s.msgs) == len(s.link_set())
    same = lambda a, b: (b.pattern.kind == "pair exchange" and a.pattern.mask == b.pattern.mask
                         and alike(a.mean(), b.mean()))
    out, i = [], 0
    while i < len(steps):
        best = None
        if once(steps[i]):
            for factor in (2, 0.5):
                for ratio, kind in ((1, "butterfly"), (0.5, "halving"), (2, "doubling")):
                    j = i + 1
                    while (j < len(steps) and once(steps[j])
                           and steps[j].pattern.mask == factor * steps[j - 1].pattern.mask
                           and alike(steps[j].mean(), ratio * steps[j - 1].mean())):
                        j += 1
                    if j - i >= 2 and (best is None or j > best[0]):
                        best = (j, kind)
        if best:
            j, kind = best
            alone = not (i > 0 and same(steps[i], steps[i - 1])) and not (j < len(steps) and same(steps[j - 1], steps[j]))
            halo = (kind == "butterfly" and g and set(g.dims) == {2}
                    and max(n.bytes for s in steps[i:j] for n in s.msgs) > 64)
            if alone and not halo:
                size = 2 ** (j - i)
                if kind == "butterfly":
                    pat = Pattern(kind, "butterfly of %d" % size, "recursive doubling in groups of %d, written with "
                                  "messages: an allreduce or a barrier" % size)
                else:
                    end = "reduce-scatter" if kind == "halving" else "allgather"
                    pat = Pattern(kind, "recursive %s of %d" % (kind, size), "recursive %s in groups of %d: %s"
                                  % (kind, size, end))
                pat.share = sum(s.pattern.share * len(s.msgs) for s in steps[i:j]) / sum(len(s.msgs) for s in steps[i:j])
                out.append(join(steps[i:j], pat))
            else:
                out += steps[i:j]
            i = j
            continue
        out.append(steps[i])
        i += 1
    return out


PIECES = ("shift", "halo", "ring shift", "pair exchange", "permutation", "some neighbours", "one-way pairs")


def rule_halo(steps, P, g):
    """4. Steps along the axes of the grid."""
    def pieces(s):
        """Per axis the sizes, and all links with their offsets; None if not all are unit offsets."""
        if s.how == "coll" or s.pattern.kind not in PIECES or not s.msgs:
            return None
        axes, links = collections.defaultdict(list), collections.Counter()
        for n in s.msgs:
            axis = g.unit(g.offset(n.src, n.dst)[0])
            if axis is None:
                return None
            axes[axis].append(n.bytes)
            links[n.src, n.dst] += 1
        return axes, links

    all_pieces = [pieces(s) for s in steps]
    barred = [False] * len(steps)            # the page's "not part of it"
    for i in range(len(steps) - 1):
        if all_pieces[i] and all_pieces[i + 1]:
            a, b = steps[i], steps[i + 1]
            if a.link_set() == b.link_set() and not alike(a.mean(), b.mean()):
                barred[i] = barred[i + 1] = True
            ways = [{g.offset(*l)[0] for l in s.link_set()} for s in (a, b)]
            if ways[0] == ways[1] and len(ways[0]) == 1 and g.dims[g.unit(min(ways[0]))] > 2:
                barred[i] = barred[i + 1] = True

    def halo_of(run):
        """The pattern of these steps as a halo, or None."""
        links = collections.Counter()
        for k in run:
            links.update(all_pieces[k][1].keys())
        offs = {g.offset(*l)[0] for l in links}
        periodic = {k for l in links for k in g.offset(*l)[1]}
        if any(tuple(-x for x in o) not in offs for o in offs):
            return None
        if len(links) < MOST * len(g.links(offs, periodic)):
            return None
        twice = {k for k in range(g.n) if g.dims[k] == 2 and any(
            c > 1 for l, c in links.items() if g.unit(g.offset(*l)[0]) == k)}
        if P == 2 and not twice:
            return pair_pattern(1)
        return neighbour_pattern(g, offs, periodic | twice)

    out, i = [], 0
    while i < len(steps):
        run, links, axes_seen, last, sizes = [], collections.Counter(), set(), set(), {}
        j = i
        while j < len(steps) and all_pieces[j] and not barred[j]:
            axes, more = all_pieces[j]
            now = set(axes)
            if now & axes_seen and (now & axes_seen) - last:
                break                        # an axis is resumed after another
            if run and now & last and len(now | last) > 1:
                break                        # whole exchanges of several axes are not joined with what repeats them
            if any(not alike(sizes[k], sum(v) / len(v)) for k, v in axes.items() if k in sizes):
                break
            allowed = {l: 2 if g.dims[g.unit(g.offset(*l)[0])] == 2 else 1 for l in more}
            add = {l: min(c, allowed[l]) for l, c in more.items()}
            if any(links[l] + add[l] > allowed[l] for l in add):
                break
            links.update(add)
            for k, v in axes.items():
                sizes.setdefault(k, sum(v) / len(v))
            axes_seen |= now
            last = now
            run.append(j)
            j += 1
        pat = None
        while len(run) > 1:
            pat = halo_of(run)
            if pat:
                break
            run.pop()
        if pat:
            out.append(join([steps[k] for k in run], pat))
            i = run[-1] + 1
        else:
            out.append(steps[i])
            i += 1
    return out


def rule_line_solve(steps, P, g):
    """5. k shifts one way round and k back."""
    def way(s):
        """The only offset of a periodic shift, and the dimensions in which it goes round."""
        if s.how == "coll" or s.pattern.kind not in ("shift", "ring shift"):
            return None
        where = [g.offset(*l) for l in s.link_set()]
        offs = {w[0] for w in where}
        if len(offs) != 1 or max(map(abs, min(offs))) > 1 or not any(w[1] for w in where):
            return None
        return min(offs)

    out, i = [], 0
    ways = [way(s) for s in steps]
    while i < len(steps):
        o = ways[i]
        if o:
            k = i
            while k < len(steps) and ways[k] == o:
                k += 1
            back, n = tuple(-x for x in o), k - i
            if n >= 2 and k + n <= len(steps) and all(ways[m] == back for m in range(k, k + n)):
                axis = g.say(max(o, back)).lstrip("+") if g.unit(o) is not None else g.say(max(o, back))
                out.append(join(steps[i:k + n], Pattern(
                    "line solve", "line solve %s of %s" % (axis, g.text), "%d shifts one way and %d back along %s of the "
                    "periodic %s grid, as a multipartitioned line solver makes" % (n, n, axis, g.text))))
                i = k + n
                continue
            out += steps[i:k]
            i = k
            continue
        out.append(steps[i])
        i += 1
    return out


class Analysis:
    """Everything about one case: grid, instances in order, unmatched sends."""
    def __init__(self, streams):
        self.trace = tr = Trace(streams)
        self.grid = g = find_grid(tr)
        steps = Parser(tr, g).run()
        for s in steps:
            if s.pattern is None:
                s.pattern = (s.how == "bag" and g and loose_sweep(s.msgs, tr.P, g)) or classify(s.msgs, tr.P, g)
                if s.how == "bag" and s.pattern.kind == "ring shift":
                    s.pattern = token_or_permutation(s.msgs, tr.P, s.pattern.k)
        rules = [rule_trees, rule_all_pairs, rule_butterfly] + ([rule_halo, rule_line_solve] if g else [])
        for rule in rules:
            steps = rule(steps, tr.P, g)
        self.steps = steps

    def grid_line(self):
        return "grid " + (self.grid.text + (" permuted" if self.grid.permuted else "") if self.grid else "none")


# ---------------------------------------------------------------- section 7: the reading

def fold(seq):
    """The folding of a sequence: a list of symbols, loops are ('loop', count, body)."""
    s, p = list(seq), 1
    while 2 * p <= len(s) and p <= 4096:
        run = [0] * (len(s) + 1)
        for i in range(len(s) - p - 1, -1, -1):
            run[i] = run[i + 1] + 1 if s[i] == s[i + p] else 0
        out, i, folded = [], 0, False
        while i < len(s):
            if run[i] >= p:
                times = run[i] // p + 1
                out.append(("loop", times, tuple(s[i:i + p])))
                i += p * times
                folded = True
            else:
                out.append(s[i])
                i += 1
        s, p = (out, 1) if folded else (s, p + 1)
    return s


def count_symbols(s):
    n = 0
    for x in s:
        n += 1
        if x[0] == "loop" and not (len(x[2]) == 1 and x[2][0][0] != "loop"):
            n += count_symbols(x[2])
    return n


def say_size(size):
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1024 or unit == "GB":
            return "%.4g %s" % (size, unit)
        size /= 1024


def render(s, word):
    parts = []
    for x in s:
        if x[0] != "loop":
            parts.append(word(x))
        elif len(x[2]) == 1 and x[2][0][0] != "loop":
            parts.append("%d x %s" % (x[1], word(x[2][0])))
        else:
            parts.append("%d x [ %s ]" % (x[1], render(x[2], word)))
    return "; ".join(parts)


def reading_of(steps, sizes=True):
    symbols = []
    for s in steps:
        if s.how == "coll":
            symbols.append((s.pattern.short, None))
        else:
            symbols.append((s.pattern.short, round(math.log2(s.mean())) if s.mean() >= 0.5 else -1))
    folded = fold(symbols)
    if not sizes or count_symbols(folded) > 60:
        symbols = [(name, None) for name, _ in symbols]
        folded = fold(symbols)
    classes = collections.defaultdict(set)
    for name, size in symbols:
        classes[name].add(size)

    def word(x):
        if x[1] is None or len(classes[x[0]]) < 2:
            return x[0]
        return "%s %s" % (x[0], say_size(2 ** x[1]) if x[1] >= 0 else "0 B")

    text = render(folded[:64], word)
    return text + "; ..." if len(folded) > 64 else text


# ---------------------------------------------------------------- section 6: the whole stream as one phase

def phase_name(a):
    """(name, long, explained) of all events of a case taken as one phase."""
    total = sum(s.messages for s in a.steps) + a.trace.lost_sends
    if not total:
        return "compute only", "no message and no collective", 1.0
    parts = {}                               # per family: [weight, first instances' patterns in order]
    for s in a.steps:
        key = "sweep" if s.pattern.kind == "sweep" else s.pattern.short
        part = parts.setdefault(key, [0.0, []])
        part[0] += s.messages * s.pattern.share
        if s.pattern.short not in [p.short for p in part[1]]:
            part[1].append(s.pattern)
    names = {}
    for key, (weight, pats) in parts.items():
        short, long = pats[0].short, pats[0].long
        if len(pats) > 1:
            corners = [p.corner for p in pats]
            long = sweep_long(a.grid, corners)
            short = ("sweeps from " + ",".join(map(str, corners)) if len(corners) <= 3
                     else "sweeps from %d corners" % len(corners))
        names[key] = (short, long)
    explained = min(1.0, sum(w for w, _ in parts.values()) / total)
    order = sorted(parts, key=lambda k: -parts[k][0])
    chosen, have = [], 0.0
    for key in order[:4]:
        chosen.append(key)
        have += parts[key][0]
        if have >= MOST * total:
            break
    if have >= MOST * total:
        big = [k for k in parts if k in chosen and parts[k][0] >= 0.2 * total]
        small = [k for k in chosen if k not in big]
        long = "; then ".join(names[k][1] for k in big)
        if small:
            long += "; besides " + ", ".join("%s (%.0f %%)" % (names[k][0], 100 * parts[k][0] / total) for k in small)
        return " + ".join(names[k][0] for k in big) + (" ..." if small else ""), long, explained
    if all(s.how == "coll" for s in a.steps):
        n = len(a.steps)
        return "%d collectives" % n, ", ".join(names[k][1] for k in parts), explained
    if len(parts) == 1:
        key = next(iter(parts))
        return names[key][0], "%s %.0f %%" % (names[key][0], 100 * explained), explained
    return "mixed", "; ".join("%s %.0f %%" % (names[k][0], 100 * parts[k][0] / total) for k in parts), explained


def check(directory):
    agree, all_, right, wrong, files = 0, 0, 0, 0, sorted(glob.glob(os.path.join(directory, "*.json")))
    for path in files:
        with open(path) as f:
            vector = json.load(f)
        a = Analysis(vector["streams"])
        name, long, explained = phase_name(a)
        ours = {"name": name, "long": long, "explained": round(explained, 4), "grid": list(a.grid.dims) if a.grid else None,
                "reading": reading_of(a.steps)}
        truth = vector["truth"]
        hit = any(t == name or t == "R:" + ours["reading"] for t in truth if t)
        unnamed = explained < MOST
        right += hit or (None in truth and unnamed)
        if not hit and not unnamed:
            wrong += 1
            print("%s: WRONG NAME %s, truth %s" % (os.path.basename(path), name, truth))
        for key, value in vector["expect"].items():
            all_ += 1
            if ours.get(key) == value:
                agree += 1
            else:
                print("%s: %s: here %r, expected %r" % (os.path.basename(path), key, ours.get(key), value))
    print("%d of %d figures agree in %d vectors; truth: %d right, %d wrong" % (agree, all_, len(files), right, wrong))
    return 0 if agree == all_ else 1


def judge(path, reading=None):
    """A reading against the truth in the comments of a case file: right, unnamed (nothing wrong) or wrong.
    Plain words that only describe messages (permutation, one-way pairs, to itself) are never wrong."""
    names, ideal = naive_cases.truth_of(path)
    if reading is None:
        reading = reading_of(Analysis(read_case(path)).steps)
    wrong, unnamed = [], []
    for name in naive_cases.names_in(reading):
        if any(fnmatch.fnmatchcase(name, t) for ts in names for t in ts):
            continue
        described = name in ("permutation", "one-way pairs", "to itself") or name.startswith(("irregular,", "some nbs of", "mixed"))
        (unnamed if described else wrong).append(name)
    missing = [ts[0] for ts in names if not any(fnmatch.fnmatchcase(x, t) for x in naive_cases.names_in(reading) for t in ts)]
    same = "same reading" if re.sub(r" [\d.]+ [KMG]?B(?=;| \]|$)", "", reading) == ideal else "other reading"
    word = "wrong" if wrong else "unnamed" if unnamed or missing else "right"
    print("%s, %s%s%s%s" % (word, same, "; wrong: " + ", ".join(wrong) if wrong else "",
                            "; described: " + ", ".join(unnamed) if unnamed else "",
                            "; not found: " + ", ".join(missing) if missing else ""))
    return 1 if wrong else 0


# ---------------------------------------------------------------- the command

def many(seed):
    """A program with what we read in it; every sixth is one that mixes grids and groups."""
    text = naive_cases.generate(seed, seed % 6 == 0)
    a = Analysis(parse_case(text))
    print("# seed: %d\n# found grid: %s\n# found reading: %s" % (seed, a.grid_line()[5:], reading_of(a.steps)))
    sys.stdout.write(text + "end\n")


def main(args):
    flags = {x for x in args if x in ("--steps", "--no-sizes")}
    args = [x for x in args if x not in flags]
    if len(args) == 2 and args[0] == "--check":
        return check(args[1])
    if len(args) == 2 and args[0] == "--generate":
        sys.stdout.write(naive_cases.generate(int(args[1])))
        return 0
    if len(args) == 3 and args[0] == "--many":
        for seed in range(int(args[1]), int(args[2])):
            many(seed)
        return 0
    if len(args) in (2, 3) and args[0] == "--judge":
        return judge(args[1], args[2] if len(args) == 3 else None)
    if len(args) != 1:
        sys.stderr.write(__doc__)
        return 2
    a = Analysis(read_case(args[0]))
    print(a.grid_line())
    print("reading " + reading_of(a.steps, "--no-sizes" not in flags))
    if "--steps" in flags:
        for s in a.steps:
            print("%s | %s | %d | %d | %.4f" % (s.pattern.short, s.pattern.long, s.messages, s.bytes, s.pattern.share))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        sys.exit(1)
