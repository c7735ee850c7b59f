/*
 * run() is the loop for all formats: read a block, let the format's step() decompress some of it, write that. A table has the
 * functions of each format. write_made() writes to a file or into memory, and stops files that expand beyond all reason.
 */
#include "base/unwrap.h"

#include <errno.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "base/spool_file.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

enum {
	BLOCK_BYTES = 256 * 1024,
	XZ_MEMORY_BYTES = 128 * 1024 * 1024, /* xz -9 needs 65 MiB */
};

/* How large input and output may be. */
struct unwrap_limits {
	uint64_t input_max;
	uint64_t always_allowed_bytes;
	uint64_t ratio_max; /* to the input, for more than that */
	uint64_t bytes_max;
};

static const struct unwrap_limits file_limits = { UINT64_MAX, (uint64_t)1 << 30, 200, UINT64_MAX };
/* xz makes symbol tables and modules 3 to 6 times smaller. The largest modules (GPU drivers with debug information) have some 100 MB. */
static const struct unwrap_limits memory_limits = { 256 << 20, 16 << 20, 64, 512 << 20 };

struct unwrapper {
	uint8_t in[BLOCK_BYTES], out[BLOCK_BYTES];
	const uint8_t *next; /* points into `in`, or into bytes that the caller had read */
	size_t left, made;
	bool input_ended, stream_ended;
	uint64_t read_bytes, written_bytes;
	const struct unwrap_limits *limits;
	int to;               /* the output: a file, */
	struct strbuf memory; /* or this, if `to` is -1 */
	z_stream gzip;
	lzma_stream xz;
#ifdef HAVE_LIBZSTD
	ZSTD_DStream *zstd;
#endif
};

struct wrapping_kind {
	const char *name;
	uint8_t magic[WRAPPING_MAGIC_BYTES];
	size_t magic_size;
	int (*start)(struct unwrapper *unwrapper, struct error *err);
	int (*step)(struct unwrapper *unwrapper,
		    struct error *err); /* decompresses some of `next` into `out`; -1 if damaged */
	void (*end)(struct unwrapper *unwrapper);
};

static int start_gzip(struct unwrapper *unwrapper, struct error *err)
{
	const int with_gzip_header = 16;

	if (inflateInit2(&unwrapper->gzip, MAX_WBITS + with_gzip_header) != Z_OK)
		return error_set(err, "cannot set up zlib");
	return 0;
}

static int step_gzip(struct unwrapper *unwrapper, struct error *err)
{
	z_stream *stream = &unwrapper->gzip;
	int status;

	/* A file may consist of several members; anything else behind one is padding (gzip(1)). */
	if (unwrapper->stream_ended && (unwrapper->left == 0 || *unwrapper->next != 0x1f)) {
		unwrapper->left = 0;
		return 0;
	}
	if (unwrapper->stream_ended)
		(void)inflateReset(stream);
	stream->next_in = (Bytef *)unwrapper->next;
	stream->avail_in = (uInt)unwrapper->left;
	stream->next_out = unwrapper->out;
	stream->avail_out = BLOCK_BYTES;
	status = inflate(stream, Z_NO_FLUSH);
	unwrapper->next = stream->next_in;
	unwrapper->left = stream->avail_in;
	unwrapper->made = BLOCK_BYTES - stream->avail_out;
	unwrapper->stream_ended = status == Z_STREAM_END;
	if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
		return error_set(err, "%s", stream->msg ? stream->msg : "damaged data");
	return 0;
}

static void end_gzip(struct unwrapper *unwrapper)
{
	(void)inflateEnd(&unwrapper->gzip);
}

static int start_xz(struct unwrapper *unwrapper, struct error *err)
{
	if (lzma_stream_decoder(&unwrapper->xz, XZ_MEMORY_BYTES, LZMA_CONCATENATED) != LZMA_OK)
		return error_set(err, "cannot set up liblzma");
	return 0;
}

