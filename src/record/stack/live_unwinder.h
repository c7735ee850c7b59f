#ifndef XPROF_RECORD_LIVE_UNWINDER_H
#define XPROF_RECORD_LIVE_UNWINDER_H

/*
 * Unwinds the stack dumps of samples during the recording, from what a reader of the file will know: the mappings in the
 * records so far.
 */

#include "process/process_table.h"
#include "record/process/build_id_table.h"
#include "record/stack/sample_parts.h"
#include "unwind/unwinder.h"

struct live_unwinder;

/*
 * `registers` is attr.sample_regs_user of the samples. `trailer_attr` (borrowed) is the attr whose sample_id trailer state
 * records have. Returns NULL for a machine that cannot be unwound.
 */
struct live_unwinder *live_unwinder_create(uint64_t registers, const struct perf_event_attr *trailer_attr);
void live_unwinder_destroy(struct live_unwinder *unwinder);

/*
 * Applies the state records among `size` bytes of whole records, from a ring or synthesized, in any order; their times count.
 * Skips samples.
 */
void live_unwinder_apply_all(struct live_unwinder *unwinder, const uint8_t *records, size_t size);

/* Can the sample be unwound? False for 32-bit tasks on aarch64. Pass only such samples to the functions below. */
bool live_unwinder_can(const struct live_unwinder *unwinder, const struct sample_parts *parts);

/* The sampled stack pointer; 0 if the sample cannot be unwound. */
uint64_t live_unwinder_sp(const struct live_unwinder *unwinder, const struct sample_parts *parts);

/* For live_unwinder_walk(): use everything that is known of the stack; the copy, if there is one. */
#define LIVE_UNWINDER_ALL_BYTES SIZE_MAX

/*
 * Unwinds a sample from the first `dump_bytes` of its dump into stack->frames, the caller's array. `end` is
 * UNWIND_END_NO_REGISTERS if pc or sp was not recorded.
 */
void live_unwinder_walk(struct live_unwinder *unwinder, const struct sample_parts *parts, size_t dump_bytes,
			struct unwind_stack *stack);

/*
 * Continues a stack whose dump was too short by the user part of the sample's chain, leaf first, as far as that is exact
 * (unwind/stack_splice.h). Returns true if it added frames.
 */
bool live_unwinder_splice(struct live_unwinder *unwinder, const struct sample_parts *parts,
			  const uint64_t *chain, size_t chain_count, struct unwind_stack *stack);

/* Can a reader tell from this frame, the outermost one, that the stack begins there? */
bool live_unwinder_is_root(struct live_unwinder *unwinder, const struct sample_parts *parts,
			   const struct unwind_frame *frame);

/* Was a frame found by rules for code that was read from the process, which readers of the file cannot read? */
bool live_unwinder_read_code(struct live_unwinder *unwinder, const struct sample_parts *parts,
			     const struct unwind_stack *stack);

/* Was frame number `frame` found by such a rule, so that its callee is in code that was read? */
bool live_unwinder_is_by_read_code(struct live_unwinder *unwinder, const struct sample_parts *parts,
				   const struct unwind_stack *stack, size_t frame);

/* A function that notes all records that exist when it is called. May be NULL. */
struct record_notes {
	void (*note)(void *context);
	void *context;
};

/*
 * Was the run-time code on the stack the same when the sample was taken? Compares it with the process's memory now. If it has
 * changed, the stack is unwound again and may become a different one. `before` is scratch of the same capacity for the previous
 * stack.
 */
bool live_unwinder_vouches(struct live_unwinder *unwinder, const struct sample_parts *parts,
			   struct unwind_stack *stack, struct unwind_stack *before,
			   const struct record_notes *note_records);

/* Has a process just begun to make code, or replaced some? If so, rounds should be short, because it may soon be other code. */
bool live_unwinder_reads_new_code(const struct live_unwinder *unwinder);

/* Did that happen lately? Other processes may do the same and end soon. */
bool live_unwinder_expects_new_code(const struct live_unwinder *unwinder);

/* Call it at the start of a round: old code is compared with memory before it is used again. */
void live_unwinder_age(struct live_unwinder *unwinder);

/* Call it at the start of a round: if there are many processes, forgets those that have ended. */
void live_unwinder_forget_ended(struct live_unwinder *unwinder);

/* Is there so much state even so that the caller should call live_unwinder_refill()? */
bool live_unwinder_is_full(const struct live_unwinder *unwinder);

/*
 * Forgets everything and reads from /proc what is mapped now, for samples taken from now on. Records that are in the rings
 * already may still be applied. Mapped files are added to `files`.
 */
void live_unwinder_refill(struct live_unwinder *unwinder, struct build_id_table *files);

#endif
