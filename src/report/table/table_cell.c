/*
 * table_cell_add() is a switch by column. Texts of sample keys are ready; only weights and latencies are multiplied by the
 * row's number of samples.
 */
#include "report/table/table_cell.h"

#include <stdlib.h>

#include "report/rows/frame_text.h"
#include "text/safe_text.h"

enum { ADDRESS_DIGITS = 16 };

static void thread_cell(const struct cell_context *context, const struct hist_row *row, uint32_t id,
			struct strbuf *cell)
{
	const struct profile *profile = context->input->profile;
	const struct profile_facts *facts = context->input->facts;
	const uint32_t *names = facts ? facts->thread_names : NULL;
	uint32_t comm = names ? names[row->thread] : profile_thread_at(profile, row->thread)->comm;

	strbuf_addf(cell, context->packed ? "%d:" : "%7d:", (int)id);
	safe_text_add(cell, profile_text(profile, comm));
}

/* In verbose mode, shows a path instead: that of the first DSO with this short name. */
static void dso_cell(const struct cell_context *context, uint32_t name, struct strbuf *cell)
{
	const struct profile *profile = context->input->profile;
	uint32_t i;

	if (name == PROFILE_NONE) {
		strbuf_adds(cell, "[unknown]");
		return;
	}
	for (i = 0; context->verbose && i < profile_dso_count(profile); i++)
		if (profile_dso_at(profile, i)->name == name) {
			name = profile_dso_at(profile, i)->path;
			break;
		}
	safe_text_add(cell, profile_text(profile, name));
}

static void symbol_cell(const struct cell_context *context, uint32_t key, size_t columns, struct strbuf *cell)
{
	const struct frame *frame;

	if (key == PROFILE_NONE) {
		strbuf_adds(cell, "[.] [unknown]");
		return;
	}
	frame = &context->input->frames->frames[key];
	strbuf_adds(cell, frame_mode_mark(frame->mode));
	if (frame->name == PROFILE_NONE) {
		strbuf_adds(cell, "0x");
		strbuf_add_hex_zeros(cell, frame->address,
				     columns >= TABLE_CELL_ADDRESS_COLUMNS ? ADDRESS_DIGITS : 0);
	} else {
		safe_text_add_function(cell, profile_text(context->input->profile, frame->name),
				       columns > 4 ? columns - 4 : 1);
	}
	if (frame->inlined)
		strbuf_adds(cell, FRAME_INLINED_MARK);
	if (frame->guessed)
		strbuf_adds(cell, FRAME_GUESSED_MARK);
}

/* Weights and latencies are sums over the row; "local" ones are per sample, and equal in all samples of a row. */
static void sample_key_cell(const struct cell_context *context, const struct hist_row *row,
			    enum column column, struct strbuf *cell)
{
	const char *text = hist_row_text(context->hist, row, column);

	switch ((int)column_sample_key(column)) {
	case SAMPLE_KEY_WEIGHT:
	case SAMPLE_KEY_INS_LAT:
	case SAMPLE_KEY_P_STAGE_CYC:
	case SAMPLE_KEY_RETIRE_LAT:
		strbuf_add_decimal(cell, strtoull(text, NULL, 10) * row->self_count, 0);
		break;
	default: safe_text_add(cell, text); break;
	}
}

void table_cell_add(struct strbuf *cell, const struct cell_context *context, const struct hist_row *row,
		    enum column column, size_t columns)
{
	uint32_t key;

	if (column_is_sample_key(column)) {
		sample_key_cell(context, row, column, cell);
		return;
	}
	key = hist_row_key(context->hist, row, column);
	switch (column) {
	case COLUMN_PARENT:
		safe_text_add(cell,
			      key == PROFILE_NONE ? "[other]" : profile_text(context->input->profile, key));
		break;
	case COLUMN_CGROUP:
		safe_text_add(cell, key ? profile_text(context->input->profile, key) : "N/A");
		break;
	case COLUMN_SRCLINE:
	case COLUMN_SRCFILE:
	case COLUMN_COMM: safe_text_add(cell, profile_text(context->input->profile, key)); break;
	case COLUMN_DSO: dso_cell(context, key, cell); break;
	case COLUMN_SYMBOL: symbol_cell(context, key, columns, cell); break;
	case COLUMN_CPU: strbuf_addf(cell, "%.3d", (int)key); break;
	default: thread_cell(context, row, key, cell); break;
	}
}
