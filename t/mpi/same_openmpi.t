#!/bin/sh
# same.t by Open MPI, where that is the second MPI: a quarter of its traces.
# shellcheck disable=SC2034  # same.t's
ASKED=openmpi PART=0
. t/mpi/same.t
