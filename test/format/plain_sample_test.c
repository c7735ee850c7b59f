#include "format/plain_sample.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "format/perf_file.h"
#include "format/sample.h"
#include "support/cmocka.h"
#include "support/full_sample.h"

static const enum built_byte_order orders[] = { BUILD_NATIVE, BUILD_SWAPPED };

enum { COUNTERS = 1 << 19 };

static const struct perf_event_attr everything = {
	.size = sizeof(everything),
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
		       PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_REGS_INTR |
		       PERF_SAMPLE_CGROUP | PERF_SAMPLE_AUX,
	.branch_sample_type = COUNTERS | PERF_SAMPLE_BRANCH_ANY,
	.sample_regs_user = 1 << 3 | 1 << 8,
	.sample_stack_user = 16,
	.sample_regs_intr = 1 << 1,
	.aux_sample_size = 8,
};

static const struct perf_event_attr plain = {
	.size = sizeof(plain),
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_CGROUP,
	.branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
};

static const struct built_sample empty = { .id = 7, .ip = 0x400100 };

static struct perf_data_builder *build(enum built_byte_order order, const struct perf_event_attr *attr,
				       const struct built_sample *sample)
{
	struct perf_data_builder *b = perf_data_builder_create(order);

	perf_data_builder_add_event(b, &(struct built_event){ .attr = *attr, .ids = { 7 }, .id_count = 1 });
	perf_data_builder_sample(b, sample);
	return b;
}

static void assert_becomes(enum built_byte_order order, const struct built_sample *sample)
{
	struct perf_data_builder *b = build(order, &everything, sample);
	struct perf_data_builder *expected = build(order, &plain, sample);
	struct perf_file *file;
	struct event event;
	struct strbuf out;
	struct error err;

	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_int_equal(perf_file_next(file, &event, &err), 1);
	strbuf_init(&out);
	assert_int_equal(plain_sample_append(&out, &event, &perf_file_event(file, 0)->attr, NULL, &err), 0);
	assert_int_equal(out.size, expected->records.size);
	assert_memory_equal(out.bytes, expected->records.bytes, out.size);
	strbuf_fini(&out);
	perf_file_close(file);
	perf_data_builder_destroy(b);
	perf_data_builder_destroy(expected);
}

static void a_sample_becomes_what_it_would_have_been_without_these_fields(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++)
		assert_becomes(orders[i], &full_sample);
}

static void a_sample_whose_fields_are_empty_loses_them_too(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++)
		assert_becomes(orders[i], &empty);
}

