/*
 * compressor_pack() splits the records into rows of kernel records and rows of tool records; the latter are copied. pack_piece()
 * makes one COMPRESSED record of at most PIECE_MAX_BYTES of records, and ends a frame when it is long enough.
 */
#include "format/write/compress.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "format/record_header.h"

double compression_ratio(struct compression_totals totals)
{
	return totals.packed_bytes ? (double)totals.original_bytes / (double)totals.packed_bytes : 1;
}

#ifdef HAVE_LIBZSTD

#include <zstd.h>

enum {
	RECORD_MAX_BYTES = UINT16_MAX & ~7, /* perf_event_header.size has 16 bits */
	DATA_MAX_BYTES = RECORD_MAX_BYTES - PERF_RECORD_HEADER_SIZE,
	/* Compressed at a time. Fits into a record whatever the bytes are; larger pieces would make files 1% smaller. */
	PIECE_MAX_BYTES = 64000,
	FRAME_OVERHEAD_MAX_BYTES = 32, /* header (18), empty last block (3) and checksum (4), rounded up */
	/* Samples at 99 Hz take 131 bytes each if each flush is a frame, 111 in frames of 2 MiB, and the same in one for all. */
	FRAME_MAX_BYTES = 2 * 1024 * 1024,
	/* Bounds the memory of writers and readers at every level. Twice as much would make files 1% smaller. */
	WINDOW_LOG = 20,
	/*
	 * Two tables of 64 KiB instead of 256 and 512. At 99 Hz each flush finds the caches cold, and takes a third less time for 2%
	 * larger files.
	 */
	DEFAULT_LEVEL_TABLE_LOG = 14,
};

_Static_assert((int)ZSTD_COMPRESSBOUND(PIECE_MAX_BYTES) + FRAME_OVERHEAD_MAX_BYTES <= (int)DATA_MAX_BYTES,
	       "a piece of this size fits into a record");
_Static_assert((int)PIECE_MAX_BYTES <= (int)DECOMPRESSED_MAX_BYTES, "a piece fits into perf's buffer");

struct compressor {
	ZSTD_CCtx *context;
	bool swap;
	size_t frame_bytes; /* size of the records in the present frame */
	struct compression_totals totals;
	uint8_t data[DATA_MAX_BYTES];
};

bool compressor_available(void)
{
	return true;
}

static bool set(ZSTD_CCtx *context, ZSTD_cParameter parameter, int value)
{
	return !ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value));
}

/* The checksum tells readers of a frame that lost a part, whose rest zstd would decompress to other bytes. */
static bool set_up(ZSTD_CCtx *context, unsigned int level)
{
	return set(context, ZSTD_c_compressionLevel, (int)level) &&
	       set(context, ZSTD_c_windowLog, WINDOW_LOG) && set(context, ZSTD_c_checksumFlag, 1) &&
	       (level != COMPRESS_LEVEL_DEFAULT || (set(context, ZSTD_c_hashLog, DEFAULT_LEVEL_TABLE_LOG) &&
						    set(context, ZSTD_c_chainLog, DEFAULT_LEVEL_TABLE_LOG)));
}

struct compressor *compressor_create(unsigned int level, bool swap, struct error *err)
{
	struct compressor *compressor;

	if (level < 1 || level > COMPRESS_LEVEL_MAX) {
		error_set(err, "%u is not a compression level: 1 (fast) to %d (small)", level,
			  COMPRESS_LEVEL_MAX);
		return NULL;
	}
	compressor = xcalloc(1, sizeof(*compressor));
	compressor->swap = swap;
	compressor->context = ZSTD_createCCtx();
	if (!compressor->context || !set_up(compressor->context, level)) {
		error_set(err, "cannot set up zstd");
		compressor_destroy(compressor);
		return NULL;
	}
	return compressor;
}

void compressor_destroy(struct compressor *compressor)
{
	if (!compressor)
		return;
	ZSTD_freeCCtx(compressor->context);
	free(compressor);
}

struct compression_totals compressor_totals(const struct compressor *compressor)
{
	return compressor->totals;
}

