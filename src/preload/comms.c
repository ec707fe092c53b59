#include "comms.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "preload.h"

#define COMM_WORLD_CREATED 0
#define COMM_SELF_CREATED 1
#define COMM_FREED 10
#define COMM_INTRA_CREATED 100
#define COMM_INTER_LOCAL 101
#define COMM_INTER_REMOTE 102
#define COMM_INTER_CREATED 1000

struct comm comm_world;
struct local_comm *comm_table;
int32_t comm_count;

static int32_t table_cap;
static struct comm **live;     /* communicators by handle, searched from the latest */
static size_t live_count, live_cap;
static struct held {
	uintptr_t handle;
	struct comm *cm;
} *held;                       /* searched from the latest, as they are few */
static size_t held_count, held_cap;
static struct comm comm_unknown;

static struct comm *remember(const struct comm *cm)
{
	struct comm *copy;

	if (live_count == live_cap) {
		size_t cap = live_cap ? live_cap * 2 : 16;
		struct comm **more = realloc(live, cap * sizeof *more);

		if (!more)
			return &comm_world;
		live = more;
		live_cap = cap;
	}
	copy = malloc(sizeof *copy);
	if (!copy)
		return &comm_world;
	*copy = *cm;
	live[live_count++] = copy;
	return copy;
}

static int32_t new_entry(const uint8_t gid[GID_BYTES], int32_t kind)
{
	struct local_comm *e;

	if (comm_count == table_cap) {
		int32_t cap = table_cap ? table_cap * 2 : 16;
		struct local_comm *more = realloc(comm_table, (size_t)cap * sizeof *more);

		if (!more)
			return 0;
		comm_table = more;
		table_cap = cap;
	}
	e = &comm_table[comm_count];
	memcpy(e->gid, gid, GID_BYTES);
	e->kind = kind;
	e->side = comm_count;
	e->number = 0;
	return comm_count++;
}

static void make_gid(uint8_t gid[GID_BYTES])
{
	static uint32_t made;
	struct timespec t;
	uint32_t number;
	double wall;

	clock_gettime(CLOCK_REALTIME, &t);
	number = ((uint32_t)getpid() * 2654435761u ^ (uint32_t)t.tv_nsec) + made++ * 40503u;
	number &= INT32_MAX;
	wall = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
	memset(gid, 0, GID_BYTES);
	memcpy(gid, &number, 4);
	memcpy(gid + 4, &wall, 8);
	{
		char host[64] = "";

		gethostname(host, sizeof host - 1);
		memcpy(gid + 12, host, 20);
	}
}

static bool logging(void)
{
	return preload.mode == PRELOAD_TRACE;
}

/* Creations are logged also while MPI_Pcontrol has switched records off: later records need them. */
static void log_comm(int32_t icomm, int rank, int32_t etype, int32_t made, int made_rank, int wrank, const uint8_t *gid)
{
	double t = clock_now();
	uint8_t *p;

	preload_lock();
	p = buffer_room(LEN_COMM);
	t = buffer_order(t);
	p = put_head(p, t, icomm, rank, self.id, REC_COMM);
	p = put_i32(p, etype);
	p = put_i32(p, made);
	p = put_i32(p, made_rank);
	p = put_i32(p, wrank);
	if (gid)
		memcpy(p, gid, GID_BYTES);
	else
		memset(p, 0, GID_BYTES);
	buffer_commit(LEN_COMM, t);
	preload_unlock();
}

static void log_mark(int32_t icomm, int rank, int32_t etype)
{
	double t = clock_now();

	uint8_t *p;

	preload_lock();
	p = buffer_room(LEN_BARE);
	t = buffer_order(t);
	put_bare(p, t, icomm, rank, self.id, etype);
	buffer_commit(LEN_BARE, t);
	preload_unlock();
}

