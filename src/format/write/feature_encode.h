#ifndef XPROF_FORMAT_FEATURE_ENCODE_H
#define XPROF_FORMAT_FEATURE_ENCODE_H

/*
 * The features of a file that is written: bytes by feature number, and a list of build-ids. They are written
 * in two forms: as records in front of the data, and as a table of sections behind it.
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
	uint64_t section_offset; /* file offset if the bytes are in the file already; else 0 */
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

void feature_set_fini(struct feature_set *set);

/*
 * Sets the bytes of a feature, which are copied; replaces earlier ones. Ignores numbers from
 * HEADER_FEATURE_BITS on. Entries of a BUILD_ID section set in this way are written before those from
 * feature_set_add_build_id().
 */
void feature_set_put(struct feature_set *set, unsigned int feature, const void *bytes, size_t size);
void feature_set_add_build_id(struct feature_set *set, const char *path, uint16_t misc,
			      const uint8_t *build_id, size_t build_id_size);

enum feature_record_form { FEATURE_RECORDS_IN_FILE, FEATURE_RECORDS_IN_PIPE };
/*
 * Can the feature be written as a HEADER_FEATURE record with `size` bytes? BUILD_ID and TRACING_DATA have their
 * own types of records.
 */
bool feature_fits_record(unsigned int feature, size_t size);

enum { FEATURE_LEFT_OUT_EVENT_DESC = 1 }; /* too large for a record */

/*
 * Appends HEADER_FEATURE and HEADER_BUILD_ID records, in a pipe HEADER_TRACING_DATA too. Features that do not
 * fit into a record are left out. Returns FEATURE_LEFT_OUT_* bits for those that readers need.
 */
unsigned int feature_set_add_records(const struct feature_set *set, enum feature_record_form form,
				     struct strbuf *out);

/*
 * For files of the opposite byte order: adds an empty HOSTNAME if there is none, because readers find the word
 * size of the feature bitmap by its HOSTNAME bit (perf_header.c), and perf ignores all features without it.
 */
void feature_set_tell_layout(struct feature_set *set);

/*
 * Appends the table, to be written at `table_offset`, and the sections behind it; sets feature_bits for the
 * header.
 */
void feature_set_add_table(const struct feature_set *set, struct strbuf *out, uint64_t table_offset,
			   uint64_t feature_bits[4]);

/* Appends a build-id as a HEADER_BUILD_ID record or, if `type` is 0, as an entry of the BUILD_ID section. */
void feature_add_build_id(struct strbuf *out, uint32_t type, const struct written_build_id *entry, bool swap);

/* Appends the padded length (u32) and the text, padded with zeros to a multiple of 64 as in perf. */
void feature_add_string(struct strbuf *out, const char *text);

#endif
