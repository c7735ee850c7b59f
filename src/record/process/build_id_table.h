#ifndef XPROF_RECORD_BUILD_ID_TABLE_H
#define XPROF_RECORD_BUILD_ID_TABLE_H

/*
 * The files whose code was mapped while recording, and their build-ids: from
 * the records where they say them (attr.build_id, PROCMAP_QUERY), read from the
 * files at the end otherwise. Of very many files those whose build-ids are in the records are forgotten again when they are
 * mapped no more.
 */

#include <stdint.h>
#include <sys/types.h>

#include "elf/build_id.h"
#include "format/write/perf_writer.h"

struct build_id_table;

struct build_id_table *build_id_table_create(void);
void build_id_table_destroy(struct build_id_table *table);

/*
 * Process `pid` maps code of `path`; `bytes` NULL or size 0 when the record did
 * not say its build-id. Cheap when the path is known. Code without a file
 * ("//anon", "[heap]") is left out.
 */
void build_id_table_note(struct build_id_table *table, const char *path, pid_t pid, const uint8_t *bytes,
			 size_t size);

/* The kernel or a module, under the name that readers look for. */
void build_id_table_note_kernel(struct build_id_table *table, const char *name, const struct build_id *id);

/*
 * The next file needs all that is noted from now on; build_id_table_forget_older() forgets all that was not noted again.
 */
void build_id_table_begin_file(struct build_id_table *table);
/* `kept`: so many files before that one keep theirs, too. */
void build_id_table_forget_older(struct build_id_table *table, unsigned int kept);

/* Reads what is missing and gives all to the writer. */
void build_id_table_write(struct build_id_table *table, struct perf_writer *writer);

#endif
