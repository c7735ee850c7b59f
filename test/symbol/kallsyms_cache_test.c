#include "symbol/kallsyms_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cache_file.h"
#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

enum { FUNCTIONS = 120, FUNCTION_BYTES = 0x40 };

static const uint64_t TEXT = 0xffffffff81000000;
static const char magic[] = "xprofK\1\n"; /* as in kallsyms_cache.c */

struct fixture {
	struct temp_tree tree;
	char *directory, *list_path, *boot_id_path, *cache_path;
	struct build_id build_id;
	struct kallsyms_cache_key key;
};

/* Functions of a kernel: the first one has an alias, every third one is weak. Then modules, a BPF program, and `more`. */
static char *make_list(const char *more)
{
	struct strbuf list;

	strbuf_init(&list);
	strbuf_adds(&list, "0000000000000000 A fixed_percpu_data\n");
	strbuf_addf(&list, "%016" PRIx64 " T _stext\n%016" PRIx64 " T _text\n", TEXT, TEXT);
	for (unsigned int i = 0; i < FUNCTIONS; i++)
		strbuf_addf(&list, "%016" PRIx64 " %c function_with_a_name_%u\n",
			    TEXT + (uint64_t)i * FUNCTION_BYTES, i % 3 ? 't' : 'W', i);
	strbuf_addf(&list, "%016" PRIx64 " T _etext\n%016" PRIx64 " T _end\n",
		    TEXT + (uint64_t)FUNCTIONS * FUNCTION_BYTES, TEXT + 0x100000);
	strbuf_adds(&list, "ffffffffc0200000 t in_module\t[kvm]\n");
	strbuf_adds(&list, more);
	return strbuf_detach(&list);
}

static void write_list(struct fixture *fixture, const char *more)
{
	char *list = make_list(more);

	temp_tree_file(&fixture->tree, "kallsyms", list);
	free(list);
}

static void save(struct fixture *fixture)
{
	struct kallsyms *kallsyms = kallsyms_open(fixture->list_path, NULL);

	assert_non_null(kallsyms);
	kallsyms_cache_save(&fixture->key, kallsyms);
	kallsyms_close(kallsyms);
}

static int make_fixture(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	temp_tree_create(&fixture->tree);
	fixture->directory = xasprintf("%s/cache/xprof", fixture->tree.root);
	fixture->cache_path = xasprintf("%s/abcd.kallsyms", fixture->directory);
	fixture->list_path = xasprintf("%s/kallsyms", fixture->tree.root);
	fixture->boot_id_path = xasprintf("%s/boot_id", fixture->tree.root);
	fixture->build_id = (struct build_id){ .bytes = { 0xab, 0xcd }, .size = 2 };
	fixture->key = (struct kallsyms_cache_key){ fixture->directory, &fixture->build_id,
						    fixture->list_path, fixture->boot_id_path };
	temp_tree_file(&fixture->tree, "boot_id", "3f0a5c1e-0000-4000-8000-000000000001\n");
	write_list(fixture, "");
	save(fixture);
	*state = fixture;
	return 0;
}

static int remove_fixture(void **state)
{
	struct fixture *fixture = *state;

	temp_tree_remove(&fixture->tree);
	free(fixture->boot_id_path);
	free(fixture->list_path);
	free(fixture->cache_path);
	free(fixture->directory);
	free(fixture);
	return 0;
}

static bool is_believed(struct fixture *fixture)
{
	struct kallsyms *kallsyms = kallsyms_cache_load(&fixture->key);

	if (!kallsyms)
		return false;
	kallsyms_close(kallsyms);
	return true;
}

static void assert_same_entry(struct kallsyms *whole, struct kallsyms *part, uint64_t address)
{
	const struct symbol_map_entry *expected = symbol_map_find(kallsyms_map(whole), address);
	const struct symbol_map_entry *entry = symbol_map_find(kallsyms_map(part), address);

	assert_true(kallsyms_covers(part, address));
	assert_non_null(expected);
	assert_non_null(entry);
	assert_string_equal(entry->name, expected->name);
	assert_int_equal(entry->start, expected->start);
	assert_int_equal(entry->end, expected->end);
	assert_int_equal(entry->binding, expected->binding);
	assert_int_equal(entry->flags, expected->flags);
	assert_int_equal(entry->group, expected->group);
}

