/* Pairs copies of stacks with samples, see stack_copies.h. */

#include "record/bpf/stack_copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum { WAIT_FOR_SAMPLE_NS = 100 * 1000 * 1000 };

struct entry {
	struct copy_ring *ring;
	uint64_t position, next; /* in the ring */
	uint64_t seen_ns;        /* when it was first looked at */
	uint64_t time, end_time; /* if end_time is 0, time is the sample's */
	uint64_t sp;
	uint32_t tid;
	bool busy; /* the program had not finished it at the last look */
	bool done; /* its sample has been found, or it is not a copy */
};

struct stack_copies {
	struct copy_ring *ring; /* the one that receives new copies */
	struct entry *entries;  /* all records that are not released, in order */
	size_t count, capacity;
	struct hash_table index; /* of entries that are not busy */
	uint64_t seen;           /* records before this position of the ring have an entry */
	bool by_clock;           /* copies do not have their samples' times */
	uint64_t now_ns;         /* of this round */
};

struct stack_copies *stack_copies_create(struct copy_ring *ring)
{
	struct stack_copies *copies = xcalloc(1, sizeof(*copies));

	copies->ring = ring;
	copies->seen = copy_ring_begin(ring);
	return copies;
}

void stack_copies_destroy(struct stack_copies *copies)
{
	if (!copies)
		return;
	hash_table_fini(&copies->index);
	free(copies->entries);
	free(copies);
}

/* --- records in the ring ---------------------------------------------------------- */

static uint64_t key_hash(uint32_t tid, uint64_t time)
{
	return hash_combine(hash_u64(tid), time);
}

static bool is_of_key(const void *items, uint32_t item, const void *key)
{
	const struct entry *entry = (const struct entry *)items + item;
	const struct stack_copy_key *wanted = key;

	return entry->tid == wanted->tid && entry->time == wanted->time;
}

/* xprof's BPF program wrote the record, with correct sizes. A wrong size must not read anything outside. */
static bool is_whole(const struct stack_copy_record *header, size_t size)
{
	const size_t stack = ((size_t)header->stack.size + 7) & ~(size_t)7;

	return stack <= size - sizeof(*header) && header->outer.size <= size - sizeof(*header) - stack;
}

static void settle(struct stack_copies *copies, uint32_t number)
{
	struct entry *entry = &copies->entries[number];
	const struct copy_ring_record record = copy_ring_read(entry->ring, entry->position);
	struct stack_copy_record header;

	entry->busy = record.state == COPY_RING_BUSY;
	if (entry->busy)
		return;
	entry->done = record.state == COPY_RING_DISCARDED || record.size < sizeof(header);
	if (entry->done)
		return;
	memcpy(&header, record.bytes, sizeof(header));
	entry->done = !is_whole(&header, record.size);
	entry->tid = header.tid;
	entry->time = header.time;
	entry->end_time = header.end_time;
	entry->sp = header.stack.address + STACK_COPY_RED_ZONE;
	copies->by_clock |= !entry->done && entry->end_time;
	if (!entry->done && !entry->end_time)
		hash_table_insert(&copies->index, key_hash(entry->tid, entry->time), number);
}

static void take_new(struct stack_copies *copies, uint64_t now_ns)
{
	const uint64_t end = copy_ring_end(copies->ring);

	while (copies->seen < end) {
		const uint64_t next = copy_ring_read(copies->ring, copies->seen).next;

		*ARRAY_ADD(copies->entries, copies->count, copies->capacity) = (struct entry){
			.ring = copies->ring, .position = copies->seen, .next = next, .seen_ns = now_ns
		};
		settle(copies, (uint32_t)copies->count - 1);
		copies->seen = next;
	}
}

void stack_copies_begin_round(struct stack_copies *copies, uint64_t now_ns)
{
	copies->now_ns = now_ns;
	for (size_t i = 0; i < copies->count; i++)
		if (copies->entries[i].busy)
			settle(copies, (uint32_t)i);
	take_new(copies, now_ns);
}

uint64_t stack_copies_look(struct stack_copies *copies, uint64_t now_ns)
{
	uint64_t bytes = 0;

	take_new(copies, now_ns);
	for (size_t i = 0; i < copies->count; i++)
		bytes += copies->entries[i].next - copies->entries[i].position;
	return copies->count ? bytes / copies->count : 0;
}

void stack_copies_change_ring(struct stack_copies *copies, struct copy_ring *ring, uint64_t now_ns)
{
	take_new(copies, now_ns);
	copies->ring = ring;
	copies->seen = copy_ring_begin(ring);
}

