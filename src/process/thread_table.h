#ifndef XPROF_PROCESS_THREAD_TABLE_H
#define XPROF_PROCESS_THREAD_TABLE_H

/*
 * The names of threads over time. A thread is identified by its tid alone, since tids are unique in the
 * system.
 */

#include <stdint.h>

struct thread_table;

struct thread_table *thread_table_create(void);
void thread_table_destroy(struct thread_table *table);

void thread_table_fork(struct thread_table *table, uint32_t tid, uint32_t parent_tid, uint64_t time_ns);
void thread_table_comm(struct thread_table *table, uint32_t tid, uint64_t time_ns, const char *comm);

/* See process_table_comm_then(). */
const char *thread_table_find_comm(struct thread_table *table, uint32_t tid, uint64_t time_ns);

/* See process_table_life(). */
uint64_t thread_table_life(struct thread_table *table, uint32_t tid, uint64_t time_ns);

/* See process_table_comm(). */
const char *thread_table_find_comm_or_first(struct thread_table *table, uint32_t tid, uint64_t time_ns);

#endif
