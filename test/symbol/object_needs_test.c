#include "symbol/object_needs.h"

#include "support/cmocka.h"

static struct object_needs *needs;

static int set_up(void **state)
{
	(void)state;
	needs = object_needs_create();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	object_needs_destroy(needs);
	return 0;
}

static struct object_need *of_file(const char *path, uint8_t build_id)
{
	return object_needs_of(needs, &(struct symbol_object){ .kind = DSO_FILE,
							       .path = path,
							       .build_id = { .bytes = { build_id },
									     .size = build_id ? 1 : 0 } });
}

static void files_are_the_same_by_build_id_else_by_path(void **state)
{
	(void)state;
	assert_ptr_equal(of_file("/a", 1), of_file("/b", 1));
	assert_ptr_not_equal(of_file("/a", 1), of_file("/a", 2));
	assert_ptr_not_equal(of_file("/a", 1), of_file("/a", 0));
	assert_ptr_equal(of_file("/a", 0), of_file("/a", 0));
	assert_ptr_not_equal(of_file("/a", 0), of_file("/b", 0));
	assert_int_equal(object_needs_count(needs), 4);
}

static void maps_of_two_processes_are_two(void **state)
{
	const struct symbol_object one = { .kind = DSO_ANON, .path = "//anon", .pid = 1 };
	const struct symbol_object two = { .kind = DSO_ANON, .path = "//anon", .pid = 2 };

	(void)state;
	assert_ptr_not_equal(object_needs_of(needs, &one), object_needs_of(needs, &two));
}

static void numbers_are_sorted_and_each_is_there_once(void **state)
{
	struct object_need *need = of_file("/a", 1);
	const uint64_t *items;
	size_t count;

	(void)state;
	for (uint64_t i = 0; i < 100000; i++)
		object_need_add(need, OBJECT_NEED_NAME, 7919 * i % 100);
	assert_true(need->sets[OBJECT_NEED_NAME].capacity < 10000);
	items = object_need_sorted(need, OBJECT_NEED_NAME, &count);
	assert_int_equal(count, 100);
	for (uint64_t i = 0; i < 100; i++)
		assert_int_equal(items[i], i);
	(void)object_need_sorted(need, OBJECT_NEED_CODE, &count);
	assert_int_equal(count, 0);
}

static void add_name(struct object_need *need, uint64_t start, uint32_t sequence, const char *name)
{
	object_need_add_name(needs, need, &(struct object_name){ start, 16, sequence, name });
}

static void names_are_kept_once_and_put_in_order(void **state)
{
	struct object_need *kernel = object_needs_of(needs, &(struct symbol_object){ .kind = DSO_KERNEL });
	struct object_need *map =
		object_needs_of(needs, &(struct symbol_object){ .kind = DSO_ANON, .pid = 1 });

	(void)state;
	add_name(kernel, 32, 0, "b");
	add_name(kernel, 16, 1, "a");
	add_name(kernel, 32, 0, "b");
	object_need_sort_names(kernel);
	assert_int_equal(kernel->name_count, 2);
	assert_string_equal(kernel->names[0].name, "a");
	/* Code that replaces other code must come last. */
	add_name(map, 32, 0, "old");
	add_name(map, 16, 1, "young");
	object_need_sort_names(map);
	assert_string_equal(map->names[0].name, "old");
	add_name(map, 16, 1, "young");
	assert_int_equal(map->name_count, 2);
}

static void sources_survive_being_written_and_read(void **state)
{
	static const struct source_frame frames[] = { { "inlined", "a.c", 3 }, { NULL, NULL, 0 } };
	struct object_need *need = of_file("/a", 1);
	struct source_answers answers;
	struct strbuf bytes;

	(void)state;
	object_need_add_source(need, 0x10, frames, 2);
	object_need_add_source(need, 0x10, frames, 1);
	object_need_add_source(need, 0x20, NULL, 0);
	strbuf_init(&bytes);
	source_answers_encode_file(&need->answers, &bytes);
	source_answers_init(&answers);
	assert_int_equal(source_answers_decode_file(&answers, bytes.bytes, bytes.size), 1);
	assert_int_equal(answers.place_count, 2);
	assert_int_equal(answers.places[0].vaddr, 0x10);
	assert_int_equal(answers.places[0].frame_count, 2);
	assert_int_equal(answers.places[1].frame_count, 0);
	assert_string_equal(str_pool_text(answers.texts, answers.frames[0].function), "inlined");
	assert_string_equal(str_pool_text(answers.texts, answers.frames[0].file), "a.c");
	assert_int_equal(answers.frames[0].line, 3);
	assert_string_equal(str_pool_text(answers.texts, answers.frames[1].function), "");
	for (size_t size = 0; size < bytes.size; size++)
		assert_int_equal(source_answers_decode_file(&answers, bytes.bytes, size), 0);
	source_answers_fini(&answers);
	strbuf_fini(&bytes);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(files_are_the_same_by_build_id_else_by_path), TEST(maps_of_two_processes_are_two),
		TEST(numbers_are_sorted_and_each_is_there_once),   TEST(names_are_kept_once_and_put_in_order),
		TEST(sources_survive_being_written_and_read),
	};

	return cmocka_run_group_tests_name("symbol/object_needs", tests, NULL, NULL);
}
