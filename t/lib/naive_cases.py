"""Random programs with known truth, as case files for naive_patterns.py (its --generate and --judge).

A program is a list of patterns in nested loops. Each pattern knows how to write its events as a real program would,
and which short names are right for it: the first is the one the program would use itself; further ones are names of
the same graph, or true words for its parts. `*` in a name stands for any text.
"""
import random
import re

SIZES = (8, 16, 32, 40, 64, 100, 512, 800, 1024, 4096, 5000, 16384, 65536, 300000)


class Program:
    """The streams that are being written."""
    def __init__(self, P, rnd):
        self.P, self.rnd = P, rnd
        self.streams = [[] for _ in range(P)]
        self.real = list(range(P))           # the rank of a place of the grid, where ranks are permuted

    def send(self, s, d, size, tag=0):
        s, d = self.real[s], self.real[d]
        self.streams[s].append(">%d:%d:%d" % (d, size, tag))

    def receive(self, s, d, tag=0):
        s, d = self.real[s], self.real[d]
        self.streams[d].append("<%d:%d" % (s, tag))

    def collective(self, op, groups):
        for g in groups:
            who = "*" if len(g) == self.P else ",".join(map(str, g))
            for r in g:
                self.streams[r].append("%s:%s" % (op, who))

    def exchange(self, links, mode, tag=0):
        """Links (source, destination, bytes) at once: each process sends, then receives, and where the calls do not
        block, it receives in any order."""
        sends, gets = {}, {}
        for s, d, size in links:
            sends.setdefault(s, []).append((s, d, size, tag))
            gets.setdefault(d, []).append((s, d, tag))
        for r in sorted(set(sends) | set(gets)):
            for m in sends.get(r, []):
                self.send(*m)
            mine = gets.get(r, [])
            if mode == "nonblocking":
                self.rnd.shuffle(mine)
            for m in mine:
                self.receive(*m)


class Shape:
    """A row-major grid with its names."""
    def __init__(self, dims, periodic):
        self.dims, self.periodic = dims, periodic
        self.real = None                     # ranks of the places, if permuted
        self.text = "x".join(map(str, dims))
        self.letters = "xyz"[:len(dims)][::-1]
        self.P = 1
        for n in dims:
            self.P *= n

    def coords(self, r):
        c = []
        for n in reversed(self.dims):
            c.append(r % n)
            r //= n
        return c[::-1]

    def rank(self, c):
        r = 0
        for x, n in zip(c, self.dims):
            r = r * n + x
        return r

    def step(self, r, off, periodic=None):
        periodic = self.periodic if periodic is None else periodic
        c = self.coords(r)
        for k, n in enumerate(self.dims):
            c[k] += off[k]
            if not 0 <= c[k] < n:
                if not periodic[k]:
                    return None
                c[k] %= n
        return self.rank(c)

    def unit(self, k, sign):
        return tuple(sign if j == k else 0 for j in range(len(self.dims)))


def split(P, rnd, grid_of):
    """Groups of equal size: blocks of ranks, or strided; (groups, size)."""
    size = rnd.choice(grid_of)
    if rnd.random() < 0.6:
        return [list(range(i, i + size)) for i in range(0, P, size)]
    q = P // size
    return [list(range(i, P, q)) for i in range(q)]


# Every maker returns (right names, writer) or None where it does not fit. `st` is the Shape of the program.

