#ifndef XPROF_REPORT_PACK_ARCHIVE_OBJECT_H
#define XPROF_REPORT_PACK_ARCHIVE_OBJECT_H

/*
 * Packs each object into the archive, under the names of archive_names.h.
 *
 *     objects = archive_objects_create(needs, &search);
 *     archive_objects_list(objects, &list);    (for the archive's own description)
 *     if (archive_objects_write(objects, writer, &err) == 0)
 *             archive_writer_finish(writer, &size_bytes, &err);
 */

#include "archive/archive_writer.h"
#include "elf/debug_file.h"
#include "symbol/object_needs.h"
#include "symbol/symbol_archive.h"

struct archive_objects;

/* Decides what each of the needed objects will be called; which is all that the list of the archive has to know. */
struct archive_objects *archive_objects_create(struct object_needs *needs,
					       const struct debug_file_search *search);
void archive_objects_destroy(struct archive_objects *objects);

void archive_objects_list(const struct archive_objects *objects, struct strbuf *list);

/* Writes all of their files. */
int archive_objects_write(struct archive_objects *objects, struct archive_writer *writer, struct error *err);

/* Returns the files that were left out, and why, one by one; NULL behind the last. */
const char *archive_objects_left_out(const struct archive_objects *objects, size_t number, const char **why);

size_t archive_objects_count(const struct archive_objects *objects); /* that something was kept of */

#endif
