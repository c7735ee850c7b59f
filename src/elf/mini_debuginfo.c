#include "elf/mini_debuginfo.h"

#include <lzma.h>
#include <stdlib.h>

#include "base/xalloc.h"

enum {
	/* xz makes symbol tables 3 to 6 times smaller; more than this is a bomb. */
	MAX_RATIO = 64,
	ALWAYS_ALLOWED_BYTES = 16 * 1024 * 1024,
	MAX_MINI_BYTES = 512 * 1024 * 1024,
	/* xz -9 needs 65 MiB to decompress. */
	MAX_DECODER_BYTES = 128 * 1024 * 1024,
	FIRST_OUTPUT_BYTES = 64 * 1024,
};

static size_t output_limit(size_t compressed)
{
	if (compressed <= ALWAYS_ALLOWED_BYTES / MAX_RATIO)
		return ALWAYS_ALLOWED_BYTES;
	return compressed < MAX_MINI_BYTES / MAX_RATIO ? compressed * MAX_RATIO : MAX_MINI_BYTES;
}

static const char *describe(lzma_ret result)
{
	switch (result) {
	case LZMA_FORMAT_ERROR: return "it is no xz stream";
	case LZMA_DATA_ERROR: return "its check does not match";
	case LZMA_BUF_ERROR: return "it is cut short";
	case LZMA_MEMLIMIT_ERROR:
	case LZMA_MEM_ERROR: return "it asks for too much memory";
	default: return "it cannot be decompressed";
	}
}

/* NULL with err set; else malloc()ed. */
static uint8_t *decompress(const struct elf_section *section, size_t *size, struct error *err)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	size_t limit = output_limit(section->size);
	size_t capacity = FIRST_OUTPUT_BYTES;
	uint8_t *bytes = xmalloc(capacity);
	lzma_ret result = lzma_stream_decoder(&stream, MAX_DECODER_BYTES, LZMA_CONCATENATED);

	stream.next_in = section->bytes;
	stream.avail_in = section->size;
	while (result == LZMA_OK) {
		if (stream.total_out == capacity && capacity >= limit)
			break;
		if (stream.total_out == capacity) {
			capacity = capacity < limit / 2 ? capacity * 2 : limit;
			bytes = xrealloc(bytes, capacity);
		}
		stream.next_out = bytes + stream.total_out;
		stream.avail_out = capacity - (size_t)stream.total_out;
		result = lzma_code(&stream, LZMA_FINISH);
	}
	*size = (size_t)stream.total_out;
	lzma_end(&stream);
	if (result == LZMA_STREAM_END)
		return bytes;
	free(bytes);
	if (result == LZMA_OK)
		error_set(err, "section of %zu bytes holds more than %zu", section->size, limit);
	else
		error_set(err, "%s", describe(result));
	return NULL;
}

int mini_debuginfo_open(struct elf_file *file, struct elf_file **mini, struct error *err)
{
	struct elf_section section;
	uint8_t *bytes;
	size_t size;
	char *name;
	int result = elf_file_section(file, ".gnu_debugdata", &section, err);

	*mini = NULL;
	if (result != 1)
		return result;
	if (!section.bytes) /* a debug file keeps the header of the section without its bytes */
		return 0;
	bytes = decompress(&section, &size, err);
	if (!bytes)
		return error_wrap(err, "%s: .gnu_debugdata", elf_file_path(file));
	name = xasprintf("%s(.gnu_debugdata)", elf_file_path(file));
	*mini = elf_file_open_memory(bytes, size, name, err);
	free(name);
	return *mini ? 1 : -1;
}
