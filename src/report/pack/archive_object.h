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

/* Opens the needed objects and decides their names in the archive. */
struct archive_objects *archive_objects_create(struct object_needs *needs,
					       const struct debug_file_search *search);
void archive_objects_destroy(struct archive_objects *objects);

/* Appends the list of objects for the archive's description. */
void archive_objects_list(const struct archive_objects *objects, struct strbuf *list);

/* Writes the files of all objects. Returns 0, or -1 with err. */
int archive_objects_write(struct archive_objects *objects, struct archive_writer *writer, struct error *err);

/* The path of the file number `number` that was left out, with *why; NULL after the last one. */
const char *archive_objects_left_out(const struct archive_objects *objects, size_t number, const char **why);

/* The number of objects of which something was kept. */
size_t archive_objects_count(const struct archive_objects *objects);

#endif
