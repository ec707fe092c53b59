#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "comms.h"
#include "control.h"
#include "functions.h"
#include "job_marks.h"
#include "symbols.h"
#include "sync.h"

#define NAMES_ROOM 128 /* for what stems and names add to the output's */
#define EXPORT __attribute__((visibility("default")))

const struct call_info call_infos[CALL_COUNT] = {
#define CALL(name, state, colour, format) {"MPI_" #name, state, colour, format},
#include "calls.def"
#undef CALL
	{"MPI_Pcontrol", -1, "grey", ""},
};

int32_t call_starts[CALL_COUNT];
struct preload preload;
pthread_mutex_t preload_mutex = PTHREAD_MUTEX_INITIALIZER;
_Thread_local struct thread self __attribute__((tls_model("initial-exec")));

static int32_t off_thread; /* which thread called MPI_Pcontrol(0) */

void thread_start(void)
{
	self.id = __atomic_fetch_add(&preload.threads, 1, __ATOMIC_RELAXED);
	self.known = true;
}

static uint8_t *record_put_text(uint8_t *p, const char *s, size_t field)
{
	size_t n = strlen(s);

	memset(p, 0, field);
	memcpy(p, s, n < field ? n : field - 1);
	return p + field;
}

void log_definition(double t, int32_t state, int32_t start, const char *colour, const char *name, const char *format)
{
	uint8_t *p = buffer_room(LEN_STATEDEF);

	t = buffer_order(t);
	p = put_head(p, t, 0, preload.rank, 0, REC_STATEDEF);
	p = put_i32(p, state);
	p = put_i32(p, start);
	p = put_i32(p, start + 1);
	p = put_i32(p, 0);
	p = record_put_text(p, colour, 24);
	p = record_put_text(p, name, 32);
	record_put_text(p, format, 40);
	buffer_commit(LEN_STATEDEF, t);
}

int32_t call_state(enum call_id id)
{
	return call_infos[id].state >= 0 ? call_infos[id].state : STATE_USER + (int32_t)id;
}

void define_call(enum call_id id)
{
	const struct call_info *c = &call_infos[id];

	preload_lock();
	if (!preload.used[id])
		log_definition(clock_now(), call_state(id), call_starts[id], c->colour, c->name, c->format);
	preload.used[id] = true;
	preload_unlock();
}

void define_known(int32_t state)
{
	bool *used = state == STATE_IRECV_WAITED ? &preload.used_waited : &preload.used_sent;

	if (*used)
		return;
	preload_lock();
	log_definition(clock_now(), state, 2 * state,
		       state == STATE_IRECV_WAITED ? COLOUR_IRECV_WAITED : COLOUR_ISEND_WAITED,
		       state == STATE_IRECV_WAITED ? NAME_IRECV_WAITED : NAME_ISEND_WAITED,
		       state == STATE_IRECV_WAITED ? FORMAT_REQUEST : "");
	*used = true;
	preload_unlock();
}

static void log_event_definition(int32_t etype, const char *name, const char *format)
{
	uint8_t *p = buffer_room(LEN_EVENTDEF);
	double t = buffer_order(clock_now());

	p = put_head(p, t, 0, preload.rank, 0, REC_EVENTDEF);
	p = put_i32(p, etype);
	p = put_i32(p, 0);
	p = record_put_text(p, COLOUR_EVENT, 24);
	p = record_put_text(p, name, 32);
	record_put_text(p, format, 40);
	buffer_commit(LEN_EVENTDEF, t);
}

static void log_constant(const char *name, int32_t value)
{
	uint8_t *p = buffer_room(LEN_CONSTDEF);
	double t = buffer_order(clock_now());

	p = put_head(p, t, 0, preload.rank, 0, REC_CONSTDEF);
	p = put_i32(p, ETYPE_CONST);
	p = put_i32(p, value);
	record_put_text(p, name, 32);
	buffer_commit(LEN_CONSTDEF, t);
}

/* In the local file, for who reads that; the merge has all processes' together. */
static void log_record_cost(void)
{
	if (!(preload.cost.low > 0))
		return;
	log_constant(NAME_COST_LOW, (int32_t)(preload.cost.low * 1e12));
	log_constant(NAME_COST_HIGH, (int32_t)(preload.cost.high * 1e12));
}

static void log_timeshift(double shift)
{
	uint8_t *p = buffer_room(LEN_TIMESHIFT);
	double t = buffer_order(clock_now());

	p = put_head(p, t, 0, preload.rank, 0, REC_TIMESHIFT);
	put_f64(p, shift);
	buffer_commit(LEN_TIMESHIFT, t);
}

static void log_solo(int32_t etype)
{
	uint8_t *p = buffer_room(LEN_BARE);
	double t = buffer_order(clock_now());

	put_bare(p, t, 0, preload.rank, self.id, etype);
	buffer_commit(LEN_BARE, t);
}

