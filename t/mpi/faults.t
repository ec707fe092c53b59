#!/bin/sh
# MPI fails, a rank is killed, or one is late, at any call of a job of MPICH: the job ends at once, with one sentence that names the rank and what failed,
# and the documented exit status; there is the old output or the new one, whole, and nothing else is left.
. t/lib/lib.sh
. t/lib/job.sh
. t/lib/job_faults.sh
every_fault mpich
