/*
 * In a round each lane is a task of the thread pool, while the caller loops over the chunks that the lanes
 * fill. Rings are released when all lanes are done, because each lane looks for state records in the rings of
 * the others.
 */
#include "record/drain_team.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/thread_pool.h"
#include "base/xalloc.h"

enum {
	CHUNK_BYTES = 256 * 1024,
	CHUNKS_OF_A_LANE = 2, /* one is filled while the other is written */
};

struct chunk {
	struct strbuf bytes;
	struct chunk *next;
};

struct member {
	struct drain_team *team;
	size_t number;
	struct ring_lane *lane;
	struct chunk *filling; /* NULL: none yet */
	int result;            /* of the current round */
	struct error err;
};

struct drain_team {
	const struct lane_surroundings *surroundings;
	const struct drain_plan *plan;
	struct thread_pool *pool;
	struct member *members;
	struct chunk *chunks;
	const struct ring_spans *round; /* the one being read */

	pthread_mutex_t lock; /* protects the members below */
	pthread_cond_t filled_one, freed_one;
	struct chunk *free_chunks;
	struct chunk *filled, **filled_end; /* in the order in which they were filled */
	size_t at_work;                     /* members that have not finished the round */
};

struct drain_team *drain_team_create(const struct lane_surroundings *surroundings,
				     const struct drain_plan *plan, struct evidence *const *evidences)
{
	struct drain_team *team = xcalloc(1, sizeof(*team));

	team->surroundings = surroundings;
	team->plan = plan;
	team->members = xcalloc(plan->lane_count, sizeof(*team->members));
	team->chunks = xcalloc(plan->lane_count * CHUNKS_OF_A_LANE, sizeof(*team->chunks));
	for (size_t i = 0; i < plan->lane_count * CHUNKS_OF_A_LANE; i++) {
		strbuf_init(&team->chunks[i].bytes);
		team->chunks[i].next = team->free_chunks;
		team->free_chunks = &team->chunks[i];
	}
	for (size_t i = 0; i < plan->lane_count; i++)
		team->members[i] = (struct member){
			.team = team,
			.number = i,
			.lane = ring_lane_create(surroundings, evidences ? evidences[i] : NULL),
		};
	team->filled_end = &team->filled;
	pthread_mutex_init(&team->lock, NULL);
	pthread_cond_init(&team->filled_one, NULL);
	pthread_cond_init(&team->freed_one, NULL);
	team->pool = thread_pool_create(plan->lane_count);
	if (thread_pool_threads(team->pool))
		return team;
	drain_team_destroy(team);
	return NULL;
}

void drain_team_destroy(struct drain_team *team)
{
	if (!team)
		return;
	thread_pool_destroy(team->pool);
	for (size_t i = 0; i < team->plan->lane_count; i++)
		ring_lane_destroy(team->members[i].lane);
	for (size_t i = 0; i < team->plan->lane_count * CHUNKS_OF_A_LANE; i++)
		strbuf_fini(&team->chunks[i].bytes);
	pthread_cond_destroy(&team->filled_one);
	pthread_cond_destroy(&team->freed_one);
	pthread_mutex_destroy(&team->lock);
	free(team->members);
	free(team->chunks);
	free(team);
}

struct lane_counts drain_team_take_counts(struct drain_team *team, size_t lane)
{
	return ring_lane_take_counts(team->members[lane].lane);
}

/* --- on a lane's thread ----------------------------------------------------------------- */

static struct chunk *take_free_chunk(struct drain_team *team)
{
	struct chunk *chunk;

	pthread_mutex_lock(&team->lock);
	while (!team->free_chunks)
		pthread_cond_wait(&team->freed_one, &team->lock);
	chunk = team->free_chunks;
	team->free_chunks = chunk->next;
	pthread_mutex_unlock(&team->lock);
	return chunk;
}

static void hand_over(struct member *member)
{
	struct drain_team *team = member->team;

	pthread_mutex_lock(&team->lock);
	member->filling->next = NULL;
	*team->filled_end = member->filling;
	team->filled_end = &member->filling->next;
	member->filling = NULL;
	pthread_cond_signal(&team->filled_one);
	pthread_mutex_unlock(&team->lock);
}

