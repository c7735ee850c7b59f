#include "elf/debug_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/temp_tree.h"

/* Every test has its own directory; the state is its path. */
static struct temp_tree tree;

static int make_directory(void **state)
{
	temp_tree_create(&tree);
	*state = tree.root;
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	temp_tree_remove(&tree);
	return 0;
}

/* Writes an ELF file and creates its directories. Returns its CRC. build_id and link may be NULL. */
static uint32_t write_elf(const char *path, const char *build_id, const char *link, uint32_t crc)
{
	struct elf_builder builder;
	uint8_t *bytes;
	size_t size;

	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	/* A different path gives different contents. */
	elf_builder_section(&builder, ".comment", SHT_PROGBITS, 0, 0, path, strlen(path));
	if (build_id)
		elf_builder_build_id(&builder, (const uint8_t *)build_id, strlen(build_id));
	if (link)
		elf_builder_debuglink(&builder, link, crc);
	bytes = elf_builder_finish(&builder, &size);
	elf_builder_fini(&builder);
	temp_tree_bytes(&tree, path + 1, bytes, size);
	crc = (uint32_t)crc32(0, bytes, (uInt)size);
	free(bytes);
	return crc;
}

/* The path, below the root, of the debug file found for `path`; "" if there is none. */
static char *find(const char *root, const char *path, struct error *err)
{
	static const char *const dirs[] = { "/usr/lib/debug", "/opt/debug", NULL };
	struct debug_file_search search = { .symfs = root, .debug_dirs = dirs };
	char *full = xasprintf("%s%s", root, path);
	struct elf_file *file = elf_file_open(full, NULL);
	struct elf_file *debug;
	char *found;

	assert_non_null(file);
	debug = debug_file_open(file, &search, err);
	found = xstrdup(debug ? elf_file_path(debug) + strlen(root) : "");
	elf_file_close(debug);
	elf_file_close(file);
	free(full);
	return found;
}

static void assert_found(const char *root, const char *path, const char *expected)
{
	struct error err;
	char *found = find(root, path, &err);

	assert_string_equal(found, expected);
	free(found);
}

static void build_id_leads_into_the_tree_of_every_directory(void **state)
{
	write_elf("/bin/x", "\xab\xcd\xef", NULL, 0);
	assert_found(*state, "/bin/x", "");
	write_elf("/opt/debug/.build-id/ab/cdef.debug", "\xab\xcd\xef", NULL, 0);
	assert_found(*state, "/bin/x", "/opt/debug/.build-id/ab/cdef.debug");
	write_elf("/usr/lib/debug/.build-id/ab/cdef.debug", "\xab\xcd\xef", NULL, 0);
	assert_found(*state, "/bin/x", "/usr/lib/debug/.build-id/ab/cdef.debug");
}

static void debug_file_is_found_by_build_id_without_its_binary(void **state)
{
	struct debug_file_search search = { .symfs = *state };
	struct build_id id = { .bytes = { 0xab, 0xcd, 0xef }, .size = 3 }, none = { .size = 0 };
	struct elf_file *debug;

	write_elf("/usr/lib/debug/.build-id/ab/cdef.debug", "\xab\xcd\xef", NULL, 0);
	debug = debug_file_open_build_id(&id, &search, NULL);
	assert_non_null(debug);
	elf_file_close(debug);
	assert_null(debug_file_open_build_id(&none, &search, NULL));
}

static void what_a_debuginfod_client_has_downloaded_comes_last(void **state)
{
	char *cache = xasprintf("%s/cache", (const char *)*state);
	struct debug_file_search search = { .symfs = *state, .debuginfod_cache = cache };
	struct build_id id = { .bytes = { 0xab, 0xcd, 0xef }, .size = 3 };
	struct elf_file *found;

	write_elf("/cache/abcdef/debuginfo", "\xab\xcd\xef", NULL, 0);
	found = debug_file_open_build_id(&id, &search, NULL);
	assert_non_null(found);
	assert_string_equal(elf_file_path(found) + strlen(*state), "/cache/abcdef/debuginfo");
	elf_file_close(found);
	assert_null(debug_file_open_downloaded_executable(&id, &search));
	write_elf("/usr/lib/debug/.build-id/ab/cdef.debug", "\xab\xcd\xef", NULL, 0);
	found = debug_file_open_build_id(&id, &search, NULL);
	assert_string_equal(elf_file_path(found) + strlen(*state), "/usr/lib/debug/.build-id/ab/cdef.debug");
	elf_file_close(found);
	free(cache);
}

