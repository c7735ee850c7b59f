#ifndef XPROF_PROFILE_PROFILE_H
#define XPROF_PROFILE_PROFILE_H

/*
 * The one model every view is drawn from: interned strings, DSOs, functions,
 * locations, stacks (a prefix tree, root first), threads, events, and weighted
 * samples. Equal samples (same event, thread, cpu, cgroup, keys and stack) are one entry that
 * adds up, so memory is bounded by what is distinct, not by the recording's
 * length. Numbers are dense, start at 0, and index the arrays below directly;
 * NONE stands for "no such thing".
 *
 * The profile knows nothing of perf.data, ELF or processes: it can be filled
 * from folded text just as well.
 *
 *     dso = profile_dso(profile, "libc.so.6", "/usr/lib/libc.so.6", "");
 *     location = profile_location(profile, dso, 0x1f40, FRAME_USER);
 *     sample.stack = profile_stack(profile, caller, location, FRAME_CFI);
 *     profile_add(profile, &sample);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/stack_node.h"

struct profile_dso {
	uint32_t name;     /* string: short, as perf's DSO column */
	uint32_t path;     /* string */
	uint32_t build_id; /* string, hexadecimal; empty when unknown */
	bool is_jit;       /* code that a JIT compiler made: views mark it */
};

struct profile_function {
	uint32_t name; /* string */
	uint32_t dso;
	uint64_t start; /* DSO address: two functions of one name stay two. Of an inlined one: of what it is inlined into */
	bool inlined;
	bool nameless; /* `name` only says where it is: "libfoo.so+0x1f40" */
};

/* One (dso, address, mode, inline depth), or one function alone where no address is known: see profile_named_location(). */
struct profile_location {
	uint32_t dso;     /* PROFILE_NONE: nothing was mapped there */
	uint64_t address; /* DSO address (file offset; runtime address for kernel, JIT and unmapped) */
	enum frame_mode mode;
	bool no_address;       /* `address` is 0 and means nothing */
	uint32_t inline_depth; /* 0: the function that was compiled; 1: what is inlined there, 2: what in that */
	uint32_t function; /* PROFILE_NONE until resolved, and when nothing is known: perf prints the address then */
	uint32_t file; /* string: path of the source; 0, the empty one: not known */
	uint32_t line; /* of the instruction, or of the call of what is inlined; 0: not known */
};

struct profile_thread {
	uint32_t pid, tid;
	uint32_t comm; /* string; a thread that changes its name is two entries */
};

struct profile_event {
	uint32_t name; /* string: "cycles", "cpu-clock:u" */
	uint32_t unit; /* string: of the weight, in an imported profile; "" of a recording: see event_unit.h */
	bool frequency;
	uint64_t period_or_freq;
	uint64_t samples;      /* that were added for this event */
	uint64_t weight;       /* period sum */
	double weight_squares; /* sum of the squares of the samples' periods: how much they differ (compare.h) */
};

struct profile_sample {      /* equal ones are merged */
	uint32_t event : 24; /* far more than a file of any size that can be read has */
	uint32_t end : 8;    /* enum stack_end */
	uint32_t thread;
	uint32_t cpu;    /* PROFILE_NONE: not recorded */
	uint32_t cgroup; /* string: its path; 0, the empty one: not recorded */
	uint32_t keys;   /* a set of sample_keys.h, which is not the profile's own; 0: none */
	uint32_t stack;  /* leaf node */
	uint64_t count;
	uint64_t weight; /* period sum */
};

struct profile; /* strings, dsos, functions, locations, stacks, threads, events, samples */

struct profile *profile_create(void);
/* It will have so many locations, and about as many stacks, or samples, as `other`: memory for them is taken at once. */
void profile_reserve_locations(struct profile *profile, uint32_t count);
void profile_reserve_stacks_like(struct profile *profile, const struct profile *other);
void profile_reserve_samples_like(struct profile *profile, const struct profile *other);
void profile_destroy(struct profile *profile);

/* Each returns the number of the equal item, which is added when it is new. */
uint32_t profile_string(struct profile *profile, const char *text);
uint32_t profile_dso(struct profile *profile, const char *name, const char *path, const char *build_id_hex);
uint32_t profile_function(struct profile *profile, uint32_t dso, const char *name, uint64_t start);
uint32_t profile_inlined_function(struct profile *profile, uint32_t dso, const char *name, uint64_t start);
/* A function of which only the start is known; identified by the DSO's name and the start. */
uint32_t profile_nameless_function(struct profile *profile, uint32_t dso, uint64_t start);
uint32_t profile_location(struct profile *profile, uint32_t dso, uint64_t address, enum frame_mode mode);
uint32_t profile_inlined_location(struct profile *profile, uint32_t dso, uint64_t address,
				  enum frame_mode mode, uint32_t inline_depth);
/*
 * A frame that is known by its function's name alone: of an interpreter, or of a profile that was imported as text.
 * `dso` may be PROFILE_NONE.
 */
uint32_t profile_named_location(struct profile *profile, uint32_t dso, const char *name,
				enum frame_mode mode);
