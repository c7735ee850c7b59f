#ifndef XPROF_RECORD_EVIDENCE_H
#define XPROF_RECORD_EVIDENCE_H

/*
 * Decides which parts of a sample are written: the smallest that still give the whole stack. The kernel delivers a chain of
 * frame pointers, the user registers and a dump of the stack. The dump is unwound at once, and depending on the result one of
 * these is written:
 *
 *	the chain alone     if unwinding gives the same frames up to the start of the thread. Frames of the C library's start-up
 *	                    code, which keeps no frame pointer, are added at the end.
 *	                    Or the unwound frames as a new chain, if exact rules found the whole stack
 *	registers and dump  if unwinding gives the whole stack, and a reader may need it to continue deeper stacks of the thread:
 *	                    up to the frame that begins the thread
 *	everything          if the whole stack was not found: as much as the kernel filled
 *
 * If a chain has more frames than fit into a record, those in the middle are left out (format/elided_frames.h).
 *
 * If a stack was followed to the start of its thread through run-time code that was read from the process, only the chain is
 * written, because readers do not have that code.
 *
 * If the kernel's dump ends before the stack does, the rest is read from the process (stack_reads.h), and a chain is written in
 * which a second PERF_CONTEXT_USER marks the frames found in this way.
 *
 * A reader with the same unwind information gets the same stacks from the reduced samples as from complete ones. With
 * EVIDENCE_NONE, all stacks that were followed to the start of their thread are written as chains, whatever rules found them.
 */

#include "record/bpf/stack_copies.h"
#include "record/event/event_attr.h"
#include "record/process/build_id_table.h"

struct evidence;

enum evidence_level {
	EVIDENCE_LEAST, /* the smallest part that gives the whole stack */
	EVIDENCE_ALL,   /* everything that the kernel filled */
	EVIDENCE_NONE,  /* the stack itself, if it was found */
};

struct evidence_counts {     /* numbers of samples with a dump */
	uint64_t chains;     /* written as a chain alone */
	uint64_t dumps;      /* with a dump up to the start of the thread */
	uint64_t unproved;   /* written with everything that the kernel filled */
	uint64_t dump_bytes; /* bytes of dumps written, for `dumps` and `unproved` */
	uint64_t shortened;  /* part of `chains`: without the middle of a very deep stack */
	uint64_t continued; /* part of `chains`: continued above the dump with memory read from the process */
	/* not continued: the memory was not read before, had changed, or did not lead to the start */
	uint64_t unconfirmed;
	uint64_t unreadable; /* not continued: the process has ended or may not be read */
	/* part of `unproved`: run-time code on the stack may have been other code at the sample */
	uint64_t replaced;
	uint64_t uncopied; /* samples that should have a copy but have none */
	uint64_t cut;      /* written with little of their stack, to save time */
	uint64_t foreign;  /* part of `unproved`: 32-bit programs on aarch64, which are not unwound */
};

/*
 * For the samples of `samplers`, whose attrs are borrowed. Returns NULL if none of them has dumps; then write their records as
 * they come.
 */
struct evidence *evidence_create(const struct written_event *samplers, size_t sampler_count,
				 enum evidence_level level);
/* From now on `copies` (borrowed) replaces the kernel's dumps: it has the stacks of all samples with user memory. */
void evidence_set_copies(struct evidence *evidence, struct stack_copies *copies);
/* From now on stacks that are deeper than their dumps are continued by reading the process. */
void evidence_continue_stacks(struct evidence *evidence);
/* How soon the next round should follow, because processes end and their memory changes. */
enum evidence_urgency {
	EVIDENCE_LATER,
	EVIDENCE_SOON,    /* memory of processes may have to be read */
	EVIDENCE_AT_ONCE, /* memory is being read: stacks are continued, or run-time code is new */
};
enum evidence_urgency evidence_urgency(const struct evidence *evidence);
/* Sets a function that calls evidence_note() for all records that exist when it is called. */
void evidence_note_by(struct evidence *evidence, void (*note)(void *context), void *context);
void evidence_destroy(struct evidence *evidence);

/*
 * Notes the state records among `size` bytes of whole records; skips samples. Call it before the samples that they matter to
 * are reduced: for a round, before its first sample.
 */
void evidence_note(struct evidence *evidence, const uint8_t *records, size_t size);

/* For an evidence that is created during the recording: the next round begins by reading from /proc what is mapped. */
void evidence_begin_late(struct evidence *evidence);

/* Adds the counts in `added` to `counts`. */
void evidence_counts_add(struct evidence_counts *counts, const struct evidence_counts *added);

/* Begins a round, before it is decided which records it takes. Mapped files are added to `files`. */
void evidence_begin_round(struct evidence *evidence, struct build_id_table *files);

/* While hurried, samples are written as they come: copying is much faster than unwinding and loses no frame. */
void evidence_set_hurried(struct evidence *evidence, bool hurried);

/* While cutting, only the chain and as much of the dump as is likely to have the innermost frames are written. */
void evidence_set_cutting(struct evidence *evidence, bool cutting);

/*
 * Call the first when it is decided which samples the round has (`now_ns`: clock_now_ns()), the second when all of them were
 * appended.
 */
void evidence_begin_samples(struct evidence *evidence, uint64_t now_ns);
void evidence_end_samples(struct evidence *evidence);

/* Appends a reduced PERF_RECORD_SAMPLE to `out`. */
void evidence_append(struct evidence *evidence, struct strbuf *out, const uint8_t *record, size_t size);

/* The same for a sample without a dump of its own, whose stack was copied by a BPF program. */
void evidence_append_copied(struct evidence *evidence, struct strbuf *out, const uint8_t *record, size_t size,
			    const struct stack_copy *copy);

/*
 * Only unwinds such a sample. Stores the addresses of its frames, leaf first, and returns their number; 0 if stacks are not
 * unwound. Sets *is_whole if the stack was followed to the start of the thread.
 */
size_t evidence_walk(struct evidence *evidence, const uint8_t *record, size_t size,
		     const struct stack_copy *copy, uint64_t *addresses, size_t capacity, bool *is_whole);

const struct evidence_counts *evidence_counts(const struct evidence *evidence);

#endif
