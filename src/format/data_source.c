/*
 * A list at the top has the bit positions of the word's fields. Each function below takes out its fields and names the bits
 * that are set. Words, order and blanks are perf's (tools/perf/util/mem-events.c), so that outputs can be compared.
 */
#include "format/data_source.h"

#include <inttypes.h>
#include <stddef.h>

/* A field's lowest bit, counted from the word's lowest, and its width. */
struct word_field {
	unsigned int start, width;
};

static const struct word_field op_field = { 0, 5 }, level_field = { 5, 14 }, snoop_field = { 19, 5 },
			       lock_field = { 24, 2 }, tlb_field = { 26, 7 }, level_number_field = { 33, 4 },
			       remote_field = { 37, 1 }, snoop_more_field = { 38, 2 },
			       block_field = { 40, 3 }, hops_field = { 43, 3 };

static unsigned int get(uint64_t word, struct word_field field)
{
	return (unsigned int)(word >> field.start) & ((1u << field.width) - 1);
}

enum { NOT_AVAILABLE = 1 }; /* the lowest bit of each set: PERF_MEM_*_NA */

static void add_operation(struct strbuf *out, uint64_t word)
{
	static const char *const names[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
	const unsigned int op = get(word, op_field);

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (op >> i & 1) {
			strbuf_adds(out, names[i]);
			return;
		}
	}
	strbuf_adds(out, "No");
}

/* Adds the names of the set bits, with "or" between them. `before`: number of names so far; returns their new number. */
static unsigned int add_alternatives(struct strbuf *out, unsigned int bits, const char *const *names,
				     unsigned int count, unsigned int before)
{
	for (unsigned int i = 0; i < count; i++)
		if (bits >> i & 1)
			strbuf_addf(out, "%s%s", before++ ? " or " : "", names[i]);
	return before;
}

enum { HIT = 2, MISS = 4 }; /* of PERF_MEM_LVL_ and PERF_MEM_TLB_ */

static void add_hit_or_miss(struct strbuf *out, unsigned int bits)
{
	if (bits & HIT)
		strbuf_adds(out, " hit");
	if (bits & MISS)
		strbuf_adds(out, " miss");
}

/* PERF_MEM_LVLNUM_* */
static void add_level_number(struct strbuf *out, unsigned int number)
{
	static const char *const names[16] = {
		[9] = "CXL",  [10] = "I/O",  [11] = "Any cache", [12] = "LFB/MAB",
		[13] = "RAM", [14] = "PMEM", [15] = "N/A"
	};

	if (names[number])
		strbuf_adds(out, names[number]);
	else
		strbuf_addf(out, "L%u", number);
}

void data_source_add_level(struct strbuf *out, uint64_t word)
{
	static const char *const names[] = { "N/A",
					     "HIT",
					     "MISS",
					     "L1",
					     "LFB/MAB",
					     "L2",
					     "L3",
					     "Local RAM",
					     "Remote RAM (1 hop)",
					     "Remote RAM (2 hops)",
					     "Remote Cache (1 hop)",
					     "Remote Cache (2 hops)",
					     "I/O",
					     "Uncached" };
	static const char *const hops[8] = { "N/A", "core, same node", "node, same socket",
					     "socket, same board", "board" };
	const unsigned int level = get(word, level_field), number = get(word, level_number_field);
	const size_t start = out->size;
	unsigned int count = 0;

	if (get(word, remote_field))
		strbuf_adds(out, "Remote ");
	if (get(word, hops_field) && hops[get(word, hops_field)])
		strbuf_addf(out, "%s ", hops[get(word, hops_field)]);
	else
		count = add_alternatives(out, level & ~(unsigned int)(HIT | MISS), names,
					 sizeof(names) / sizeof(names[0]), 0);
	if (number) {
		if (count)
			strbuf_adds(out, " or ");
		add_level_number(out, number);
	}
	if (out->size == start)
		strbuf_adds(out, "N/A");
	add_hit_or_miss(out, level);
}

void data_source_add_snoop(struct strbuf *out, uint64_t word)
{
	static const char *const names[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const more[] = { "Fwd", "Peer" };
	unsigned int count = add_alternatives(out, get(word, snoop_field), names, 5, 0);

	count = add_alternatives(out, get(word, snoop_more_field), more, 2, count);
	if (!count)
		strbuf_adds(out, "N/A");
}

void data_source_add_tlb(struct strbuf *out, uint64_t word)
{
	static const char *const names[] = { "N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault" };
	const unsigned int tlb = get(word, tlb_field);

	if (!add_alternatives(out, tlb & ~(unsigned int)(HIT | MISS), names, 7, 0))
		strbuf_adds(out, "N/A");
	add_hit_or_miss(out, tlb);
}

void data_source_add_lock(struct strbuf *out, uint64_t word)
{
	const unsigned int lock = get(word, lock_field);

	strbuf_adds(out, lock & NOT_AVAILABLE ? "N/A" : lock & 2 ? "Yes" : "No");
}

void data_source_add_block(struct strbuf *out, uint64_t word)
{
	const unsigned int block = get(word, block_field);

	if (!block || block & NOT_AVAILABLE)
		strbuf_adds(out, " N/A");
	if (!(block & NOT_AVAILABLE) && block & 2)
		strbuf_adds(out, " Data");
	if (!(block & NOT_AVAILABLE) && block & 4)
		strbuf_adds(out, " Addr");
}

void data_source_add(struct strbuf *out, uint64_t word)
{
	strbuf_adds(out, "|OP ");
	add_operation(out, word);
	strbuf_adds(out, "|LVL ");
	data_source_add_level(out, word);
	strbuf_adds(out, "|SNP ");
	data_source_add_snoop(out, word);
	strbuf_adds(out, "|TLB ");
	data_source_add_tlb(out, word);
	strbuf_adds(out, "|LCK ");
	data_source_add_lock(out, word);
	strbuf_adds(out, "|BLK ");
	data_source_add_block(out, word);
}

void data_source_add_page_size(struct strbuf *out, uint64_t size_bytes)
{
	static const char units[] = "\0KMGTPE";
	unsigned int unit = 0;

	for (; size_bytes >= 1024 && unit < 6; unit++)
		size_bytes /= 1024;
	if (size_bytes == 0)
		strbuf_adds(out, "N/A");
	else if (unit == 0)
		strbuf_addf(out, "%" PRIu64, size_bytes);
	else
		strbuf_addf(out, "%" PRIu64 "%c", size_bytes, units[unit]);
}
