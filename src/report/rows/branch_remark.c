/*
 * Numbers are as in counts_str_build(), tools/perf/util/callchain.c: cycles are means per branch, iterations
 * are means per entry of the loop.
 *
 * There is one difference. perf divides the iterations of a node by its number of samples minus one: it
 * prints twice as many iterations for a node with two samples, and none for a node with one.
 */
#include "report/rows/branch_remark.h"

#include <inttypes.h>

#include "base/saturating.h"
#include "text/branch_type_text.h"

enum { CONDITIONAL = 1 /* PERF_BR_COND */ };

static uint64_t times(uint64_t number, uint64_t count)
{
	uint64_t product;

	return __builtin_mul_overflow(number, count, &product) ? UINT64_MAX : product;
}

void branch_remark_take_to(struct branch_remark *remark, const struct branch_mark *mark, uint64_t count)
{
	saturating_add(&remark->to, count);
	saturating_add(&remark->predicted, mark->predicted ? count : 0);
	saturating_add(&remark->aborted, mark->aborted ? count : 0);
	if (!mark->kind)
		return;
	remark->kinds |= 1u << mark->kind % BRANCH_MARK_KINDS;
	if (mark->kind == CONDITIONAL && mark->forward)
		remark->forward = true;
	else if (mark->kind == CONDITIONAL)
		remark->backward = true;
	remark->crosses_4k |= mark->crosses_4k;
	remark->crosses_2m |= mark->crosses_2m;
}

void branch_remark_take_from(struct branch_remark *remark, const struct branch_mark *mark, uint64_t count)
{
	saturating_add(&remark->from, count);
	saturating_add(&remark->cycles, times(mark->cycles, count));
	saturating_add(&remark->iterations, times(mark->iterations, count));
	saturating_add(&remark->iteration_cycles, times(mark->iteration_cycles, count));
}

/* The first word follows an opening bracket. */
static void begin_word(struct strbuf *out, bool *is_open)
{
	strbuf_adds(out, *is_open ? " " : " (");
	*is_open = true;
}

static void add_word(struct strbuf *out, bool *is_open, bool is_true, const char *word)
{
	if (!is_true || !*word)
		return;
	begin_word(out, is_open);
	strbuf_adds(out, word);
}

static void add_number(struct strbuf *out, bool *is_open, const char *word, uint64_t number)
{
	begin_word(out, is_open);
	strbuf_addf(out, "%s:%" PRIu64, word, number);
}

static void add_share(struct strbuf *out, bool *is_open, const char *word, uint64_t part, uint64_t whole)
{
	begin_word(out, is_open);
	strbuf_addf(out, "%s:%.1f%%", word, 100.0 * (double)part / (double)whole);
}

static void add_kinds(struct strbuf *out, bool *is_open, const struct branch_remark *remark)
{
	add_word(out, is_open, remark->forward, "COND_FWD");
	add_word(out, is_open, remark->backward, "COND_BWD");
	add_word(out, is_open, remark->crosses_4k, "CROSS_4K");
	add_word(out, is_open, remark->crosses_2m, "CROSS_2M");
	for (unsigned int kind = CONDITIONAL + 1; kind < BRANCH_MARK_KINDS; kind++)
		add_word(out, is_open, remark->kinds >> kind & 1,
			 kind < BRANCH_MARK_NEW_KINDS ?
				 branch_type_text((uint8_t)kind) :
				 branch_new_type_text((uint8_t)(kind - BRANCH_MARK_NEW_KINDS)));
}

void branch_remark_add_text(struct strbuf *out, const struct branch_remark *remark)
{
	bool is_open = false;

	if (remark->to) {
		add_kinds(out, &is_open, remark);
		if (remark->predicted < remark->to)
			add_share(out, &is_open, "predicted", remark->predicted, remark->to);
		if (remark->aborted && remark->aborted >= remark->to / 1000) /* 0.1% */
			add_share(out, &is_open, "abort", remark->aborted, remark->to);
	} else if (remark->from) {
		if (remark->cycles / remark->from)
			add_number(out, &is_open, "cycles", remark->cycles / remark->from);
		if (remark->iterations / remark->from) {
			add_number(out, &is_open, "iter", remark->iterations / remark->from);
			add_number(out, &is_open, "avg_cycles",
				   remark->iteration_cycles / remark->iterations);
		}
	}
	if (is_open)
		strbuf_addc(out, ')');
}
