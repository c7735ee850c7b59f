#include "elf/compressed_file.h"

#include <elf.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/memory_file.h"

static uint8_t *make_elf(size_t *size)
{
	struct elf_builder builder;
	uint8_t *bytes;

	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0, "code", 4);
	bytes = elf_builder_finish(&builder, size);
	elf_builder_fini(&builder);
	return bytes;
}

/* Opens a file with these bytes. err->message is "" if nothing went wrong. */
static struct elf_file *open_bytes(const void *bytes, size_t size, struct error *err)
{
	struct memory_file packed;
	struct elf_file *file;

	memory_file_create(&packed, bytes, size);
	err->message[0] = '\0';
	file = compressed_file_open(packed.path, err);
	memory_file_close(&packed);
	return file;
}

static void assert_opens(const void *bytes, size_t size)
{
	struct elf_section section;
	struct error err;
	struct elf_file *file = open_bytes(bytes, size, &err);

	assert_string_equal(err.message, "");
	assert_int_equal(elf_file_section(file, ".text", &section, &err), 1);
	assert_memory_equal(section.bytes, "code", 4);
	elf_file_close(file);
}

/* Opens the bytes as they are; expects errors without the last bytes, and with wrong ones. */
static void assert_opens_only_whole(uint8_t *packed, size_t size, const char *reason)
{
	struct error err;

	assert_opens(packed, size);
	assert_null(open_bytes(packed, size - 9, &err));
	assert_non_null(strstr(err.message, reason));
	memset(packed + size / 2, 0xff, 8);
	assert_null(open_bytes(packed, size, &err));
	assert_non_null(strstr(err.message, "/proc/self/fd/"));
}

static void files_that_are_not_compressed_are_opened_as_they_are(void **state)
{
	size_t size;
	uint8_t *bytes = make_elf(&size);

	(void)state;
	assert_opens(bytes, size);
	free(bytes);
}

static void xz_is_decompressed(void **state)
{
	uint8_t packed[4096];
	size_t size, packed_size = 0;
	uint8_t *bytes = make_elf(&size);

	(void)state;
	assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, bytes, size, packed, &packed_size,
						 sizeof(packed)),
			 LZMA_OK);
	assert_opens_only_whole(packed, packed_size, "cut short");
	free(bytes);
}

static void gzip_is_decompressed(void **state)
{
	uint8_t packed[4096];
	z_stream stream = { .next_out = packed, .avail_out = sizeof(packed) };
	size_t size;
	uint8_t *bytes = make_elf(&size);

	(void)state;
	stream.next_in = bytes;
	stream.avail_in = (uInt)size;
	assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	deflateEnd(&stream);
	assert_opens_only_whole(packed, stream.total_out, "gzip");
	free(bytes);
}

#ifdef HAVE_LIBZSTD
static void zstd_is_decompressed(void **state)
{
	uint8_t packed[4096];
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t size, packed_size;
	uint8_t *bytes = make_elf(&size);

	(void)state;
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1); /* like zstd(1) and the kernel's build */
	packed_size = ZSTD_compress2(context, packed, sizeof(packed), bytes, size);
	ZSTD_freeCCtx(context);
	assert_false(ZSTD_isError(packed_size));
	assert_opens_only_whole(packed, packed_size, "zstd");
	free(bytes);
}
#endif

/* 64 MiB of zeros packed into some 64 KB, in each of the three formats. */
static void bombs_are_refused(void **state)
{
	size_t zeros_size = (size_t)64 << 20;
	uint8_t *zeros = xcalloc(1, zeros_size);
	size_t room = 1 << 20, packed_size = 0;
	uint8_t *packed = xmalloc(room);
	z_stream stream = { .next_in = zeros, .next_out = packed };
	struct error err;

	(void)state;
	lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, zeros, zeros_size, packed, &packed_size, room);
	assert_null(open_bytes(packed, packed_size, &err));
	stream.avail_in = (uInt)zeros_size;
	stream.avail_out = (uInt)room;
	deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
	deflate(&stream, Z_FINISH);
	deflateEnd(&stream);
	assert_null(open_bytes(packed, stream.total_out, &err));
#ifdef HAVE_LIBZSTD
	packed_size = ZSTD_compress(packed, room, zeros, zeros_size, 3);
	assert_null(open_bytes(packed, packed_size, &err));
#endif
	free(packed);
	free(zeros);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_are_not_compressed_are_opened_as_they_are),
		cmocka_unit_test(xz_is_decompressed),
		cmocka_unit_test(gzip_is_decompressed),
#ifdef HAVE_LIBZSTD
		cmocka_unit_test(zstd_is_decompressed),
#endif
		cmocka_unit_test(bombs_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
