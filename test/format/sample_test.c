#include "format/sample.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "format/perf_file.h"
#include "support/cmocka.h"
#include "support/full_sample.h"

static const enum built_byte_order orders[] = { BUILD_NATIVE, BUILD_SWAPPED };

struct opened {
	struct perf_data_builder *b;
	struct perf_file *file;
	struct event event;
	const struct perf_attr *attr;
};

static struct opened open_sample(enum built_byte_order order, const struct perf_event_attr *attr,
				 const struct built_sample *sample)
{
	struct opened opened = { .b = perf_data_builder_create(order) };
	struct error err;

	perf_data_builder_add_event(opened.b, &(struct built_event){ .attr = *attr });
	perf_data_builder_sample(opened.b, sample);
	perf_data_builder_finish_file(opened.b);
	opened.file = perf_data_builder_open(opened.b);
	assert_int_equal(perf_file_next(opened.file, &opened.event, &err), 1);
	opened.attr = &perf_file_event(opened.file, 0)->attr;
	return opened;
}

static void close_sample(struct opened *opened)
{
	perf_file_close(opened->file);
	perf_data_builder_destroy(opened->b);
}

static void check_fixed_fields(const struct sample *sample)
{
	assert_int_equal(sample->misc, PERF_RECORD_MISC_USER);
	assert_int_equal(sample->id, 7);
	assert_int_equal(sample->ip, 0x400100);
	assert_int_equal(sample->pid, 10);
	assert_int_equal(sample->tid, 11);
	assert_int_equal(sample->time_ns, 12345);
	assert_int_equal(sample->addr, 0xadd0);
	assert_int_equal(sample->stream_id, 9);
	assert_int_equal(sample->cpu, 5);
	assert_int_equal(sample->period, 250000);
	assert_int_equal(sample->weight, 1);
	assert_int_equal(sample->weight_var2, 2);
	assert_int_equal(sample->weight_var3, 3);
	assert_int_equal(sample->data_src, 21);
	assert_int_equal(sample->transaction, 22);
	assert_int_equal(sample->phys_addr, 23);
	assert_int_equal(sample->cgroup, 24);
	assert_int_equal(sample->data_page_size, 4096);
	assert_int_equal(sample->code_page_size, 2097152);
}

static void check_views(const struct sample *sample)
{
	uint64_t value;

	assert_int_equal(sample->callchain_count, 5);
	assert_true(sample_callchain_entry(sample, 0) == PERF_CONTEXT_KERNEL);
	assert_int_equal(sample_callchain_entry(sample, 4), 0x400200);
	assert_int_equal(sample->raw_size, 12);
	assert_memory_equal(sample->raw, "rawdata!rawd", 12);
	assert_int_equal(sample->branch_count, 2);
	assert_int_equal(sample->branch_hw_index, 17);
	assert_int_equal(sample_word(sample, sample->branches, 4), 0x40);
	assert_int_equal(sample_word(sample, sample->branch_counters, 1), 6);
	assert_int_equal(sample_user_reg(sample, 3, &value), 0);
	assert_int_equal(value, 333);
	assert_int_equal(sample_user_reg(sample, 8, &value), 0);
	assert_int_equal(value, 888);
	assert_int_equal(sample_user_reg(sample, 4, &value), -1);
	assert_int_equal(sample_user_reg(sample, 64, &value), -1);
	assert_int_equal(sample->user_stack_size, 12);
	assert_memory_equal(sample->user_stack, "stack bytes ", 12);
	assert_int_equal(sample->intr_regs_mask, 1 << 3 | 1 << 8);
	assert_int_equal(sample_word(sample, sample->intr_regs, 1), 112);
	assert_int_equal(sample->aux_size, 8);
	assert_memory_equal(sample->aux, "auxtrace", 8);
}

static void every_field_is_decoded_in_either_byte_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct opened opened = open_sample(orders[i], &full_sample_attr, &full_sample);
		struct sample sample;
		struct error err;

		assert_int_equal(sample_decode(&sample, &opened.event, opened.attr, &err), 0);
		check_fixed_fields(&sample);
		check_views(&sample);
		assert_int_equal(sample.read_count, 2);
		assert_int_equal(sample_read_value(&sample, opened.attr, 0).value, 1000);
		assert_int_equal(sample_read_value(&sample, opened.attr, 1).value, 2000);
		assert_int_equal(sample_read_value(&sample, opened.attr, 1).id, 8);
		assert_int_equal(sample_read_value(&sample, opened.attr, 2).id, 0);
		close_sample(&opened);
	}
}

