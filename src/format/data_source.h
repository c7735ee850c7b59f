#ifndef XPROF_FORMAT_DATA_SOURCE_H
#define XPROF_FORMAT_DATA_SOURCE_H

/*
 * Describes where a sampled memory access was served (union perf_mem_data_src, linux/perf_event.h), in perf's
 * words.
 */

#include <stdint.h>

#include "base/strbuf.h"

/* Appends the whole word: "|OP LOAD|LVL L1 or L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A" */
void data_source_add(struct strbuf *out, uint64_t word);

/* Append one part each: "L1 hit", "None", "L1 or L2 hit", "No", " N/A". */
void data_source_add_level(struct strbuf *out, uint64_t word);
void data_source_add_snoop(struct strbuf *out, uint64_t word);
void data_source_add_tlb(struct strbuf *out, uint64_t word);
void data_source_add_lock(struct strbuf *out, uint64_t word);
void data_source_add_block(struct strbuf *out, uint64_t word);

/* Appends the size of the accessed page: "4K"; "N/A" for 0. */
void data_source_add_page_size(struct strbuf *out, uint64_t size_bytes);

#endif
