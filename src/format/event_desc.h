#ifndef XPROF_FORMAT_EVENT_DESC_H
#define XPROF_FORMAT_EVENT_DESC_H

#include <stddef.h>
#include <stdint.h>

#include "format/perf_attr.h"

struct event_desc { /* one attr of the file with its name and ids: perf's evsel */
	struct perf_attr attr;
	const uint8_t *attr_bytes; /* undecoded, for copying; valid until perf_file_close() */
	size_t attr_size;          /* of attr_bytes */
	const char *name;          /* from EVENT_DESC or EVENT_UPDATE, else made from the attr */
	const uint64_t *ids;
	size_t id_count;
	size_t leader; /* the number of the event that leads its group; its own without one */
};

#endif
