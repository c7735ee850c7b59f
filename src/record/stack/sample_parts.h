#ifndef XPROF_RECORD_SAMPLE_PARTS_H
#define XPROF_RECORD_SAMPLE_PARTS_H

/*
 * Splits a PERF_RECORD_SAMPLE, as the kernel writes it into a ring, into the parts that describe its stack and the rest, so
 * that it can be written again with smaller parts as an ordinary sample of the same attr.
 *
 *   header, ids, time … | chain | raw, branches | registers | dump | weight … code page size
 *
 * Every dump has the requested size; a number behind it says how many bytes the kernel could fill (dyn_size).
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "unwind/arch/stack_memory.h"

struct sample_parts {
	const uint8_t *record;
	size_t size;
	uint32_t pid, tid;
	uint64_t time_ns;
	const uint8_t *chain; /* u64 each, unaligned; PERF_CONTEXT_* markers included */
	size_t chain_count;
	uint64_t abi;             /* PERF_SAMPLE_REGS_ABI_*; ABI_NONE for a kernel thread */
	const uint8_t *registers; /* u64 each, one per bit of attr.sample_regs_user */
	size_t registers_size;    /* bytes; 0 for ABI_NONE */
	const uint8_t *dump;
	size_t dump_size, filled;        /* bytes; filled <= dump_size */
	const uint8_t *trailer;          /* the fields behind the dump, up to the record's end */
	const struct stack_memory *copy; /* a longer copy of the stack (bpf/stack_copies.h); NULL: none */
};

/* Can samples of this attr be split? They need a dump, a pid and a time, and no field of unknown layout before the dump. */
bool sample_parts_applies(const struct perf_event_attr *attr);

/* Returns false if the record is not as expected; then write it unchanged. */
bool sample_parts_find(struct sample_parts *parts, const uint8_t *record, size_t size,
		       const struct perf_event_attr *attr);

/* The parts to write. */
struct sample_rest {
	const void *chain; /* u64 each; may be the sample's own */
	size_t chain_count;
	size_t dump_size;    /* a multiple of 8 */
	bool drop_registers; /* write ABI_NONE as for a kernel thread; requires dump_size 0 */
};

/*
 * All parts, without the bytes of the dump that the kernel did not fill; only one word of these stays, by which readers know
 * that there was room for more.
 */
struct sample_rest sample_parts_all(const struct sample_parts *parts);

/* The number of entries that fit into a chain if the record has neither registers nor a dump. */
size_t sample_parts_chain_room(const struct sample_parts *parts);

/* Appends the sample with the parts in `rest`. A longer chain must fit into the room that the smaller dump leaves. */
void sample_parts_append(struct strbuf *out, const struct sample_parts *parts,
			 const struct sample_rest *rest);

/* Entry `number` of a chain, as sample_parts.chain. */
uint64_t sample_chain_entry(const void *chain, size_t number);

#endif
