#include "archive/archive_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive_writer.h"
#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

static struct temp_tree tree;
static struct archive_reader *reader;
static struct error err;

static int set_up(void **state)
{
	(void)state;
	temp_tree_create(&tree);
	reader = NULL;
	err.message[0] = '\0';
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	archive_reader_close(reader);
	temp_tree_remove(&tree);
	return 0;
}

static enum archive_open open_archive(const char *name)
{
	char *path = xasprintf("%s/%s", tree.root, name);
	enum archive_open result = archive_reader_open(path, "marker", &reader, &err);

	free(path);
	return result;
}

/* Compares the file's contents, or "none". */
static void assert_file(const char *name, const char *expected)
{
	struct archive_image image = { .bytes = NULL };
	char text[64] = "none";

	if (archive_reader_map(reader, name, &image, NULL) == 1)
		snprintf(text, sizeof(text), "%.*s", (int)image.size, (const char *)image.bytes);
	archive_image_unmap(&image);
	assert_string_equal(text, expected);
}

/* --- directories --------------------------------------------------------------------------------- */

static void a_directory_with_its_marker_is_an_archive(void **state)
{
	(void)state;
	temp_tree_file(&tree, "dir/marker", "");
	temp_tree_file(&tree, "dir/a/b", "contents");
	assert_int_equal(open_archive("dir"), ARCHIVE_OPENED);
	assert_file("a/b", "contents");
	assert_file("marker", "");
	assert_file("a", "none");
	assert_file("a/c", "none");
}

static void what_is_something_else_is_none(void **state)
{
	(void)state;
	temp_tree_file(&tree, "dir/data", "");
	temp_tree_file(&tree, "file", "PERFILE2");
	assert_int_equal(open_archive("dir"), ARCHIVE_OPEN_NONE);
	assert_int_equal(open_archive("file"), ARCHIVE_OPEN_NONE);
	assert_int_equal(open_archive("nothing"), ARCHIVE_OPEN_NONE);
}

static void links_are_followed_inside_of_a_directory_alone(void **state)
{
	char *inside, *outside;

	(void)state;
	temp_tree_file(&tree, "dir/marker", "");
	temp_tree_file(&tree, "dir/target/elf", "inside");
	temp_tree_file(&tree, "secret", "outside");
	inside = xasprintf("%s/dir/link", tree.root);
	outside = xasprintf("%s/dir/leak", tree.root);
	assert_int_equal(symlink("target", inside), 0);
	assert_int_equal(symlink("../secret", outside), 0);
	free(inside);
	free(outside);
	assert_int_equal(open_archive("dir"), ARCHIVE_OPENED);
	assert_file("link/elf", "inside");
	assert_file("leak", "none");
	assert_file("../secret", "none");
}

static void a_file_of_a_directory_that_is_cut_short_reads_as_zeros(void **state)
{
	struct archive_image image;
	char path[128];
	void *mapping;

	(void)state;
	temp_tree_file(&tree, "dir/marker", "");
	temp_tree_file(&tree, "dir/a", "contents");
	snprintf(path, sizeof(path), "%s/dir/a", tree.root);
	assert_int_equal(open_archive("dir"), ARCHIVE_OPENED);
	assert_int_equal(archive_reader_map(reader, "a", &image, NULL), 1);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(((const volatile uint8_t *)image.bytes)[0], 0);
	mapping = archive_image_take(&image);
	assert_null(image.bytes);
	archive_image_unmap(&image); /* nothing is left to unmap */
	assert_int_equal(munmap(mapping, 8), 0);
}

/* --- tars ------------------------------------------------------------------------------------------ */

static char *tar_path(const char *name)
{
	return xasprintf("%s/%s", tree.root, name);
}

static struct archive_writer *begin_tar(const char *name)
{
	char *path = tar_path(name);
	struct archive_writer *writer = archive_writer_create(path, 0, &err);

	free(path);
	if (!archive_writer_is_available(NULL))
		skip();
	assert_non_null(writer);
	return writer;
}

static void finish_tar(struct archive_writer *writer)
{
	uint64_t size;

	assert_int_equal(archive_writer_finish(writer, &size, &err), 0);
	archive_writer_destroy(writer);
}

static void files_of_a_tar_are_found_by_name(void **state)
{
	static const char *const names[] = { "x.tar", "x.tar.gz", "x.tar.zst", "x.tar.xz", "x.tar.bz2" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct archive_writer *writer = begin_tar(names[i]);

		assert_int_equal(archive_writer_add(writer, "a/b", "contents", 8, &err), 0);
		assert_int_equal(archive_writer_add(writer, "empty", "", 0, &err), 0);
		finish_tar(writer);
		assert_int_equal(open_archive(names[i]), ARCHIVE_OPENED);
		assert_file("a/b", "contents");
		assert_file("empty", "");
		assert_file("a", "none");
		archive_reader_close(reader);
		reader = NULL;
	}
}

