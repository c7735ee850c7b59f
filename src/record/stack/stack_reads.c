/* Reads of the stacks of living threads, before and after their samples, see stack_reads.h. */

#include "record/stack/stack_reads.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/xalloc.h"
#include "record/stack/process_memory.h"

enum {
	MAX_THREADS = 64,  /* read in each round, at most; with three reads each that is 48 MB */
	PATIENCE_MS = 250, /* after the last sample that needed the reads */
	NS_PER_MS = 1000000,
	WORD_BYTES = 8,
	WINDOW_ROUNDS = 32, /* the needs of samples are remembered for this window and the previous one */
};

struct memory_read {
	uint64_t address;
	size_t size, asked; /* smaller than asked if the memory ended there */
	uint8_t *bytes;
	size_t capacity;
	uint8_t *ages; /* of each word: number of consecutive earlier reads with the same value; unused in `after` */
	size_t age_capacity;
	uint64_t round; /* 0: never */
};

/* Addresses that samples needed. */
struct need {
	uint64_t low, high;
};

struct thread_reads {
	uint32_t pid, tid;
	uint64_t needed_ns;    /* when a sample last needed a read, or the thread was first seen */
	struct need now, last; /* of this window and the previous one */
	struct memory_read before, next, after; /* `next` becomes `before` when the next round begins */
};

struct stack_reads {
	struct thread_reads threads[MAX_THREADS];
	size_t count;
	uint64_t round, now_ns;
	uint64_t until_ns; /* reads go on until then: PATIENCE_MS after the last sample that needed one, or after the start */
};

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct stack_reads *stack_reads_create(void)
{
	struct stack_reads *reads = xcalloc(1, sizeof(*reads));

	reads->now_ns = clock_ns();
	reads->until_ns = reads->now_ns + (uint64_t)PATIENCE_MS * NS_PER_MS;
	return reads;
}

static void forget(struct thread_reads *thread)
{
	free(thread->before.bytes);
	free(thread->before.ages);
	free(thread->next.bytes);
	free(thread->next.ages);
	free(thread->after.bytes);
}

void stack_reads_destroy(struct stack_reads *reads)
{
	if (!reads)
		return;
	for (size_t i = 0; i < reads->count; i++)
		forget(&reads->threads[i]);
	free(reads);
}

/* --- reading ------------------------------------------------------------------------ */

static void widen(struct need *need, uint64_t low, uint64_t high)
{
	if (!need->high || low < need->low)
		need->low = low;
	if (high > need->high)
		need->high = high;
}

static struct need need_of(const struct thread_reads *thread)
{
	struct need need = thread->now;

	if (thread->last.high)
		widen(&need, thread->last.low, thread->last.high);
	return need;
}

static void read_now(struct stack_reads *reads, const struct thread_reads *thread, struct need need,
		     struct memory_read *read)
{
	const size_t size = need.high - need.low < PROCESS_MEMORY_MAX_BYTES ? (size_t)(need.high - need.low) :
									      PROCESS_MEMORY_MAX_BYTES;

	/* If the need is too large, read its outer part, which all stacks of the thread have in common. */
	read->address = need.high - size;
	read->asked = size;
	read->bytes = array_grow(read->bytes, &read->capacity, size, 1);
	read->size = process_memory_read(thread->tid, read->address, read->bytes, size);
	read->round = reads->round;
}

/* Counts for each word how long it has had its value, from the previous read. */
static void age(struct memory_read *read, const struct memory_read *last)
{
	const size_t words = read->size / WORD_BYTES;

	read->ages = array_grow(read->ages, &read->age_capacity, words + 1, 1);
	for (size_t i = 0; i < words; i++) {
		const uint64_t offset = read->address + i * WORD_BYTES - last->address;
		const bool same = last->round && offset < last->size && last->size - offset >= WORD_BYTES &&
				  memcmp(read->bytes + i * WORD_BYTES, last->bytes + offset, WORD_BYTES) == 0;
		const uint8_t before = same ? last->ages[offset / WORD_BYTES] : 0;

		read->ages[i] = (uint8_t)(same && before < UINT8_MAX ? before + 1 : before);
	}
}