/* For each bit, the member that shows that its field was decoded: `full_sample` has something in each. */
static const struct {
	uint64_t bit;
	size_t offset, size;
} evidence[] = {
#define EVIDENCE(bit, member)                                                              \
	{                                                                                  \
		bit, offsetof(struct sample, member), sizeof(((struct sample *)0)->member) \
	}
	EVIDENCE(PERF_SAMPLE_IDENTIFIER, id),
	EVIDENCE(PERF_SAMPLE_IP, ip),
	EVIDENCE(PERF_SAMPLE_TID, tid),
	EVIDENCE(PERF_SAMPLE_TIME, time_ns),
	EVIDENCE(PERF_SAMPLE_ADDR, addr),
	EVIDENCE(PERF_SAMPLE_ID, id),
	EVIDENCE(PERF_SAMPLE_STREAM_ID, stream_id),
	EVIDENCE(PERF_SAMPLE_CPU, cpu),
	EVIDENCE(PERF_SAMPLE_PERIOD, period),
	EVIDENCE(PERF_SAMPLE_READ, read_count),
	EVIDENCE(PERF_SAMPLE_CALLCHAIN, callchain_count),
	EVIDENCE(PERF_SAMPLE_RAW, raw_size),
	EVIDENCE(PERF_SAMPLE_BRANCH_STACK, branch_count),
	EVIDENCE(PERF_SAMPLE_REGS_USER, user_regs_abi),
	EVIDENCE(PERF_SAMPLE_STACK_USER, user_stack_size),
	EVIDENCE(PERF_SAMPLE_WEIGHT, weight),
	EVIDENCE(PERF_SAMPLE_WEIGHT_STRUCT, weight_var3),
	EVIDENCE(PERF_SAMPLE_DATA_SRC, data_src),
	EVIDENCE(PERF_SAMPLE_TRANSACTION, transaction),
	EVIDENCE(PERF_SAMPLE_REGS_INTR, intr_regs_abi),
	EVIDENCE(PERF_SAMPLE_PHYS_ADDR, phys_addr),
	EVIDENCE(PERF_SAMPLE_CGROUP, cgroup),
	EVIDENCE(PERF_SAMPLE_DATA_PAGE_SIZE, data_page_size),
	EVIDENCE(PERF_SAMPLE_CODE_PAGE_SIZE, code_page_size),
	EVIDENCE(PERF_SAMPLE_AUX, aux_size),
#undef EVIDENCE
};

enum { EVIDENCE_COUNT = sizeof(evidence) / sizeof(evidence[0]) };

static bool has_same(size_t i, const struct sample *a, const struct sample *b)
{
	return memcmp((const char *)a + evidence[i].offset, (const char *)b + evidence[i].offset,
		      evidence[i].size) == 0;
}

static struct sample decode_with(uint64_t sample_type, enum built_byte_order order)
{
	struct perf_event_attr attr = full_sample_attr;
	struct opened opened;
	struct sample sample;
	struct error err;

	attr.sample_type = sample_type;
	opened = open_sample(order, &attr, &full_sample);
	assert_int_equal(sample_decode(&sample, &opened.event, opened.attr, &err), 0);
	close_sample(&opened);
	return sample;
}

/* For each pair of bits, both fields are decoded, and no others. */
static void every_pair_of_sample_type_bits_is_decoded(void **state)
{
	const struct sample none = decode_with(0, BUILD_NATIVE);

	(void)state;
	for (size_t first = 0; first < EVIDENCE_COUNT; first++) {
		const struct sample alone = decode_with(evidence[first].bit, BUILD_NATIVE);

		assert_false(has_same(first, &alone, &none));
		for (size_t second = 0; second < EVIDENCE_COUNT; second++) {
			const struct sample pair =
				decode_with(evidence[first].bit | evidence[second].bit, BUILD_SWAPPED);

			if (evidence[first].bit == PERF_SAMPLE_WEIGHT)
				continue; /* WEIGHT_STRUCT gives its word another meaning */
			assert_true(has_same(first, &pair, &alone));
		}
		for (size_t other = 0; other < EVIDENCE_COUNT; other++)
			if (evidence[other].offset != evidence[first].offset &&
			    evidence[other].offset != offsetof(struct sample, weight))
				assert_true(has_same(other, &alone, &none));
	}
}

