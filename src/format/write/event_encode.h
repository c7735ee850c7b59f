#ifndef XPROF_FORMAT_EVENT_ENCODE_H
#define XPROF_FORMAT_EVENT_ENCODE_H

/*
 * The events of a file that is being written, in each of the shapes that readers look for them in: attrs and ids in
 * front of the data, the features EVENT_DESC and GROUP_DESC, and records that say the same in a pipe.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

struct written_event {
	const struct perf_event_attr *attr;
	const void *attr_bytes; /* instead of attr: as a file has it, in the byte order that is written */
	size_t attr_size;       /* of attr_bytes, at least 64 */
	const char *name;
	const uint64_t *ids;
	size_t id_count;
	size_t group_size; /* of an event that leads a group of those behind it: how many, with itself; else 0 */
};

enum { WRITTEN_ATTR_BYTES = 128 }; /* PERF_ATTR_SIZE_VER7: of attrs that are not given as bytes */

/* All of a file. The items are the caller's. */
struct written_events {
	const struct written_event *items;
	size_t count;
	size_t attr_bytes;     /* of each as it is written: see written_events_init() */
	bool swap;             /* written in the opposite byte order to this machine's */
	const char *file_name; /* for messages */
};

/*
 * Readers step from attr to attr by the size of the first, so all get that of the largest: what a shorter one lacks is
 * 0. -1 when one is smaller or larger than the kernel takes.
 */
int written_events_init(struct written_events *events, const struct written_event *items, size_t count,
			bool swap, const char *file_name, struct error *err);

/* The attr of event `number`, with the size that is written in its size member; its ids. */
void written_events_add_attr(const struct written_events *events, size_t number, struct strbuf *out);
void written_events_add_ids(const struct written_events *events, size_t number, struct strbuf *out);

/* The bytes of features: see feature_set_put(). False: there are no groups, and nothing was added. */
void written_events_add_desc(const struct written_events *events, struct strbuf *out);
bool written_events_add_groups(const struct written_events *events, struct strbuf *out);

/* Do samples of any of them have branches? Not known of those that are given as bytes. */
bool written_events_have_branches(const struct written_events *events);

/*
 * HEADER_ATTR records, the way a pipe says what a file has in its header. -1 when an event has more ids than fit into
 * a record.
 */
int written_events_add_attr_records(const struct written_events *events, struct strbuf *out,
				    struct error *err);

/* EVENT_UPDATE records with the names, for events whose EVENT_DESC is too large for a record. */
void written_events_add_name_records(const struct written_events *events, struct strbuf *out);

#endif
