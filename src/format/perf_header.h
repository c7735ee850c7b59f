#ifndef XPROF_FORMAT_PERF_HEADER_H
#define XPROF_FORMAT_PERF_HEADER_H

/*
 * The header of a perf.data: file or pipe, byte order, and where the sections are (perf.data-file-format.txt,
 * "Header" and "Other bits in perf.data: pipe mode").
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/perf_abi.h"

struct file_section {
	uint64_t offset, size;
};

struct perf_header {
	bool swap;
	bool pipe;          /* the header is only magic and size; records follow */
	uint64_t attr_size; /* of one struct perf_file_attr: the attr and the section of its ids */
	struct file_section attrs, data;
	uint64_t features[HEADER_FEATURE_BITS / 64]; /* bit n: feature n has a section */
};

/*
 * Decodes the first bytes of a file: at least PERF_PIPE_HEADER_SIZE; PERF_FILE_HEADER_SIZE if it is not a
 * pipe's. Returns -1 with err set if it is not a perf.data or the header is too short.
 */
int perf_header_decode(struct perf_header *header, const uint8_t *bytes, size_t size, struct error *err);

unsigned int perf_header_feature_count(const struct perf_header *header);

static inline bool perf_header_has(const struct perf_header *header, unsigned int feature)
{
	return header->features[feature / 64] >> feature % 64 & 1;
}

#endif
