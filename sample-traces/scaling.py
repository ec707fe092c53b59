#!/usr/bin/env python3
"""Write scaling.N.prv for N of 1, 4, 16 and 64: a run of an imagined program of which rank 0 does 3 % alone.

    python3 sample-traces/scaling.py FOLDER && pas2p convert --to clog2 -o scaling.4.clog2 FOLDER/scaling.4.prv

20 times rank 0 computes 1.2 ms while the others wait in a barrier; then all ranks share 40 ms, the last one 5 % more than its part, each with up to 3 % of
noise, and meet in an MPI_Allreduce. Latencies of collectives grow with the logarithm of N.
"""
import sys

BARRIER, ALLREDUCE = 8, 10
PCF = """DEFAULT_OPTIONS

LEVEL               THREAD
UNITS               NANOSEC

EVENT_TYPE
9    50000002    MPI Collective Comm
VALUES
8   MPI_Barrier
10   MPI_Allreduce
0   Outside MPI
"""


def write_run(folder, ranks):
    now, records, seed = [0] * ranks, [], 12345
    latencies = ranks.bit_length() - 1

    def collective(function, cost):
        last = max(now)
        for rank in range(ranks):
            end = last + cost + rank * 20
            who = '2:%d:1:%d:1' % (rank + 1, rank + 1)
            records.append((now[rank], '%s:%d:50000002:%d:50100001:8:50100002:8:50100004:1' % (who, now[rank], function)))
            records.append((end, '%s:%d:50000002:0' % (who, end)))
            now[rank] = end

    def compute(rank, nanoseconds):
        records.append((now[rank], '1:%d:1:%d:1:%d:%d:1' % (rank + 1, rank + 1, now[rank], now[rank] + nanoseconds)))
        now[rank] += nanoseconds

    collective(BARRIER, 2000)
    for _ in range(20):
        compute(0, 1200000)
        collective(BARRIER, 20000 + 15000 * latencies)
        for rank in range(ranks):
            seed = (seed * 1103515245 + 12345) % 2 ** 31
            noise = 0.06 * (seed / (2 ** 31 - 1) - 0.5)
            compute(rank, int(40e6 / ranks * (1 + noise + (0.05 if rank and rank == ranks - 1 else 0))))
        collective(ALLREDUCE, 60000 + 60000 * latencies)
    records.sort(key=lambda record: record[0])
    name = '%s/scaling.%d' % (folder, ranks)
    with open(name + '.prv', 'w') as file:
        file.write('#Paraver (01/01/1970 at 00:00):%d_ns:1(%d):1:%d(%s),1\n' % (max(now) + 1000, ranks, ranks, ','.join(['1:1'] * ranks)))
        file.write('c:1:1:%d:%s\n' % (ranks, ':'.join(str(rank + 1) for rank in range(ranks))))
        file.writelines(record + '\n' for _, record in records)
    with open(name + '.pcf', 'w') as file:
        file.write(PCF)


for count in (1, 4, 16, 64):
    write_run(sys.argv[1], count)
