#!/bin/sh
# same.t by Open MPI, where that is the second MPI: another quarter of its traces.
# shellcheck disable=SC2034  # same.t's
ASKED=openmpi PART=1
. t/mpi/same.t
