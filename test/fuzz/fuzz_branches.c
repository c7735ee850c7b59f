/*
 * Samples with branches of any bytes: their entries in either byte order, their history, calls of the CPU joined with a
 * chain and stitched to earlier samples, and remarks on them. Checks invariants of each.
 *
 * Input: { u8 registers; samples of { u8 flags, branches, chain, tid, hw_index; words } }
 */

#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "format/branch_history.h"
#include "format/lbr_stack.h"
#include "format/lbr_stitch.h"
#include "profile/branch_marks.h"
#include "report/rows/branch_remark.h"

enum { MAX_MARKS = 8, ENTRY_BYTES = 24, SWAP = 1, FAR_INDEX = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static bool read_sample(struct byte_reader *input, struct sample *sample)
{
	const uint8_t flags = byte_reader_u8(input);
	const uint8_t branches = byte_reader_u8(input), chain = byte_reader_u8(input);

	*sample = (struct sample){ .swap = flags & SWAP };
	sample->tid = byte_reader_u8(input);
	sample->branch_hw_index = byte_reader_u8(input);
	if (flags & FAR_INDEX)
		sample->branch_hw_index = ~sample->branch_hw_index;
	sample->branch_count = branches;
	sample->branches = byte_reader_bytes(input, (size_t)branches * ENTRY_BYTES);
	sample->callchain_count = chain;
	sample->callchain = byte_reader_bytes(input, chain * sizeof(uint64_t));
	return byte_reader_ok(input);
}

/* A history only has branches of the sample, in their order; of each loop, at least one iteration is left. */
static void check_history(const struct sample *sample, size_t most)
{
	struct branch_history history;
	size_t next = 0;

	branch_history_of(&history, sample, most);
	check(history.count <= most && history.count <= sample->branch_count);
	check(history.covered <= sample->callchain_count);
	for (size_t i = 0; i < history.count; i++) {
		const struct branch_entry *branch = &history.steps[i].branch;

		while (next < sample->branch_count && (sample_branch(sample, next).from != branch->from ||
						       sample_branch(sample, next).to != branch->to))
			next++;
		check(next++ < sample->branch_count);
		check(history.steps[i].iterations <= sample->branch_count);
	}
	check(history.count == 0 || sample->branch_count <= BRANCH_HISTORY_MAX);
}

static void join(const struct sample *sample)
{
	uint64_t frames[UINT8_MAX];

	for (size_t i = 0; i < sample->callchain_count; i++)
		frames[i] = sample_callchain_entry(sample, i);
	for (size_t calls = 0; calls <= sample->branch_count; calls++) {
		const uint64_t outermost = calls ? sample_branch(sample, calls - 1).from : 0;
		const size_t beyond = lbr_stack_beyond(outermost, calls, frames, sample->callchain_count);

		check(beyond <= sample->callchain_count);
		check(beyond >= calls || beyond == sample->callchain_count);
	}
}

static void stitch(struct lbr_stitch *stitch, const struct sample *sample)
{
	const uint64_t *calls;
	const size_t count = lbr_stitch_add(stitch, sample, &calls);
	volatile uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += calls[i];
}

/* Parses marks from any text, writes them, and parses them again: both must be equal. */
static void remark(const uint8_t *data, size_t size)
{
	struct branch_mark marks[MAX_MARKS], again[MAX_MARKS];
	struct branch_remark remark = { 0 };
	struct strbuf text;
	size_t count;

	strbuf_init(&text);
	strbuf_add(&text, (const char *)data, size);
	count = branch_marks_read(text.bytes, marks, MAX_MARKS);
	strbuf_reset(&text);
	for (size_t i = 0; i < count; i++) {
		branch_mark_add_text(&text, &marks[i]);
		branch_remark_take_to(&remark, &marks[i], i + 1);
		branch_remark_take_from(&remark, &marks[i], UINT64_MAX / (i + 1));
	}
	check(branch_marks_read(text.bytes, again, MAX_MARKS) == count);
	for (size_t i = 0; i < count; i++)
		check(again[i].kind == marks[i].kind && again[i].cycles == marks[i].cycles &&
		      again[i].iterations == marks[i].iterations);
	branch_remark_add_text(&text, &remark);
	remark.to = 0;
	branch_remark_add_text(&text, &remark);
	strbuf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct byte_reader input;
	struct lbr_stitch *stitched;
	struct sample sample;

	input = byte_reader_over(data, size, false);
	stitched = lbr_stitch_create((size_t)byte_reader_u8(&input) + 1);
	while (byte_reader_left(&input) && read_sample(&input, &sample)) {
		check_history(&sample, SIZE_MAX);
		check_history(&sample, sample.tid);
		join(&sample);
		stitch(stitched, &sample);
	}
	lbr_stitch_destroy(stitched);
	for (int swap = 0; swap < 2; swap++) {
		input = byte_reader_over(data, size, swap);
		(void)lbr_stitch_registers(input, input);
	}
	remark(data, size);
	return 0;
}