static int step_xz(struct unwrapper *unwrapper, struct error *err)
{
	lzma_stream *stream = &unwrapper->xz;
	lzma_ret status;

	stream->next_in = unwrapper->next;
	stream->avail_in = unwrapper->left;
	stream->next_out = unwrapper->out;
	stream->avail_out = BLOCK_BYTES;
	status = lzma_code(stream, unwrapper->input_ended ? LZMA_FINISH : LZMA_RUN);
	unwrapper->next = stream->next_in;
	unwrapper->left = stream->avail_in;
	unwrapper->made = BLOCK_BYTES - stream->avail_out;
	unwrapper->stream_ended = status == LZMA_STREAM_END;
	if (status == LZMA_MEMLIMIT_ERROR)
		return error_set(err, "its dictionary is larger than %d MiB",
				 XZ_MEMORY_BYTES / (1024 * 1024));
	if (status != LZMA_OK && status != LZMA_STREAM_END && status != LZMA_BUF_ERROR)
		return error_set(err, "damaged data");
	return 0;
}

static void end_xz(struct unwrapper *unwrapper)
{
	lzma_end(&unwrapper->xz);
}

#ifdef HAVE_LIBZSTD

static int start_zstd(struct unwrapper *unwrapper, struct error *err)
{
	unwrapper->zstd = ZSTD_createDStream();
	return unwrapper->zstd ? 0 : error_set(err, "cannot set up zstd");
}

static int step_zstd(struct unwrapper *unwrapper, struct error *err)
{
	ZSTD_inBuffer in = { .src = unwrapper->next, .size = unwrapper->left };
	ZSTD_outBuffer out = { .dst = unwrapper->out, .size = BLOCK_BYTES };
	size_t status;

	if (unwrapper->left == 0 && unwrapper->stream_ended)
		return 0;
	status = ZSTD_decompressStream(unwrapper->zstd, &out, &in);
	unwrapper->next += in.pos;
	unwrapper->left -= in.pos;
	unwrapper->made = out.pos;
	unwrapper->stream_ended = status == 0;
	return ZSTD_isError(status) ? error_set(err, "%s", ZSTD_getErrorName(status)) : 0;
}

static void end_zstd(struct unwrapper *unwrapper)
{
	ZSTD_freeDStream(unwrapper->zstd);
}

#else

static int start_zstd(struct unwrapper *unwrapper, struct error *err)
{
	(void)unwrapper;
	return error_set(err, "this xprof was built without libzstd: unpack it with 'zstd -d' first");
}

static int step_zstd(struct unwrapper *unwrapper, struct error *err)
{
	return start_zstd(unwrapper, err);
}

static void end_zstd(struct unwrapper *unwrapper)
{
	(void)unwrapper;
}

#endif

