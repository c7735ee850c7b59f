#include "format/mapped_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "support/cmocka.h"

static int temporary_file(const char *text)
{
	char path[] = "/tmp/xprof-test-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	return fd;
}

static void a_file_is_mapped_and_outlives_its_descriptor(void **state)
{
	int fd = temporary_file("0123456789");
	struct mapped_file file;
	struct error err;

	(void)state;
	assert_int_equal(mapped_file_init(&file, fd, "ten", &err), 0);
	close(fd);
	assert_int_equal(file.size_bytes, 10);
	assert_memory_equal(file.bytes, "0123456789", 10);
	mapped_file_fini(&file);
}

static void an_empty_file_has_no_bytes(void **state)
{
	int fd = temporary_file("");
	struct mapped_file file;
	struct error err;

	(void)state;
	assert_int_equal(mapped_file_init(&file, fd, "none", &err), 0);
	close(fd);
	assert_int_equal(file.size_bytes, 0);
	mapped_file_fini(&file);
}

static void a_file_that_was_cut_is_told(void **state)
{
	int fd = temporary_file("0123456789");
	struct mapped_file file;
	struct error err;

	(void)state;
	assert_int_equal(ftruncate(fd, 100000), 0);
	assert_int_equal(mapped_file_init(&file, fd, "ten", &err), 0);
	assert_false(mapped_file_was_cut(&file));
	assert_int_equal(ftruncate(fd, 5), 0);
	assert_true(mapped_file_was_cut(&file));
	assert_int_equal(file.bytes[4], '4');
	assert_int_equal(file.bytes[5], 0);
	assert_int_equal(file.bytes[99999], 0);
	close(fd);
	mapped_file_fini(&file);
}

static void a_reader_never_leaves_the_file(void **state)
{
	struct mapped_file file;
	struct byte_reader r;

	(void)state;
	mapped_file_init_memory(&file, "0123456789", 10);
	r = mapped_file_reader(&file, 2, 3, false);
	assert_int_equal(byte_reader_left(&r), 3);
	assert_memory_equal(r.next, "234", 3);
	r = mapped_file_reader(&file, 8, 3, true);
	assert_int_equal(byte_reader_left(&r), 2);
	assert_true(r.swap);
	r = mapped_file_reader(&file, 1, UINT64_MAX, false);
	assert_int_equal(byte_reader_left(&r), 9);
	r = mapped_file_reader(&file, 10, 1, false);
	assert_int_equal(byte_reader_left(&r), 0);
	r = mapped_file_reader(&file, UINT64_MAX, UINT64_MAX, false);
	assert_int_equal(byte_reader_left(&r), 0);
	mapped_file_fini(&file);
}

static size_t release(const struct mapped_file *file, uint64_t start, uint64_t end)
{
	const uint8_t *pages;
	const size_t size_bytes = mapped_file_pages(file, start, end, &pages);

	if (size_bytes)
		mapped_pages_release(pages, size_bytes);
	return size_bytes;
}

static void what_is_released_can_be_read_again(void **state)
{
	enum { SIZE = 3 * 65536 };
	char *text = xcalloc(1, SIZE + 1);
	struct mapped_file file;
	struct error err;
	int fd;

	(void)state;
	memset(text, 'x', SIZE);
	fd = temporary_file(text);
	assert_int_equal(mapped_file_init(&file, fd, "large", &err), 0);
	close(fd);
	assert_memory_equal(file.bytes, text, SIZE);
	assert_in_range(release(&file, 1, SIZE - 1), 1, SIZE - 1);
	assert_int_equal(release(&file, 0, UINT64_MAX), 0);
	assert_memory_equal(file.bytes, text, SIZE);
	mapped_file_fini(&file);
	free(text);
}

static void a_stream_is_spooled_behind_what_was_read_of_it(void **state)
{
	struct mapped_file file;
	struct error err;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "world", 5), 5);
	close(ends[1]);
	assert_int_equal(mapped_file_init_spooled(&file, ends[0], "hello ", 6, "pipe", &err), 0);
	close(ends[0]);
	assert_int_equal(file.size_bytes, 11);
	assert_memory_equal(file.bytes, "hello world", 11);
	mapped_file_fini(&file);
}

static void a_spool_that_cannot_be_made_names_tmpdir(void **state)
{
	struct mapped_file file;
	struct error err;

	(void)state;
	setenv("TMPDIR", "/proc/nonexistent", 1);
	assert_int_equal(mapped_file_init_spooled(&file, -1, "", 0, "pipe", &err), -1);
	assert_string_equal(err.message,
			    "cannot create a temporary copy of pipe in /proc/nonexistent (set TMPDIR to a "
			    "directory with enough space): No such file or directory");
	unsetenv("TMPDIR");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_mapped_and_outlives_its_descriptor),
		cmocka_unit_test(an_empty_file_has_no_bytes),
		cmocka_unit_test(a_file_that_was_cut_is_told),
		cmocka_unit_test(a_reader_never_leaves_the_file),
		cmocka_unit_test(what_is_released_can_be_read_again),
		cmocka_unit_test(a_stream_is_spooled_behind_what_was_read_of_it),
		cmocka_unit_test(a_spool_that_cannot_be_made_names_tmpdir),
	};

	return cmocka_run_group_tests_name("format/mapped_file", tests, NULL, NULL);
}
