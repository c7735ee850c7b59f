/*
 * A regular file is written under another name beside its own and renamed by export_out_close(). Devices and pipes are written
 * directly. Another thread compresses and writes a piece of text while the next one is made: their buffers are swapped. The
 * thread is started when the first piece is full, so small files need none.
 */
#include "report/export/export_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file_place.h"
#include "base/thread_pool.h"
#include "base/usable_cpus.h"
#include "base/xalloc.h"

enum { PACKED_BYTES = 1 << 16, GZIP_HEADER = 16, PACKING_LEVEL = 1 };

struct export_packer {
	z_stream stream;
	unsigned char packed[PACKED_BYTES];
};

static struct export_packer *make_packer(void)
{
	struct export_packer *packer = xcalloc(1, sizeof(*packer));

	if (deflateInit2(&packer->stream, PACKING_LEVEL, Z_DEFLATED, MAX_WBITS + GZIP_HEADER, 9,
			 Z_DEFAULT_STRATEGY) == Z_OK)
		return packer;
	free(packer);
	return NULL;
}

int export_out_open(struct export_out *out, const char *path, bool gzip, struct error *err)
{
	*out = (struct export_out){ .path = path };
	strbuf_init(&out->text);
	for (size_t i = 0; i < EXPORT_PARTS_MOST; i++)
		strbuf_init(&out->handed[i]);
	if (strcmp(path, "-") == 0) {
		out->file = stdout;
	} else {
		if (file_place_at(path) != FILE_PLACE_SPECIAL)
			out->unfinished = xasprintf("%s.%ld.tmp", path, (long)getpid());
		out->file = fopen(out->unfinished ? out->unfinished : path, "we");
	}
	if (!out->file) {
		error_set_errno(err, errno, "%s", path);
		free(out->unfinished);
		return -1;
	}
	if (gzip && !(out->packer = make_packer())) {
		export_out_abandon(out);
		return error_set(err, "%s: cannot set up zlib", path);
	}
	return 0;
}

static void write_bytes(struct export_out *out, const void *bytes, size_t size)
{
	if (!out->errno_value && fwrite(bytes, 1, size, out->file) != size)
		out->errno_value = errno ? errno : EIO;
	out->written += size;
}

static void pack(struct export_out *out, struct strbuf *text, int how)
{
	struct export_packer *packer = out->packer;
	z_stream *stream = &packer->stream;

	stream->next_in = (unsigned char *)text->bytes;
	stream->avail_in = (unsigned int)text->size;
	do {
		stream->next_out = packer->packed;
		stream->avail_out = sizeof(packer->packed);
		(void)deflate(stream, how);
		write_bytes(out, packer->packed, sizeof(packer->packed) - stream->avail_out);
	} while (stream->avail_out == 0);
}

/* `how` is zlib's: Z_NO_FLUSH, or Z_FINISH at the end. */
static void write_text(struct export_out *out, struct strbuf *text, int how)
{
	if (out->packer)
		pack(out, text, how);
	else
		write_bytes(out, text->bytes, text->size);
}

static void write_handed(void *context)
{
	struct export_out *out = context;

	for (size_t i = 0; i < out->handed_count; i++)
		write_text(out, &out->handed[i], Z_NO_FLUSH);
}

/* Call after the thread has written the previous texts. */
static void hand_on(struct export_out *out, struct strbuf *text)
{
	struct strbuf *handed = &out->handed[out->handed_count++];
	const struct strbuf written = *handed;

	*handed = *text;
	*text = written;
	strbuf_reset(text);
}

void export_out_add(struct export_out *out, struct strbuf *const *texts, size_t count)
{
	if (!out->pool)
		out->pool = thread_pool_create(usable_cpus() > 1);
	thread_pool_wait(out->pool);
	out->handed_count = 0;
	hand_on(out, &out->text);
	for (size_t i = 0; i < count; i++)
		hand_on(out, texts[i]);
	thread_pool_submit(out->pool, write_handed, out);
	if (out->log)
		sample_log_release(out->log);
}

void export_out_flush(struct export_out *out)
{
	export_out_add(out, NULL, 0);
}

static void release(struct export_out *out)
{
	if (out->packer)
		deflateEnd(&out->packer->stream);
	free(out->packer);
	free(out->unfinished);
	strbuf_fini(&out->text);
	for (size_t i = 0; i < EXPORT_PARTS_MOST; i++)
		strbuf_fini(&out->handed[i]);
}

int export_out_close(struct export_out *out, struct error *err)
{
	int failed;

	thread_pool_destroy(out->pool);
	write_text(out, &out->text, Z_FINISH);
	/* Does not check standard output: the program does so at its end, for every command. */
	if (out->file != stdout && fclose(out->file) && !out->errno_value)
		out->errno_value = errno;
	if (out->unfinished && !out->errno_value && file_place_rename(out->unfinished, out->path))
		out->errno_value = errno;
	failed = out->file == stdout ? 0 : out->errno_value;
	if (failed && out->unfinished)
		(void)unlink(out->unfinished);
	release(out);
	return failed ? error_set_errno(err, failed, "%s: cannot be written", out->path) : 0;
}

void export_out_abandon(struct export_out *out)
{
	thread_pool_destroy(out->pool);
	if (out->file != stdout)
		(void)fclose(out->file);
	if (out->unfinished)
		(void)unlink(out->unfinished);
	release(out);
}
