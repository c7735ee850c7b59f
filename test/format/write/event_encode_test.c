#include "format/write/event_encode.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "support/cmocka.h"

static const struct perf_event_attr cycles = { .size = sizeof(cycles), .sample_freq = 4000, .freq = 1 };
static const struct perf_event_attr branches = { .size = sizeof(branches),
						 .sample_type = PERF_SAMPLE_BRANCH_STACK };
static const uint64_t cycles_ids[] = { 11, 12 }, branches_ids[] = { 21 };

static const struct written_event two[] = {
	{ .attr = &cycles, .name = "cycles", .ids = cycles_ids, .id_count = 2, .group_size = 2 },
	{ .attr = &branches, .name = "branches", .ids = branches_ids, .id_count = 1 },
};

struct fixture {
	struct written_events events;
	struct strbuf out;
	struct byte_reader r; /* over `out` */
};

static void begin(struct fixture *f, const struct written_event *items, size_t count, bool swap)
{
	assert_int_equal(written_events_init(&f->events, items, count, swap, "x.data", NULL), 0);
	strbuf_init(&f->out);
}

static void read_back(struct fixture *f, bool swap)
{
	f->r = byte_reader_over(f->out.bytes, f->out.size, swap);
}

static void end(struct fixture *f)
{
	assert_true(byte_reader_ok(&f->r));
	assert_int_equal(byte_reader_left(&f->r), 0);
	strbuf_fini(&f->out);
}

/* Checks an attr's size, and skips the rest. */
static void assert_attr(struct fixture *f, uint32_t size_bytes)
{
	byte_reader_skip(&f->r, 4);
	assert_int_equal(byte_reader_u32(&f->r), size_bytes);
	byte_reader_skip(&f->r, size_bytes - 8);
}

static void assert_text(struct fixture *f, const char *text)
{
	const uint32_t size = byte_reader_u32(&f->r);

	assert_string_equal(byte_reader_string(&f->r, size), text);
}

static void an_attr_says_how_much_of_it_is_written(void **state)
{
	const struct perf_event_attr longer = { .size = 200, .sample_freq = 99 };
	const struct perf_event_attr unsized = { .sample_freq = 98 };
	const struct written_event items[] = { { .attr = &longer, .name = "longer" },
					       { .attr = &unsized, .name = "unsized" } };
	struct fixture f;

	(void)state;
	begin(&f, items, 2, false);
	assert_int_equal(f.events.attr_bytes, WRITTEN_ATTR_BYTES);
	for (size_t i = 0; i < 2; i++)
		written_events_add_attr(&f.events, i, &f.out);
	read_back(&f, false);
	for (uint64_t i = 0; i < 2; i++) {
		byte_reader_skip(&f.r, 4);
		assert_int_equal(byte_reader_u32(&f.r), WRITTEN_ATTR_BYTES);
		byte_reader_skip(&f.r, 8);
		assert_int_equal(byte_reader_u64(&f.r), 99 - i);
		byte_reader_skip(&f.r, WRITTEN_ATTR_BYTES - 24);
	}
	end(&f);
}

/* The bytes are from a file of the other byte order: only the size in them changes. */
static void attrs_of_another_file_all_get_the_size_of_the_largest(void **state)
{
	unsigned char small[64], large[92];
	const struct written_event items[] = {
		{ .attr_bytes = small, .attr_size = sizeof(small), .name = "small" },
		{ .attr_bytes = large, .attr_size = sizeof(large), .name = "large" },
	};
	struct fixture f;

	(void)state;
	memset(small, 0xaa, sizeof(small));
	memset(large, 0xbb, sizeof(large));
	begin(&f, items, 2, true);
	assert_int_equal(f.events.attr_bytes, 96);
	written_events_add_attr(&f.events, 0, &f.out);
	written_events_add_attr(&f.events, 1, &f.out);
	read_back(&f, true);
	assert_int_equal(byte_reader_u32(&f.r), 0xaaaaaaaa);
	assert_int_equal(byte_reader_u32(&f.r), 96);
	assert_memory_equal(byte_reader_bytes(&f.r, 56), small + 8, 56);
	for (int i = 0; i < 4; i++)
		assert_int_equal(byte_reader_u64(&f.r), 0);
	assert_int_equal(byte_reader_u32(&f.r), 0xbbbbbbbb);
	assert_int_equal(byte_reader_u32(&f.r), 96);
	assert_memory_equal(byte_reader_bytes(&f.r, 84), large + 8, 84);
	assert_int_equal(byte_reader_u32(&f.r), 0);
	end(&f);
}

static void an_attr_that_no_kernel_takes_is_refused(void **state)
{
	static const unsigned char bytes[8192];
	struct written_event item = { .attr_bytes = bytes, .attr_size = 63, .name = "odd" };
	struct written_events events;
	struct error err;

	(void)state;
	assert_int_equal(written_events_init(&events, &item, 1, false, "x.data", &err), -1);
	assert_string_equal(err.message, "x.data: event odd: an attribute of 63 bytes is not supported");
	item.attr_size = 4097;
	assert_int_equal(written_events_init(&events, &item, 1, false, "x.data", &err), -1);
	item.attr_size = 4096;
	assert_int_equal(written_events_init(&events, &item, 1, false, "x.data", &err), 0);
}

