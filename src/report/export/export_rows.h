#ifndef XPROF_REPORT_EXPORT_EXPORT_ROWS_H
#define XPROF_REPORT_EXPORT_EXPORT_ROWS_H

/*
 * Writes the single samples that pass the filters in the order of the log, for formats in which the text of a sample does not
 * depend on other samples. Several threads write, each with a writer of its own, which keeps texts that it will need again.
 */

#include "report/export/export_format.h"

struct export_row_writer {
	size_t size_bytes; /* of a writer */
	void (*init)(void *writer, const struct export_input *input);
	void (*fini)(void *writer);
	void (*add)(void *writer, struct strbuf *text, const struct logged_sample *sample);
};

void export_rows_write(const struct export_input *input, struct export_out *out,
		       const struct export_row_writer *kind);

#endif
