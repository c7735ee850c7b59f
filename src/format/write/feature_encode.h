#ifndef XPROF_FORMAT_FEATURE_ENCODE_H
#define XPROF_FORMAT_FEATURE_ENCODE_H

/*
 * The features of a file that is being written: bytes by number, the build-ids
 * in a list of their own, and the two shapes they are written in: records in
 * front of the data, a table of sections behind it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_table.h"
#include "base/strbuf.h"
#include "format/perf_abi.h"

struct feature_bytes {
	unsigned char *bytes;
	size_t size;
	bool set;
	uint64_t section_offset; /* in the file, when the bytes are there already; else 0 */
};

struct written_build_id {
	char *path;
	uint16_t misc; /* cpumode */
	uint8_t build_id[20];
	uint8_t build_id_size;
};

struct feature_set {
	struct feature_bytes features[HEADER_FEATURE_BITS];
	struct written_build_id *build_ids;
	size_t build_id_count, build_id_capacity;
	struct hash_table build_id_index; /* by path */
	bool swap; /* written in the opposite byte order to this machine's; set before use */
};

void feature_set_init(struct feature_set *set);
void feature_set_fini(struct feature_set *set);

/*
 * Copies; replaces what was there. Numbers from HEADER_FEATURE_BITS on are ignored. Entries of a
 * BUILD_ID section that are set so go in front of those that are added.
 */
void feature_set_put(struct feature_set *set, unsigned int feature, const void *bytes, size_t size);
void feature_set_add_build_id(struct feature_set *set, const char *path, uint16_t misc,
			      const uint8_t *build_id, size_t build_id_size);

enum feature_record_form { FEATURE_RECORDS_IN_FILE, FEATURE_RECORDS_IN_PIPE };
/* Can it be a HEADER_FEATURE record, with so many bytes? BUILD_ID and TRACING_DATA have records of their own. */
bool feature_fits_record(unsigned int feature, size_t size);

enum { FEATURE_LEFT_OUT_EVENT_DESC = 1 }; /* too large for a record */

/*
 * Appends HEADER_FEATURE and HEADER_BUILD_ID records, in a pipe HEADER_TRACING_DATA too. Features
 * that do not fit into a record are left out; those that readers have to know of are returned as bits.
 */
unsigned int feature_set_add_records(const struct feature_set *set, enum feature_record_form form,
				     struct strbuf *out);

/*
 * In a file of the other byte order readers tell by HOSTNAME how wide the words of the bitmap are (perf_header.c); perf
 * takes none of the features where there is no HOSTNAME. It becomes an empty one where it is missing.
 */
void feature_set_tell_layout(struct feature_set *set);

/* Appends the table for file offset `table_offset` with the sections behind it; sets the header's feature bits. */
void feature_set_add_table(const struct feature_set *set, struct strbuf *out, uint64_t table_offset,
			   uint64_t feature_bits[4]);

/* One build-id as a HEADER_BUILD_ID record, or, with type 0, as an entry of the BUILD_ID section. */
void feature_add_build_id(struct strbuf *out, uint32_t type, const struct written_build_id *entry, bool swap);

/* u32 length with padding, then the text, padded with zeros to a multiple of 64 as perf does. */
void feature_add_string(struct strbuf *out, const char *text);

#endif