static void event_desc_has_attr_name_and_ids_of_each(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, two, 2, false);
	written_events_add_desc(&f.events, &f.out);
	read_back(&f, false);
	assert_int_equal(byte_reader_u32(&f.r), 2);
	assert_int_equal(byte_reader_u32(&f.r), WRITTEN_ATTR_BYTES);
	assert_attr(&f, WRITTEN_ATTR_BYTES);
	assert_int_equal(byte_reader_u32(&f.r), 2);
	assert_text(&f, "cycles");
	assert_int_equal(byte_reader_u64(&f.r), 11);
	assert_int_equal(byte_reader_u64(&f.r), 12);
	assert_attr(&f, WRITTEN_ATTR_BYTES);
	assert_int_equal(byte_reader_u32(&f.r), 1);
	assert_text(&f, "branches");
	assert_int_equal(byte_reader_u64(&f.r), 21);
	end(&f);
}

static void group_desc_has_leader_and_size_of_each_group(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, two, 2, false);
	assert_true(written_events_add_groups(&f.events, &f.out));
	read_back(&f, false);
	assert_int_equal(byte_reader_u32(&f.r), 1);
	assert_text(&f, "{anon_group}");
	assert_int_equal(byte_reader_u32(&f.r), 0);
	assert_int_equal(byte_reader_u32(&f.r), 2);
	end(&f);
}

static void without_groups_there_is_nothing_to_say_of_them(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, two + 1, 1, false);
	assert_false(written_events_add_groups(&f.events, &f.out));
	read_back(&f, false);
	end(&f);
}

static void branches_are_known_by_the_attr(void **state)
{
	struct written_events events;

	(void)state;
	assert_int_equal(written_events_init(&events, two, 1, false, "x.data", NULL), 0);
	assert_false(written_events_have_branches(&events));
	assert_int_equal(written_events_init(&events, two, 2, false, "x.data", NULL), 0);
	assert_true(written_events_have_branches(&events));
}

static void assert_header(struct fixture *f, uint32_t type, uint16_t size_bytes)
{
	assert_int_equal(byte_reader_u32(&f->r), type);
	assert_int_equal(byte_reader_u16(&f->r), 0);
	assert_int_equal(byte_reader_u16(&f->r), size_bytes);
}

static void an_attr_record_has_the_ids_behind_the_attr(void **state)
{
	(void)state;
	for (int swap = 0; swap <= 1; swap++) {
		struct fixture f;

		begin(&f, two, 2, swap);
		assert_int_equal(written_events_add_attr_records(&f.events, &f.out, NULL), 0);
		read_back(&f, swap);
		assert_header(&f, PERF_RECORD_HEADER_ATTR, 8 + WRITTEN_ATTR_BYTES + 16);
		assert_attr(&f, WRITTEN_ATTR_BYTES);
		assert_int_equal(byte_reader_u64(&f.r), 11);
		assert_int_equal(byte_reader_u64(&f.r), 12);
		assert_header(&f, PERF_RECORD_HEADER_ATTR, 8 + WRITTEN_ATTR_BYTES + 8);
		assert_attr(&f, WRITTEN_ATTR_BYTES);
		assert_int_equal(byte_reader_u64(&f.r), 21);
		end(&f);
	}
}

static void more_ids_than_a_record_can_hold_are_refused(void **state)
{
	enum { MOST = (65528 - 8 - WRITTEN_ATTR_BYTES) / 8 };
	uint64_t *ids = xcalloc(MOST + 1, sizeof(*ids));
	struct written_event item = { .attr = &cycles, .name = "cycles", .ids = ids, .id_count = MOST };
	struct error err;
	struct fixture f;

	(void)state;
	begin(&f, &item, 1, false);
	assert_int_equal(written_events_add_attr_records(&f.events, &f.out, &err), 0);
	item.id_count++;
	assert_int_equal(written_events_add_attr_records(&f.events, &f.out, &err), -1);
	assert_string_equal(
		err.message,
		"x.data: event cycles has 8175 ids, more than a record in a pipe can hold (8174): write "
		"to a file with -o FILE, or record fewer threads");
	strbuf_fini(&f.out);
	free(ids);
}

static void a_name_record_goes_by_the_first_id(void **state)
{
	const struct written_event items[] = { two[0], { .attr = &cycles, .name = "without ids" } };

	(void)state;
	for (int swap = 0; swap <= 1; swap++) {
		struct fixture f;

		begin(&f, items, 2, swap);
		written_events_add_name_records(&f.events, &f.out);
		read_back(&f, swap);
		assert_header(&f, PERF_RECORD_EVENT_UPDATE, 8 + 16 + 8);
		assert_int_equal(byte_reader_u64(&f.r), 2);
		assert_int_equal(byte_reader_u64(&f.r), 11);
		assert_string_equal(byte_reader_string(&f.r, 8), "cycles");
		end(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_attr_says_how_much_of_it_is_written),
		cmocka_unit_test(attrs_of_another_file_all_get_the_size_of_the_largest),
		cmocka_unit_test(an_attr_that_no_kernel_takes_is_refused),
		cmocka_unit_test(event_desc_has_attr_name_and_ids_of_each),
		cmocka_unit_test(group_desc_has_leader_and_size_of_each_group),
		cmocka_unit_test(without_groups_there_is_nothing_to_say_of_them),
		cmocka_unit_test(branches_are_known_by_the_attr),
		cmocka_unit_test(an_attr_record_has_the_ids_behind_the_attr),
		cmocka_unit_test(more_ids_than_a_record_can_hold_are_refused),
		cmocka_unit_test(a_name_record_goes_by_the_first_id),
	};

	return cmocka_run_group_tests_name("format/write/event_encode", tests, NULL, NULL);
}
