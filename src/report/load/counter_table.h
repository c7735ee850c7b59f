#ifndef XPROF_REPORT_LOAD_COUNTER_TABLE_H
#define XPROF_REPORT_LOAD_COUNTER_TABLE_H

/*
 * The last value of each counter, by sample id. Samples with PERF_SAMPLE_READ have running totals; this gives
 * the differences.
 */

#include <stdint.h>

struct counter_table;

struct counter_table *counter_table_create(void);
void counter_table_destroy(struct counter_table *table);

/*
 * Returns how much the counter has advanced since its last value, and notes the new one. The first time it
 * counts from 0.
 */
uint64_t counter_table_advance(struct counter_table *table, uint64_t id, uint64_t value);

#endif
