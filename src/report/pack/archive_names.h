#ifndef XPROF_REPORT_PACK_ARCHIVE_NAMES_H
#define XPROF_REPORT_PACK_ARCHIVE_NAMES_H

/*
 * Names of the files in an archive; the same as in perf's file cache if that has such files:
 *
 *   PATH/BUILD-ID/elf             an excerpt of a program or library (elf_excerpt.h)
 *   [vdso]/BUILD-ID/vdso          the same for the vdso
 *   .build-id/ab/cdef…            a link to PATH/BUILD-ID: perf --buildid-dir finds it there
 *   files/PATH                    files without a build-id, perf maps, jitdump files: files/ can be given to --symfs
 *   kernel/PATH                   symbols of the kernel and its modules: lines "START SIZE NAME"
 *   [kernel.kallsyms]/BUILD-ID/kallsyms    the same for perf
 *   sources/NUMBER                source lines and inlined functions of any object (source_answers.h)
 *
 * Paths come from the recording and cannot be trusted: no name leads out of the archive's directory.
 */

#include "symbol/symbol_object.h"

struct archive_names;

struct archive_names *archive_names_create(void);
void archive_names_destroy(struct archive_names *names);

/* Returns the name for an object, malloc()ed, never the same one twice. */
char *archive_names_file(struct archive_names *names, const struct symbol_object *object);

/* Returns the name of the link to the directory of that file, malloc()ed; NULL if it has none. */
char *archive_names_link(const struct symbol_object *object);

#endif