/* { value; enabled; running; id; lost } or { nr; enabled; running; { value; id; lost }[nr] } */
static size_t build_read_words(uint64_t format, uint64_t *words)
{
	const bool group = format & PERF_FORMAT_GROUP;
	size_t count = 0;

	if (group)
		words[count++] = 2;
	else
		words[count++] = 1000;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		words[count++] = 500;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		words[count++] = 400;
	for (uint64_t i = 0; i < (group ? 2 : 1); i++) {
		if (group)
			words[count++] = 1000 + i;
		if (format & PERF_FORMAT_ID)
			words[count++] = 7 + i;
		if (format & 1 << 4)
			words[count++] = 3 + i;
	}
	return count;
}

static void check_read_format(uint64_t format, enum built_byte_order order)
{
	const struct perf_event_attr attr = { .size = sizeof(attr),
					      .sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_TRANSACTION,
					      .read_format = format };
	uint64_t words[16];
	const size_t count = build_read_words(format, words);
	struct opened opened = open_sample(
		order, &attr,
		&(struct built_sample){ .read_words = words, .read_word_count = count, .transaction = 77 });
	struct sample sample;
	struct error err;

	assert_int_equal(sample_decode(&sample, &opened.event, opened.attr, &err), 0);
	assert_int_equal(sample.transaction, 77);
	assert_int_equal(sample.read_count, format & PERF_FORMAT_GROUP ? 2 : 1);
	for (size_t i = 0; i < sample.read_count; i++) {
		struct read_value value = sample_read_value(&sample, opened.attr, i);

		assert_int_equal(value.value, 1000 + i);
		assert_int_equal(value.id, format & PERF_FORMAT_ID ? 7 + i : 0);
		assert_int_equal(value.lost, format & 1 << 4 ? 3 + i : 0);
	}
	close_sample(&opened);
}

static void every_read_format_is_decoded_in_either_byte_order(void **state)
{
	(void)state;
	for (uint64_t format = 0; format < 32; format++)
		for (size_t i = 0; i < 2; i++)
			check_read_format(format, orders[i]);
}

/* A 32-bit machine samples registers as 64-bit words, too, with the other ABI. */
static void registers_of_a_32_bit_process_are_words_of_64_bits(void **state)
{
	const struct perf_event_attr attr = { .size = sizeof(attr),
					      .sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR,
					      .sample_regs_user = 1 << 13 | 1 << 15,
					      .sample_regs_intr = 1 << 15 };
	static const uint64_t user[] = { 0xbeff0000, 0x8000 }, intr[] = { 0xc0008000 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct opened opened =
			open_sample(orders[i], &attr,
				    &(struct built_sample){ .user_regs_abi = PERF_SAMPLE_REGS_ABI_32,
							    .user_regs = user,
							    .intr_regs_abi = PERF_SAMPLE_REGS_ABI_32,
							    .intr_regs = intr });
		struct sample sample;
		struct error err;
		uint64_t value = 0;

		assert_int_equal(sample_decode(&sample, &opened.event, opened.attr, &err), 0);
		assert_int_equal(sample.user_regs_abi, PERF_SAMPLE_REGS_ABI_32);
		assert_int_equal(sample_user_reg(&sample, 13, &value), 0);
		assert_int_equal(value, 0xbeff0000);
		assert_int_equal(sample_user_reg(&sample, 15, &value), 0);
		assert_int_equal(value, 0x8000);
		assert_int_equal(sample.intr_regs_abi, PERF_SAMPLE_REGS_ABI_32);
		assert_int_equal(sample_word(&sample, sample.intr_regs, 0), 0xc0008000);
		close_sample(&opened);
	}
}

