#ifndef XPROF_PROCESS_DSO_TABLE_H
#define XPROF_PROCESS_DSO_TABLE_H

/*
 * All DSOs of a recording, once each, with the names that perf gives them (tools/perf/util/map.c, dso.c).
 * DSOs never move and live as long as the table.
 */

#include <stddef.h>

#include "format/event.h"
#include "process/dso.h"

struct dso_table;

struct dso_table *dso_table_create(void);
void dso_table_destroy(struct dso_table *table);

/* Does the record map memory without a file: a heap, a stack, or code of a run-time compiler? */
bool dso_table_is_anonymous(const struct mmap_record *record);

/* The DSO that a user-space MMAP or MMAP2 record maps. */
struct dso *dso_table_user(struct dso_table *table, const struct mmap_record *record);

/* The same for a kernel-space record: the kernel or a module; NULL if it is neither. */
struct dso *dso_table_kernel(struct dso_table *table, const struct mmap_record *record);

/* A KSYMBOL record's function; `shown_as` is the DSO name that is printed for it. */
struct dso *dso_table_ksymbol(struct dso_table *table, const char *symbol, const char *shown_as);

/* A jitdump file of a process. */
struct dso *dso_table_jitdump(struct dso_table *table, const char *path, uint32_t pid);

/* See process_table_build_id(). */
void dso_table_build_id(struct dso_table *table, const char *path, const struct build_id *build_id);

size_t dso_table_count(const struct dso_table *table);
struct dso *dso_table_at(const struct dso_table *table, uint32_t number);

#endif