static void a_download_with_another_build_id_is_none(void **state)
{
	char *cache = xasprintf("%s/cache", (const char *)*state);
	struct debug_file_search search = { .symfs = *state, .debuginfod_cache = cache };
	struct build_id id = { .bytes = { 0xab, 0xcd, 0xef }, .size = 3 };

	write_elf("/cache/abcdef/executable", "\xab\xcd\xee", NULL, 0);
	assert_null(debug_file_open_downloaded_executable(&id, &search));
	free(cache);
}

static void file_in_the_tree_with_another_build_id_is_refused(void **state)
{
	struct error err;
	char *found;

	write_elf("/bin/x", "\xab\xcd\xef", NULL, 0);
	write_elf("/usr/lib/debug/.build-id/ab/cdef.debug", "\xab\xcd\xee", NULL, 0);
	found = find(*state, "/bin/x", &err);
	assert_string_equal(found, "");
	assert_non_null(
		strstr(err.message, "/usr/lib/debug/.build-id/ab/cdef.debug has another build-id: abcdee"));
	free(found);
}

static void debug_link_is_followed_beside_the_file_and_below_the_directories(void **state)
{
	static const char *const places[] = { "/usr/lib/debug/bin/x.debug", "/bin/.debug/x.debug",
					      "/bin/x.debug" };

	for (size_t i = 0; i < 3; i++) {
		uint32_t crc = write_elf(places[i], NULL, NULL, 0);

		write_elf("/bin/x", NULL, "x.debug", crc);
		assert_found(*state, "/bin/x", places[i]);
	}
}

static void debug_link_with_another_crc_is_refused(void **state)
{
	uint32_t crc = write_elf("/bin/x.debug", NULL, NULL, 0);
	struct error err;
	char *found;

	write_elf("/bin/x", NULL, "x.debug", crc ^ 1);
	found = find(*state, "/bin/x", &err);
	assert_string_equal(found, "");
	assert_non_null(strstr(err.message, "it belongs to another build"));
	free(found);
}

static void debug_link_to_another_build_id_is_refused_whatever_its_crc(void **state)
{
	uint32_t crc = write_elf("/bin/x.debug", "\x12\x34", NULL, 0);
	struct error err;
	char *found;

	write_elf("/bin/x", "\xab\xcd\xef", "x.debug", crc);
	found = find(*state, "/bin/x", &err);
	assert_string_equal(found, "");
	assert_non_null(strstr(err.message, " has build-id 1234"));
	free(found);
}

static void debug_link_to_the_file_itself_leads_nowhere(void **state)
{
	write_elf("/bin/x", "\xab\xcd\xef", "x", 0);
	assert_found(*state, "/bin/x", "");
}

static void debug_link_with_a_path_is_not_followed(void **state)
{
	struct error err;
	uint32_t crc = write_elf("/x.debug", NULL, NULL, 0);
	char *found;

	write_elf("/bin/x", NULL, "../x.debug", crc);
	found = find(*state, "/bin/x", &err);
	assert_string_equal(found, "");
	assert_non_null(strstr(err.message, ".gnu_debuglink holds no file name"));
	free(found);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_directory, remove_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(build_id_leads_into_the_tree_of_every_directory),
		TEST(debug_file_is_found_by_build_id_without_its_binary),
		TEST(what_a_debuginfod_client_has_downloaded_comes_last),
		TEST(a_download_with_another_build_id_is_none),
		TEST(file_in_the_tree_with_another_build_id_is_refused),
		TEST(debug_link_is_followed_beside_the_file_and_below_the_directories),
		TEST(debug_link_with_another_crc_is_refused),
		TEST(debug_link_to_another_build_id_is_refused_whatever_its_crc),
		TEST(debug_link_to_the_file_itself_leads_nowhere),
		TEST(debug_link_with_a_path_is_not_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