static void links_are_followed_inside_of_a_tar_alone(void **state)
{
	struct archive_writer *writer = begin_tar("x.tar");

	(void)state;
	archive_writer_add(writer, "lib/id/elf", "image", 5, &err);
	archive_writer_add_link(writer, ".build-id/ab/cd", "../../lib/id", &err);
	archive_writer_add_link(writer, "out", "../../../etc", &err);
	archive_writer_add_link(writer, "root", "/etc", &err);
	archive_writer_add(writer, "lib/etc/passwd", "of the archive", 14, &err);
	archive_writer_add_link(writer, "lib/root", "/etc", &err);
	archive_writer_add_link(writer, "lib/up", "../../lib/id", &err);
	archive_writer_add_link(writer, "circle", "circle", &err);
	archive_writer_add_link(writer, "one", "other/x", &err);
	archive_writer_add_link(writer, "other", "one", &err);
	finish_tar(writer);
	assert_int_equal(open_archive("x.tar"), ARCHIVE_OPENED);
	assert_file(".build-id/ab/cd/elf", "image");
	assert_file("out/passwd", "none");
	assert_file("root/passwd", "none");
	assert_file("lib/root/passwd", "none"); /* /etc is not lib/etc */
	assert_file("lib/up/elf", "none");
	assert_file("circle", "none");
	assert_file("circle/x", "none");
	assert_file("one/x", "none");
}

static void names_that_lead_out_of_a_tar_name_nothing(void **state)
{
	struct archive_writer *writer = begin_tar("x.tar");

	(void)state;
	archive_writer_add(writer, "../up", "1", 1, &err);
	archive_writer_add(writer, "/absolute", "2", 1, &err);
	archive_writer_add(writer, "a/../b", "3", 1, &err);
	archive_writer_add(writer, "./c//d", "4", 1, &err);
	finish_tar(writer);
	assert_int_equal(open_archive("x.tar"), ARCHIVE_OPENED);
	assert_file("../up", "none");
	assert_file("/absolute", "none");
	assert_file("b", "none");
	assert_file("c/d", "4");
}

static void of_two_files_of_one_name_the_last_counts(void **state)
{
	struct archive_writer *writer = begin_tar("x.tar");

	(void)state;
	archive_writer_add(writer, "a", "old", 3, &err);
	archive_writer_add(writer, "a", "new", 3, &err);
	finish_tar(writer);
	assert_int_equal(open_archive("x.tar"), ARCHIVE_OPENED);
	assert_file("a", "new");
}

static void holes_are_zeros_again(void **state)
{
	static const struct archive_range ranges[] = { { 512, 512 }, { 1 << 20, 100 } };
	const size_t size = (1 << 20) + 100;
	uint8_t *bytes = xcalloc(size, 1);
	struct archive_writer *writer = begin_tar("x.tar");
	struct archive_image image;
	char *path = tar_path("x.tar");
	FILE *file;

	(void)state;
	memset(bytes + 512, 'a', 512);
	memset(bytes + (1 << 20), 'b', 100);
	assert_int_equal(archive_writer_add_sparse(writer, "sparse", bytes, size, ranges, 2, &err), 0);
	finish_tar(writer);
	assert_int_equal(open_archive("x.tar"), ARCHIVE_OPENED);
	assert_int_equal(archive_reader_map(reader, "sparse", &image, &err), 1);
	assert_int_equal(image.size, size);
	assert_memory_equal(image.bytes, bytes, size);
	archive_image_unmap(&image);
	free(bytes);
	file = fopen(path, "re");
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	assert_true(ftell(file) < 20000);
	fclose(file);
	free(path);
}

static void a_tar_that_was_cut_off_is_damaged(void **state)
{
	struct archive_writer *writer = begin_tar("x.tar");
	char *path = tar_path("x.tar"), *bytes = xcalloc(100000, 1);

	(void)state;
	archive_writer_add(writer, "a", bytes, 100000, &err);
	finish_tar(writer);
	assert_int_equal(truncate(path, 50000), 0);
	assert_int_equal(open_archive("x.tar"), ARCHIVE_OPEN_FAILED);
	assert_non_null(strstr(err.message, "is a damaged archive, or cut short"));
	free(bytes);
	free(path);
}

static void compressed_files_that_are_no_tar_are_none(void **state)
{
	static const uint8_t gzip[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0 };

	(void)state;
	if (!archive_writer_is_available(NULL))
		skip();
	temp_tree_bytes(&tree, "x.gz", gzip, sizeof(gzip));
	assert_int_equal(open_archive("x.gz"), ARCHIVE_OPEN_NONE);
}

static void what_is_not_finished_leaves_nothing(void **state)
{
	struct archive_writer *writer = begin_tar("x.tar");

	(void)state;
	archive_writer_add(writer, "a", "1", 1, &err);
	archive_writer_destroy(writer);
	assert_int_equal(open_archive("x.tar"), ARCHIVE_OPEN_NONE);
	assert_int_equal(rmdir(tree.root), 0); /* the directory is empty */
	assert_int_equal(mkdir(tree.root, 0700), 0);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_directory_with_its_marker_is_an_archive),
		TEST(what_is_something_else_is_none),
		TEST(links_are_followed_inside_of_a_directory_alone),
		TEST(a_file_of_a_directory_that_is_cut_short_reads_as_zeros),
		TEST(files_of_a_tar_are_found_by_name),
		TEST(links_are_followed_inside_of_a_tar_alone),
		TEST(names_that_lead_out_of_a_tar_name_nothing),
		TEST(of_two_files_of_one_name_the_last_counts),
		TEST(holes_are_zeros_again),
		TEST(a_tar_that_was_cut_off_is_damaged),
		TEST(compressed_files_that_are_no_tar_are_none),
		TEST(what_is_not_finished_leaves_nothing),
	};

	return cmocka_run_group_tests_name("archive/archive_reader", tests, NULL, NULL);
}