/* Returns the size of the record and sets its type; 0 if it is not whole. */
static size_t record_size(const struct compressor *compressor, const uint8_t *record, size_t left,
			  uint32_t *type)
{
	uint16_t size;

	if (left < PERF_RECORD_HEADER_SIZE)
		return 0;
	memcpy(type, record, sizeof(*type));
	memcpy(&size, record + 6, sizeof(size));
	if (compressor->swap) {
		*type = __builtin_bswap32(*type);
		size = __builtin_bswap16(size);
	}
	return size >= PERF_RECORD_HEADER_SIZE && size <= left ? size : 0;
}

/* Size of the row of records that begins here, all of the kernel or all of tools: at least one record, else up to a limit. */
static size_t row_size(const struct compressor *compressor, const uint8_t *records, size_t left, size_t limit,
		       bool *of_tools)
{
	size_t row = 0, size;
	uint32_t type;

	while ((size = record_size(compressor, records + row, left - row, &type)) > 0) {
		bool of_tool = type >= PERF_RECORD_USER_TYPE_START;

		if (row == 0)
			*of_tools = of_tool;
		else if (of_tool != *of_tools || row + size > limit)
			break;
		row += size;
	}
	return row;
}

static void add_compressed_record(struct compressor *compressor, size_t original_size, size_t data_size,
				  struct strbuf *out)
{
	const size_t size = PERF_RECORD_HEADER_SIZE + data_size;

	record_header_add(out, PERF_RECORD_COMPRESSED, 0, size, compressor->swap);
	strbuf_add(out, compressor->data, data_size);
	compressor->totals.original_bytes += original_size;
	compressor->totals.packed_bytes += size;
}

static int pack_piece(struct compressor *compressor, const uint8_t *bytes, size_t size, struct strbuf *out,
		      struct error *err)
{
	ZSTD_inBuffer input = { .src = bytes, .size = size };
	ZSTD_outBuffer output = { .dst = compressor->data, .size = sizeof(compressor->data) };
	const bool is_last = compressor->frame_bytes + size > FRAME_MAX_BYTES - PIECE_MAX_BYTES;
	const size_t unwritten = ZSTD_compressStream2(compressor->context, &output, &input,
						      is_last ? ZSTD_e_end : ZSTD_e_flush);

	if (unwritten != 0)
		return error_set(err, "cannot compress: zstd: %s", ZSTD_getErrorName(unwritten));
	compressor->frame_bytes = is_last ? 0 : compressor->frame_bytes + size;
	add_compressed_record(compressor, size, output.pos, out);
	return 0;
}

int compressor_pack(struct compressor *compressor, const void *records, size_t size, struct strbuf *out,
		    struct error *err)
{
	const uint8_t *next = records, *end = next + size;
	bool of_tools = false;
	size_t row;

	while ((row = row_size(compressor, next, (size_t)(end - next), PIECE_MAX_BYTES, &of_tools)) > 0) {
		/* A single record may be larger: it ends in the next piece. */
		const size_t piece = row < PIECE_MAX_BYTES || of_tools ? row : PIECE_MAX_BYTES;

		if (of_tools)
			strbuf_add(out, next, row);
		else if (pack_piece(compressor, next, piece, out, err) != 0 ||
			 (piece < row && pack_piece(compressor, next + piece, row - piece, out, err) != 0))
			return -1;
		next += row;
	}
	return 0;
}

#else

static const char without_libzstd[] =
	"cannot compress: this xprof was built without libzstd: install libzstd's development package and build "
	"again ('xprof version --build-options' lists what is on), or leave the compression out";

bool compressor_available(void)
{
	return false;
}

struct compressor *compressor_create(unsigned int level, bool swap, struct error *err)
{
	(void)level;
	(void)swap;
	error_set(err, "%s", without_libzstd);
	return NULL;
}

void compressor_destroy(struct compressor *compressor)
{
	(void)compressor;
}

int compressor_pack(struct compressor *compressor, const void *records, size_t size, struct strbuf *out,
		    struct error *err)
{
	(void)compressor;
	(void)records;
	(void)size;
	(void)out;
	return error_set(err, "%s", without_libzstd);
}

struct compression_totals compressor_totals(const struct compressor *compressor)
{
	(void)compressor;
	return (struct compression_totals){ 0 };
}

#endif
