#ifndef XPROF_RECORD_BUILD_ID_TABLE_H
#define XPROF_RECORD_BUILD_ID_TABLE_H

/*
 * The files whose code was mapped while recording, and their build-ids. A build-id comes from the record of
 * the mapping if it has one (attr.build_id, PROCMAP_QUERY), otherwise from the file at the end. To bound
 * memory, files whose build-ids are in the records are forgotten when there are very many and they are no
 * longer mapped.
 */

#include <stdint.h>
#include <sys/types.h>

#include "elf/build_id.h"
#include "format/write/perf_writer.h"

struct build_id_table;

struct build_id_table *build_id_table_create(void);
void build_id_table_destroy(struct build_id_table *table);

/*
 * Notes that process `pid` maps code of `path`. `bytes` and `size` are the build-id in the record, NULL or 0
 * if it has none. Cheap for a known path. Code without a file ("//anon", "[heap]") is left out.
 */
void build_id_table_note(struct build_id_table *table, const char *path, pid_t pid, const uint8_t *bytes,
			 size_t size);

/* Notes the kernel or a module, under the name that readers look for. */
void build_id_table_note_kernel(struct build_id_table *table, const char *name, const struct build_id *id);

/*
 * Begins the next file of the recording: it needs the files that are noted from now on.
 * build_id_table_forget_older() then forgets files that were not noted again.
 */
void build_id_table_begin_file(struct build_id_table *table);
/* `kept`: what was noted for that many recorded files before the present one is kept, too. */
void build_id_table_forget_older(struct build_id_table *table, unsigned int kept);

/* Reads the missing build-ids and gives all of them to the writer. */
void build_id_table_write(struct build_id_table *table, struct perf_writer *writer);

#endif