static const struct wrapping_kind kinds[] = {
	[WRAPPING_GZIP] = { "gzip", { 0x1f, 0x8b, 8 }, 3, start_gzip, step_gzip, end_gzip },
	[WRAPPING_XZ] = { "xz", { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, start_xz, step_xz, end_xz },
	[WRAPPING_ZSTD] = { "zstd", { 0x28, 0xb5, 0x2f, 0xfd }, 4, start_zstd, step_zstd, end_zstd },
};

enum wrapping wrapping_of(const uint8_t *bytes, size_t size)
{
	for (enum wrapping i = WRAPPING_GZIP; i <= WRAPPING_ZSTD; i++)
		if (size >= kinds[i].magic_size && memcmp(bytes, kinds[i].magic, kinds[i].magic_size) == 0)
			return i;
	return WRAPPING_NONE;
}

static int read_more(struct unwrapper *unwrapper, int from, const char *name, struct error *err)
{
	const ssize_t got =
		from < 0 ? 0 : TEMP_FAILURE_RETRY(read(from, unwrapper->in, sizeof(unwrapper->in)));

	if (got < 0)
		return error_set_errno(err, errno, "cannot read %s", name);
	unwrapper->next = unwrapper->in;
	unwrapper->left = (size_t)got;
	unwrapper->read_bytes += (uint64_t)got;
	unwrapper->input_ended = got == 0;
	if (unwrapper->read_bytes > unwrapper->limits->input_max)
		return error_set(err, "%s has more than %" PRIu64 " MiB", name,
				 unwrapper->limits->input_max >> 20);
	return 0;
}

static int write_made(struct unwrapper *unwrapper, const char *name, struct error *err)
{
	const struct unwrap_limits *limits = unwrapper->limits;

	unwrapper->written_bytes += unwrapper->made;
	if (unwrapper->written_bytes > limits->always_allowed_bytes &&
	    unwrapper->written_bytes / limits->ratio_max > unwrapper->read_bytes)
		return error_set(err,
				 "%s unpacks to more than %" PRIu64
				 " times its size: unpack it by hand if it is genuine",
				 name, limits->ratio_max);
	if (unwrapper->written_bytes > limits->bytes_max)
		return error_set(err, "%s unpacks to more than %" PRIu64 " MiB", name,
				 limits->bytes_max >> 20);
	if (unwrapper->to >= 0)
		return spool_file_write(unwrapper->to, unwrapper->out, unwrapper->made, name, err);
	strbuf_add(&unwrapper->memory, unwrapper->out, unwrapper->made);
	return 0;
}

static enum unwrap_status run(struct unwrapper *unwrapper, const struct wrapping_kind *kind, int from,
			      const char *name, struct error *err)
{
	for (;;) {
		struct error damage;
		int status;

		if (unwrapper->left == 0 && !unwrapper->input_ended &&
		    read_more(unwrapper, from, name, err) != 0)
			return UNWRAP_FAILED;
		unwrapper->made = 0;
		status = kind->step(unwrapper, &damage);
		if (write_made(unwrapper, name, err) != 0)
			return UNWRAP_FAILED;
		if (status != 0) {
			error_set(err, "%s: %s", kind->name, damage.message);
			return UNWRAP_CUT;
		}
		if (!unwrapper->input_ended || unwrapper->made || unwrapper->left)
			continue;
		if (unwrapper->stream_ended)
			return UNWRAP_WHOLE;
		error_set(err, "the %s data is cut short", kind->name);
		return UNWRAP_CUT;
	}
}

static struct unwrapper *unwrapper_create(const void *first, size_t first_size,
					  const struct unwrap_limits *limits, int to)
{
	struct unwrapper *unwrapper = xcalloc(1, sizeof(*unwrapper));

	unwrapper->next = first;
	unwrapper->left = unwrapper->read_bytes = first_size;
	unwrapper->limits = limits;
	unwrapper->to = to;
	strbuf_init(&unwrapper->memory);
	return unwrapper;
}

static enum unwrap_status start_and_run(struct unwrapper *unwrapper, const struct wrapping_kind *kind,
					int from, const char *name, struct error *err)
{
	enum unwrap_status status;

	if (kind->start(unwrapper, err) != 0)
		return UNWRAP_FAILED;
	status = run(unwrapper, kind, from, name, err);
	kind->end(unwrapper);
	return status;
}

enum unwrap_status unwrap(enum wrapping wrapping, int from, const void *first, size_t first_size, int to,
			  const char *name, struct error *err)
{
	struct unwrapper *unwrapper = unwrapper_create(first, first_size, &file_limits, to);
	enum unwrap_status status = start_and_run(unwrapper, &kinds[wrapping], from, name, err);

	free(unwrapper);
	return status;
}

uint8_t *unwrap_to_memory(enum wrapping wrapping, int from, const void *first, size_t first_size,
			  size_t *size, const char *name, struct error *err)
{
	struct unwrapper *unwrapper = unwrapper_create(first, first_size, &memory_limits, -1);
	uint8_t *bytes = NULL;

	switch (start_and_run(unwrapper, &kinds[wrapping], from, name, err)) {
	case UNWRAP_WHOLE:
		*size = unwrapper->memory.size;
		bytes = (uint8_t *)strbuf_detach(&unwrapper->memory);
		break;
	case UNWRAP_CUT: error_wrap(err, "%s", name); break;
	case UNWRAP_FAILED: break;
	}
	strbuf_fini(&unwrapper->memory);
	free(unwrapper);
	return bytes;
}
