#ifndef XPROF_REPORT_EXPORT_EXPORT_PARTS_H
#define XPROF_REPORT_EXPORT_EXPORT_PARTS_H

/*
 * Parts of the output that several threads write at the same time, each into a text of its own. The output has them in their
 * order, so it does not depend on the number of threads.
 *
 *     parts = export_parts_create(out);
 *     for (csv.first = 0; csv.first < rows; csv.first += export_parts_most(parts) * ROWS)
 *             export_parts_add(parts, export_parts_most(parts), write_rows, &csv);
 *     export_parts_destroy(parts);
 */

#include "report/export/export_out.h"

struct export_parts;

struct export_parts *export_parts_create(struct export_out *out);
void export_parts_destroy(struct export_parts *parts);

/* The number of parts that can be written at a time, at most EXPORT_PARTS_MOST. */
size_t export_parts_most(const struct export_parts *parts);

/* Appends part `part` to the text. Different parts are written at the same time. */
typedef void export_parts_write(void *context, size_t part, struct strbuf *text);

/* Adds parts 0 to count - 1, at most export_parts_most(). Returns when all of them are written into their texts. */
void export_parts_add(struct export_parts *parts, size_t count, export_parts_write *write, void *context);

/* The same in two steps: other threads write parts 1 to count - 1 while the caller does other work, then it writes part 0. */
void export_parts_begin(struct export_parts *parts, size_t count, export_parts_write *write, void *context);
void export_parts_end(struct export_parts *parts);

#endif
