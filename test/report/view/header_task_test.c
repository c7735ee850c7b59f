#include "report/view/header_task.h"

#include <linux/perf_event.h>

#include "report/load/profile_loader.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

struct fixture {
	struct perf_data_builder *builder;
	struct perf_file *file;
	struct loaded_profile loaded;
};

/* One sample, of a function that nothing names. */
static void load(struct fixture *fixture)
{
	const struct load_options options = {
		.symbols = { .symfs = "/proc/nonexistent", .kallsyms_path = "/proc/nonexistent" },
	};
	const struct built_sample sample = {
		.misc = PERF_RECORD_MISC_USER, .ip = 0x1000, .pid = 7, .tid = 7, .time_ns = 1, .period = 1
	};
	struct error err;

	*fixture = (struct fixture){ .builder = perf_data_builder_create(BUILD_NATIVE) };
	perf_data_builder_add_clock(fixture->builder);
	perf_data_builder_sample(fixture->builder, &sample);
	perf_data_builder_finish_file(fixture->builder);
	fixture->file = perf_data_builder_open(fixture->builder);
	assert_int_equal(profile_load(fixture->file, &options, &fixture->loaded, &err), 0);
}

static void unload(struct fixture *fixture)
{
	loaded_profile_fini(&fixture->loaded);
	perf_file_close(fixture->file);
	perf_data_builder_destroy(fixture->builder);
}

static void it_is_the_header_and_an_empty_line(void **state)
{
	struct fixture fixture;
	struct header_task *task;
	struct strbuf expected;

	(void)state;
	load(&fixture);
	strbuf_init(&expected);
	trust_header_render(&expected, &fixture.loaded, TRUST_ALL);
	strbuf_adds(&expected, "#\n");
	task = header_task_start(&fixture.loaded, TRUST_ALL);
	assert_string_equal(header_task_wait(task)->bytes, expected.bytes);
	assert_string_equal(header_task_wait(task)->bytes, expected.bytes); /* again */
	header_task_destroy(task);
	strbuf_fini(&expected);
	unload(&fixture);
}

static void without_lines_there_is_nothing(void **state)
{
	struct fixture fixture;
	struct header_task *task;

	(void)state;
	load(&fixture);
	task = header_task_start(&fixture.loaded, 0);
	assert_int_equal(header_task_wait(task)->size, 0);
	header_task_destroy(task);
	unload(&fixture);
}

static void who_does_not_want_it_any_more_need_not_wait(void **state)
{
	struct fixture fixture;

	(void)state;
	load(&fixture);
	header_task_destroy(header_task_start(&fixture.loaded, TRUST_ALL));
	unload(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_header_and_an_empty_line),
		cmocka_unit_test(without_lines_there_is_nothing),
		cmocka_unit_test(who_does_not_want_it_any_more_need_not_wait),
	};

	return cmocka_run_group_tests_name("report/view/header_task", tests, NULL, NULL);
}
