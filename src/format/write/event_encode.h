#ifndef XPROF_FORMAT_EVENT_ENCODE_H
#define XPROF_FORMAT_EVENT_ENCODE_H

/*
 * Encodes the events of a file that is written, in all forms that readers need: attrs and ids in front of the data,
 * the features EVENT_DESC and GROUP_DESC, and records for pipes.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

struct written_event {
	const struct perf_event_attr *attr;
	const void *attr_bytes; /* instead of attr: already encoded, in the byte order of the output */
	size_t attr_size;       /* of attr_bytes, at least 64 */
	const char *name;
	const uint64_t *ids;
	size_t id_count;
	size_t group_size; /* for a group leader: number of events in its group, which follow it, including
			      itself; else 0 */
};

enum { WRITTEN_ATTR_BYTES = 128 }; /* PERF_ATTR_SIZE_VER7, for attrs that are not given as bytes */

/* All events of a file. The items are borrowed. */
struct written_events {
	const struct written_event *items;
	size_t count;
	size_t attr_bytes;     /* encoded size of each attr: see written_events_init() */
	bool swap;             /* written in the opposite byte order to this machine's */
	const char *file_name; /* for messages */
};

/*
 * Readers step from attr to attr by the size of the first one, so all are written with the size of the largest, padded
 * with zeros. Returns -1 with err set if an attr is smaller or larger than the kernel accepts.
 */
int written_events_init(struct written_events *events, const struct written_event *items, size_t count,
			bool swap, const char *file_name, struct error *err);

/* Append the attr of event `number`, with its written size in its size member, and its ids. */
void written_events_add_attr(const struct written_events *events, size_t number, struct strbuf *out);
void written_events_add_ids(const struct written_events *events, size_t number, struct strbuf *out);

/*
 * Append the bytes of EVENT_DESC and GROUP_DESC for feature_set_put(). Returns false, with nothing added, if
 * there are no groups.
 */
void written_events_add_desc(const struct written_events *events, struct strbuf *out);
bool written_events_add_groups(const struct written_events *events, struct strbuf *out);

/* Do samples of any event have branches? Does not consider attrs that are given as bytes. */
bool written_events_have_branches(const struct written_events *events);

/*
 * Appends HEADER_ATTR records, which replace the header in a pipe. Returns -1 with err set if an event has more ids
 * than fit into a record.
 */
int written_events_add_attr_records(const struct written_events *events, struct strbuf *out,
				    struct error *err);

/* Appends EVENT_UPDATE records with the names, for use if EVENT_DESC is too large for a record. */
void written_events_add_name_records(const struct written_events *events, struct strbuf *out);

#endif
