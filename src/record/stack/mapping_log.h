#ifndef XPROF_RECORD_MAPPING_LOG_H
#define XPROF_RECORD_MAPPING_LOG_H

/*
 * When memory of processes that make code at run time was lately mapped, or got another protection: what was read there
 * afterwards need not be what was there before. Records come somewhat out of order; their times count.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping_log;

struct mapping_log *mapping_log_create(void);
void mapping_log_destroy(struct mapping_log *log);

/* Adds the process, of which nothing was noted so far. */
void mapping_log_add_process(struct mapping_log *log, uint32_t pid);
bool mapping_log_has_process(const struct mapping_log *log, uint32_t pid);
size_t mapping_log_process_count(const struct mapping_log *log);

struct logged_mapping {
	uint64_t start, end; /* end exclusive */
	uint64_t time_ns;
	uint32_t prot; /* PROT_* */
};

/*
 * Ignored for processes that were not added. Where the last mapping there, of the same protection, was a part of this one it
 * has grown: the kernel tells of the whole. That part is not mapped anew.
 */
void mapping_log_note(struct mapping_log *log, uint32_t pid, const struct logged_mapping *mapping);

/* Was the address mapped later than that? True also where that is no longer known. */
bool mapping_log_is_mapped_after(const struct mapping_log *log, uint32_t pid, uint64_t address,
				 uint64_t time_ns);

#endif
