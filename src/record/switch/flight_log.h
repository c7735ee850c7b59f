#ifndef XPROF_RECORD_FLIGHT_LOG_H
#define XPROF_RECORD_FLIGHT_LOG_H

/*
 * All that a flight recorder's samples need and rings do not hold: which processes there are, and what is mapped. The
 * samples of the last seconds may be of processes that have ended since, so the log goes back further than the rings,
 * and yet does not grow: it has two parts, each of which begins with a description of all processes.
 *
 *	older    description, then the records up to the next description
 *	current  description, then the records since
 *
 * What is written into a file is the older part and the records of the current one.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct flight_log {
	struct strbuf older, current;
	size_t described_bytes; /* of `current`: its description */
};

void flight_log_init(struct flight_log *log);
void flight_log_fini(struct flight_log *log);

/* Begins a new part with a description of all processes; the part before the last is dropped. */
void flight_log_describe(struct flight_log *log, const struct strbuf *description);

/* Hands out what a file needs, in order: two pieces, the second may be empty. Valid until the log changes. */
struct flight_log_pieces {
	const char *pieces[2];
	size_t sizes[2];
};
struct flight_log_pieces flight_log_pieces(const struct flight_log *log);

#endif
