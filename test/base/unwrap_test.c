#include "base/unwrap.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <lzma.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "base/xalloc.h"
#include "format/perf_file.h"
#include "support/cmocka.h"
#include "support/event_walk.h"
#include "support/perf_data_builder.h"

static size_t pack_gzip(const struct strbuf *in, uint8_t *out, size_t room)
{
	z_stream stream = { .next_in = (Bytef *)in->bytes,
			    .avail_in = (uInt)in->size,
			    .next_out = out,
			    .avail_out = (uInt)room };

	assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(deflateEnd(&stream), Z_OK);
	return room - stream.avail_out;
}

static size_t pack_xz(const struct strbuf *in, uint8_t *out, size_t room)
{
	size_t size = 0;

	assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const uint8_t *)in->bytes,
						 in->size, out, &size, room),
			 LZMA_OK);
	return size;
}

#ifdef HAVE_LIBZSTD
static size_t pack_zstd(const struct strbuf *in, uint8_t *out, size_t room)
{
	return ZSTD_compress(out, room, in->bytes, in->size, 1);
}
#endif

static const struct {
	enum wrapping wrapping;
	size_t (*pack)(const struct strbuf *in, uint8_t *out, size_t room);
} packers[] = {
	{ WRAPPING_GZIP, pack_gzip },
	{ WRAPPING_XZ, pack_xz },
#ifdef HAVE_LIBZSTD
	{ WRAPPING_ZSTD, pack_zstd },
#endif
};

enum { PACKERS = sizeof(packers) / sizeof(packers[0]), COMMS = 20000 };

static void build(struct perf_data_builder *b)
{
	perf_data_builder_add_event(b, &(struct built_event){ .attr = { .size = 64 } });
	for (uint32_t i = 0; i < COMMS; i++)
		perf_data_builder_comm(b, i * 7919, i, "worker", 0);
}

/* Packs `bytes` into a file and rewinds it. */
static int packed_file(size_t packer, const struct strbuf *bytes, size_t *size)
{
	const size_t room = bytes->size + 1024;
	uint8_t *packed = xmalloc(room);
	int fd = memfd_create("packed", MFD_CLOEXEC);

	*size = packers[packer].pack(bytes, packed, room);
	assert_true(fd >= 0);
	assert_int_equal(wrapping_of(packed, *size), packers[packer].wrapping);
	assert_int_equal(write(fd, packed, *size), *size);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	free(packed);
	return fd;
}

static struct perf_file *open_stream(int fd)
{
	struct error err = { 0 };
	struct perf_file *file = perf_file_open_stream(fd, "packed", &err);

	if (!file)
		fail_msg("%s", err.message);
	return file;
}

static void files_and_pipe_data_are_unpacked_whoever_packed_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < PACKERS; i++) {
		for (int pipe = 0; pipe < 2; pipe++) {
			struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
			struct perf_file *file;
			size_t size;

			build(b);
			if (pipe)
				perf_data_builder_finish_pipe(b);
			else
				perf_data_builder_finish_file(b);
			file = open_stream(packed_file(i, &b->out, &size));
			assert_int_equal(perf_file_mode(file), pipe ? PERF_FILE_PIPE : PERF_FILE_SEEKABLE);
			assert_int_equal(event_walk_count(file), COMMS + pipe); /* and an attr in a pipe */
			assert_string_equal(perf_file_damage(file)->first_reason, "");
			perf_file_close(file);
			perf_data_builder_destroy(b);
		}
	}
}

static void a_packed_file_is_opened_by_its_path(void **state)
{
	char path[] = "/tmp/xprof-unwrap-XXXXXX";
	struct perf_data_builder *b = perf_data_builder_create(BUILD_SWAPPED);
	uint8_t *packed;
	struct perf_file *file;
	struct error err = { 0 };
	size_t size;
	int fd = mkstemp(path);

	(void)state;
	build(b);
	perf_data_builder_finish_file(b);
	packed = xmalloc(b->out.size);
	size = pack_gzip(&b->out, packed, b->out.size);
	assert_int_equal(write(fd, packed, size), size);
	close(fd);
	file = perf_file_open(path, &err);
	unlink(path);
	if (!file)
		fail_msg("%s", err.message);
	assert_int_equal(event_walk_count(file), COMMS);
	perf_file_close(file);
	free(packed);
	perf_data_builder_destroy(b);
}

static void of_a_packed_file_that_is_cut_the_beginning_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < PACKERS; i++) {
		struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
		struct perf_file *file;
		size_t size, count;
		int fd;

		build(b);
		perf_data_builder_finish_pipe(b);
		fd = packed_file(i, &b->out, &size);
		assert_int_equal(ftruncate(fd, (off_t)size - 3000), 0);
		file = open_stream(fd);
		count = event_walk_count(file);
		assert_in_range(count, 1, COMMS);
		assert_true(perf_file_damage(file)->truncated);
		assert_non_null(strstr(perf_file_damage(file)->first_reason, "cut short"));
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

static void members_one_after_the_other_are_one_file(void **state)
{
	(void)state;
	for (size_t i = 0; i < PACKERS; i++) {
		const struct strbuf half = { .bytes = (char[]){ 'h', 'a', 'l', 'f' }, .size = 4 };
		uint8_t packed[1024];
		size_t size = packers[i].pack(&half, packed, sizeof(packed) / 2);
		int from = memfd_create("empty", MFD_CLOEXEC), to = memfd_create("unpacked", MFD_CLOEXEC);
		char unpacked[16] = "";
		struct error err;

		memcpy(packed + size, packed, size);
		assert_int_equal(unwrap(packers[i].wrapping, from, packed, 2 * size, to, "packed", &err),
				 UNWRAP_WHOLE);
		assert_int_equal(pread(to, unpacked, sizeof(unpacked), 0), 8);
		assert_string_equal(unpacked, "halfhalf");
		close(from);
		close(to);
	}
}

static void what_is_not_packed_is_told_from_what_is(void **state)
{
	(void)state;
	assert_int_equal(wrapping_of((const uint8_t *)"PERFILE2", 8), WRAPPING_NONE);
	assert_int_equal(wrapping_of((const uint8_t *)"\x1f", 1), WRAPPING_NONE);
	assert_int_equal(wrapping_of(NULL, 0), WRAPPING_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_and_pipe_data_are_unpacked_whoever_packed_them),
		cmocka_unit_test(a_packed_file_is_opened_by_its_path),
		cmocka_unit_test(of_a_packed_file_that_is_cut_the_beginning_is_read),
		cmocka_unit_test(members_one_after_the_other_are_one_file),
		cmocka_unit_test(what_is_not_packed_is_told_from_what_is),
	};

	return cmocka_run_group_tests_name("base/unwrap", tests, NULL, NULL);
}
