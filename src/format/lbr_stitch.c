/*
 * Keeps, for each thread, the branch entries of its last sample and the outer calls that were appended to them. The CPU
 * uses its registers in turn, so the distance between two of them, modulo their number, tells how many entries of the last
 * sample are newer than the outermost one of this sample.
 */
#include "format/lbr_stitch.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "format/pmu_cap.h"

enum {
	ENTRY_WORDS = 3,
	CALLS_MAX = 1024, /* besides the sample's own; limits a thread that is never sampled at its start */
	REGISTERS_MAX = 4096,
};

struct thread_calls {
	uint32_t tid;
	uint64_t *entries; /* of the last sample, ENTRY_WORDS each, the latest first */
	size_t entry_count;
	uint64_t hw_index;
	uint64_t *calls; /* calls outside of `entries` */
	size_t call_count;
};

struct lbr_stitch {
	size_t registers;
	struct thread_calls *threads;
	size_t thread_count, thread_capacity;
	struct hash_table by_tid;
};

struct lbr_stitch *lbr_stitch_create(size_t registers)
{
	struct lbr_stitch *stitch = xcalloc(1, sizeof(*stitch));

	stitch->registers = registers < REGISTERS_MAX ? registers : REGISTERS_MAX;
	return stitch;
}

void lbr_stitch_destroy(struct lbr_stitch *stitch)
{
	if (!stitch)
		return;
	for (size_t i = 0; i < stitch->thread_count; i++) {
		free(stitch->threads[i].entries);
		free(stitch->threads[i].calls);
	}
	free(stitch->threads);
	hash_table_fini(&stitch->by_tid);
	free(stitch);
}

static bool is_thread(const void *items, uint32_t item, const void *key)
{
	return ((const struct thread_calls *)items)[item].tid == *(const uint32_t *)key;
}

static struct thread_calls *find_thread(struct lbr_stitch *stitch, uint32_t tid)
{
	const uint64_t hash = hash_u64(tid);
	uint32_t item = hash_table_find(&stitch->by_tid, hash, is_thread, stitch->threads, &tid);

	if (item == HASH_TABLE_NONE) {
		item = (uint32_t)stitch->thread_count++;
		stitch->threads = array_grow(stitch->threads, &stitch->thread_capacity, stitch->thread_count,
					     sizeof(*stitch->threads));
		stitch->threads[item] =
			(struct thread_calls){ .tid = tid,
					       .entries = xcalloc(stitch->registers * ENTRY_WORDS,
								  sizeof(uint64_t)),
					       .calls = xcalloc(CALLS_MAX, sizeof(uint64_t)) };
		hash_table_insert(&stitch->by_tid, hash, item);
	}
	return &stitch->threads[item];
}

static bool is_same_entry(const struct thread_calls *thread, size_t number, const struct sample *sample,
			  size_t entry)
{
	for (size_t word = 0; word < ENTRY_WORDS; word++)
		if (thread->entries[number * ENTRY_WORDS + word] !=
		    sample_word(sample, sample->branches, entry * ENTRY_WORDS + word))
			return false;
	return true;
}

/*
 * Finds the entry of the last sample that is in the same register as the outermost one of this sample, and equal to it;
 * entry_count if there is none.
 */
static size_t find_entry(const struct lbr_stitch *stitch, const struct thread_calls *thread,
			 const struct sample *sample)
{
	const uint64_t registers = stitch->registers;
	const uint64_t outermost =
		(sample->branch_hw_index + registers - (sample->branch_count - 1)) % registers;
	const size_t number = (size_t)((thread->hw_index + registers - outermost) % registers);

	return number < thread->entry_count &&
			       is_same_entry(thread, number, sample, sample->branch_count - 1) ?
		       number :
		       thread->entry_count;
}

/* Calls outside that entry are now outside this sample's calls: keeps them. */
static void take_over(struct thread_calls *thread, size_t entry)
{
	const size_t older = thread->entry_count - entry - 1;
	size_t kept = thread->call_count;

	if (older + kept > CALLS_MAX)
		kept = CALLS_MAX > older ? CALLS_MAX - older : 0;
	memmove(thread->calls + older, thread->calls, kept * sizeof(*thread->calls));
	for (size_t i = 0; i < older; i++)
		thread->calls[i] = thread->entries[(entry + 1 + i) * ENTRY_WORDS];
	thread->call_count = older + kept;
}

size_t lbr_stitch_add(struct lbr_stitch *stitch, const struct sample *sample, const uint64_t **calls)
{
	struct thread_calls *thread = find_thread(stitch, sample->tid);
	size_t entry = thread->entry_count;

	*calls = thread->calls;
	if (sample->branch_hw_index >= stitch->registers || !sample->branch_count ||
	    sample->branch_count > stitch->registers) {
		thread->entry_count = thread->call_count = 0;
		return 0;
	}
	if (thread->entry_count)
		entry = find_entry(stitch, thread, sample);
	if (entry < thread->entry_count)
		take_over(thread, entry);
	else
		thread->call_count = 0;
	for (size_t i = 0; i < sample->branch_count * ENTRY_WORDS; i++)
		thread->entries[i] = sample_word(sample, sample->branches, i);
	thread->entry_count = sample->branch_count;
	thread->hw_index = sample->branch_hw_index;
	return thread->call_count;
}

size_t lbr_stitch_registers(struct byte_reader cpu_caps, struct byte_reader pmu_caps)
{
	return pmu_cap_number(cpu_caps, pmu_caps, "branches");
}
