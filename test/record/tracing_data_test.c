#include "record/tracing_data.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/byte_reader.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

static struct temp_tree tree;
static const char *tracefs[] = { tree.root, NULL };
static const struct event_sources sources = { .tracefs = tracefs };

static int set_up(void **state)
{
	(void)state;
	temp_tree_create(&tree);
	temp_tree_file(&tree, "events/header_page", "PAGE");
	temp_tree_file(&tree, "events/header_event", "EVENT");
	temp_tree_file(&tree, "events/sched/sched_switch/format", "SWITCH");
	temp_tree_file(&tree, "events/sched/sched_waking/format", "WAKING");
	temp_tree_file(&tree, "events/irq/irq_entry/format", "IRQ");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	temp_tree_remove(&tree);
	return 0;
}

static void assert_text(struct byte_reader *r, const char *expected)
{
	const uint8_t *bytes = byte_reader_bytes(r, strlen(expected));

	assert_non_null(bytes);
	assert_memory_equal(bytes, expected, strlen(expected));
}

static void assert_file(struct byte_reader *r, const char *expected)
{
	assert_int_equal(byte_reader_u64(r), strlen(expected));
	assert_text(r, expected);
}

static void formats_of_the_recorded_tracepoints_are_grouped_by_system(void **state)
{
	struct event_spec items[] = {
		{ .name = "sched:sched_switch", .type = PERF_TYPE_TRACEPOINT },
		{ .name = "cycles:u", .type = PERF_TYPE_HARDWARE },
		{ .name = "irq:irq_entry", .type = PERF_TYPE_TRACEPOINT },
		{ .name = "sched:sched_waking:u", .type = PERF_TYPE_TRACEPOINT },
		{ .name = "sched:sched_switch:k", .type = PERF_TYPE_TRACEPOINT },
	};
	const struct event_specs specs = { .items = items, .count = 5 };
	struct byte_reader r;
	struct strbuf bytes;

	(void)state;
	strbuf_init(&bytes);
	assert_int_equal(tracing_data_make(&bytes, &specs, &sources, NULL), 1);
	r = byte_reader_over(bytes.bytes, bytes.size, false);
	assert_text(&r, "\x17\x08"
			"Dtracing0.6");
	byte_reader_skip(&r, 1 + 1 + 1 + 4); /* the terminator, byte order, size of long, page size */
	byte_reader_skip(&r, sizeof("header_page"));
	assert_file(&r, "PAGE");
	byte_reader_skip(&r, sizeof("header_event"));
	assert_file(&r, "EVENT");
	assert_int_equal(byte_reader_u32(&r), 0); /* events of ftrace itself */
	assert_int_equal(byte_reader_u32(&r), 2); /* systems */
	assert_text(&r, "sched");
	assert_int_equal(byte_reader_u8(&r), 0);
	assert_int_equal(byte_reader_u32(&r), 2);
	assert_file(&r, "SWITCH");
	assert_file(&r, "WAKING");
	assert_text(&r, "irq");
	assert_int_equal(byte_reader_u8(&r), 0);
	assert_int_equal(byte_reader_u32(&r), 1);
	assert_file(&r, "IRQ");
	byte_reader_skip(&r, 4 + 4 + 8);
	assert_true(byte_reader_ok(&r));
	assert_int_equal(byte_reader_left(&r), 0);
	strbuf_fini(&bytes);
}

static void without_tracepoints_there_is_nothing(void **state)
{
	struct event_spec item = { .name = "cycles", .type = PERF_TYPE_HARDWARE };
	const struct event_specs specs = { .items = &item, .count = 1 };
	struct strbuf bytes;

	(void)state;
	strbuf_init(&bytes);
	assert_int_equal(tracing_data_make(&bytes, &specs, &sources, NULL), 0);
	assert_int_equal(bytes.size, 0);
	strbuf_fini(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_of_the_recorded_tracepoints_are_grouped_by_system),
		cmocka_unit_test(without_tracepoints_there_is_nothing),
	};

	return cmocka_run_group_tests_name("record/tracing_data", tests, set_up, tear_down);
}
