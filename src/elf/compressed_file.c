/*
 * The first bytes of a file select the decompressor from the table `formats`. The file is read and decompressed as a whole, into
 * a buffer that doubles up to inflate_limit(), and elf_file takes over the result. elf_file_open() opens files without a known
 * magic.
 */
#include "elf/compressed_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "base/regular_file.h"
#include "base/xalloc.h"
#include "elf/xz_inflate.h"

/* The largest modules (GPU drivers with debug information) have some 100 MB. */
static const size_t MAX_COMPRESSED_BYTES = (size_t)256 << 20;

/* Inflates gzip (RFC 1952). The size at its end cannot be trusted, so the buffer grows with the output. */
static uint8_t *gzip_inflate(const uint8_t *bytes, size_t size, size_t *inflated_size, struct error *err)
{
	enum { WITH_GZIP_HEADER = 16 + MAX_WBITS }; /* zlib.h, inflateInit2() */
	z_stream stream = { .next_in = (Bytef *)bytes, .avail_in = (uInt)size };
	const size_t limit = inflate_limit(size);
	size_t capacity = 0;
	uint8_t *inflated = NULL;
	int result = inflateInit2(&stream, WITH_GZIP_HEADER);

	while (result == Z_OK && capacity < limit) {
		capacity = capacity ? capacity * 2 : 4 * size + 4096;
		if (capacity > limit)
			capacity = limit;
		inflated = xrealloc(inflated, capacity);
		stream.next_out = inflated + stream.total_out;
		stream.avail_out = (uInt)(capacity - stream.total_out);
		result = inflate(&stream, Z_NO_FLUSH);
		if (result == Z_BUF_ERROR && stream.avail_in > 0)
			result = Z_OK; /* out of output space, not of input */
	}
	*inflated_size = stream.total_out;
	inflateEnd(&stream);
	if (result == Z_STREAM_END)
		return inflated;
	free(inflated);
	error_set(err,
		  result == Z_OK ? "its gzip data (%zu bytes) decompresses to too much" :
				   "its gzip data (%zu bytes) is damaged",
		  size);
	return NULL;
}

#ifdef HAVE_LIBZSTD

static uint8_t *zstd_inflate(const uint8_t *bytes, size_t size, size_t *inflated_size, struct error *err)
{
	const size_t limit = inflate_limit(size);
	ZSTD_DStream *stream = ZSTD_createDStream();
	ZSTD_inBuffer in = { bytes, size, 0 };
	ZSTD_outBuffer out = { NULL, 0, 0 };
	size_t result = 1; /* 0 at the end of a frame */

	while (stream && result != 0 && !ZSTD_isError(result) && (in.pos < in.size || out.pos == out.size) &&
	       out.size < limit) {
		out.size = out.size ? out.size * 2 : 4 * size + 4096;
		if (out.size > limit)
			out.size = limit;
		out.dst = xrealloc(out.dst, out.size);
		do
			result = ZSTD_decompressStream(stream, &out, &in);
		while (result != 0 && !ZSTD_isError(result) && in.pos < in.size && out.pos < out.size);
	}
	ZSTD_freeDStream(stream);
	*inflated_size = out.pos;
	if (result == 0)
		return out.dst;
	free(out.dst);
	error_set(err, "its zstd data (%zu bytes) is damaged or decompresses to too much", size);
	return NULL;
}

#else

static uint8_t *zstd_inflate(const uint8_t *bytes, size_t size, size_t *inflated_size, struct error *err)
{
	(void)bytes;
	*inflated_size = 0;
	error_set(err, "it is compressed with zstd (%zu bytes), but xprof was built without libzstd", size);
	return NULL;
}

#endif

typedef uint8_t *whole_inflate(const uint8_t *bytes, size_t size, size_t *inflated_size, struct error *err);

/* First bytes: the .xz file format, 2.1.1.1; RFC 8878, 3.1.1; RFC 1952, 2.3. */
static const struct {
	uint8_t bytes[6];
	size_t size;
	whole_inflate *inflate;
} formats[] = {
	{ { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, xz_inflate },
	{ { 0x28, 0xb5, 0x2f, 0xfd }, 4, zstd_inflate },
	{ { 0x1f, 0x8b }, 2, gzip_inflate },
};

static whole_inflate *inflate_of(int fd)
{
	uint8_t start[sizeof(formats[0].bytes)];
	ssize_t size = pread(fd, start, sizeof(start), 0);

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (size >= (ssize_t)formats[i].size && memcmp(start, formats[i].bytes, formats[i].size) == 0)
			return formats[i].inflate;
	return NULL;
}

/* Returns malloc()ed bytes; NULL with err set. */
static uint8_t *read_whole(int fd, const char *path, size_t *size, struct error *err)
{
	struct stat st;
	uint8_t *bytes;
	size_t done = 0;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || (size_t)st.st_size > MAX_COMPRESSED_BYTES) {
		error_set(err, "%s is not a regular file of at most %zu MB", path,
			  MAX_COMPRESSED_BYTES >> 20);
		return NULL;
	}
	bytes = xmalloc((size_t)st.st_size + 1);
	while (done < (size_t)st.st_size) {
		ssize_t got = pread(fd, bytes + done, (size_t)st.st_size - done, (off_t)done);

		if (got <= 0)
			break;
		done += (size_t)got;
	}
	*size = done;
	return bytes;
}

struct elf_file *compressed_file_open(const char *path, struct error *err)
{
	int fd = regular_file_open(path, err);
	whole_inflate *inflate = fd < 0 ? NULL : inflate_of(fd);
	uint8_t *bytes, *inflated;
	size_t size, inflated_size;

	if (fd < 0)
		return NULL;
	if (!inflate) {
		close(fd);
		return elf_file_open(path, err);
	}
	bytes = read_whole(fd, path, &size, err);
	close(fd);
	if (!bytes)
		return NULL;
	inflated = inflate(bytes, size, &inflated_size, err);
	free(bytes);
	if (!inflated) {
		error_wrap(err, "%s", path);
		return NULL;
	}
	return elf_file_open_memory(inflated, inflated_size, path, err);
}