uint32_t profile_stack(struct profile *profile, uint32_t parent, uint32_t location, enum frame_origin origin);
uint32_t profile_thread(struct profile *profile, uint32_t pid, uint32_t tid, uint32_t comm);
uint32_t profile_event(struct profile *profile, const char *name, bool frequency, uint64_t period_or_freq);

void profile_set_event_unit(struct profile *profile, uint32_t event, const char *unit);
void profile_set_dso_jit(struct profile *profile, uint32_t dso);
void profile_set_function(struct profile *profile, uint32_t location, uint32_t function);
void profile_set_line(struct profile *profile, uint32_t location, uint32_t file, uint32_t line);

/*
 * Batch size for many lookups: the caller prefetches all items of a batch before it looks up the first, so
 * that the waits for memory overlap.
 */
enum { PROFILE_BATCH = 32 };

/* Hints, long before profile_add() of such a sample: first the one, then the other; see hash_table_prefetch(). */
void profile_prefetch(const struct profile *profile, const struct profile_sample *sample);
void profile_prefetch_sum(const struct profile *profile, const struct profile_sample *sample);

/* The same before profile_location() of a location without inlined ones, by this hash. */
uint64_t profile_location_hash(uint32_t dso, uint64_t address, enum frame_mode mode);
void profile_prefetch_location(const struct profile *profile, uint64_t hash);

/*
 * And before profile_stack(): a node's path follows from its caller's path (STACK_PATH_ROOT where there is none), so
 * that of all the nodes of a stack is known before any of them is looked up.
 */
uint32_t profile_stack_path(uint32_t parent_path, uint32_t location, enum frame_origin origin);
void profile_prefetch_stack(const struct profile *profile, uint32_t path);
void profile_prefetch_stack_item(const struct profile *profile, uint32_t path);

/*
 * Adds `sample->count` and `sample->weight` to the equal sample, whose number is returned, and to its event, which
 * must exist. Sums saturate. Where the count is more than 1, its samples are taken to weigh alike, unless what is known
 * better is set afterwards.
 */
uint32_t profile_add(struct profile *profile, const struct profile_sample *sample);
void profile_set_weight_squares(struct profile *profile, uint32_t event, double weight_squares);

/*
 * All stacks of `other`, which has none afterwards, become those of `profile`, which has none yet: the same nodes under
 * the same numbers, with the locations of `other` until profile_set_stack_location() gives each its own, callers
 * before those they called. Different nodes must remain different. Stacks can be read from now on, but not added.
 */
void profile_take_stacks(struct profile *profile, struct profile *other);
void profile_set_stack_location(struct profile *profile, uint32_t stack, uint32_t location);

/*
 * The same for the samples, with what they add to their events: threads and events of `other` have the same numbers in
 * `profile` as there. Strings have not: each sample is given its own.
 */
void profile_take_samples(struct profile *profile, struct profile *other);
void profile_set_sample(struct profile *profile, uint32_t sample, enum stack_end end, uint32_t cgroup);

/* Of a finished profile: equal samples stay two. */
void profile_set_sample_stack(struct profile *profile, uint32_t sample, uint32_t stack);

/*
 * From now on it is only read, by numbers: what finds equal items, a third of the memory, is given back. Strings can
 * still be added.
 */
void profile_finish(struct profile *profile);

/*
 * After profile_finish(): all samples of the event `from` become samples of `into`, which is called `name` from now on;
 * `from` stays, without samples. Both must count the same thing.
 */
void profile_join_events(struct profile *profile, uint32_t into, uint32_t from, const char *name);

const char *profile_text(const struct profile *profile, uint32_t string);

/* Arrays; valid until the next addition. */
uint32_t profile_string_count(const struct profile *profile);
uint32_t profile_dso_count(const struct profile *profile);
uint32_t profile_function_count(const struct profile *profile);
uint32_t profile_location_count(const struct profile *profile);
uint32_t profile_stack_count(const struct profile *profile);
uint32_t profile_thread_count(const struct profile *profile);
uint32_t profile_event_count(const struct profile *profile);
uint32_t profile_sample_count(const struct profile *profile); /* distinct ones */
const struct profile_dso *profile_dso_at(const struct profile *profile, uint32_t number);
const struct profile_function *profile_function_at(const struct profile *profile, uint32_t number);
const struct profile_location *profile_location_at(const struct profile *profile, uint32_t number);
/* Is the name of the function known that the location is in? */
bool profile_location_is_named(const struct profile *profile, const struct profile_location *location);
const struct profile_stack *profile_stack_at(const struct profile *profile, uint32_t number);
/* The node itself, or of the function that what is inlined there was compiled into. PROFILE_NONE for PROFILE_NONE. */
uint32_t profile_compiled_stack(const struct profile *profile, uint32_t number);
const struct profile_thread *profile_thread_at(const struct profile *profile, uint32_t number);
const struct profile_event *profile_event_at(const struct profile *profile, uint32_t number);
const struct profile_sample *profile_sample_at(const struct profile *profile, uint32_t number);

#endif