bool comms_init(void)
{
	uint8_t gid[GID_BYTES];
	struct comm own = {.handle = real.self, .size = 1, .peers = 1};

	comm_world = (struct comm){.handle = real.world, .rank = preload.rank, .size = preload.size,
			.peers = preload.size};
	comm_unknown = (struct comm){.handle = real.world, .rank = preload.rank, .size = 1, .peers = 1};
	if (!logging()) {
		remember(&own);
		return true;
	}
	if (preload.rank == 0)
		make_gid(gid);
	real.Bcast(gid, GID_BYTES, real.byte, 0, preload.comm);
	comm_world.icomm = new_entry(gid, 1);
	log_comm(0, preload.rank, COMM_WORLD_CREATED, 0, preload.rank, preload.rank, gid);
	make_gid(gid);
	own.icomm = new_entry(gid, 1);
	log_comm(0, preload.rank, COMM_SELF_CREATED, own.icomm, 0, preload.rank, gid);
	remember(&own);
	return comm_count == 2;
}

static void comm_measure(struct comm *cm, MPI_Comm handle)
{
	int inter = 0;

	memset(cm, 0, sizeof *cm);
	cm->handle = handle;
	real.Comm_test_inter(handle, &inter);
	real.Comm_rank(handle, &cm->rank);
	real.Comm_size(handle, &cm->size);
	cm->inter = inter != 0;
	cm->peers = cm->size;
	if (inter)
		real.Comm_remote_size(handle, &cm->peers);
}

/* Not seen being made: its peers by their world ranks. */
static struct comm *adopt(MPI_Comm handle)
{
	struct comm cm;
	MPI_Group all;
	MPI_Group group;
	int *ranks;

	comm_measure(&cm, handle);
	cm.rank = preload.rank;
	cm.world = malloc((size_t)cm.peers * sizeof *cm.world);
	ranks = malloc((size_t)cm.peers * sizeof *ranks);
	if (!cm.world || !ranks) {
		free(cm.world);
		free(ranks);
		return &comm_world;
	}
	for (int i = 0; i < cm.peers; i++)
		ranks[i] = i;
	real.Comm_group(real.world, &all);
	if (cm.inter)
		real.Comm_remote_group(handle, &group);
	else
		real.Comm_group(handle, &group);
	real.Group_translate_ranks(group, cm.peers, ranks, all, cm.world);
	for (int i = 0; i < cm.peers; i++)
		if (cm.world[i] == MPI_UNDEFINED)
			cm.world[i] = -1;
	real.Group_free(&group);
	real.Group_free(&all);
	free(ranks);
	return remember(&cm);
}

static struct comm *search(MPI_Comm handle)
{
	for (size_t i = live_count; i-- > 0;)
		if (live[i]->handle == handle)
			return live[i];
	return NULL;
}

struct comm *comm_slow(MPI_Comm handle)
{
	struct comm *found;

	preload_lock();
	found = search(handle);
	if (!found)
		found = handle == real.comm_null ? &comm_world : adopt(handle);
	preload_unlock();
	return found;
}

static struct comm *register_comm(const struct comm *cm)
{
	struct comm *copy;

	preload_lock();
	copy = remember(cm);
	preload_unlock();
	return copy;
}

static void intra_made(struct comm *parent, struct comm *cm, const uint8_t gid[GID_BYTES])
{
	preload_lock();
	cm->icomm = new_entry(gid, 1);
	preload_unlock();
	log_comm(parent->icomm, parent->rank, COMM_INTRA_CREATED, cm->icomm, cm->rank, preload.rank, gid);
	log_mark(cm->icomm, cm->rank, ETYPE_COMM_INIT);
	register_comm(cm);
}

/* Both sides learn the other's GIDs, and each side what its own rank 0 made: one exchange each way, twice. */
struct inter_gids {
	uint8_t inter[GID_BYTES], local[GID_BYTES];
};

static bool gids_exchange(const struct comm *cm, const struct inter_gids *mine, struct inter_gids *other,
		struct inter_gids *own)
{
	struct {
		struct inter_gids mine, other;
	} give, *all = malloc((size_t)cm->peers * sizeof *all);

