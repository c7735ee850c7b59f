#ifndef XPROF_RECORD_SAMPLE_PARTS_H
#define XPROF_RECORD_SAMPLE_PARTS_H

/*
 * A PERF_RECORD_SAMPLE as the kernel writes it into a ring, seen as what tells
 * of its stack and the rest, so that it can be written again with less of the
 * former: an ordinary sample of the same attr.
 *
 *   header, ids, time … | chain | raw, branches | registers | dump | weight … code page size
 *
 * The kernel gives every dump the size that was asked for and says behind it how
 * many bytes it could fill (dyn_size).
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
	uint64_t abi;             /* PERF_SAMPLE_REGS_ABI_*; NONE for a kernel thread */
	const uint8_t *registers; /* u64 each, one per bit of attr.sample_regs_user */
	size_t registers_size;    /* bytes; 0 of ABI_NONE */
	const uint8_t *dump;
	size_t dump_size, filled;        /* bytes; filled <= dump_size */
	const uint8_t *trailer;          /* the fields behind the dump, up to the record's end */
	const struct stack_memory *copy; /* NULL, or more of the stack than the dump has (bpf/stack_copies.h) */
};

/*
 * Can samples of such an attr be taken apart? They need a dump, a pid and a time, and no field in front of the dump of
 * a layout that is not known here.
 */
bool sample_parts_applies(const struct perf_event_attr *attr);

/* False when the record is not as expected; it is to be left as it is then. */
bool sample_parts_find(struct sample_parts *parts, const uint8_t *record, size_t size,
		       const struct perf_event_attr *attr);

/* The rest of the parts. */
struct sample_rest {
	const void *chain; /* u64 each; may be the sample's own */
	size_t chain_count;
	size_t dump_size;    /* a multiple of 8 */
	bool drop_registers; /* they say ABI_NONE, as those of a kernel thread; there must be no dump then */
};

/*
 * Nothing is left out but what the kernel did not fill: all of that but for a word, by which a reader knows that there was
 * room for more.
 */
struct sample_rest sample_parts_all(const struct sample_parts *parts);

/* How many entries a chain may have in a record that has neither registers nor a dump. */
size_t sample_parts_chain_room(const struct sample_parts *parts);

/* Appends the sample with what is left of it. A chain that grows must fit into the room that the dump leaves. */
void sample_parts_append(struct strbuf *out, const struct sample_parts *parts,
			 const struct sample_rest *rest);

/* Entry `number` of a chain, as sample_parts.chain. */
uint64_t sample_chain_entry(const void *chain, size_t number);

#endif
