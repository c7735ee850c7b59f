#ifndef XPROF_REPORT_ARCHIVE_OBJECT_H
#define XPROF_REPORT_ARCHIVE_OBJECT_H

/*
 * What an archive keeps of each object, under the names that perf's cache of files has wherever that has some:
 *
 *   PATH/BUILD-ID/elf             an excerpt of a program or library (elf_excerpt.h)
 *   [vdso]/BUILD-ID/vdso          the same of the vdso
 *   .build-id/ab/cdef…            a link to PATH/BUILD-ID: perf --buildid-dir finds it there
 *   files/PATH                    files without a build-id, perf maps, jitdump files: below this, as --symfs wants it
 *   kernel/PATH                   symbols of the kernel and its modules: lines "START SIZE NAME"
 *   [kernel.kallsyms]/BUILD-ID/kallsyms    the same for perf
 *   sources/NUMBER                source lines and inlined functions, of any of them (source_answers.h)
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

/* What was left out, and why, one by one: NULL behind the last. */
const char *archive_objects_left_out(const struct archive_objects *objects, size_t number, const char **why);

size_t archive_objects_count(const struct archive_objects *objects); /* that something was kept of */

#endif