def halo(st, rnd):
    n = len(st.dims)
    mode = rnd.choice(["nonblocking", "nonblocking", "sendrecv", "axes", "odd-even"])
    diag = n > 1 and rnd.random() < 0.3 and not st.real
    some = None if diag or n == 1 or st.real or rnd.random() < 0.75 else rnd.randrange(n)
    axes = [some] if some is not None else list(range(n))
    if rnd.random() < 0.5:
        axes.reverse()
    sizes = [rnd.choice(SIZES)] * n if diag or rnd.random() < 0.5 else [rnd.choice(SIZES) for _ in range(n)]
    if some is not None:
        name = "halo %s of %s" % (st.letters[some], st.text)
    else:
        name = "halo " + st.text + (" +diag" if diag else "")
    names = [name, "shift *"]
    if 2 in st.dims or st.P <= 4:
        names += ["pair exchange ^*", "butterfly of *", "halo *"]
    if st.P <= 9 or max(st.dims) <= 3:
        names += ["all pairs of %d" % st.P]
    names += ["ring shift by *"] if n == 1 or max(st.periodic) else []
    if some is not None:                     # rows of a grid may stand by themselves
        names += ["halo *", "pair exchange ^*", "all pairs of *"]

    def write(pr):
        links = []
        if diag:
            offs = [()]
            for _ in range(n):
                offs = [o + (x,) for o in offs for x in (-1, 0, 1)]
            offs = [o for o in offs if any(o)]
            for r in range(st.P):
                for o in offs:
                    d = st.step(r, o)
                    if d is not None and d != r:
                        links.append((r, d, sizes[0]))
            pr.exchange(links, "nonblocking")
            return
        for k in axes:
            both = []
            for sign in (1, -1):
                way = []
                for r in range(st.P):
                    d = st.step(r, st.unit(k, sign))
                    if d is not None and d != r:
                        way.append((r, d, sizes[k]))
                if mode == "sendrecv":
                    pr.exchange(way, "sendrecv", 2 * k + (sign > 0))
                both += way
            if mode == "axes":
                pr.exchange(both, "nonblocking")
            if mode == "odd-even":           # blocking calls: even places send first, odd ones receive first
                for r in range(st.P):
                    odd = st.coords(r)[k] % 2
                    for s, d, size in sorted(both, key=lambda l: (l[0] == r) == odd):
                        if s == r:
                            pr.send(s, d, size, 20 + k)
                        elif d == r:
                            pr.receive(s, d, 20 + k)
            links += both
        if mode == "nonblocking":
            pr.exchange(links, "nonblocking")
    return names, write


def sweep(st, rnd):
    n = len(st.dims)
    D = [rnd.choice((1, -1)) for _ in range(n)]
    if n > 1 and rnd.random() < 0.2 and not st.real:   # rows of the grid, each a pipeline
        keep = rnd.randrange(n)
        D = [s if k == keep else 0 for k, s in enumerate(D)]
    K = rnd.choice([1, 2, 3, 5, 8])
    size = rnd.choice(SIZES)
    corner = st.rank([0 if s >= 0 else m - 1 for s, m in zip(D, st.dims)])
    corner = st.real[corner] if st.real else corner
    one = sum(map(abs, D)) == 1
    names = ["%s from %d" % ("pipeline" if one else "sweep", corner)]
    if one and (K < 3 or max(st.dims) == 2):
        names += ["shift *", "one-way pairs", "pipeline from *"]
    if st.P == 2:
        names += ["pair exchange ^1", "halo 2"]

    def write(pr):
        none = [False] * n
        for r in range(st.P):
            for _ in range(K):
                for k in range(n):
                    u = st.step(r, st.unit(k, -D[k]), none) if D[k] else None
                    if u is not None:
                        pr.receive(u, r, 7)
                for k in range(n):
                    w = st.step(r, st.unit(k, D[k]), none) if D[k] else None
                    if w is not None:
                        pr.send(r, w, size, 7)
    return names, write


def shift(st, rnd):
    k, sign = rnd.randrange(len(st.dims)), rnd.choice((1, -1))
    if st.dims[k] < 3:
        return None
    size = rnd.choice(SIZES)
    names = ["shift %s%s of %s" % ("+" if sign > 0 else "-", st.letters[k], st.text)]
    names += ["ring shift by *"] if st.periodic[k] else []
    names += ["ring of %d" % st.P] if st.periodic[k] and len(st.dims) == 1 else []
    names += ["shift *"] if len(st.dims) > 1 else []

    def write(pr):
        links = [(r, st.step(r, st.unit(k, sign)), size) for r in range(st.P)]
        pr.exchange([l for l in links if l[1] is not None], "sendrecv")
    return names, write


def line_solve(st, rnd):
    k = rnd.randrange(len(st.dims))
    side = st.dims[k]
    if side < 3:
        return None
    a, b = rnd.choice(SIZES), rnd.choice(SIZES)
    names = ["line solve %s of %s" % (st.letters[k], st.text), "line solve *", "shift *", "ring shift by *"]
    names += ["ring of %d" % st.P] if len(st.dims) == 1 else []

    def write(pr):
        for sign, size in ((1, a), (-1, b)):
            for _ in range(side - 1):
                pr.exchange([(r, st.step(r, st.unit(k, sign), [True] * len(st.dims)), size) for r in range(st.P)],
                            "sendrecv", 30 + sign)
    return names, write


