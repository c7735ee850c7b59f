/* Each part of the output (export_parts.h) has its own writer. */
#include "report/export/export_rows.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "report/export/export_parts.h"
#include "report/export/export_samples.h"

enum { PART_SAMPLES = 1 << 12 };

struct rows {
	const struct sample_log *log;
	const struct export_row_writer *kind;
	void *writers[EXPORT_PARTS_MOST]; /* by part */
	const bool *chosen;               /* by sample of the profile */
	size_t first;                     /* of the samples that are written at the same time */
};

static void write_part(void *context, size_t part, struct strbuf *text)
{
	const struct rows *rows = context;
	const size_t first = rows->first + part * PART_SAMPLES, count = sample_log_count(rows->log);

	for (size_t i = first; i < first + PART_SAMPLES && i < count; i++) {
		const struct logged_sample *sample = sample_log_at(rows->log, i);

		if (rows->chosen[sample->sample])
			rows->kind->add(rows->writers[part], text, sample);
	}
}

void export_rows_write(const struct export_input *input, struct export_out *out,
		       const struct export_row_writer *kind)
{
	struct export_parts *parts = export_parts_create(out);
	const size_t most = export_parts_most(parts), count = sample_log_count(input->log);
	bool *chosen = export_samples_chosen(input);
	struct rows rows = { .log = input->log, .kind = kind, .chosen = chosen };

	for (size_t i = 0; i < most; i++) {
		rows.writers[i] = xmalloc(kind->size_bytes);
		kind->init(rows.writers[i], input);
	}
	for (; rows.first < count; rows.first += most * PART_SAMPLES) {
		const size_t left = (count - rows.first + PART_SAMPLES - 1) / PART_SAMPLES;

		export_parts_add(parts, left < most ? left : most, write_part, &rows);
	}
	for (size_t i = 0; i < most; i++) {
		kind->fini(rows.writers[i]);
		free(rows.writers[i]);
	}
	free(chosen);
	export_parts_destroy(parts);
}
