#ifndef XPROF_PROFILE_PROFILE_H
#define XPROF_PROFILE_PROFILE_H

/*
 * The data model of all views: interned strings, DSOs, functions, locations, stacks (a prefix tree, root
 * first), threads, events, and weighted samples. Equal samples (same event, thread, cpu, cgroup, keys and
 * stack) are added up in one entry, so memory depends on the number of distinct samples, not on the length of
 * the recording. Numbers are dense, start at 0, and index the arrays below; PROFILE_NONE stands for "none".
 *
 * The profile knows nothing of perf.data, ELF or processes: it can also be filled from folded text.
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
	bool is_jit;       /* made by a JIT compiler: views mark it */
};

struct profile_function {
	uint32_t name; /* string */
	uint32_t dso;
	uint64_t start; /* DSO address, tells functions of one name apart; of an inlined function: that of the function that
			   contains it */
	bool inlined;
	bool nameless; /* `name` is made from the address: "libfoo.so+0x1f40" */
};

/* One (dso, address, mode, inline depth), or one function without an address: see profile_named_location(). */
struct profile_location {
	uint64_t address; /* DSO address (file offset; runtime address for kernel, JIT and unmapped) */
	uint32_t dso;     /* PROFILE_NONE: nothing was mapped there */
	enum frame_mode mode : 8;
	bool no_address : 1; /* `address` is 0 and means nothing */
	/* 0: the compiled function; 1: a function inlined into it; 2: one inlined into that */
	uint32_t inline_depth : 23;
	uint32_t function; /* PROFILE_NONE until it is resolved, and if it is unknown: perf then prints the address */
	uint32_t file; /* string: path of the source file; 0, the empty string: unknown */
	uint32_t line; /* line of the instruction, or of the call that was inlined; 0: unknown */
};

struct profile_thread {
	uint32_t pid, tid;
	uint32_t comm; /* string; a thread that changes its name is two entries */
};

struct profile_event {
	uint32_t name; /* string: "cycles", "cpu-clock:u" */
	uint32_t unit; /* string: unit of the weight in an imported profile; "" for a recording: see
			  event_unit.h */
	bool frequency;
	uint64_t period_or_freq;
	uint64_t samples;      /* number of samples of this event */
	uint64_t weight;       /* period sum */
	double weight_squares; /* sum of the squares of the samples' periods (compare.h) */
};

struct profile_sample {      /* equal samples are merged */
	uint32_t event : 24; /* enough for any file */
	uint32_t end : 8;    /* enum stack_end */
	uint32_t thread;
	uint32_t cpu;    /* PROFILE_NONE: not recorded */
	uint32_t cgroup; /* string: its path; 0, the empty string: not recorded */
	uint32_t keys; /* number of a set in a struct sample_keys, which is kept beside the profile; 0: none */
	uint32_t stack; /* leaf node */
	uint64_t count;
	uint64_t weight; /* period sum */
};

struct profile; /* strings, dsos, functions, locations, stacks, threads, events, samples */

struct profile *profile_create(void);
/* Allocate memory at once: for `count` locations, or for about as many stacks or samples as `other` has. */
void profile_reserve_locations(struct profile *profile, uint32_t count);
void profile_reserve_stacks_like(struct profile *profile, const struct profile *other);
void profile_reserve_samples_like(struct profile *profile, const struct profile *other);
void profile_destroy(struct profile *profile);

/* Each returns the number of the equal item, which is added if it is new. */
uint32_t profile_string(struct profile *profile, const char *text);
uint32_t profile_dso(struct profile *profile, const char *name, const char *path, const char *build_id_hex);
uint32_t profile_function(struct profile *profile, uint32_t dso, const char *name, uint64_t start);
uint32_t profile_inlined_function(struct profile *profile, uint32_t dso, const char *name, uint64_t start);
/* A function without a name, identified by the DSO's name and its start. */
uint32_t profile_nameless_function(struct profile *profile, uint32_t dso, uint64_t start);
uint32_t profile_location(struct profile *profile, uint32_t dso, uint64_t address, enum frame_mode mode);
uint32_t profile_inlined_location(struct profile *profile, uint32_t dso, uint64_t address,
				  enum frame_mode mode, uint32_t inline_depth);
