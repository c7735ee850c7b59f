/*
 * compressor_pack() splits the records into rows of kernel records and rows of tool records; the latter are copied.
 * pack_piece() compresses as many records as should fill one COMPRESSED record, takes half of them if they do not fit, and
 * learn_piece_size() adapts the size of the next piece to the ratio that was reached.
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
	/* The first piece. With the usual ratio of 5 to 20 it fits into a record. */
	PIECE_FIRST_BYTES = 256 * 1024,
	/* Fits whatever the bytes are: ZSTD_COMPRESSBOUND(64000) = 64282. */
	PIECE_SURE_BYTES = 64000,
};

_Static_assert((int)ZSTD_COMPRESSBOUND(PIECE_SURE_BYTES) <= (int)DATA_MAX_BYTES,
	       "a piece of this size fits into a record");

struct compressor {
	ZSTD_CCtx *context;
	bool swap;
	size_t piece_bytes; /* how much is expected to fit into one compressed record */
	struct compression_totals totals;
	uint8_t data[DATA_MAX_BYTES];
};

bool compressor_available(void)
{
	return true;
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
	compressor->piece_bytes = PIECE_FIRST_BYTES;
	compressor->context = ZSTD_createCCtx();
	if (!compressor->context ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(compressor->context, ZSTD_c_compressionLevel, (int)level))) {
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

static size_t keep_as_it_is(const uint8_t *records, size_t size, struct strbuf *out)
{
	strbuf_add(out, records, size);
	return size;
}

/* Chooses the size with which the next piece, if similar, fills nine tenths of a record. */
static void learn_piece_size(struct compressor *compressor, size_t original_size, size_t data_size)
{
	size_t bytes = (size_t)((double)original_size * DATA_MAX_BYTES * 0.9 / (double)data_size);

	/* A short row, as is left at a flush, tells little. */
	if (original_size < PIECE_SURE_BYTES)
		return;
	if (bytes < PIECE_SURE_BYTES)
		bytes = PIECE_SURE_BYTES;
	compressor->piece_bytes =
		bytes < COMPRESSED_UNFOLDS_TO_MAX_BYTES ? bytes : COMPRESSED_UNFOLDS_TO_MAX_BYTES;
}

/*
 * Packs one compressed record, or copies a row of records that stay as they are. Returns how many bytes of the records were
 * taken; 0 with err.
 */
static size_t pack_piece(struct compressor *compressor, const uint8_t *records, size_t left,
			 struct strbuf *out, struct error *err)
{
	for (;;) {
		size_t limit = compressor->piece_bytes, data_size;
		bool of_tools = false;
		size_t row = row_size(compressor, records, left, limit, &of_tools);

		if (of_tools)
			return keep_as_it_is(records, row, out);
		data_size = ZSTD_compress2(compressor->context, compressor->data, sizeof(compressor->data),
					   records, row);
		if (!ZSTD_isError(data_size)) {
			if (data_size + PERF_RECORD_HEADER_SIZE >= row)
				return keep_as_it_is(records, row, out);
			add_compressed_record(compressor, row, data_size, out);
			learn_piece_size(compressor, row, data_size);
			return row;
		}
		if (row <= PIECE_SURE_BYTES) {
			error_set(err, "cannot compress: zstd: %s", ZSTD_getErrorName(data_size));
			return 0;
		}
		if (limit == PIECE_SURE_BYTES) /* a single record of the largest size */
			return keep_as_it_is(records, row, out);
		compressor->piece_bytes = limit / 2 > PIECE_SURE_BYTES ? limit / 2 : PIECE_SURE_BYTES;
	}
}

int compressor_pack(struct compressor *compressor, const void *records, size_t size, struct strbuf *out,
		    struct error *err)
{
	const uint8_t *next = records;
	uint32_t type;

	while (record_size(compressor, next, size, &type) > 0) {
		size_t taken = pack_piece(compressor, next, size, out, err);

		if (taken == 0)
			return -1;
		next += taken;
		size -= taken;
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