static bool covers(const struct memory_read *read, uint64_t from, uint64_t to)
{
	return read->address <= from && (read->address + read->size >= to ||
					 (read->size < read->asked && read->address + read->asked >= to));
}

/* --- rounds --------------------------------------------------------------------------- */

static void begin_thread(struct stack_reads *reads, struct thread_reads *thread)
{
	const struct memory_read before = thread->before; /* its buffers are reused */

	thread->before = thread->next;
	thread->next = before;
	if (reads->round % WINDOW_ROUNDS == 0 && thread->now.high) {
		thread->last = thread->now;
		thread->now = (struct need){ .high = 0 };
	}
	thread->next.round = 0;
	if (!need_of(thread).high)
		return;
	read_now(reads, thread, need_of(thread), &thread->next);
	age(&thread->next, &thread->before);
}

void stack_reads_begin_round(struct stack_reads *reads)
{
	size_t kept = 0;

	reads->round++;
	reads->now_ns = clock_ns();
	for (size_t i = 0; i < reads->count; i++) {
		struct thread_reads *thread = &reads->threads[i];

		if (reads->now_ns > thread->needed_ns + (uint64_t)PATIENCE_MS * NS_PER_MS) {
			forget(thread);
			continue;
		}
		begin_thread(reads, thread);
		if (kept++ != i)
			reads->threads[kept - 1] = *thread;
	}
	reads->count = kept;
}

bool stack_reads_are_going_on(const struct stack_reads *reads)
{
	return reads->now_ns < reads->until_ns;
}

/* --- a sample ---------------------------------------------------------------------------- */

static struct thread_reads *find_or_add(struct stack_reads *reads, uint32_t pid, uint32_t tid)
{
	for (size_t i = 0; i < reads->count; i++)
		if (reads->threads[i].tid == tid && reads->threads[i].pid == pid)
			return &reads->threads[i];
	if (reads->count == MAX_THREADS)
		return NULL;
	reads->threads[reads->count] =
		(struct thread_reads){ .pid = pid, .tid = tid, .needed_ns = reads->now_ns };
	return &reads->threads[reads->count++];
}

/* The part of a read that begins at an address. */
static struct stack_memory part_from(const struct memory_read *read, uint64_t from)
{
	if (!read->round || from < read->address || from >= read->address + read->size)
		return (struct stack_memory){ .address = from };
	return (struct stack_memory){ .bytes = read->bytes + (from - read->address),
				      .size = (size_t)(read->address + read->size - from),
				      .address = from };
}

bool stack_reads_bracket(struct stack_reads *reads, uint32_t pid, uint32_t tid, uint64_t from, size_t size,
			 struct stack_bracket *bracket)
{
	struct thread_reads *thread = find_or_add(reads, pid, tid);
	struct need need;

	if (!thread)
		return false;
	need = need_of(thread);
	widen(&need, from, from + size);
	if (thread->after.round != reads->round || !covers(&thread->after, from, from + size))
		read_now(reads, thread, need, &thread->after);
	*bracket = (struct stack_bracket){ .before = part_from(&thread->before, from),
					   .after = part_from(&thread->after, from) };
	if (bracket->before.size)
		bracket->ages = thread->before.ages + (from - thread->before.address) / WORD_BYTES;
	bracket->ended = thread->after.size < thread->after.asked;
	return thread->after.size > 0;
}

void stack_reads_need(struct stack_reads *reads, uint32_t pid, uint32_t tid, uint64_t from, uint64_t to)
{
	struct thread_reads *thread = find_or_add(reads, pid, tid);

	if (!thread)
		return;
	thread->needed_ns = reads->now_ns;
	reads->until_ns = reads->now_ns + (uint64_t)PATIENCE_MS * NS_PER_MS;
	widen(&thread->now, from, to);
}
