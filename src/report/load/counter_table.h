#ifndef XPROF_REPORT_LOAD_COUNTER_TABLE_H
#define XPROF_REPORT_LOAD_COUNTER_TABLE_H

/* The last value that was read of each counter, by sample id: PERF_SAMPLE_READ samples have running totals. */

#include <stdint.h>

struct counter_table;

struct counter_table *counter_table_create(void);
void counter_table_destroy(struct counter_table *table);

/* The advance of a counter since its last reading; from 0 the first time. */
uint64_t counter_table_advance(struct counter_table *table, uint64_t id, uint64_t value);

#endif
