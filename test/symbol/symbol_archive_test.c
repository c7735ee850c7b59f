#include "symbol/symbol_archive.h"

#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static const struct symbol_object library = { .kind = DSO_FILE,
					      .path = "/lib/a\tb%\n.so",
					      .build_id = { .bytes = { 0xab, 0xcd }, .size = 2 } };
static const struct symbol_object module = { .kind = DSO_MODULE,
					     .path = "[ext4]",
					     .relocation_address = 0xffffffffc0000000 };

static struct temp_tree tree;
static struct strbuf list;
static struct archive_reader *reader;
static struct symbol_archive *archive;
static struct error err;

static int set_up(void **state)
{
	(void)state;
	temp_tree_create(&tree);
	strbuf_init(&list);
	symbol_archive_list_begin(&list, "old name.data", "perf.data");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	symbol_archive_close(archive);
	archive_reader_close(reader);
	strbuf_fini(&list);
	temp_tree_remove(&tree);
	archive = NULL;
	reader = NULL;
	return 0;
}

static void open_list(void)
{
	temp_tree_bytes(&tree, SYMBOL_ARCHIVE_LIST, list.bytes, list.size);
	assert_int_equal(archive_reader_open(tree.root, SYMBOL_ARCHIVE_LIST, &reader, &err), ARCHIVE_OPENED);
	archive = symbol_archive_open(reader, &err);
}

static void objects_are_found_as_they_were_written(void **state)
{
	const struct archived_object *found;

	(void)state;
	symbol_archive_list_add(&list, &(struct archived_object){ .object = library,
								  .form = OBJECT_FORM_ELF,
								  .file = "lib/elf",
								  .answers = "sources/0",
								  .source = "/lib/debug",
								  .why = "tab\there",
								  .state = RECORDED_FILE_REPLACED,
								  .full = true,
								  .package = "libc6" });
	symbol_archive_list_add(&list, &(struct archived_object){ .object = module,
								  .form = OBJECT_FORM_NONE,
								  .why = "nobody knows" });
	symbol_archive_list_fact(&list, "distribution", "1,2,3");
	open_list();
	assert_non_null(archive);
	assert_string_equal(symbol_archive_recording_name(archive), "old name.data");
	assert_string_equal(symbol_archive_recording_file(archive), "perf.data");
	found = symbol_archive_find(archive, &library);
	assert_non_null(found);
	assert_string_equal(found->object.path, library.path);
	assert_int_equal(found->form, OBJECT_FORM_ELF);
	assert_string_equal(found->file, "lib/elf");
	assert_string_equal(found->answers, "sources/0");
	assert_string_equal(found->source, "/lib/debug");
	assert_string_equal(found->why, "tab\there");
	assert_int_equal(found->state, RECORDED_FILE_REPLACED);
	assert_true(found->full);
	assert_string_equal(found->package, "libc6");
	found = symbol_archive_find(archive, &module);
	assert_non_null(found);
	assert_null(found->file);
	assert_null(found->source);
	assert_false(found->full);
	assert_string_equal(symbol_archive_fact(archive, "distribution"), "1,2,3");
	assert_null(symbol_archive_fact(archive, "weather"));
}

static void a_module_that_was_loaded_elsewhere_is_another(void **state)
{
	struct symbol_object elsewhere = module;

	(void)state;
	symbol_archive_list_add(&list, &(struct archived_object){ .object = module });
	open_list();
	elsewhere.relocation_address += 0x1000;
	assert_null(symbol_archive_find(archive, &elsewhere));
}

static void what_nothing_was_known_of_says_why(void **state)
{
	struct archive_image image;

	(void)state;
	symbol_archive_list_add(&list, &(struct archived_object){ .object = module, .why = "it was gone" });
	symbol_archive_list_add(&list, &(struct archived_object){ .object = library,
								  .form = OBJECT_FORM_ELF,
								  .file = "not there" });
	open_list();
	assert_int_equal(symbol_archive_map(archive, symbol_archive_find(archive, &module), &image, &err),
			 -1);
	assert_string_equal(err.message, "it was gone");
	assert_null(symbol_archive_open_elf(archive, symbol_archive_find(archive, &library), &err));
	assert_non_null(strstr(err.message, "has no file not there: it is damaged"));
	assert_int_equal(symbol_archive_map(archive, NULL, &image, &err), -1);
}

static void a_list_of_another_version_is_refused(void **state)
{
	(void)state;
	strbuf_reset(&list);
	strbuf_adds(&list, "xprof-archive\t2\ta\tb\n");
	open_list();
	assert_null(archive);
	assert_non_null(strstr(err.message, "by another version of xprof, or is damaged"));
}

static void a_line_that_makes_no_sense_is_named(void **state)
{
	(void)state;
	symbol_archive_list_add(&list, &(struct archived_object){ .object = module });
	strbuf_adds(&list, "elf\tabc\n");
	open_list();
	assert_null(archive);
	assert_non_null(strstr(err.message, "line 3 of its list"));
}

static void an_archive_without_a_list_was_made_by_something_else(void **state)
{
	(void)state;
	assert_int_equal(archive_reader_open(tree.root, ".", &reader, &err), ARCHIVE_OPENED);
	archive = symbol_archive_open(reader, &err);
	assert_null(archive);
	assert_non_null(strstr(err.message, "was not made by 'xprof archive'"));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(objects_are_found_as_they_were_written),
		TEST(a_module_that_was_loaded_elsewhere_is_another),
		TEST(what_nothing_was_known_of_says_why),
		TEST(a_list_of_another_version_is_refused),
		TEST(a_line_that_makes_no_sense_is_named),
		TEST(an_archive_without_a_list_was_made_by_something_else),
	};

	return cmocka_run_group_tests_name("symbol/symbol_archive", tests, NULL, NULL);
}
