/*
 * Reads the header, refuses impossible sizes in allocate_claimed(), and decompresses in one call, as the output's final size is
 * known. Uses libdeflate instead of zlib if the build has it.
 */
#include "elf/section_inflate.h"

#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "base/byte_reader.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2 /* gABI since 2022, later than glibc 2.36's elf.h */
#endif

enum {
	/* Debug sections shrink 2 to 10 times; deflate could reach 1032, zstd more. */
	MAX_RATIO = 256,
	/* Small sections may be all zeros, so claims up to here are not checked. */
	ALWAYS_ALLOWED_BYTES = 16 * 1024 * 1024,
};
static const uint64_t MAX_INFLATED_BYTES = (uint64_t)2
					   << 30; /* the largest .debug_info known are below 2 GiB */

/* Returns NULL with err set if no compressor could have made so many bytes so small. */
static uint8_t *allocate_claimed(uint64_t claimed, size_t compressed, struct error *err)
{
	uint8_t *bytes;

	if (claimed > MAX_INFLATED_BYTES ||
	    (claimed > ALWAYS_ALLOWED_BYTES && claimed / MAX_RATIO > compressed)) {
		error_set(err, "compressed section is damaged: its %zu bytes claim to decompress to %llu",
			  compressed, (unsigned long long)claimed);
		return NULL;
	}
	bytes = malloc(claimed ? (size_t)claimed : 1);
	if (!bytes)
		error_set(err, "no memory for a compressed section of %llu bytes",
			  (unsigned long long)claimed);
	return bytes;
}

#ifdef HAVE_LIBDEFLATE

/* Takes half of zlib's time, as there is room for all output. */
static int inflate_zlib(uint8_t *to, size_t to_size, const uint8_t *from, size_t from_size, struct error *err)
{
	struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
	enum libdeflate_result result;
	size_t size = 0;

	if (!decompressor)
		return error_set(err, "cannot set up libdeflate");
	result = libdeflate_zlib_decompress(decompressor, from, from_size, to, to_size, &size);
	libdeflate_free_decompressor(decompressor);
	if (result != LIBDEFLATE_SUCCESS || size != to_size)
		return error_set(err,
				 "compressed section is damaged: it decompressed to %zu instead of %zu "
				 "bytes",
				 size, to_size);
	return 0;
}

#else

static int inflate_zlib(uint8_t *to, size_t to_size, const uint8_t *from, size_t from_size, struct error *err)
{
	z_stream stream = { .next_in = (Bytef *)from, .avail_in = (uInt)from_size, .next_out = to };
	int result;

	if (from_size > UINT_MAX || to_size > UINT_MAX)
		return error_set(err, "compressed section of %zu bytes is too large", from_size);
	stream.avail_out = (uInt)to_size;
	if (inflateInit(&stream) != Z_OK)
		return error_set(err, "cannot set up zlib");
	result = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	if (result != Z_STREAM_END || stream.total_out != to_size)
		return error_set(err,
				 "compressed section is damaged: it decompressed to %lu instead of %zu "
				 "bytes",
				 stream.total_out, to_size);
	return 0;
}

#endif

static int inflate_zstd(uint8_t *to, size_t to_size, const uint8_t *from, size_t from_size, struct error *err)
{
#ifdef HAVE_LIBZSTD
	size_t result = ZSTD_decompress(to, to_size, from, from_size);

	if (ZSTD_isError(result))
		return error_set(err, "compressed section is damaged: %s", ZSTD_getErrorName(result));
	if (result != to_size)
		return error_set(err,
				 "compressed section is damaged: it decompressed to %zu instead of %zu "
				 "bytes",
				 result, to_size);
	return 0;
#else
	(void)to;
	(void)from;
	return error_set(
		err,
		"section of %zu bytes is compressed with zstd (%zu bytes), but xprof was built without "
		"libzstd",
		to_size, from_size);
#endif
}

uint8_t *section_inflate_chdr(const uint8_t *bytes, size_t size, bool is_64bit, bool swap,
			      size_t *inflated_size, struct error *err)
{
	struct byte_reader r = byte_reader_over(bytes, size, swap);
	uint32_t type = byte_reader_u32(&r);
	uint64_t claimed;
	uint8_t *inflated;
	int result;

	if (is_64bit)
		byte_reader_skip(&r, 4); /* ch_reserved */
	claimed = is_64bit ? byte_reader_u64(&r) : byte_reader_u32(&r);
	byte_reader_skip(&r, is_64bit ? 8 : 4); /* ch_addralign */
	if (!byte_reader_ok(&r)) {
		error_set(err, "compressed section is cut off inside of its header");
		return NULL;
	}
	if (type != ELFCOMPRESS_ZLIB && type != ELFCOMPRESS_ZSTD) {
		error_set(err, "section has unknown compression type %u", type);
		return NULL;
	}
	inflated = allocate_claimed(claimed, byte_reader_left(&r), err);
	if (!inflated)
		return NULL;
	if (type == ELFCOMPRESS_ZLIB)
		result = inflate_zlib(inflated, (size_t)claimed, r.next, byte_reader_left(&r), err);
	else
		result = inflate_zstd(inflated, (size_t)claimed, r.next, byte_reader_left(&r), err);
	if (result < 0) {
		free(inflated);
		return NULL;
	}
	*inflated_size = (size_t)claimed;
	return inflated;
}

uint8_t *section_inflate_zdebug(const uint8_t *bytes, size_t size, size_t *inflated_size, struct error *err)
{
	/* The size is big-endian, whatever the file's byte order. */
	struct byte_reader r = byte_reader_over(bytes, size, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	const uint8_t *magic = byte_reader_bytes(&r, 4);
	uint64_t claimed = byte_reader_u64(&r);
	uint8_t *inflated;

	if (!byte_reader_ok(&r) || memcmp(magic, "ZLIB", 4) != 0) {
		error_set(err, "compressed section does not begin with \"ZLIB\" and its size");
		return NULL;
	}
	inflated = allocate_claimed(claimed, byte_reader_left(&r), err);
	if (!inflated)
		return NULL;
	if (inflate_zlib(inflated, (size_t)claimed, r.next, byte_reader_left(&r), err) < 0) {
		free(inflated);
		return NULL;
	}
	*inflated_size = (size_t)claimed;
	return inflated;
}