static void the_time_is_found_behind_whatever_is_in_front_of_it(void **state)
{
	static const uint64_t before[] = { PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID };
	struct perf_event_attr attr = full_sample_attr;

	(void)state;
	for (unsigned int without = 0; without < 8; without++) {
		struct opened opened;

		attr.sample_type = full_sample_attr.sample_type;
		for (unsigned int i = 0; i < 3; i++)
			attr.sample_type &= without >> i & 1 ? ~before[i] : UINT64_MAX;
		opened = open_sample(orders[without & 1], &attr, &full_sample);
		assert_int_equal(sample_peek_time_ns(&opened.event, opened.attr), 12345);
		opened.event.payload_size = 3;
		assert_int_equal(sample_peek_time_ns(&opened.event, opened.attr), 0);
		close_sample(&opened);
	}
}

static void a_sample_without_a_time_has_none_to_be_found(void **state)
{
	struct perf_event_attr attr = full_sample_attr;
	struct opened opened;

	(void)state;
	attr.sample_type &= ~(uint64_t)PERF_SAMPLE_TIME;
	opened = open_sample(BUILD_NATIVE, &attr, &full_sample);
	assert_int_equal(sample_peek_time_ns(&opened.event, opened.attr), 0);
	close_sample(&opened);
}

static void a_sample_that_ends_anywhere_too_early_is_refused(void **state)
{
	struct opened opened = open_sample(BUILD_NATIVE, &full_sample_attr, &full_sample);
	struct event event = opened.event;
	struct sample sample;
	struct error err;

	(void)state;
	for (size_t size = 0; size < event.payload_size; size++) {
		uint8_t *cut =
			xmalloc(size + 1); /* a block of its own: a sanitizer notices reads behind it */

		memcpy(cut, event.payload, size);
		opened.event.payload = cut;
		opened.event.payload_size = size;
		assert_int_equal(sample_decode(&sample, &opened.event, opened.attr, &err), -1);
		free(cut);
	}
	close_sample(&opened);
}

static void registers_are_there_only_behind_an_abi_and_dyn_size_only_behind_a_dump(void **state)
{
	const struct perf_event_attr attr = { .size = sizeof(attr),
					      .sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
							     PERF_SAMPLE_TRANSACTION,
					      .sample_regs_user = 0xff };
	struct opened opened = open_sample(BUILD_NATIVE, &attr, &(struct built_sample){ .transaction = 77 });
	struct sample sample;
	struct error err;
	uint64_t value;

	(void)state;
	assert_int_equal(opened.event.payload_size, 24);
	assert_int_equal(sample_decode(&sample, &opened.event, opened.attr, &err), 0);
	assert_int_equal(sample.user_regs_abi, 0);
	assert_null(sample.user_regs);
	assert_int_equal(sample_user_reg(&sample, 0, &value), -1);
	assert_int_equal(sample.user_stack_size, 0);
	assert_int_equal(sample.transaction, 77);
	close_sample(&opened);
}

static void a_dump_is_never_longer_than_its_record(void **state)
{
	const struct perf_event_attr attr = { .size = sizeof(attr), .sample_type = PERF_SAMPLE_STACK_USER };
	const struct built_sample built = { .user_stack = "12345678",
					    .user_stack_size = 8,
					    .user_stack_dumped = UINT64_MAX };
	struct opened opened = open_sample(BUILD_NATIVE, &attr, &built);
	struct sample sample;
	struct error err;

	(void)state;
	assert_int_equal(sample_decode(&sample, &opened.event, opened.attr, &err), 0);
	assert_int_equal(sample.user_stack_size, 8);
	assert_false(sample.user_stack_ended);
	close_sample(&opened);
}

static void a_dump_says_whether_there_was_room_for_more(void **state)
{
	const struct perf_event_attr attr = { .size = sizeof(attr), .sample_type = PERF_SAMPLE_STACK_USER };
	const struct built_sample built = { .user_stack = "12345678",
					    .user_stack_size = 8,
					    .user_stack_dumped = 7 };
	struct opened opened = open_sample(BUILD_NATIVE, &attr, &built);
	struct sample sample;
	struct error err;

	(void)state;
	assert_int_equal(sample_decode(&sample, &opened.event, opened.attr, &err), 0);
	assert_int_equal(sample.user_stack_size, 7);
	assert_true(sample.user_stack_ended);
	close_sample(&opened);
}

