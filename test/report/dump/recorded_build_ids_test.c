#include "report/dump/recorded_build_ids.h"

#include "support/cmocka.h"
#include "support/perf_data_builder.h"

static void each_file_is_listed_once_by_what_was_mapped(void **state)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	struct built_mmap mapping = {
		.pid = 1, .tid = 1, .start = 0x1000, .length = 0x1000, .path = "/bin/a"
	};
	struct recorded_build_ids ids = { 0 };
	struct perf_file *file;
	char hex[BUILD_ID_HEX_SIZE];

	(void)state;
	perf_data_builder_add_event(b, &(struct built_event){ .attr = { .sample_id_all = 1 },
							      .name = "cycles" });
	perf_data_builder_mmap2(b, &mapping); /* without a build-id */
	mapping.build_id = (const uint8_t *)"\xab\xcd";
	mapping.build_id_size = 2;
	perf_data_builder_mmap2(b, &mapping);
	mapping.pid = 2;
	perf_data_builder_mmap2(b, &mapping);
	mapping.path = "/bin/b";
	perf_data_builder_mmap2(b, &mapping);
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_int_equal(recorded_build_ids_read(&ids, file, NULL), 0);
	assert_int_equal(ids.count, 2);
	assert_string_equal(ids.items[0].path, "/bin/a");
	assert_string_equal(build_id_hex(&ids.items[0].id, hex), "abcd");
	assert_string_equal(ids.items[1].path, "/bin/b");
	recorded_build_ids_fini(&ids);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_file_is_listed_once_by_what_was_mapped),
	};

	return cmocka_run_group_tests_name("report/dump/recorded_build_ids", tests, NULL, NULL);
}