def doubling(st, rnd):
    P = st.P
    sizes = [g for g in (2, 4, 8, 16, 32) if P % g == 0]
    if not sizes:
        return None
    g = rnd.choice(sizes)
    masks = [1 << b for b in range(g.bit_length() - 1)]
    if rnd.random() < 0.3 and P // g * g == P and P & (P - 1) == 0:
        masks = [m * (P // g) for m in masks]
    kind = rnd.choice(["butterfly", "butterfly", "recursive halving", "recursive doubling"])
    base = rnd.choice(SIZES)
    up = rnd.random() < 0.5
    if kind == "butterfly":
        name, step = "butterfly of %d" % g, [base] * len(masks)
    else:
        name = "%s of %d" % (kind, g)
        step = [max(8, base // 8 * 8) << b for b in range(len(masks))]
        if kind == "recursive halving":
            step.reverse()
    if not up:
        masks.reverse()
    names = [name]
    if g == 2:
        names = ["pair exchange ^%d" % masks[0], name]
    if g == 2 or P <= 8:
        names += ["halo *", "pair exchange ^*"]
    if g == 2 or P <= 4:
        names += ["butterfly of %d" % g]

    def write(pr):
        for m, size in zip(masks, step):
            pr.exchange([(r, r ^ m, size) for r in range(P)], "sendrecv", 40)
    return names, write


def pair(st, rnd):
    masks = [m for m in (1, 2, 3, 4, 5, 7, 8, 16) if all(r ^ m < st.P for r in range(st.P))]
    if not masks:
        return None
    m, size = rnd.choice(masks), rnd.choice(SIZES)
    names = ["pair exchange ^%d" % m, "halo *"]
    if m == 6 and st.P == 8 or m == 3 and st.P == 4:
        names += ["transpose *"]

    def write(pr):
        pr.exchange([(r, r ^ m, size) for r in range(st.P)], "sendrecv", 41)
    return names, write


def ring_shift(st, rnd):
    P = st.P
    if P < 3:
        return None
    k, size = rnd.randrange(1, P), rnd.choice(SIZES)
    names = ["ring shift by %d" % k, "ring shift by %d" % (k - P), "shift *", "ring of %d" % P]
    if 2 * k == P:
        names += ["pair exchange ^%d" % k, "halo *", "permutation"]

    def write(pr):
        pr.exchange([(r, (r + k) % P, size) for r in range(P)], "sendrecv", 42)
    return names, write


def ring(st, rnd):
    P = st.P
    if P < 3:
        return None
    size, sign = rnd.choice(SIZES), rnd.choice((1, 1, -1))

    def write(pr):
        for _ in range(P - 1):
            pr.exchange([(r, (r + sign) % P, size) for r in range(P)], "sendrecv", 43)
    return ["ring of %d" % P, "ring shift by *"], write


def transpose(st, rnd):
    P = st.P
    n, m = round(P ** 0.5), round((P / 2) ** 0.5)
    own, size = rnd.random() < 0.5, rnd.choice(SIZES)
    if n * n == P and n > 1:
        to = [r % n * n + r // n for r in range(P)]
        names = ["transpose %dx%d" % (n, n)]
    elif 2 * m * m == P and m > 1:
        to = [2 * (r // 2 % m * m + r // 2 // m) + r % 2 for r in range(P)]
        names = ["transpose %dx%d" % (m, 2 * m)]
    else:
        return None
    if P == 4 and not own:
        names = ["pair exchange ^3", "some nbs *", "halo *"]
    if P == 8:
        names += ["pair exchange ^6"]

    def write(pr):
        pr.exchange([(r, to[r], size) for r in range(P) if own or to[r] != r], "sendrecv", 44)
    return names, write


def star(st, rnd):
    P = st.P
    if P < 4:
        return None
    root, kind = rnd.choice([0, 0, P - 1, rnd.randrange(P)]), rnd.choice(["gather", "scatter", "workers"])
    sizes = [rnd.choice(SIZES)] * P if rnd.random() < 0.6 else [rnd.choice(SIZES) for _ in range(P)]
    name = {"gather": "gather to %d", "scatter": "scatter from %d", "workers": "workers of %d"}[kind] % root
    jobs = rnd.choice([1, 2, 5])

    def write(pr):
        others = [r for r in range(P) if r != root]
        if kind == "gather":
            for r in others:
                pr.send(r, root, sizes[r], 50)
                pr.receive(r, root, 50)
        elif kind == "scatter":
            for r in others:
                pr.send(root, r, sizes[r], 51)
                pr.receive(root, r, 51)
        else:                                # a job to everyone, then a new one to whoever answers
            for r in others:
                pr.send(root, r, sizes[0], 52)
            todo = others * jobs
            pr.rnd.shuffle(todo)
            left = {r: jobs for r in others}
            for r in others:
                for _ in range(jobs):
                    pr.receive(root, r, 52)
                    pr.send(r, root, sizes[1], 53)
            for r in todo:
                pr.receive(r, root, 53)
                left[r] -= 1
                if left[r]:
                    pr.send(root, r, sizes[0], 52)
    return [name] + (["gather to %d" % root, "scatter from %d" % root] if kind == "workers" else []), write


def group_star(st, rnd):
    P = st.P
    fits = [g for g in range(3, P // 2 + 1) if P % g == 0]
    if not fits:
        return None
    groups, size = split(P, rnd, fits), rnd.choice(SIZES)
    kind = rnd.choice(["gather", "scatter"])

    def write(pr):
        for g in groups:
            for r in g[1:]:
                s, d = (r, g[0]) if kind == "gather" else (g[0], r)
                pr.send(s, d, size, 55)
                pr.receive(s, d, 55)
    return ["%s, %d groups" % (kind, len(groups))], write


def tree(st, rnd):
    P = st.P
    if P < 4:
        return None
    root, low, kind = rnd.choice([0, 0, rnd.randrange(P)]), rnd.random() < 0.5, rnd.choice(["broadcast", "reduce"])
    size = rnd.choice(SIZES)
    parent = lambda v: v & (v - 1) if low else v - (1 << (v.bit_length() - 1))
    # by lowest bit the farthest child comes first, by highest the nearest; a reduction goes the other way
    children = {v: sorted([c for c in range(1, P) if parent(c) == v], reverse=low) for v in range(P)}

    def write(pr):
        real = lambda v: (v + root) % P
        for v in range(P):
            if kind == "broadcast":
                if v:
                    pr.receive(real(parent(v)), real(v), 60)
                for c in children[v]:
                    pr.send(real(v), real(c), size, 60)
            else:
                for c in reversed(children[v]):
                    pr.receive(real(c), real(v), 60)
                if v:
                    pr.send(real(v), real(parent(v)), size, 60)
    return ["tree %s %s %d" % (kind, "from" if kind == "broadcast" else "to", root)], write


def all_pairs(st, rnd):
    P = st.P
    fits = [g for g in range(3, P + 1) if P % g == 0 and g <= 16]
    if not fits:
        return None
    groups, size = split(P, rnd, fits + [max(fits)]), rnd.choice(SIZES)
    g = len(groups[0])
    ways = ["direct", "shift"] + (["xor"] if g & (g - 1) == 0 else [])
    way = rnd.choice(ways)
    names = ["all pairs of %d" % g]
    if g <= 4:
        names += ["halo *", "ring shift by *", "shift *", "pair exchange ^*", "some nbs *", "permutation", "irregular*"]
    if max(st.dims) <= 3:
        names += ["halo *"]

    def write(pr):
        steps = []
        for i in range(1, g):
            steps.append([(q[a], q[a ^ i if way == "xor" else (a + i) % g], size) for q in groups for a in range(g)])
        if way == "direct":
            pr.exchange([l for s in steps for l in s], "nonblocking", 65)
        else:
            for s in steps:
                pr.exchange(s, "sendrecv", 65)
    return names, write


def token_ring(st, rnd):
    P = st.P
    if P < 3:
        return None
    size = rnd.choice(SIZES)

    def write(pr):
        pr.send(0, 1, size, 70)
        for r in range(1, P):
            pr.receive(r - 1, r, 70)
            pr.send(r, (r + 1) % P, size, 70)
        pr.receive(P - 1, 0, 70)
    return ["token ring of %d" % P], write


WORDS = {"Allreduce": "allreduce", "Bcast": "broadcast", "Reduce": "reduce", "Alltoall": "all-to-all",
         "Allgather": "allgather", "Barrier": "barrier"}


def collective(st, rnd, groups=True):
    op = rnd.choice(["Allreduce", "Allreduce", "Bcast", "Reduce", "Alltoall", "Allgather"])
    fits = [g for g in range(2, st.P) if st.P % g == 0]
    if groups and fits and rnd.random() < 0.4:
        groups = split(st.P, rnd, fits)
        return ["%s, groups of %d" % (WORDS[op], len(groups[0]))], lambda pr: pr.collective(op, groups)
    return [WORDS[op]], lambda pr: pr.collective(op, [list(range(st.P))])


MAKERS = [halo, halo, halo, sweep, sweep, shift, line_solve, doubling, doubling, pair, ring_shift, ring, transpose, star,
          group_star, tree, all_pairs, all_pairs, token_ring, collective]
ON_GRID = (halo, sweep, shift, line_solve)                        # they need the program's grid to be told
SIMPLE = (shift, pair, ring_shift, ring, doubling, line_solve)    # neighbours of each other, these might be one pattern


def generate(seed, wild=False):
    """A case file: truth, the reading the program would give itself, and the events."""
    rnd = random.Random(seed)
    while True:
        dims = [rnd.choice([2, 3, 4, 4, 5, 6]) for _ in range(rnd.choice([1, 1, 2, 2, 2, 3]))]
        if len(dims) == 1:
            dims = [rnd.randrange(2, 20)]
        st = Shape(dims, [n > 2 and rnd.random() < 0.3 for n in dims])
        if st.P <= 32:
            break
    if rnd.random() < 0.12 and not any(p and n in (3, 4) for n, p in zip(st.dims, st.periodic)):
        st.real = list(range(st.P))          # an MPI library that reorders, or a mapping of its own
        rnd.shuffle(st.real)
        st.text = "x".join(map(str, sorted(st.dims)))
    barrier = (["barrier"], lambda pr: pr.collective("Barrier", [list(range(st.P))]))
    items = []                               # (names, writer, repetitions, separator within the repetitions)
    wanted = rnd.choice([1, 2, 2, 3, 4])
    while len(items) < wanted:
        make = rnd.choice([halo, sweep, collective] if st.real else MAKERS)
        if wild and rnd.random() < 0.1 and not st.real:   # besides, its processes in a line
            flat = Shape([st.P], [rnd.random() < 0.3 and st.P > 2])
        else:
            flat = st
        made = make(flat, rnd)
        if made is None:
            continue
        items.append((made[0], made[1], rnd.choice([1, 1, 1, 2, 3]),
                      collective(st, rnd, wild) if rnd.random() < 0.4 else barrier if rnd.random() < 0.5 else None, make))
    outer = rnd.choice([1, 2, 3])
    order, truth = [], []                    # what runs, in order

    def add(pattern):
        order.append(pattern)
        if pattern[0] not in truth:
            truth.append(pattern[0])

    for _ in range(rnd.choice([0, 0, 1, 2])):
        add(collective(st, rnd))
    gaps = [rnd.random() < 0.5 for _ in items]
    for t in range(outer):
        for i, (names, write, times, between, make) in enumerate(items):
            for k in range(times):
                add((names, write))
                # without something between them repeated messages of these may be read as one thing
                if between and (k + 1 < times or gaps[i]):
                    add(between)
                elif make is not sweep and make is not halo and make is not collective:
                    add(barrier)
            ahead = items[(i + 1) % len(items)][4]
            if order[-1][0] == names and (make is not collective and (make in SIMPLE or ahead in SIMPLE or ahead is make
                                                                      or ahead is token_ring)):
                add(barrier)
    pr = Program(st.P, rnd)
    pr.real = st.real or pr.real
    for names, write in order:
        write(pr)
    out = ["# truth: " + " ; ".join("|".join(names) for names in truth),
           "# reading: " + ideal_reading([names[0] for names, _ in order]),
           "# own grid: %s" % (st.text if any(make in ON_GRID for *_, make in items) else "any"),
           "processes %d" % st.P]
    for r, s in enumerate(pr.streams):
        out.append("%d %s" % (r, " ".join(s)))
    return "\n".join(out) + "\n"


def ideal_reading(names):
    import naive_patterns
    return naive_patterns.render(naive_patterns.fold([(n, None) for n in names]), lambda x: x[0])


def truth_of(path):
    """(acceptable names of all patterns, the program's own reading) from a case file's comments."""
    names, reading = [], ""
    with open(path) as f:
        for line in f:
            if line.startswith("# truth: "):
                names = [x.split("|") for x in line[9:].strip().split(" ; ")]
            elif line.startswith("# reading: "):
                reading = line[11:].strip()
            elif not line.startswith("#"):
                break
    return names, reading


def names_in(reading):
    """The distinct short names of a reading, without counts, brackets and sizes."""
    found = []
    for part in re.sub(r"\d+ x (?=\[)|[\[\]]", ";", reading).split(";"):
        name = re.sub(r"^\d+ x ", "", part.strip())
        name = re.sub(r" [\d.]+ [KMG]?B$", "", name)
        if name and name != "..." and name not in found:
            found.append(name)
    return found
