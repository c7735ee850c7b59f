#ifndef XPROF_RECORD_PROCESS_MAPS_H
#define XPROF_RECORD_PROCESS_MAPS_H

/*
 * The mappings of a process, with the build-ids of their files: ioctl(PROCMAP_QUERY) on /proc/PID/maps (Linux
 * 6.11), which returns binary data and skips unwanted mappings; on older kernels the text of /proc/PID/maps.
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
	struct build_id build_id; /* size 0: unknown */
	const char *path;         /* "" for anonymous memory; valid until visit returns */
};

typedef void process_mapping_visit(const struct process_mapping *mapping, void *context);

/*
 * Calls visit for each executable mapping, with `data` also for each readable one, in
 * ascending order. Returns 0, or -1 if the process is gone or access is denied.
 */
int process_maps_each(const char *proc, pid_t pid, bool data, process_mapping_visit *visit, void *context);

/*
 * Parses one line of /proc/PID/maps (proc(5)), modifying it; mapping->path points into it. Returns 0, or -1
 * if it is malformed.
 */
int process_maps_parse_line(char *line, struct process_mapping *mapping);

#endif