/*
 * A location of which only the function's name is known: from an interpreter, or from a profile that was imported
 * as text. `dso` may be PROFILE_NONE.
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

/*
 * Prefetch hints, given some time before profile_add() of an equal sample: first the one, later the other; see
 * hash_table_prefetch().
 */
void profile_prefetch(const struct profile *profile, const struct profile_sample *sample);
void profile_prefetch_sum(const struct profile *profile, const struct profile_sample *sample);

/* The same before profile_location(), for a location with inline depth 0 and this hash. */
uint64_t profile_location_hash(uint32_t dso, uint64_t address, enum frame_mode mode);
void profile_prefetch_location(const struct profile *profile, uint64_t hash);

/*
 * The same before profile_stack(). A node's path is computed from that of its caller (STACK_PATH_ROOT if it has
 * none), so the paths of all nodes of a stack are known before the first lookup.
 */
uint32_t profile_stack_path(uint32_t parent_path, uint32_t location, enum frame_origin origin);
void profile_prefetch_stack(const struct profile *profile, uint32_t path);
void profile_prefetch_stack_item(const struct profile *profile, uint32_t path);

/*
 * Adds `sample->count` and `sample->weight` to the equal sample, whose number it returns, and to the event, which must
 * exist. Sums saturate. If the count is more than 1, all its samples are assumed to have the same weight;
 * profile_set_weight_squares() corrects that.
 */
uint32_t profile_add(struct profile *profile, const struct profile_sample *sample);
void profile_set_weight_squares(struct profile *profile, uint32_t event, double weight_squares);

/*
 * Moves all stacks of `other` to `profile`, which must have none yet. profile_spread_stacks() makes room for new nodes
 * between them: node i becomes node numbers[i] of `count` nodes; the numbers ascend. Nodes keep the contents that they had in
 * `other` until profile_set_stack() sets each, callers before callees. Different nodes must stay different. Stacks can
 * be read then, but not added.
 */
void profile_take_stacks(struct profile *profile, struct profile *other);
void profile_spread_stacks(struct profile *profile, const uint32_t *numbers, size_t count);
void profile_set_stack(struct profile *profile, uint32_t stack, uint32_t parent, uint32_t location,
		       enum frame_origin origin);

/*
 * Moves all samples of `other`, and adds them to their events. Threads and events must have the same numbers in both.
 * Strings have not, so the caller sets the cgroup of each sample with profile_set_sample().
 */
void profile_take_samples(struct profile *profile, struct profile *other);
void profile_set_sample(struct profile *profile, uint32_t sample, enum stack_end end, uint32_t cgroup);

/* For a finished profile. Samples that become equal are not merged. */
void profile_set_sample_stack(struct profile *profile, uint32_t sample, uint32_t stack);

/*
 * Call after the last addition. The profile can then only be read, by numbers; the indexes, a third of the memory,
 * are freed. Strings can still be added.
 */
void profile_finish(struct profile *profile);

/*
 * Call after profile_finish(). Moves all samples of the event `from` to `into` and renames `into` to `name`; `from`
 * stays, without samples. Both must count the same thing.
 */
void profile_join_events(struct profile *profile, uint32_t into, uint32_t from, const char *name);

const char *profile_text(const struct profile *profile, uint32_t string);

/* Arrays. Pointers are valid until the next addition. */
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
/* Is the location in a function whose name is known? */
bool profile_location_is_named(const struct profile *profile, const struct profile_location *location);
const struct profile_stack *profile_stack_at(const struct profile *profile, uint32_t number);
/*
 * The node itself or, if it is an inlined function, the node of the compiled function that contains it. PROFILE_NONE
 * for PROFILE_NONE.
 */
uint32_t profile_compiled_stack(const struct profile *profile, uint32_t number);
const struct profile_thread *profile_thread_at(const struct profile *profile, uint32_t number);
const struct profile_event *profile_event_at(const struct profile *profile, uint32_t number);
const struct profile_sample *profile_sample_at(const struct profile *profile, uint32_t number);

#endif