static void the_kernel_proper_comes_back(void **state)
{
	struct fixture *fixture = *state;
	struct kallsyms *whole = kallsyms_open(fixture->list_path, NULL);
	struct kallsyms *part = kallsyms_cache_load(&fixture->key);
	uint64_t address;

	assert_non_null(part);
	for (uint64_t at = 0; at < 0x100000; at += FUNCTION_BYTES / 2 - 1)
		assert_same_entry(whole, part, TEXT + at);
	assert_same_entry(whole, part, TEXT + 0x100000 - 1);
	assert_string_equal(kallsyms_path(part), fixture->list_path);
	assert_string_equal(kallsyms_module(part, KALLSYMS_KERNEL_GROUP), "");
	assert_int_equal(kallsyms_address(part, "_text", &address), 0);
	assert_int_equal(address, TEXT);
	assert_int_equal(kallsyms_address(part, "_stext", &address), 0);
	assert_int_equal(address, TEXT);
	kallsyms_close(part);
	kallsyms_close(whole);
}

static void what_comes_and_goes_is_not_covered(void **state)
{
	struct fixture *fixture = *state;
	struct kallsyms *whole = kallsyms_open(fixture->list_path, NULL);
	struct kallsyms *part = kallsyms_cache_load(&fixture->key);

	assert_false(kallsyms_covers(part, TEXT - 1));
	assert_false(kallsyms_covers(part, TEXT + 0x100000)); /* the end of the last symbol is unknown */
	assert_false(kallsyms_covers(part, 0xffffffffc0200000));
	assert_null(symbol_map_find(kallsyms_map(part), TEXT + 0x100000));
	assert_null(symbol_map_find(kallsyms_map(part), TEXT - 1));
	assert_true(kallsyms_covers(whole, 0xffffffffc0200000));
	kallsyms_close(part);
	kallsyms_close(whole);
}

static void another_boot_another_kernel_and_other_lines_make_it_worthless(void **state)
{
	struct fixture *fixture = *state;
	char *list;

	temp_tree_file(&fixture->tree, "boot_id", "3f0a5c1e-0000-4000-8000-000000000002\n");
	assert_false(is_believed(fixture));
	temp_tree_file(&fixture->tree, "boot_id", "");
	assert_false(is_believed(fixture));
	temp_tree_file(&fixture->tree, "boot_id", "3f0a5c1e-0000-4000-8000-000000000001\n");
	assert_true(is_believed(fixture));
	fixture->build_id.bytes[0] = 0xac;
	assert_false(is_believed(fixture));
	fixture->build_id.bytes[0] = 0xab;
	list = make_list("");
	list[strlen(list) / 8] = '_';
	temp_tree_file(&fixture->tree, "kallsyms", list);
	free(list);
	assert_false(is_believed(fixture));
	assert_int_equal(unlink(fixture->list_path), 0);
	assert_false(is_believed(fixture));
}