static void log_reading(void)
{
	double t = clock_now();
	double cpu = cpu_at(&self.cpu, t) - self.polled;
	uint8_t *p = buffer_room(LEN_CARGO);

	t = buffer_order(t);
	put_cargo(p, t, 0, preload.rank, self.id, ETYPE_COMPUTE, f64_bits(cpu));
	buffer_commit(LEN_CARGO, t);
}

/* Signals that end a process: what is in memory goes to the local file first. */
static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGHUP, SIGQUIT,
		SIGXCPU};
#define FATAL_SIGNALS (sizeof fatal_signals / sizeof *fatal_signals)
static struct sigaction actions_before[FATAL_SIGNALS];

static void on_fatal(int number)
{
	buffer_rescue();
	for (size_t i = 0; i < FATAL_SIGNALS; i++)
		if (fatal_signals[i] == number)
			sigaction(number, &actions_before[i], NULL);
	raise(number);
}

static void catch_signals(void)
{
	struct sigaction a;

	memset(&a, 0, sizeof a);
	a.sa_handler = on_fatal;
	sigemptyset(&a.sa_mask);
	for (size_t i = 0; i < FATAL_SIGNALS; i++) {
		struct sigaction *before = &actions_before[i];

		if (sigaction(fatal_signals[i], NULL, before) == 0 && before->sa_handler != SIG_IGN)
			sigaction(fatal_signals[i], &a, NULL);
	}
}

static void release_signals(void)
{
	for (size_t i = 0; i < FATAL_SIGNALS; i++) {
		struct sigaction now;

		if (sigaction(fatal_signals[i], NULL, &now) == 0 && now.sa_handler == on_fatal)
			sigaction(fatal_signals[i], &actions_before[i], NULL);
	}
}

/* The output: processes that MPI_Comm_spawn made are a world of their own, with another file. And the stem of all that
 * is written before the merge is done: rank 0 draws what tells it from that of any other run. */
static bool name_output(const char *path)
{
	struct { int32_t drawn, pid; char token[SETTLE_TOKEN + 2]; } first = {.pid = (int32_t)getpid()};
	size_t n = strlen(path), end = strlen(".clog2");
	MPI_Comm parent = real.comm_null;
	char world[32] = "";

	if (preload.rank == 0)
		first.drawn = settle_token(first.token);
	real.Bcast(&first, sizeof first, real.byte, 0, preload.comm);
	if (!first.drawn || n > sizeof preload.path - NAMES_ROOM) {
		if (preload.rank == 0)
			fprintf(stderr, "pas2p: %s; nothing is traced\n", first.drawn ?
				"PAS2P_TRACE is too long" : "the system has no random numbers for temporary names");
		return false;
	}
	snprintf(preload.path, sizeof preload.path, "%s", path);
	if (n > end && strcmp(path + n - end, ".clog2") == 0)
		n -= end;
	real.Comm_get_parent(&parent);
	if (parent != real.comm_null) {
		snprintf(world, sizeof world, ".spawned%d", (int)first.pid);
		snprintf(preload.path, sizeof preload.path, "%.*s%s.clog2", (int)n, path, world);
	}
	snprintf(preload.stem, sizeof preload.stem, "%.*s%s.%s", (int)n, path, world, first.token);
	if (preload.rank == 0)
		settle_look(&preload.before, preload.path);
	return true;
}

