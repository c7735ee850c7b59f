#include "record/stack_trim.h"

#include <string.h>

#include "support/cmocka.h"

enum { REGISTERS = 2 };

static const struct perf_event_attr attr = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
		       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	.sample_regs_user = 0x81,
};

/* A sample with a chain of one, registers (unless it is a kernel thread's) and a dump of which `filled` bytes count. */
static void make_sample(struct strbuf *record, bool has_registers, uint64_t dump_size, uint64_t filled)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER };

	strbuf_init(record);
	strbuf_add(record, &header, sizeof(header));
	for (uint64_t word = 1; word <= 4; word++) /* IP, TID, TIME, PERIOD */
		strbuf_add_u64(record, word, false);
	strbuf_add_u64(record, 1, false);
	strbuf_add_u64(record, 0x401000, false);
	strbuf_add_u64(record, has_registers ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_NONE, false);
	for (int i = 0; has_registers && i < REGISTERS; i++)
		strbuf_add_u64(record, 7, false);
	strbuf_add_u64(record, dump_size, false);
	for (uint64_t i = 0; i < dump_size; i++)
		strbuf_addc(record, i < filled ? 'S' : 0);
	if (dump_size)
		strbuf_add_u64(record, filled, false);
	header.size = (uint16_t)record->size;
	memcpy(record->bytes, &header, sizeof(header));
}

/* Trimming `record` makes what make_sample() makes with the other sizes. */
static void assert_trimmed_to(struct strbuf *record, bool has_registers, uint64_t dump_size, uint64_t filled)
{
	struct strbuf out, expected;

	strbuf_init(&out);
	strbuf_adds(&out, "12345678"); /* what is there stays */
	make_sample(&expected, has_registers, dump_size, filled);
	stack_trim_append(&out, (const uint8_t *)record->bytes, record->size, &attr);
	assert_int_equal(out.size, 8 + expected.size);
	assert_memory_equal(out.bytes + 8, expected.bytes, expected.size);
	strbuf_fini(&out);
	strbuf_fini(&expected);
	strbuf_fini(record);
}

static void bytes_that_the_kernel_did_not_fill_are_left_out(void **state)
{
	struct strbuf record;

	(void)state;
	make_sample(&record, true, 16384, 4424);
	assert_trimmed_to(&record, true, 4424, 4424);
}

static void a_dump_stays_a_multiple_of_eight_bytes(void **state)
{
	struct strbuf record;

	(void)state;
	make_sample(&record, true, 1024, 13);
	assert_trimmed_to(&record, true, 16, 13);
}

static void a_full_dump_stays_as_it_is(void **state)
{
	struct strbuf record;

	(void)state;
	make_sample(&record, true, 1024, 1024);
	assert_trimmed_to(&record, true, 1024, 1024);
}

static void a_dump_of_nothing_becomes_empty(void **state)
{
	struct strbuf record;

	(void)state;
	make_sample(&record, true, 1024, 0);
	assert_trimmed_to(&record, true, 0, 0);
}

static void a_kernel_threads_sample_without_registers_and_dump_stays(void **state)
{
	struct strbuf record;

	(void)state;
	make_sample(&record, false, 0, 0);
	assert_trimmed_to(&record, false, 0, 0);
}

static void a_record_that_is_not_as_expected_stays(void **state)
{
	struct strbuf record, out;

	(void)state;
	make_sample(&record, true, 1024, 8);
	memset(record.bytes + 8 + 4 * 8, 0xff, 8); /* the chain's length */
	strbuf_init(&out);
	stack_trim_append(&out, (const uint8_t *)record.bytes, record.size, &attr);
	assert_int_equal(out.size, record.size);
	assert_memory_equal(out.bytes, record.bytes, record.size);
	strbuf_reset(&out);
	stack_trim_append(&out, (const uint8_t *)record.bytes, 24, &attr);
	assert_int_equal(out.size, 24);
	strbuf_fini(&out);
	strbuf_fini(&record);
}

static void only_samples_whose_last_field_is_the_dump_can_be_trimmed(void **state)
{
	struct perf_event_attr other = attr;

	(void)state;
	assert_true(stack_trim_applies(&attr));
	other.sample_type |= PERF_SAMPLE_WEIGHT;
	assert_false(stack_trim_applies(&other));
	other.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
	assert_false(stack_trim_applies(&other));
}

static void a_dump_behind_branches_is_found(void **state)
{
	static const struct perf_event_attr branches = { .sample_type = PERF_SAMPLE_IP |
									PERF_SAMPLE_BRANCH_STACK |
									PERF_SAMPLE_STACK_USER,
							 .branch_sample_type = 1 << 3 | 1 << 17 | 1 << 19 };
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	/* ip; nr, hw_idx, two of from, to, flags, two counters; size of the dump, 16 bytes of it, how many count */
	const uint64_t words[] = { 0x401000, 2, 9, 1, 2, 3, 4, 5, 6, 7, 8, 16, 'S', 0, 8 };
	const uint64_t kept[] = { 0x401000, 2, 9, 1, 2, 3, 4, 5, 6, 7, 8, 8, 'S', 8 };
	struct strbuf record, out;

	(void)state;
	assert_true(stack_trim_applies(&branches));
	strbuf_init(&record);
	strbuf_init(&out);
	header.size = sizeof(header) + sizeof(words);
	strbuf_add(&record, &header, sizeof(header));
	strbuf_add(&record, words, sizeof(words));
	stack_trim_append(&out, (const uint8_t *)record.bytes, record.size, &branches);
	assert_int_equal(out.size, sizeof(header) + sizeof(kept));
	assert_memory_equal(out.bytes + sizeof(header), kept, sizeof(kept));
	strbuf_fini(&record);
	strbuf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_that_the_kernel_did_not_fill_are_left_out),
		cmocka_unit_test(a_dump_stays_a_multiple_of_eight_bytes),
		cmocka_unit_test(a_full_dump_stays_as_it_is),
		cmocka_unit_test(a_dump_of_nothing_becomes_empty),
		cmocka_unit_test(a_dump_behind_branches_is_found),
		cmocka_unit_test(a_kernel_threads_sample_without_registers_and_dump_stays),
		cmocka_unit_test(a_record_that_is_not_as_expected_stays),
		cmocka_unit_test(only_samples_whose_last_field_is_the_dump_can_be_trimmed),
	};

	return cmocka_run_group_tests_name("record/stack_trim", tests, NULL, NULL);
}
