#ifndef XPROF_PROCESS_TIME_SPAN_H
#define XPROF_PROCESS_TIME_SPAN_H

#include <stdint.h>

/* Times for which an answer holds as long as no record is applied. */
struct time_span {
	uint64_t from_ns, until_ns; /* until exclusive */
};

#endif