static void who_may_not_see_addresses_does_not_see_them_in_here(void **state)
{
	struct fixture *fixture = *state;
	char *list = make_list("");

	for (char *line = list; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		memset(line, '0', 16);
	temp_tree_file(&fixture->tree, "kallsyms", list);
	free(list);
	assert_false(is_believed(fixture));
}

static void modules_that_come_later_change_nothing(void **state)
{
	struct fixture *fixture = *state;
	struct stat before, after;

	write_list(fixture, "ffffffffc0300000 t bpf_prog_1\t[bpf]\n");
	assert_true(is_believed(fixture));
	assert_int_equal(stat(fixture->cache_path, &before), 0);
	save(fixture); /* it is there already */
	assert_int_equal(stat(fixture->cache_path, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

static void nothing_is_kept_of_lists_that_are_unlike_a_kernels(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(unlink(fixture->cache_path), 0);
	write_list(fixture, "ffffffff81000100 t amidst_the_kernel\t[odd]\n");
	save(fixture);
	assert_false(is_believed(fixture));
	temp_tree_file(&fixture->tree, "kallsyms", "ffffffff81000000 T _stext\n");
	save(fixture);
	assert_false(is_believed(fixture));
	write_list(fixture, "");
	fixture->build_id.size = 0;
	save(fixture);
	assert_false(is_believed(fixture));
	fixture->build_id.size = 2;
	fixture->key.directory = NULL;
	save(fixture);
	assert_false(is_believed(fixture));
	fixture->key.directory = fixture->directory;
	save(fixture);
	assert_true(is_believed(fixture));
}

static void only_its_user_may_read_it(void **state)
{
	struct fixture *fixture = *state;
	struct stat st;

	assert_int_equal(stat(fixture->cache_path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "re");
	char *bytes = xmalloc(1 << 16);

	assert_non_null(file);
	*size = fread(bytes, 1, 1 << 16, file);
	assert_int_equal(fclose(file), 0);
	return bytes;
}

static void damage_and_missing_ends_are_noticed(void **state)
{
	struct fixture *fixture = *state;
	size_t size;
	char *bytes = read_file(fixture->cache_path, &size);

	for (size_t at = 0; at < size; at += 7) {
		FILE *file = fopen(fixture->cache_path, "we");

		bytes[at] ^= 0x41;
		assert_int_equal(fwrite(bytes, 1, size, file), size);
		bytes[at] ^= 0x41;
		assert_int_equal(fclose(file), 0);
		assert_false(is_believed(fixture));
		assert_int_equal(truncate(fixture->cache_path, (off_t)at), 0);
		assert_false(is_believed(fixture));
	}
	free(bytes);
}

/* Checks that lookups stay within the file: names end, and symbols follow each other. */
static void walk(struct kallsyms *kallsyms, uint64_t base)
{
	size_t length = 0;

	for (uint64_t address = base, found = 0; kallsyms_covers(kallsyms, address) && found < 1000;
	     found++) {
		const struct symbol_map_entry *entry = symbol_map_find(kallsyms_map(kallsyms), address);

		assert_non_null(entry);
		assert_int_equal(entry->start, address);
		assert_true(entry->end > address);
		length += strlen(entry->name);
		address = entry->end;
	}
	assert_true(length < (size_t)1 << 24);
}

static void what_is_wrong_under_a_right_checksum_does_no_harm(void **state)
{
	struct fixture *fixture = *state;
	size_t size, key_bytes = 16 + 36 + 4 + 2 + 4096, believed = 0;
	char *bytes = read_file(fixture->cache_path, &size);
	static const uint8_t flips[] = { 0x01, 0x80, 0xff };

	for (size_t at = key_bytes; at < size; at++) {
		const char flip = (char)flips[at % 3];
		struct kallsyms *kallsyms;
		struct strbuf file;
		uint64_t base;

		bytes[at] ^= flip;
		memcpy(&base, bytes + key_bytes, sizeof(base));
		strbuf_init(&file);
		cache_file_start(&file, magic);
		strbuf_add(&file, bytes + 16, size - 16 - (at % 5 ? 0 : at - key_bytes));
		cache_file_save(fixture->directory, "abcd.kallsyms", &file);
		strbuf_fini(&file);
		bytes[at] ^= flip;
		kallsyms = kallsyms_cache_load(&fixture->key);
		if (!kallsyms)
			continue;
		believed++;
		walk(kallsyms, base);
		kallsyms_close(kallsyms);
	}
	assert_true(believed > 0); /* a wrong letter in a name, for example */
	free(bytes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, remove_fixture)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_kernel_proper_comes_back),
		TEST(what_comes_and_goes_is_not_covered),
		TEST(another_boot_another_kernel_and_other_lines_make_it_worthless),
		TEST(who_may_not_see_addresses_does_not_see_them_in_here),
		TEST(modules_that_come_later_change_nothing),
		TEST(nothing_is_kept_of_lists_that_are_unlike_a_kernels),
		TEST(only_its_user_may_read_it),
		TEST(damage_and_missing_ends_are_noticed),
		TEST(what_is_wrong_under_a_right_checksum_does_no_harm),
	};

	return cmocka_run_group_tests_name("symbol/kallsyms_cache", tests, NULL, NULL);
}
