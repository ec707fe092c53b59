C     A ring and a sum through mpif.h; the statuses are ignored where
C     Fortran has its own constant for that.
      program fortran_h
      implicit none
      include 'mpif.h'
      integer r, n, e, q(2), x, y, i, next, prev
      integer out(1000), in(1000), st(MPI_STATUS_SIZE,2)
      call MPI_Init(e)
      call MPI_Comm_rank(MPI_COMM_WORLD, r, e)
      call MPI_Comm_size(MPI_COMM_WORLD, n, e)
      next = mod(r + 1, n)
      prev = mod(r + n - 1, n)
      do i = 1, 3
        call MPI_Irecv(in, 1000, MPI_INTEGER, prev, 5,
     +    MPI_COMM_WORLD, q(1), e)
        call MPI_Isend(out, 10 * r + i, MPI_INTEGER, next, 5,
     +    MPI_COMM_WORLD, q(2), e)
        call MPI_Waitall(2, q, st, e)
        call MPI_Sendrecv(out, 100 + r, MPI_DOUBLE_PRECISION, next, 6,
     +    in, 500, MPI_DOUBLE_PRECISION, prev, 6,
     +    MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
        x = r
        call MPI_Allreduce(x, y, 1, MPI_INTEGER, MPI_SUM,
     +    MPI_COMM_WORLD, e)
        call MPI_Allreduce(MPI_IN_PLACE, y, 1, MPI_INTEGER, MPI_SUM,
     +    MPI_COMM_WORLD, e)
        if (i .ne. 3) then
          call MPI_Bcast(out, 25, MPI_INTEGER, 0, MPI_COMM_WORLD, e)
        end if
      end do
      if (y .ne. n * n * (n - 1) / 2) call MPI_Abort(MPI_COMM_WORLD,1,e)
      call MPI_Finalize(e)
      end