	if (!all)
		return false;
	memset(&give, 0, sizeof give);
	give.mine = *mine;
	real.Allgather(&give, sizeof give, real.byte, all, sizeof give, real.byte, cm->handle);
	*other = all[0].mine;
	give.other = *other;
	real.Allgather(&give, sizeof give, real.byte, all, sizeof give, real.byte, cm->handle);
	*own = all[0].other;
	free(all);
	return true;
}

static void inter_made(struct comm *parent, struct comm *cm)
{
	struct inter_gids mine;
	struct inter_gids other;
	struct inter_gids own;
		int32_t local = parent->inter ? parent->owner : parent->icomm;

	make_gid(mine.inter);
	if (parent->inter)
		make_gid(mine.local);
	else
		memcpy(mine.local, comm_table[local].gid, GID_BYTES);
	if (!gids_exchange(cm, &mine, &other, &own))
		return;
	/* One made from an intercommunicator has a local group that is no communicator yet: make up one. */
	preload_lock();
	if (memcmp(own.local, comm_table[local].gid, GID_BYTES) != 0) {
		int32_t made = new_entry(own.local, 1);

		preload_unlock();
		log_comm(local, parent->rank, COMM_INTRA_CREATED, made, cm->rank, preload.rank, own.local);
		local = made;
		preload_lock();
	}
	cm->icomm = new_entry(own.inter, 0);
	new_entry(own.local, 2);
	new_entry(other.local, 3);
	comm_table[cm->icomm].side = local;
	cm->owner = local;
	preload_unlock();
	log_comm(local, parent->rank, COMM_INTER_CREATED, cm->icomm, cm->rank, preload.rank, own.inter);
	log_comm(local, parent->rank, COMM_INTER_LOCAL, cm->icomm + 1, cm->rank, preload.rank, own.local);
	log_comm(local, parent->rank, COMM_INTER_REMOTE, cm->icomm + 2, -1, preload.rank, other.local);
	log_mark(cm->icomm, cm->rank, ETYPE_COMM_INIT);
	register_comm(cm);
}

void comm_made(struct comm *parent, MPI_Comm made)
{
	uint8_t gid[GID_BYTES];
	struct comm cm;

	if (made == real.comm_null)
		return;
	comm_measure(&cm, made);
	if (!logging()) {
		register_comm(&cm);
	} else if (cm.inter) {
		inter_made(parent, &cm);
	} else {
		if (cm.rank == 0)
			make_gid(gid);
		real.Bcast(gid, GID_BYTES, real.byte, 0, made);
		intra_made(parent, &cm, gid);
	}
}

void comm_made_later(struct comm *parent, MPI_Comm made, uint32_t number)
{
	uint8_t gid[GID_BYTES];
	struct comm cm;

	if (made == real.comm_null)
		return;
	comm_measure(&cm, made);
	if (!logging() || cm.inter || parent->world) {
		register_comm(&cm);
		return;
	}
	memcpy(gid, comm_table[parent->icomm].gid, GID_BYTES);
	gid[0] ^= (uint8_t)number;
	gid[1] ^= (uint8_t)(number >> 8);
	gid[2] ^= 0x5a;
	intra_made(parent, &cm, gid);
}

void comm_freed(struct comm *cm)
{
	if (cm == &comm_world)
		return;
	if (logging() && !cm->world) {
		log_comm(cm->icomm, cm->rank, COMM_FREED, NULL_COMM, -1, -1, NULL);
		log_mark(cm->icomm, cm->rank, ETYPE_COMM_FINAL);
	}
	/* Its record stays: requests may refer to it. Its handle may come again. */
	preload_lock();
	for (size_t i = live_count; i-- > 0;)
		if (live[i] == cm) {
			memmove(live + i, live + i + 1, (live_count - i - 1) * sizeof *live);
			live_count--;
			break;
		}
	preload_unlock();
}

void comm_hold(uintptr_t handle, struct comm *cm)
{
	preload_lock();
	if (held_count == held_cap) {
		size_t cap = held_cap ? held_cap * 2 : 16;
		struct held *more = realloc(held, cap * sizeof *more);

		if (more) {
			held = more;
			held_cap = cap;
		}
	}
	if (held_count < held_cap)
		held[held_count++] = (struct held){handle, cm};
	preload_unlock();
}