static bool start_trace(const char *path)
{
	const char *resync = getenv("PAS2P_RESYNC");

	for (int i = 0; i < CALL_COUNT; i++)
		call_starts[i] = call_infos[i].state >= 0 ? 2 * call_infos[i].state : ETYPE_USER + 2 * i;
	if (real.Comm_dup(real.world, &preload.comm) != MPI_SUCCESS)
		return false;
	if (!name_output(path))
		return false;
	if (!buffer_init(preload.stem, preload.rank, preload.size)) {
		fprintf(stderr, "pas2p: not enough memory for the trace buffer of rank %d; nothing is traced\n",
				preload.rank);
		return false;
	}
	clock_start();
	clock_of_thread = preload.threaded;
	if (!sync_start(resync ? strtod(resync, NULL) : 0)) {
		if (preload.rank == 0)
			fprintf(stderr, "pas2p: not enough memory to compare clocks; nothing is traced\n");
		return false;
	}
	node_start();
	preload.mode = PRELOAD_TRACE;
	log_timeshift(sync_shift());
	if (!comms_init())
		return false;
	if (preload.rank == 0) {
		log_constant("MPI_PROC_NULL", MPI_PROC_NULL);
		log_constant("MPI_ANY_SOURCE", MPI_ANY_SOURCE);
		log_constant("MPI_ANY_TAG", MPI_ANY_TAG);
	}
	log_event_definition(ETYPE_COMPUTE, NAME_COMPUTE, FORMAT_COMPUTE);
	log_event_definition(ETYPE_POSTED, NAME_POSTED, FORMAT_POSTED);
	log_event_definition(ETYPE_COMPLETED, NAME_COMPLETED, FORMAT_REQUEST);
	log_event_definition(ETYPE_NEIGHBOUR, NAME_NEIGHBOUR, FORMAT_NEIGHBOUR);
	log_event_definition(ETYPE_NODE, NAME_NODE, FORMAT_NODE);
	log_event_definition(ETYPE_SIZE, NAME_SIZE, FORMAT_SIZE);
	log_definition(clock_now(), STATE_SPILL, ETYPE_SPILL, COLOUR_SPILL, NAME_SPILL, "");
	if (sync_apart()) {
		log_event_definition(ETYPE_CLOCK, NAME_CLOCK, FORMAT_CLOCK);
		log_definition(clock_now(), STATE_SYNC, ETYPE_SYNC, COLOUR_SYNC, NAME_SYNC, "");
	}
	log_solo(ETYPE_COMM_INIT);
	node_log_start();
	sync_log_first();
	preload.cost = record_cost_measure();
	log_record_cost();
	catch_signals();
	preload.recording = true;
	log_reading();
	return true;
}

/* What user states are wanted: "regions,functions=SECONDS", either or both. */
static void start_states(void)
{
	const char *wanted = getenv("PAS2P_STATES");

	while (wanted && *wanted) {
		if (strncmp(wanted, "functions=", 10) == 0) {
			preload.functions = true;
			functions_start(strtod(wanted + 10, NULL));
		}
		preload.regions = preload.regions || strncmp(wanted, "regions", 7) == 0;
		wanted += strcspn(wanted, ",");
		wanted += *wanted == ',';
	}
}

/* MPI_Init has returned. */
static void started(void)
{
	const char *path = getenv("PAS2P_TRACE");
	int provided = MPI_THREAD_SINGLE;

	real.Query_thread(&provided);
	preload.threaded = provided == MPI_THREAD_MULTIPLE;
	real.Comm_rank(real.world, &preload.rank);
	real.Comm_size(real.world, &preload.size);
	thread_start();
	if (control_active()) {
		comms_init();
		preload.mode = PRELOAD_CONTROL;
		control_init(preload.rank, preload.size);
	} else if (path && *path) {
		if (start_trace(path)) {
			start_states();
		} else {
			preload.mode = PRELOAD_OFF;
			buffer_release(false);
		}
	}
}

/* It may not return from MPI_Init. */
static void mark_called(void)
{
	const char *path = getenv(MARK_LOADED_ENVIRONMENT);
	int fd = path && *path ? open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	while (write(fd, ".", 1) < 0 && errno == EINTR)
		;
	close(fd);
}

#ifdef OPEN_MPI
#define OWN_MPI "Open MPI"
#define OTHER_MPI "MPICH"
#define OTHER_NAME "mpich"
#else
#define OWN_MPI "MPICH"
#define OTHER_MPI "Open MPI"
#define OTHER_NAME "openmpi"
#endif

/* NULL: in no process that a launcher calls a rank. */
static const char *launcher_rank(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
	const char *rank = NULL;

	for (size_t i = 0; !rank && i < sizeof names / sizeof *names; i++)
		rank = getenv(names[i]);
	return rank;
}

/* A program of another MPI than the launcher's gets this library, whose handles are not its own: it would crash in here. */
static void refuse_other_mpi(void)
{
	const char *rank = launcher_rank();
	char version[8192]; /* MPICH's largest; Open MPI's is shorter */
	int length = 0;

	if (!real.Get_library_version || real.Get_library_version(version, &length) != MPI_SUCCESS || strstr(version, OWN_MPI) ||
	    !strstr(version, OTHER_MPI))
		return;
	if (!rank || strcmp(rank, "0") == 0)
		fprintf(stderr, "pas2p: the program uses " OTHER_MPI ", but the launcher or --mpi says " OWN_MPI "\n"
				"hint: start the program with the launcher of " OTHER_MPI "; if it is srun, give pas2p --mpi " OTHER_NAME "\n");
	_exit(1);
}

/* Before the library's own MPI_Init; of nested calls only the outermost one does it. */
static void before_init(void)
{
	real_find();
	if (self.depth++ > 0)
		return;
	mark_called();
	refuse_other_mpi();
}

EXPORT int MPI_Init(int *argc, char ***argv)
{
	int rc;

	before_init();
	rc = real.Init(argc, argv);
	if (rc == MPI_SUCCESS && self.depth == 1)
		started();
	self.depth--;
	return rc;
}
EXPORT int PMPI_Init(int *argc, char ***argv) __attribute__((alias("MPI_Init")));

EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	int rc;

	before_init();
	rc = real.Init_thread(argc, argv, required, provided);
	if (rc == MPI_SUCCESS && self.depth == 1)
		started();
	self.depth--;
	return rc;
}
EXPORT int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
	__attribute__((alias("MPI_Init_thread")));

/* Records off and on. The time between is one state, so that its calls are not taken for computing. */
static void switch_records(bool on)
{
	double t;

	if (preload.mode != PRELOAD_TRACE || on == preload.recording)
		return;
	if (!preload.used[CALL_Pcontrol])
		define_call(CALL_Pcontrol);
	preload_lock();
	if (!on) {
		functions_settle();
		preload.recording = false;
		off_thread = self.id;
		log_reading();
	}
	t = buffer_order(clock_now());
	put_bare(buffer_room(LEN_BARE), t, 0, preload.rank, off_thread, call_starts[CALL_Pcontrol] + on);
	buffer_commit(LEN_BARE, t);
	if (on) {
		log_reading();
		preload.recording = true;
	}
	preload_unlock();
}

/* Regions as IPM has them: MPI_Pcontrol(1, "name") begins one, MPI_Pcontrol(-1, "name") ends it. Only if asked for:
 * nothing tells that from the plain MPI_Pcontrol(1), which passes no name. */
EXPORT int MPI_Pcontrol(const int level, ...)
{
	va_list more;

	if (self.depth != 0)
		return MPI_SUCCESS;
	if (!preload.regions || level >= 0)
		switch_records(level != 0);
	if (preload.regions && preload.mode == PRELOAD_TRACE && (level == 1 || level == -1)) {
		va_start(more, level);
		if (level == 1)
			region_begin(va_arg(more, const char *));
		else
			region_end(va_arg(more, const char *));
		va_end(more);
	}
	return MPI_SUCCESS;
}
EXPORT int PMPI_Pcontrol(const int level, ...) __attribute__((alias("MPI_Pcontrol")));

static void finish_trace(void)
{
	bool merged;

	if (preload.functions) {
		struct functions_dropped d = functions_finish();

		preload.dropped_calls = d.calls;
		preload.dropped_functions = d.functions;
		if (preload.rank == 0 && !functions_called())
			fprintf(stderr, "pas2p: --functions: the program does not report its functions: compile it "
				"with -finstrument-functions\n");
		if (preload.rank == 0 && symbols_stripped())
			fprintf(stderr, "pas2p: --functions: the trace has addresses instead of names for functions of "
				"%s, because it is stripped: link it without -s\n", symbols_stripped());
	}
	regions_finish();
	if (preload.recording) {
		log_reading();
		preload.recording = false;
	} else {
		double t = buffer_order(clock_now());

		put_bare(buffer_room(LEN_BARE), t, 0, preload.rank, off_thread, call_starts[CALL_Pcontrol] + 1);
		buffer_commit(LEN_BARE, t);
	}
	node_log_end();
	log_solo(ETYPE_COMM_FINAL); /* the program's work ends here: what follows is the tracer's own */
	sync_finish();
	release_signals();
	merged = merge_all();
	buffer_release(!merged || getenv("PAS2P_KEEP_LOCAL"));
	real.Comm_free(&preload.comm);
}

EXPORT int MPI_Finalize(void)
{
	int rc;

	self.depth++;
	if (self.depth == 1 && preload.mode == PRELOAD_TRACE)
		finish_trace();
	else if (self.depth == 1 && preload.mode == PRELOAD_CONTROL)
		control_finalize();
	preload.mode = PRELOAD_OFF;
	rc = real.Finalize();
	self.depth--;
	return rc;
}
EXPORT int PMPI_Finalize(void) __attribute__((alias("MPI_Finalize")));

EXPORT int MPI_Abort(MPI_Comm comm, int code)
{
	if (preload.mode == PRELOAD_TRACE)
		buffer_rescue();
	self.depth++;
	code = real.Abort(comm, code);
	self.depth--;
	return code;
}
EXPORT int PMPI_Abort(MPI_Comm comm, int code) __attribute__((alias("MPI_Abort")));

/* In a process that the launcher says is a rank: the launcher itself and its helpers load this library too. */
__attribute__((constructor)) static void mark_loaded(void)
{
	const char *path = getenv(MARK_LOADED_ENVIRONMENT);
	int fd;

	if (!path || !*path || !launcher_rank())
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd >= 0)
		close(fd);
}

/* exit() without MPI_Finalize. */
__attribute__((destructor)) static void at_exit(void)
{
	if (preload.mode == PRELOAD_TRACE)
		buffer_rescue();
}