static void fields_that_are_not_sampled_have_their_defaults(void **state)
{
	const struct perf_event_attr attr = { .size = sizeof(attr),
					      .sample_period = 4000,
					      .sample_type = PERF_SAMPLE_IP };
	struct opened opened = open_sample(BUILD_SWAPPED, &attr, &(struct built_sample){ .ip = 5 });
	struct sample sample;
	struct error err;

	(void)state;
	assert_int_equal(sample_decode(&sample, &opened.event, opened.attr, &err), 0);
	assert_int_equal(sample.ip, 5);
	assert_int_equal(sample.pid, UINT32_MAX);
	assert_int_equal(sample.cpu, UINT32_MAX);
	assert_int_equal(sample.period, 4000);
	assert_true(sample.branch_hw_index == UINT64_MAX);
	assert_int_equal(sample.callchain_count, 0);
	close_sample(&opened);
}

static void counts_that_overflow_are_refused(void **state)
{
	static const uint64_t kinds[] = { PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_READ,
					  PERF_SAMPLE_AUX, PERF_SAMPLE_STACK_USER };
	/* times 8 and times 24, these wrap around to small numbers */
	static const uint64_t counts[] = { UINT64_MAX, (uint64_t)1 << 61, 0xaaaaaaaaaaaaaab };

	(void)state;
	for (size_t kind = 0; kind < 5; kind++)
		for (size_t i = 0; i < 3; i++) {
			uint64_t words[4] = { counts[i] };
			const struct event event = { .type = PERF_RECORD_SAMPLE,
						     .payload = (const uint8_t *)words,
						     .payload_size = sizeof(words) };
			const struct perf_attr attr = { .sample_type = kinds[kind],
							.read_format = PERF_FORMAT_GROUP };
			struct sample sample;
			struct error err;

			assert_int_equal(sample_decode(&sample, &event, &attr, &err), -1);
		}
}

static void a_single_counter_has_its_times_behind_its_value(void **state)
{
	const struct perf_event_attr attr = { .size = sizeof(attr),
					      .sample_type = PERF_SAMPLE_READ,
					      .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
							     PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
							     1 << 4 };
	static const uint64_t words[] = { 1000, 500, 400, 7, 3 };
	struct opened opened = open_sample(
		BUILD_SWAPPED, &attr, &(struct built_sample){ .read_words = words, .read_word_count = 5 });
	struct sample sample;
	struct error err;
	struct read_value value;

	(void)state;
	assert_int_equal(sample_decode(&sample, &opened.event, opened.attr, &err), 0);
	assert_int_equal(sample.read_count, 1);
	value = sample_read_value(&sample, opened.attr, 0);
	assert_int_equal(value.value, 1000);
	assert_int_equal(value.id, 7);
	assert_int_equal(value.lost, 3);
	close_sample(&opened);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_decoded_in_either_byte_order),
		cmocka_unit_test(every_pair_of_sample_type_bits_is_decoded),
		cmocka_unit_test(every_read_format_is_decoded_in_either_byte_order),
		cmocka_unit_test(registers_of_a_32_bit_process_are_words_of_64_bits),
		cmocka_unit_test(the_time_is_found_behind_whatever_is_in_front_of_it),
		cmocka_unit_test(a_sample_without_a_time_has_none_to_be_found),
		cmocka_unit_test(a_sample_that_ends_anywhere_too_early_is_refused),
		cmocka_unit_test(registers_are_there_only_behind_an_abi_and_dyn_size_only_behind_a_dump),
		cmocka_unit_test(a_dump_is_never_longer_than_its_record),
		cmocka_unit_test(a_dump_says_whether_there_was_room_for_more),
		cmocka_unit_test(fields_that_are_not_sampled_have_their_defaults),
		cmocka_unit_test(counts_that_overflow_are_refused),
		cmocka_unit_test(a_single_counter_has_its_times_behind_its_value),
	};

	return cmocka_run_group_tests_name("format/sample", tests, NULL, NULL);
}
