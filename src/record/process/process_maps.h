#ifndef XPROF_RECORD_PROCESS_MAPS_H
#define XPROF_RECORD_PROCESS_MAPS_H

/*
 * The mappings of a process, with the build-ids of their files:
 * ioctl(PROCMAP_QUERY) on /proc/PID/maps (Linux 6.11), which answers in binary
 * and skips what is not asked for; otherwise the text of /proc/PID/maps.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "elf/build_id.h"

struct process_mapping {
	uint64_t start, end, file_offset;
	uint32_t prot;  /* PROT_* */
	uint32_t flags; /* MAP_SHARED or MAP_PRIVATE */
	uint32_t device_major, device_minor;
	uint64_t inode;
	struct build_id build_id; /* size 0: not known */
	const char *path;         /* "" for anonymous memory; lives until visit returns */
};

typedef void process_mapping_visit(const struct process_mapping *mapping, void *context);

/*
 * Calls visit for each executable mapping, and with `data` for each that can be
 * read, ascending. 0, or -1 when the process is gone or may not be looked at.
 */
int process_maps_each(const char *proc, pid_t pid, bool data, process_mapping_visit *visit, void *context);

/* One line of /proc/PID/maps (proc(5)), which is changed; 0, or -1 when it is none. */
int process_maps_parse_line(char *line, struct process_mapping *mapping);

#endif
