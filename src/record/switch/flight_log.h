#ifndef XPROF_RECORD_FLIGHT_LOG_H
#define XPROF_RECORD_FLIGHT_LOG_H

/*
 * The records of processes and mappings that the samples of a flight recorder need. Samples in the rings may
 * be of processes that have ended since, so the log has to reach further back than the rings, but must not
 * grow forever. It has two parts, each of which begins with a description of all processes.
 *
 *	older    description, then the records up to the next description
 *	current  description, then the records since
 *
 * A file gets the older part and the records of the current one, without its description.
 */

#include <stddef.h>

#include "base/strbuf.h"

struct flight_log {
	struct strbuf older, current;
	size_t described_bytes; /* size of the description at the beginning of `current` */
};

void flight_log_init(struct flight_log *log);
void flight_log_fini(struct flight_log *log);

/*
 * Begins a new part with a description of all processes: `current` becomes `older`, the former `older` is
 * dropped.
 */
void flight_log_describe(struct flight_log *log, const struct strbuf *description);

/* The records for a file: two pieces, in order; the second may be empty. Valid until the log changes. */
struct flight_log_pieces {
	const char *pieces[2];
	size_t sizes[2];
};
struct flight_log_pieces flight_log_pieces(const struct flight_log *log);

#endif
