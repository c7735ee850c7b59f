#ifndef XPROF_RECORD_NAMED_EVENT_H
#define XPROF_RECORD_NAMED_EVENT_H

/* The hardware, software and cache events that the kernel defines by number, with perf's names. */

#include <stdbool.h>
#include <stdint.h>

struct named_event {
	const char *name; /* valid during the visit */
	uint32_t type;    /* PERF_TYPE_* */
	uint64_t config;
};

/* Calls visit for every event until it returns true. */
void named_event_each(bool (*visit)(const struct named_event *event, void *context), void *context);

#endif
