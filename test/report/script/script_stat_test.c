#include "report/script/script_stat.h"

#include "format/perf_abi.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

static const enum built_byte_order orders[] = { BUILD_NATIVE, BUILD_SWAPPED };

static struct perf_data_builder *build(enum built_byte_order order)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = PERF_ATTR_SIZE_VER7 };
	struct perf_data_builder *b = perf_data_builder_create(order);

	perf_data_builder_add_event(
		b, &(struct built_event){ .attr = attr, .name = "faults", .ids = { 7 }, .id_count = 1 });
	perf_data_builder_add_event(
		b, &(struct built_event){ .attr = attr, .name = "clock", .ids = { 8 }, .id_count = 1 });
	return b;
}

static void add_config(struct perf_data_builder *b, uint64_t aggregation, uint64_t scale)
{
	perf_data_builder_begin(b, PERF_RECORD_STAT_CONFIG, 0);
	perf_data_builder_u64(b, 2);
	perf_data_builder_u64(b, 0);
	perf_data_builder_u64(b, aggregation);
	perf_data_builder_u64(b, 2);
	perf_data_builder_u64(b, scale);
	perf_data_builder_end(b);
}

static void add_thread_map(struct perf_data_builder *b, uint64_t tid)
{
	perf_data_builder_begin(b, PERF_RECORD_THREAD_MAP, 0);
	perf_data_builder_u64(b, 1);
	perf_data_builder_u64(b, tid);
	perf_data_builder_bytes(b, "comm of 16 bytes", 16);
	perf_data_builder_end(b);
}

static void add_count(struct perf_data_builder *b, uint64_t id, uint32_t cpu, uint64_t value,
		      uint64_t enabled_ns, uint64_t running_ns)
{
	perf_data_builder_begin(b, PERF_RECORD_STAT, 0);
	perf_data_builder_u64(b, id);
	perf_data_builder_u32(b, cpu);
	perf_data_builder_u32(b, 0);
	perf_data_builder_u64(b, value);
	perf_data_builder_u64(b, enabled_ns);
	perf_data_builder_u64(b, running_ns);
	perf_data_builder_end(b);
}

static void add_round(struct perf_data_builder *b, uint64_t time_ns)
{
	perf_data_builder_begin(b, PERF_RECORD_STAT_ROUND, 0);
	perf_data_builder_u64(b, 0);
	perf_data_builder_u64(b, time_ns);
	perf_data_builder_end(b);
}

/* CPUs 0 and 1 as a list, as a mask of eight-byte words, or as a range. */
static void add_cpu_map(struct perf_data_builder *b, uint16_t form)
{
	perf_data_builder_begin(b, PERF_RECORD_CPU_MAP, 0);
	perf_data_builder_u16(b, form);
	if (form == 0) {
		perf_data_builder_u16(b, 2);
		perf_data_builder_u16(b, 0);
		perf_data_builder_u16(b, 1);
	} else if (form == 1) {
		perf_data_builder_u16(b, 1);
		perf_data_builder_u16(b, 8);
		perf_data_builder_u16(b, 0);
		perf_data_builder_u64(b, 3);
	} else {
		perf_data_builder_bytes(b, "\0", 2);
		perf_data_builder_u16(b, 0);
		perf_data_builder_u16(b, 1);
	}
	perf_data_builder_end(b);
}

/* Expects this text and result for all records of the finished file; destroys the builder. */
static void assert_printed(struct perf_data_builder *b, const char *expected, int status)
{
	struct script_stat *stat = script_stat_create();
	struct perf_file *file;
	struct strbuf out;
	struct event event;
	struct error err;
	int result = 0;

	strbuf_init(&out);
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	while (perf_file_next(file, &event, &err) == 1)
		result |= script_stat_take(stat, file, &event, &out);
	assert_string_equal(out.bytes, expected);
	assert_int_equal(result, status);
	perf_file_close(file);
	script_stat_destroy(stat);
	strbuf_fini(&out);
	perf_data_builder_destroy(b);
}

#define HEADING "CPU   THREAD             VAL             ENA             RUN            TIME EVENT\n"

static void a_round_has_a_line_for_each_event_and_cpu(void **state)
{
	(void)state;
	for (uint16_t i = 0; i < 6; i++) {
		struct perf_data_builder *b = build(orders[i % 2]);

		add_config(b, 1, 1);
		add_thread_map(b, (uint64_t)-1);
		add_cpu_map(b, i / 2);
		add_count(b, 7, 0, 10, 200, 100);
		add_count(b, 8, 1, 30, 300, 300);
		add_count(b, 99, 1, 30, 300, 300); /* of no event */
		add_round(b, 12345);
		assert_printed(
			b,
			HEADING
			"  0       -1              10             200             100           12345 faults\n"
			"  1       -1               0               0               0           12345 faults\n"
			"  0       -1               0               0               0           12345 clock\n"
			"  1       -1              30             300             300           12345 clock\n",
			0);
	}
}

static void counters_that_are_not_summed_up_show_what_a_round_added_and_are_scaled(void **state)
{
	struct perf_data_builder *b = build(BUILD_NATIVE);

	(void)state;
	add_config(b, 0, 1);
	add_thread_map(b, 42);
	perf_data_builder_begin(b, PERF_RECORD_CPU_MAP, 0);
	perf_data_builder_u16(b, 0);
	perf_data_builder_u16(b, 1);
	perf_data_builder_u16(b, UINT16_MAX); /* any */
	perf_data_builder_end(b);
	add_count(b, 7, UINT32_MAX, 10, 200, 100);
	add_count(b, 8, UINT32_MAX, 5, 0, 0);
	add_round(b, 1);
	add_count(b, 7, UINT32_MAX, 25, 300, 200);
	add_round(b, 2);
	assert_printed(b,
		       HEADING
		       " -1       42              20             200             100               1 faults\n"
		       " -1       42               0               0               0               1 clock\n"
		       " -1       42              15             100             100               2 faults\n"
		       " -1       42               0               0               0               2 clock\n",
		       0);
}

static void maps_of_a_damaged_file_make_no_endless_table(void **state)
{
	struct perf_data_builder *b = build(BUILD_NATIVE);

	(void)state;
	add_thread_map(b, 42);
	perf_data_builder_begin(b, PERF_RECORD_CPU_MAP, 0);
	perf_data_builder_u16(b, 2);
	perf_data_builder_u16(b, 0);
	perf_data_builder_u16(b, 0);
	perf_data_builder_u16(b, UINT16_MAX);
	perf_data_builder_end(b);
	add_count(b, 7, 3, 10, 200, 100);
	add_round(b, 1);
	perf_data_builder_begin(b, PERF_RECORD_STAT, 0);
	perf_data_builder_u64(b, 7);
	perf_data_builder_end(b);
	assert_printed(
		b,
		HEADING
		"  3       42              10             200             100               1 faults\n",
		-1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_round_has_a_line_for_each_event_and_cpu),
		cmocka_unit_test(counters_that_are_not_summed_up_show_what_a_round_added_and_are_scaled),
		cmocka_unit_test(maps_of_a_damaged_file_make_no_endless_table),
	};

	return cmocka_run_group_tests_name("report/script/script_stat", tests, NULL, NULL);
}
