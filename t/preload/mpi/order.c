/* Many receives of one key, completed in every way but the order of posting: the size of each message says who sent
 * it to whom and as which of how many, so that the trace can be held to the right request. */
#include "said.h"

#define MANY 8

static char out[65536], in[8][MANY][65536];

static int encode(int source, int dest, int k)
{
	return 4096 * source + 512 * dest + 16 * k + 1;
}

static int requests(MPI_Request r[8 * MANY], int peer[8 * MANY], int nth[8 * MANY], int tag)
{
	int n = 0;

	for (int k = 0; k < MANY; k++)
		for (int p = 0; p < said_size; p++) {
			MPI_Irecv(in[p][k], 65536, MPI_CHAR, p, tag, MPI_COMM_WORLD, &r[n]);
			peer[n] = p;
			nth[n++] = k;
		}
	return n;
}

/* Immediate sends: a send to oneself must not wait for a receive that is completed later. */
static void send_all(MPI_Request s[8 * MANY], int tag)
{
	int n = 0;

	for (int k = 0; k < MANY; k++)
		for (int p = 0; p < said_size; p++) {
			int to = (p + said_rank) % said_size, bytes = encode(said_rank, to, k);

			switch (k % 3) {
			case 0:
				MPI_Isend(out, bytes, MPI_CHAR, to, tag, MPI_COMM_WORLD, &s[n++]);
				break;
			case 1:
				MPI_Issend(out, bytes, MPI_CHAR, to, tag, MPI_COMM_WORLD, &s[n++]);
				break;
			default:
				MPI_Ibsend(out, bytes, MPI_CHAR, to, tag, MPI_COMM_WORLD, &s[n++]);
			}
			said_send(to, bytes, "world", tag);
		}
}

int main(int argc, char **argv)
{
	static char buffer[1 << 22];
	MPI_Request r[8 * MANY], s[8 * MANY];
	MPI_Status statuses[8 * MANY];
	int peer[8 * MANY], nth[8 * MANY], indices[8 * MANY], n = 0, left, flag, done;

	MPI_Init(&argc, &argv);
	said_begin();
	if (said_size > 8)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_Buffer_attach(buffer, sizeof buffer);
	for (int way = 0; way < 9; way++) {
		int tag = 100 + way;

		n = requests(r, peer, nth, tag);
		/* All receives are posted before the first send, as the ready sends of the last way need it. */
		MPI_Barrier(MPI_COMM_WORLD);
		if (said_size > 1)
			said_collective("Barrier", 0, "world");
		if (way < 8) {
			send_all(s, tag);
		} else {
			for (int k = 0; k < MANY; k++)
				for (int p = 0; p < said_size; p++) {
					int bytes = encode(said_rank, p, k);

					MPI_Irsend(out, bytes, MPI_CHAR, p, tag, MPI_COMM_WORLD, &s[k * said_size + p]);
					said_send(p, bytes, "world", tag);
				}
		}
#define GOT(i) said_receive(peer[i], encode(peer[i], said_rank, nth[i]), "world", tag)
		switch (way) {
		case 0: /* one by one from the end */
		case 8:
			for (int i = n; i-- > 0;) {
				MPI_Wait(&r[i], MPI_STATUS_IGNORE);
				GOT(i);
			}
			break;
		case 1:
			for (left = n; left; left--) {
				MPI_Waitany(n, r, &indices[0], MPI_STATUS_IGNORE);
				GOT(indices[0]);
			}
			break;
		case 2:
			for (left = n; left; left -= done) {
				MPI_Waitsome(n, r, &done, indices, MPI_STATUSES_IGNORE);
				for (int i = 0; i < done; i++)
					GOT(indices[i]);
			}
			break;
		case 3:
			for (left = n; left; left -= flag) {
				MPI_Testany(n, r, &indices[0], &flag, &statuses[0]);
				if (flag)
					GOT(indices[0]);
			}
			break;
		case 4:
			for (left = n; left; left -= done) {
				MPI_Testsome(n, r, &done, indices, statuses);
				for (int i = 0; i < done; i++)
					GOT(indices[i]);
			}
			break;
		case 5:
			do
				MPI_Testall(n, r, &flag, MPI_STATUSES_IGNORE);
			while (!flag);
			for (int i = 0; i < n; i++)
				GOT(i);
			break;
		case 6: /* an array in another order than that of posting */
			for (int i = 0; i < n / 2; i++) {
				MPI_Request q = r[i];
				int p = peer[i], k = nth[i];

				r[i] = r[n - 1 - i];
				peer[i] = peer[n - 1 - i];
				nth[i] = nth[n - 1 - i];
				r[n - 1 - i] = q;
				peer[n - 1 - i] = p;
				nth[n - 1 - i] = k;
			}
			MPI_Waitall(n, r, statuses);
			for (int i = 0; i < n; i++)
				GOT(i);
			break;
		default: /* round and round */
			left = n;
			for (int i = 0; left; i = (i + n - 1) % n)
				if (r[i] != MPI_REQUEST_NULL) {
					MPI_Test(&r[i], &flag, MPI_STATUS_IGNORE);
					if (flag) {
						GOT(i);
						left--;
					}
				}
		}
		MPI_Waitall(n, s, MPI_STATUSES_IGNORE);
	}
	said_end();
	MPI_Finalize();
	return 0;
}