static void a_damaged_sample_leaves_the_output_as_it_was(void **state)
{
	struct perf_data_builder *b = build(BUILD_NATIVE, &everything, &full_sample);
	struct perf_file *file;
	struct event event;
	struct strbuf out;
	struct error err;

	(void)state;
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_int_equal(perf_file_next(file, &event, &err), 1);
	strbuf_init(&out);
	while (event.payload_size > 0) {
		event.payload_size -= 8;
		assert_int_equal(
			plain_sample_append(&out, &event, &perf_file_event(file, 0)->attr, NULL, &err), -1);
		assert_int_equal(out.size, 0);
	}
	strbuf_fini(&out);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

/* The file has the attr that plain_sample_attr() makes. */
static void an_attr_says_what_its_samples_have_left(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = build(orders[i], &everything, &full_sample);
		const size_t attr_offset = 104; /* after the header */
		struct perf_file *file;
		const struct perf_attr *attr;

		perf_data_builder_finish_file(b);
		plain_sample_attr((uint8_t *)b->out.bytes + attr_offset, sizeof(everything),
				  orders[i] == BUILD_SWAPPED, false);
		file = perf_data_builder_open(b);
		attr = &perf_file_event(file, 0)->attr;
		assert_int_equal(attr->sample_type, plain.sample_type);
		assert_int_equal(attr->branch_sample_type, PERF_SAMPLE_BRANCH_ANY);
		assert_int_equal(attr->sample_regs_user, 0);
		assert_int_equal(attr->sample_regs_intr, 0);
		assert_false(plain_sample_changes(attr));
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

static void a_sample_can_get_another_chain(void **state)
{
	const uint64_t words[] = { (uint64_t)PERF_CONTEXT_USER, 0x400100, 0x400200 };
	const struct plain_chain chain = { .words = words, .count = 3 };
	const struct perf_event_attr dump_alone = { .size = sizeof(dump_alone),
						    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_STACK_USER |
								   PERF_SAMPLE_CGROUP,
						    .sample_stack_user = 16 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = build(orders[i], &dump_alone, &full_sample);
		struct perf_file *file;
		struct perf_attr attr;
		struct sample sample;
		struct event event;
		struct strbuf out;

		perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		attr = perf_file_event(file, 0)->attr;
		assert_int_equal(perf_file_next(file, &event, NULL), 1);
		strbuf_init(&out);
		assert_int_equal(plain_sample_append(&out, &event, &attr, &chain, NULL), 0);
		attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CGROUP;
		event.payload = (const uint8_t *)out.bytes + sizeof(struct perf_event_header);
		event.payload_size = out.size - sizeof(struct perf_event_header);
		assert_int_equal(sample_decode(&sample, &event, &attr, NULL), 0);
		assert_int_equal(sample.callchain_count, 3);
		assert_true(sample_callchain_entry(&sample, 0) == words[0] &&
			    sample_callchain_entry(&sample, 2) == words[2]);
		assert_int_equal(sample.decoded_size, event.payload_size);
		strbuf_fini(&out);
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

static void a_chain_that_is_too_long_for_a_record_loses_its_outermost_frames(void **state)
{
	static uint64_t words[10000];
	const struct plain_chain chain = { .words = words, .count = 10000 };
	struct perf_data_builder *b = build(BUILD_NATIVE, &everything, &full_sample);
	struct perf_event_header header;
	struct perf_file *file;
	struct event event;
	struct strbuf out;

	(void)state;
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_int_equal(perf_file_next(file, &event, NULL), 1);
	strbuf_init(&out);
	assert_int_equal(plain_sample_append(&out, &event, &perf_file_event(file, 0)->attr, &chain, NULL), 0);
	memcpy(&header, out.bytes, sizeof(header));
	assert_int_equal(header.size, out.size);
	assert_true(out.size > 65000 && out.size <= 65528);
	strbuf_fini(&out);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void an_attr_promises_chains_where_there_were_dumps(void **state)
{
	const struct perf_event_attr dump_alone = { .size = sizeof(dump_alone),
						    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_STACK_USER,
						    .exclude_callchain_user = 1 };
	struct perf_event_attr attr = dump_alone;

	(void)state;
	plain_sample_attr((uint8_t *)&attr, sizeof(attr), false, true);
	assert_int_equal(attr.sample_type, PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN);
	assert_false(attr.exclude_callchain_user);
	attr = (struct perf_event_attr){ .sample_type = PERF_SAMPLE_IP };
	plain_sample_attr((uint8_t *)&attr, sizeof(attr), false, true);
	assert_int_equal(attr.sample_type, PERF_SAMPLE_IP);
}

/* As on an s390: the flag declared first is the highest bit. */
static void the_flags_of_an_attr_in_the_other_byte_order_promise_chains_too(void **state)
{
	const bool swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	uint8_t bytes[sizeof(struct perf_event_attr)] = { 0 };
	struct byte_reader r = byte_reader_over(bytes, sizeof(bytes), swap);
	struct perf_attr attr;

	(void)state;
	bytes[42] = 0x06; /* exclude_callchain_kernel, exclude_callchain_user */
	bytes[44] = 0x03; /* defer_callchain, defer_output */
	assert_int_equal(perf_attr_decode(&attr, &r, NULL), 0);
	assert_true(perf_attr_has(&attr, PERF_ATTR_EXCLUDE_CALLCHAIN_USER) &&
		    perf_attr_has(&attr, PERF_ATTR_DEFER_CALLCHAIN) &&
		    perf_attr_has(&attr, PERF_ATTR_DEFER_OUTPUT));
	plain_sample_attr(bytes, sizeof(bytes), swap, true);
	assert_int_equal(bytes[42], 0x04);
	assert_int_equal(bytes[44], 0);
}

static void a_short_attr_is_not_written_behind_its_end(void **state)
{
	uint8_t attr[80] = { 0 }; /* PERF_ATTR_SIZE_VER1 and half a field */

	(void)state;
	memset(attr + 76, 0xff, 4);
	plain_sample_attr(attr, 76, false, true);
	assert_int_equal(attr[76], 0xff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_becomes_what_it_would_have_been_without_these_fields),
		cmocka_unit_test(a_sample_whose_fields_are_empty_loses_them_too),
		cmocka_unit_test(a_damaged_sample_leaves_the_output_as_it_was),
		cmocka_unit_test(an_attr_says_what_its_samples_have_left),
		cmocka_unit_test(a_sample_can_get_another_chain),
		cmocka_unit_test(a_chain_that_is_too_long_for_a_record_loses_its_outermost_frames),
		cmocka_unit_test(an_attr_promises_chains_where_there_were_dumps),
		cmocka_unit_test(the_flags_of_an_attr_in_the_other_byte_order_promise_chains_too),
		cmocka_unit_test(a_short_attr_is_not_written_behind_its_end),
	};

	return cmocka_run_group_tests_name("format/plain_sample", tests, NULL, NULL);
}
