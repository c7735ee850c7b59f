#ifndef XPROF_RECORD_EVIDENCE_H
#define XPROF_RECORD_EVIDENCE_H

/*
 * Decides which parts of a sample are written: the smallest that still give the whole stack. The kernel
 * delivers the chain that frame pointers give, the user registers and a dump of the stack; what the dump
 * gives is found out on the spot, and then there is
 *
 *	the chain alone     where it is what unwinding gives, up to the start of the thread; what the C library's
 *	                    start-up code, which keeps no frame pointer, has above it is added
 *	                    Or in place of another, where the whole stack was found by exact rules
 *	registers and dump  the same, where a reader may continue deeper stacks of the thread by it: up to the frame that
 *	                    begins the thread
 *	everything          where that is not known: as much as the kernel filled
 *
 * A chain of more frames than a record holds is written without those in its middle (format/elided_frames.h).
 *
 * Where the way to the start of the thread led through run-time code that was read out of the process, it is the chain
 * alone, too: a reader has not that code.
 *
 * Where the kernel's dump ends before the stack does, the rest is read in the process (stack_reads.h), and a chain is
 * written in which a second PERF_CONTEXT_USER says that what follows was found so.
 *
 * A reader with the same unwind information gets the same stacks out of what is
 * left as out of all. If no evidence is wanted, stacks that were followed to the
 * start of their thread are written as a chain, whatever they were found by.
 */

#include "record/bpf/stack_copies.h"
#include "record/event/event_attr.h"
#include "record/process/build_id_table.h"

struct evidence;

enum evidence_level {
	EVIDENCE_LEAST, /* that gives the whole stack */
	EVIDENCE_ALL,   /* that the kernel filled */
	EVIDENCE_NONE,  /* the stack itself, where it was found */
};

struct evidence_counts {     /* of samples with a dump */
	uint64_t chains;     /* written as a chain alone */
	uint64_t dumps;      /* with a dump up to the start of the thread */
	uint64_t unproved;   /* with all that the kernel filled */
	uint64_t dump_bytes; /* written, of both */
	uint64_t shortened;  /* of the chains, those without the middle of a very deep stack */
	uint64_t continued; /* of the chains, those that go on above the dump by what was read in the process */
	uint64_t unconfirmed; /* not continued, as it was not read before, or was not the same, or did not lead to the start */
	uint64_t unreadable; /* not continued, as the process has ended or may not be read */
	uint64_t replaced; /* of the unproved, those through run-time code that may have been other code then */
	uint64_t uncopied; /* samples without the copy that they should have come with */
	uint64_t cut;      /* written with little of their stack, as there was no time for more */
	uint64_t foreign; /* of the unproved, those of programs that are not unwound: 32-bit ones of aarch64 */
};

/*
 * For samples of these samplers, whose attrs are borrowed. NULL when none has
 * dumps: their records are written as they come.
 */
struct evidence *evidence_create(const struct written_event *samplers, size_t sampler_count,
				 enum evidence_level level);
/* From now on `copies`, borrowed, has the stacks of all samples with user memory, in place of the kernel's dumps. */
void evidence_set_copies(struct evidence *evidence, struct stack_copies *copies);
/* From now on stacks that are deeper than their dumps are continued by reading on in the process. */
void evidence_continue_stacks(struct evidence *evidence);
/* How soon the next round had better follow. Memory of processes changes, and they end. */
enum evidence_haste {
	EVIDENCE_AT_LEISURE,
	EVIDENCE_SOON,    /* memory of processes may have to be read */
	EVIDENCE_AT_ONCE, /* it is being read: stacks are continued, or run-time code is new */
};
enum evidence_haste evidence_haste(const struct evidence *evidence);
/* `note` notes (evidence_note()) all records that there are when it is called. */
void evidence_note_by(struct evidence *evidence, void (*note)(void *context), void *context);
void evidence_destroy(struct evidence *evidence);

/*
 * State records come before the samples that they matter to: those of a round
 * are noted before its samples are reduced. `records` are whole ones, samples
 * among them are skipped.
 */
void evidence_note(struct evidence *evidence, const uint8_t *records, size_t size);

/* It was made while records came: what is mapped is read from /proc when the next round begins. */
void evidence_begin_late(struct evidence *evidence);

/* Adds counts of the one to those of the other. */
void evidence_counts_add(struct evidence_counts *counts, const struct evidence_counts *added);

/* At the start of a round, before it is known which records it has. `files` are noted what is mapped. */
void evidence_begin_round(struct evidence *evidence, struct build_id_table *files);

/* While hurried, samples are written as they come: copying is much faster than unwinding, and loses no frame. */
void evidence_set_hurried(struct evidence *evidence, bool hurried);

/* While cutting, no more of a stack is written than what is likely to have its innermost frames, besides the chain. */
void evidence_set_cutting(struct evidence *evidence, bool cutting);

/* Once it is decided which samples the round has (`now_ns`: clock_now_ns()), and when all of them have been appended. */
void evidence_begin_samples(struct evidence *evidence, uint64_t now_ns);
void evidence_end_samples(struct evidence *evidence);

/* Appends a PERF_RECORD_SAMPLE to `out`. */
void evidence_append(struct evidence *evidence, struct strbuf *out, const uint8_t *record, size_t size);

/* Appends such a sample, without a dump of its own, whose stack was copied by other means. */
void evidence_append_copied(struct evidence *evidence, struct strbuf *out, const uint8_t *record, size_t size,
			    const struct stack_copy *copy);

/*
 * The stack of such a sample alone: the addresses of its frames, leaf first, and how many. `is_whole`: up to the start of the
 * thread. 0 where stacks are not unwound.
 */
size_t evidence_walk(struct evidence *evidence, const uint8_t *record, size_t size,
		     const struct stack_copy *copy, uint64_t *addresses, size_t capacity, bool *is_whole);

const struct evidence_counts *evidence_counts(const struct evidence *evidence);

#endif
