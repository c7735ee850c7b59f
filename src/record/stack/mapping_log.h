#ifndef XPROF_RECORD_MAPPING_LOG_H
#define XPROF_RECORD_MAPPING_LOG_H

/*
 * Notes when memory was mapped, or its protection changed, in processes that make code at run time: code that was read there
 * later may differ from the code before. Records come somewhat out of order; their times count.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping_log;

struct mapping_log *mapping_log_create(void);
void mapping_log_destroy(struct mapping_log *log);

/* Adds a process, which must not be in the log yet. */
void mapping_log_add_process(struct mapping_log *log, uint32_t pid);
bool mapping_log_has_process(const struct mapping_log *log, uint32_t pid);
size_t mapping_log_process_count(const struct mapping_log *log);

struct logged_mapping {
	uint64_t start, end; /* end exclusive */
	uint64_t time_ns;
	uint32_t prot; /* PROT_* */
};

/*
 * Ignored for processes that were not added. If the last mapping there has the same protection and is a part of this one, it
 * has grown, and the kernel reports the whole; that part does not count as mapped anew.
 */
void mapping_log_note(struct mapping_log *log, uint32_t pid, const struct logged_mapping *mapping);

/* Was the address mapped after that time? Also true if that is no longer known. */
bool mapping_log_is_mapped_after(const struct mapping_log *log, uint32_t pid, uint64_t address,
				 uint64_t time_ns);

#endif
