#ifndef XPROF_FORMAT_FEATURE_DECODE_H
#define XPROF_FORMAT_FEATURE_DECODE_H

/*
 * Decodes the features of a file, from sections of the feature table and from records
 * (perf.data-file-format.txt, HEADER_*). Event names and ids in them are added to the event table.
 */

#include "base/arena.h"
#include "format/event_table.h"
#include "format/perf_abi.h"
#include "format/perf_features.h"

struct feature_bytes_read {
	const uint8_t *bytes;
	size_t size;
};

struct feature_table {
	struct perf_features decoded;
	struct feature_bytes_read raw[HEADER_FEATURE_BITS]; /* undecoded bytes of each feature that is
							       `present` */
	struct build_id_entry *build_ids;                   /* decoded.build_ids */
	size_t build_id_capacity;
	uint64_t from_table[HEADER_FEATURE_BITS / 64];
	struct arena memory;
};

enum feature_origin {
	FEATURE_FROM_TABLE,  /* bytes stay valid as long as the feature table */
	FEATURE_FROM_RECORD, /* bytes are copied; ignored if the file's table has the feature */
};

void feature_table_init(struct feature_table *table);
void feature_table_fini(struct feature_table *table);

/* Returns -1 with err set if the bytes are damaged; the part in front of the damage is kept. */
int feature_table_add(struct feature_table *table, unsigned int feature, struct byte_reader bytes,
		      enum feature_origin origin, struct event_table *events, struct error *err);

/* Sets the payload of the HEADER_TRACING_DATA record; not copied. */
void feature_table_set_tracing_data(struct feature_table *table, struct byte_reader bytes);

/* Adds the entry of a HEADER_BUILD_ID record. */
int feature_table_add_build_id(struct feature_table *table, const struct event *event, struct error *err);

#endif