bool stack_copies_use(const struct stack_copies *copies, const struct copy_ring *ring)
{
	return copies->ring == ring || (copies->count && copies->entries[0].ring == ring);
}

/* --- the copy for a sample ------------------------------------------------------------- */

/* The only copy that was made around this time. HASH_TABLE_NONE if there is none, or more than one. */
static uint32_t find_by_clock(const struct stack_copies *copies, const struct stack_copy_key *key)
{
	/*
	 * The kernel reads the clock up to 4 us before the program begins, or (before 6.3) after it has ended. The rest allows
	 * for interruptions in between: a virtual machine may lose its CPU.
	 */
	enum { SLACK_NS = 50000 };
	uint32_t found = HASH_TABLE_NONE;

	for (size_t i = 0; i < copies->count; i++) {
		const struct entry *entry = &copies->entries[i];

		if (entry->busy || !entry->end_time || entry->tid != key->tid ||
		    key->time + SLACK_NS < entry->time || key->time > entry->end_time + SLACK_NS)
			continue;
		if (found != HASH_TABLE_NONE)
			return HASH_TABLE_NONE;
		found = (uint32_t)i;
	}
	if (found == HASH_TABLE_NONE || copies->entries[found].done || copies->entries[found].sp != key->sp)
		return HASH_TABLE_NONE;
	return found;
}

/*
 * Another CPU wrote the copy a while ago. Unwinding reads it from the inside out. Without this it would wait for each frame's
 * words, which tell where the next ones are.
 */
static void prefetch(const uint8_t *bytes, size_t size)
{
	enum { CACHE_LINE_BYTES = 64, MOST_BYTES = 64 << 10 };

	for (size_t at = 0; at < size && at < MOST_BYTES; at += CACHE_LINE_BYTES)
		__builtin_prefetch(bytes + at);
}

bool stack_copies_find(struct stack_copies *copies, const struct stack_copy_key *key, struct stack_copy *copy)
{
	const uint32_t number = copies->by_clock ?
					find_by_clock(copies, key) :
					hash_table_find(&copies->index, key_hash(key->tid, key->time),
							is_of_key, copies->entries, key);
	struct stack_copy_record header;
	const uint8_t *bytes;

	if (number == HASH_TABLE_NONE)
		return false;
	copies->entries[number].done = true;
	bytes = copy_ring_read(copies->entries[number].ring, copies->entries[number].position).bytes;
	memcpy(&header, bytes, sizeof(header));
	*copy = (struct stack_copy){ .stack = header.stack,
				     .outer = header.outer,
				     .stack_bytes = bytes + sizeof(header) };
	copy->outer_bytes = copy->stack_bytes + ((header.stack.size + 7) & ~7u);
	prefetch(copy->stack_bytes, header.stack.size);
	return true;
}

/* --- the end of a round --------------------------------------------------------------- */

static void forget_first(struct stack_copies *copies, size_t count)
{
	copies->count -= count;
	memmove(copies->entries, copies->entries + count, copies->count * sizeof(*copies->entries));
	hash_table_clear(&copies->index);
	for (size_t i = 0; i < copies->count; i++)
		if (!copies->entries[i].busy && !copies->entries[i].done && !copies->entries[i].end_time)
			hash_table_insert(&copies->index,
					  key_hash(copies->entries[i].tid, copies->entries[i].time),
					  (uint32_t)i);
}

/*
 * Whether the sample is no longer expected. A sample follows its copy within microseconds if its CPU runs, but a virtual machine
 * may lose the CPU in between, for several rounds. A ring that fills up cannot wait for that.
 */
static bool is_given_up(const struct stack_copies *copies, const struct entry *entry)
{
	const bool is_pressed = copies->seen - copy_ring_begin(copies->ring) > copies->ring->size_bytes / 2;

	return entry->seen_ns != copies->now_ns &&
	       (is_pressed || copies->now_ns - entry->seen_ns >= WAIT_FOR_SAMPLE_NS);
}

void stack_copies_end_round(struct stack_copies *copies)
{
	size_t over = 0;

	while (over < copies->count && !copies->entries[over].busy &&
	       (copies->entries[over].done || is_given_up(copies, &copies->entries[over]))) {
		copy_ring_release(copies->entries[over].ring, copies->entries[over].next);
		over++;
	}
	if (over)
		forget_first(copies, over);
}
