/*
 * A regular file is written under another name beside its own and renamed by export_out_close(). Devices and pipes are
 * written directly.
 */
#include "report/export/export_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file_place.h"
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

static void pack(struct export_out *out, int how)
{
	struct export_packer *packer = out->packer;
	z_stream *stream = &packer->stream;

	stream->next_in = (unsigned char *)out->text.bytes;
	stream->avail_in = (unsigned int)out->text.size;
	do {
		stream->next_out = packer->packed;
		stream->avail_out = sizeof(packer->packed);
		(void)deflate(stream, how);
		write_bytes(out, packer->packed, sizeof(packer->packed) - stream->avail_out);
	} while (stream->avail_out == 0);
}

void export_out_flush(struct export_out *out)
{
	if (out->packer)
		pack(out, Z_NO_FLUSH);
	else
		write_bytes(out, out->text.bytes, out->text.size);
	strbuf_reset(&out->text);
}

static void release(struct export_out *out)
{
	if (out->packer)
		deflateEnd(&out->packer->stream);
	free(out->packer);
	free(out->unfinished);
	strbuf_fini(&out->text);
}

int export_out_close(struct export_out *out, struct error *err)
{
	int failed;

	if (out->packer)
		pack(out, Z_FINISH);
	else
		write_bytes(out, out->text.bytes, out->text.size);
	/* Standard output is checked for all commands alike, where the program ends. */
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
	if (out->file != stdout)
		(void)fclose(out->file);
	if (out->unfinished)
		(void)unlink(out->unfinished);
	release(out);
}
