! The same as fortran_h.f through the module mpi.
program ring
  use mpi
  implicit none
  integer :: r, n, e, x, y, i, next, prev
  integer :: outi(1000), ini(1000)
  double precision :: outd(500), ind(500)
  integer :: q(2), st(MPI_STATUS_SIZE, 2)

  outi = 0
  outd = 0
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, r, e)
  call MPI_Comm_size(MPI_COMM_WORLD, n, e)
  next = mod(r + 1, n)
  prev = mod(r + n - 1, n)
  do i = 1, 3
    call MPI_Irecv(ini, 1000, MPI_INTEGER, prev, 5, MPI_COMM_WORLD, q(1), e)
    call MPI_Isend(outi, 10 * r + i, MPI_INTEGER, next, 5, MPI_COMM_WORLD, q(2), e)
    call MPI_Waitall(2, q, st, e)
    call MPI_Sendrecv(outd, 100 + r, MPI_DOUBLE_PRECISION, next, 6, ind, 500, MPI_DOUBLE_PRECISION, prev, 6, &
      MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
    x = r
    call MPI_Allreduce(x, y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, e)
    call MPI_Allreduce(MPI_IN_PLACE, y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, e)
    if (i /= 3) call MPI_Bcast(outi, 25, MPI_INTEGER, 0, MPI_COMM_WORLD, e)
  end do
  if (y /= n * n * (n - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 1, e)
  call MPI_Finalize(e)
end program
