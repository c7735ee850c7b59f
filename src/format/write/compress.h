#ifndef XPROF_FORMAT_COMPRESS_H
#define XPROF_FORMAT_COMPRESS_H

/*
 * The kernel's records in COMPRESSED records (type 81, Linux 5.2):
 *
 *	{ struct perf_event_header header; char data[]; }
 *
 * As perf writes them, one zstd stream runs through all of them and is flushed at the end of each, so that all
 * records up to there can be read. They nearly always end with a whole record. Every 2 MiB a new frame begins,
 * which can be read without the ones before it: damage in one place loses at most the rest of a frame. As in
 * perf, header.size is not a multiple of eight.
 *
 * Records of the tools (type 64 and above) stay outside, as perf record leaves them: readers look for
 * FINISHED_ROUND in the file, not among decompressed records, and the bytes behind AUXTRACE are found by
 * their place in the file.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

enum {
	COMPRESS_LEVEL_DEFAULT = 3, /* files are a tenth smaller than at level 1, perf's default */
	COMPRESS_LEVEL_MAX = 22,
	/* The largest decompressed size of one record: mmap_len of HEADER_COMPRESSED, perf's buffer. */
	DECOMPRESSED_MAX_BYTES = 64 * 1024,
};

struct compressor;

/* Was xprof built with libzstd? */
bool compressor_available(void);

/*
 * `level` is 1 to 22. `swap`: the records are in the opposite byte order. Returns NULL with err set on
 * failure, also without libzstd.
 */
struct compressor *compressor_create(unsigned int level, bool swap, struct error *err);
void compressor_destroy(struct compressor *compressor);

/*
 * Appends whole records to `out`, those of the kernel compressed. `records` must end with a whole
 * record. Returns -1 with err set if zstd fails (no memory).
 */
int compressor_pack(struct compressor *compressor, const void *records, size_t size, struct strbuf *out,
		    struct error *err);

struct compression_totals {
	uint64_t original_bytes; /* size of the records before compression */
	uint64_t packed_bytes;   /* size of the COMPRESSED records, with their headers */
};

struct compression_totals compressor_totals(const struct compressor *compressor);

/* original / packed; 1 if nothing was compressed yet. */
double compression_ratio(struct compression_totals totals);

#endif