static struct comm *find_held(uintptr_t handle, bool release)
{
	struct comm *cm = &comm_unknown;

	preload_lock();
	for (size_t i = held_count; i-- > 0;) {
		if (held[i].handle != handle)
			continue;
		cm = held[i].cm;
		if (release)
			memmove(held + i, held + i + 1, (--held_count - i) * sizeof *held);
		break;
	}
	preload_unlock();
	return cm;
}

struct comm *comm_held(uintptr_t handle)
{
	return find_held(handle, false);
}

struct comm *comm_release(uintptr_t handle)
{
	return find_held(handle, true);
}

/* Nobody is a neighbour, too: then it is known that there is none. */
static void log_neighbour(const struct comm *cm, int rank)
{
	double t;
	uint8_t *p;

	preload_lock();
	p = buffer_room(LEN_CARGO);
	t = buffer_order(clock_now());
	p = put_cargo(p, t, cm->icomm, cm->rank, self.id, ETYPE_NEIGHBOUR, 0);
	put_big(p - 32, rank == MPI_PROC_NULL ? -1 : rank);
	buffer_commit(LEN_CARGO, t);
	preload_unlock();
}

static void log_neighbours(const struct comm *cm, const int *ranks, int n)
{
	for (int i = 0; i < n; i++)
		log_neighbour(cm, ranks[i]);
	if (!n)
		log_neighbour(cm, -1);
}

/* MPI writes weights, and where the process sends, as well. */
static bool dist_graph_sources(MPI_Comm handle, int n, int *ranks, int out)
{
	int *rest = malloc((size_t)(n + 2 * out + 1) * sizeof *rest);
	bool known = rest && real.Dist_graph_neighbors(handle, n, ranks, rest, out, rest + n, rest + n + out) == MPI_SUCCESS;

	free(rest);
	return known;
}

void comm_record_neighbours(struct comm *cm)
{
	int kind = MPI_UNDEFINED, n = 0, out = 0, weighted;
	int *ranks;
	bool known = true;

	if (cm->neighbours_recorded || cm->world || cm->inter || cm->size == 1)
		return;
	cm->neighbours_recorded = true;
	real.Topo_test(cm->handle, &kind);
	if (kind == MPI_CART) {
		real.Cartdim_get(cm->handle, &n);
		n *= 2;
	} else if (kind == MPI_GRAPH) {
		real.Graph_neighbors_count(cm->handle, cm->rank, &n);
	} else if (kind == MPI_DIST_GRAPH) {
		real.Dist_graph_neighbors_count(cm->handle, &n, &out, &weighted);
	}
	ranks = malloc((size_t)(n + out + 1) * sizeof *ranks);
	if (!ranks)
		return;
	if (kind == MPI_CART)
		for (int i = 0; i < n; i += 2)
			real.Cart_shift(cm->handle, i / 2, 1, &ranks[i], &ranks[i + 1]);
	else if (kind == MPI_GRAPH)
		real.Graph_neighbors(cm->handle, cm->rank, n, ranks);
	else if (kind == MPI_DIST_GRAPH)
		known = dist_graph_sources(cm->handle, n, ranks, out);
	if (known)
		log_neighbours(cm, ranks, n);
	free(ranks);
}

int comm_outdegree(const struct comm *cm)
{
	int kind = MPI_UNDEFINED;
	int in;
	int out = 0;
	int weighted;

	real.Topo_test(cm->handle, &kind);
	if (kind == MPI_CART) {
		real.Cartdim_get(cm->handle, &out);
		out *= 2;
	} else if (kind == MPI_GRAPH) {
		real.Graph_neighbors_count(cm->handle, cm->rank, &out);
	} else if (kind == MPI_DIST_GRAPH) {
		real.Dist_graph_neighbors_count(cm->handle, &in, &out, &weighted);
	}
	return out;
}
