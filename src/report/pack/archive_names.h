#ifndef XPROF_REPORT_PACK_ARCHIVE_NAMES_H
#define XPROF_REPORT_PACK_ARCHIVE_NAMES_H

/*
 * Names of the files in an archive, those of perf's file cache where it has any:
 *
 *   PATH/BUILD-ID/elf             an excerpt of a program or library (elf_excerpt.h)
 *   [vdso]/BUILD-ID/vdso          the same of the vdso
 *   .build-id/ab/cdef…            a link to PATH/BUILD-ID: perf --buildid-dir finds it there
 *   files/PATH                    files without a build-id, perf maps, jitdump files: below this, as --symfs wants it
 *   kernel/PATH                   symbols of the kernel and its modules: lines "START SIZE NAME"
 *   [kernel.kallsyms]/BUILD-ID/kallsyms    the same for perf
 *   sources/NUMBER                source lines and inlined functions, of any of them (source_answers.h)
 *
 * Paths are a recording's, so that of a hostile one may be anything: no name leads out of a directory.
 */

#include "symbol/symbol_object.h"

struct archive_names;

struct archive_names *archive_names_create(void);
void archive_names_destroy(struct archive_names *names);

/* malloc()ed, and never given twice. */
char *archive_names_file(struct archive_names *names, const struct symbol_object *object);

/* The link to the directory of that file; malloc()ed, NULL where there is none. */
char *archive_names_link(const struct symbol_object *object);

#endif
