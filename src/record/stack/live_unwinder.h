#ifndef XPROF_RECORD_LIVE_UNWINDER_H
#define XPROF_RECORD_LIVE_UNWINDER_H

/*
 * Unwinds the stack dump of a sample while the recording goes on, knowing what a
 * reader of the file will know: the mappings that its records told of up to then.
 */

#include "process/process_table.h"
#include "record/process/build_id_table.h"
#include "record/stack/sample_parts.h"
#include "unwind/unwinder.h"

struct live_unwinder;

/*
 * `registers` is the samples' attr.sample_regs_user; `trailer_attr`, which is borrowed, that whose sample_id trailer
 * state records have. NULL for a machine that cannot be unwound.
 */
struct live_unwinder *live_unwinder_create(uint64_t registers, const struct perf_event_attr *trailer_attr);
void live_unwinder_destroy(struct live_unwinder *unwinder);

/* Applies a row of whole records, from a ring or synthesized. In any order: their times count. Samples are skipped. */
void live_unwinder_apply_all(struct live_unwinder *unwinder, const uint8_t *records, size_t size);

/*
 * Is it a sample of a task that can be unwound? All but 32-bit tasks of aarch64. The functions that walk take
 * no other samples.
 */
bool live_unwinder_can(const struct live_unwinder *unwinder, const struct sample_parts *parts);

/* The stack pointer that came with a sample; 0 for a task that cannot be unwound. */
uint64_t live_unwinder_sp(const struct live_unwinder *unwinder, const struct sample_parts *parts);

/* For live_unwinder_walk(): all that is known of the stack, a copy where there is one. */
#define LIVE_UNWINDER_ALL_BYTES SIZE_MAX

/*
 * The stack of a sample, from the first `dump_bytes` of its dump. Frames go into the caller's room.
 * `end` is UNWIND_END_NO_REGISTERS when pc or sp was not recorded.
 */
void live_unwinder_walk(struct live_unwinder *unwinder, const struct sample_parts *parts, size_t dump_bytes,
			struct unwind_stack *stack);

/*
 * Continues a stack that its dump was too short for by the user part of the sample's chain, leaf first, where that is
 * exact (unwind/stack_splice.h): true when frames were added.
 */
bool live_unwinder_splice(struct live_unwinder *unwinder, const struct sample_parts *parts,
			  const uint64_t *chain, size_t chain_count, struct unwind_stack *stack);

/* Can a reader tell from the outermost frame alone that the stack begins there? */
bool live_unwinder_is_root(struct live_unwinder *unwinder, const struct sample_parts *parts,
			   const struct unwind_frame *frame);

/* Do rules lead there that were read out of a process's memory, where no reader of the file can read them again? */
bool live_unwinder_read_code(struct live_unwinder *unwinder, const struct sample_parts *parts,
			     const struct unwind_stack *stack);

/* Is the frame one that such a rule led to: what it was found from lies in code that was read? */
bool live_unwinder_is_by_read_code(struct live_unwinder *unwinder, const struct sample_parts *parts,
				   const struct unwind_stack *stack, size_t frame);

/* Notes all records that there are when it is called; may be NULL. */
struct record_notes {
	void (*note)(void *context);
	void *context;
};

/*
 * Was the run-time code, if any, that the stack was followed through there when the sample was taken? It is compared with
 * what is in memory now. Where that has changed the stack is walked once more: it may be another then. `before`, of the
 * same capacity, is room for what it was.
 */
bool live_unwinder_vouches(struct live_unwinder *unwinder, const struct sample_parts *parts,
			   struct unwind_stack *stack, struct unwind_stack *before,
			   const struct record_notes *note_records);

/* Does a process begin to make code, or replace some? Then rounds had better be short: it may soon be other code. */
bool live_unwinder_reads_new_code(const struct live_unwinder *unwinder);

/* Did one lately? Others may, and end soon. */
bool live_unwinder_expects_new_code(const struct live_unwinder *unwinder);

/* At the start of a round: code that was read some time ago is compared with what is there now. */
void live_unwinder_age(struct live_unwinder *unwinder);

/* If it knows much, at the start of a round: forgets processes that have ended. */
void live_unwinder_forget_ended(struct live_unwinder *unwinder);

/* Does it know so much all the same that it had better begin anew? */
bool live_unwinder_is_full(const struct live_unwinder *unwinder);

/*
 * Forgets everything and reads from /proc what is mapped now. It holds for samples that are taken from now on; records
 * that are in the rings already may be applied still. `files` is noted what is mapped.
 */
void live_unwinder_refill(struct live_unwinder *unwinder, struct build_id_table *files);

#endif
