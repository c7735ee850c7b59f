/*
 * The flags of an entry, its third word, are a bit field in the recording machine's layout, so each member has two possible
 * places.
 */
#include "format/branch_entry.h"

/* A bit field's lowest bit, counted from the word's lowest, and its width, if the first declared field is the lowest. */
struct bit_field {
	unsigned int start, width;
};

static const struct bit_field mispred = { 0, 1 }, predicted = { 1, 1 }, in_tx = { 2, 1 }, aborted = { 3, 1 },
			      cycles = { 4, 16 }, type = { 20, 4 }, spec = { 24, 2 }, new_type = { 26, 4 },
			      priv = { 30, 3 };

/* A big-endian compiler lays the fields out from the word's highest bit downwards. */
static uint64_t get(uint64_t word, struct bit_field field, bool big_endian)
{
	unsigned int shift = big_endian ? 64 - field.start - field.width : field.start;

	return word >> shift & ((1u << field.width) - 1);
}

struct branch_entry sample_branch(const struct sample *sample, size_t number)
{
	const bool big_endian = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != sample->swap;
	const uint64_t flags = sample_word(sample, sample->branches, number * 3 + 2);

	return (struct branch_entry){
		.from = sample_word(sample, sample->branches, number * 3),
		.to = sample_word(sample, sample->branches, number * 3 + 1),
		.mispredicted = get(flags, mispred, big_endian),
		.predicted = get(flags, predicted, big_endian),
		.in_transaction = get(flags, in_tx, big_endian),
		.transaction_abort = get(flags, aborted, big_endian),
		.cycles = (uint16_t)get(flags, cycles, big_endian),
		.type = (uint8_t)get(flags, type, big_endian),
		.speculation = (uint8_t)get(flags, spec, big_endian),
		.new_type = (uint8_t)get(flags, new_type, big_endian),
		.privilege = (uint8_t)get(flags, priv, big_endian),
	};
}