static int add_to_chunk(void *context, const uint8_t *records, size_t size, struct error *err)
{
	struct member *member = context;

	(void)err;
	if (!member->filling)
		member->filling = take_free_chunk(member->team);
	strbuf_add(&member->filling->bytes, records, size);
	if (member->filling->bytes.size >= CHUNK_BYTES)
		hand_over(member);
	return 0;
}

/* The pool runs a task on any of its threads, so each task moves its thread to the lane's CPUs. */
static void move_near(const cpu_set_t *cpus)
{
	const int cpu = sched_getcpu();

	/* If those CPUs are offline or forbidden, the thread stays on its CPU. */
	if (cpu < 0 || cpu >= CPU_SETSIZE || !CPU_ISSET((size_t)cpu, cpus))
		(void)sched_setaffinity(0, sizeof(*cpus), cpus);
}

static void read_rings(void *context)
{
	struct member *member = context;
	struct drain_team *team = member->team;
	const struct lane_sink sink = { add_to_chunk, member };

	move_near(&team->plan->cpus[member->number]);
	ring_lane_note(member->lane);
	for (size_t i = 0; i < team->surroundings->ring_count && member->result == 0; i++)
		if (team->plan->lane_of_ring[i] == member->number)
			member->result =
				ring_lane_drain(member->lane, i, &team->round[i], false, &sink, &member->err);
	if (member->filling)
		hand_over(member);
	pthread_mutex_lock(&team->lock);
	team->at_work--;
	pthread_cond_signal(&team->filled_one);
	pthread_mutex_unlock(&team->lock);
}

/* --- on the caller's thread ------------------------------------------------------------- */

/* NULL if all lanes are done and all their chunks have been taken. */
static struct chunk *take_filled_chunk(struct drain_team *team)
{
	struct chunk *chunk;

	pthread_mutex_lock(&team->lock);
	while (!team->filled && team->at_work)
		pthread_cond_wait(&team->filled_one, &team->lock);
	chunk = team->filled;
	if (chunk)
		team->filled = chunk->next;
	if (!team->filled)
		team->filled_end = &team->filled;
	pthread_mutex_unlock(&team->lock);
	return chunk;
}

static void give_back(struct drain_team *team, struct chunk *chunk)
{
	strbuf_reset(&chunk->bytes);
	pthread_mutex_lock(&team->lock);
	chunk->next = team->free_chunks;
	team->free_chunks = chunk;
	pthread_cond_signal(&team->freed_one);
	pthread_mutex_unlock(&team->lock);
}

static void release_rings(const struct drain_team *team)
{
	for (size_t i = 0; i < team->surroundings->ring_count; i++)
		if (team->round[i].first_size)
			ring_buffer_release(&team->surroundings->rings[i], team->round[i].head);
}

int drain_team_round(struct drain_team *team, const struct ring_spans *round, enum lane_pressure pressure,
		     const struct lane_sink *sink, struct error *err)
{
	struct chunk *chunk;
	int result = 0;

	team->round = round;
	team->at_work = team->plan->lane_count;
	for (size_t i = 0; i < team->plan->lane_count; i++) {
		team->members[i].result = 0;
		ring_lane_set_pressure(team->members[i].lane, pressure);
	}
	for (size_t i = 0; i < team->plan->lane_count; i++)
		thread_pool_submit(team->pool, read_rings, &team->members[i]);
	while ((chunk = take_filled_chunk(team))) {
		if (result == 0)
			result = sink->take(sink->context, (const uint8_t *)chunk->bytes.bytes,
					    chunk->bytes.size, err);
		give_back(team, chunk);
	}
	thread_pool_wait(team->pool);
	release_rings(team);
	for (size_t i = 0; i < team->plan->lane_count && result == 0; i++)
		if (team->members[i].result < 0) {
			*err = team->members[i].err;
			result = -1;
		}
	return result;
}
