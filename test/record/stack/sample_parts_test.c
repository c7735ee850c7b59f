#include "record/stack/sample_parts.h"

#include <string.h>

#include "support/cmocka.h"

enum { REGISTERS = 2 };

static const struct perf_event_attr attr = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
		       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	.sample_regs_user = 0x81,
};

/* A sample of process 77 with a chain of one entry, registers (unless a kernel thread's) and a dump with `filled` valid bytes. */
static void make_sample(struct strbuf *record, bool has_registers, uint64_t dump_size, uint64_t filled)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER };

	strbuf_init(record);
	strbuf_add(record, &header, sizeof(header));
	strbuf_add_u64(record, 0x401000, false); /* IP */
	strbuf_add_u32(record, 77, false);
	strbuf_add_u32(record, 78, false);
	strbuf_add_u64(record, 12345, false); /* TIME */
	strbuf_add_u64(record, 1, false);     /* PERIOD */
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

/* With everything kept, `record` must become what make_sample() makes with the other sizes. */
static void assert_kept_as(struct strbuf *record, bool has_registers, uint64_t dump_size, uint64_t filled)
{
	struct strbuf out, expected;
	struct sample_parts parts;
	struct sample_rest rest;

	strbuf_init(&out);
	strbuf_adds(&out, "12345678"); /* earlier bytes stay */
	make_sample(&expected, has_registers, dump_size, filled);
	assert_true(sample_parts_find(&parts, (const uint8_t *)record->bytes, record->size, &attr));
	rest = sample_parts_all(&parts);
	sample_parts_append(&out, &parts, &rest);
	assert_int_equal(out.size, 8 + expected.size);
	assert_memory_equal(out.bytes + 8, expected.bytes, expected.size);
	strbuf_fini(&out);
	strbuf_fini(&expected);
	strbuf_fini(record);
}

static void bytes_that_the_kernel_did_not_fill_are_left_out_but_for_a_word(void **state)
{
	struct strbuf record;

	(void)state;
	make_sample(&record, true, 16384, 4424);
	assert_kept_as(&record, true, 4432, 4424);
}

static void fields_behind_the_dump_stay(void **state)
{
	struct perf_event_attr with_weight = attr;
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER };
	struct strbuf record, out;
	struct sample_parts parts;
	struct sample_rest rest;
	uint64_t weight;

	(void)state;
	with_weight.sample_type |= PERF_SAMPLE_WEIGHT;
	assert_true(sample_parts_applies(&with_weight));
	make_sample(&record, true, 1024, 16);
	strbuf_add_u64(&record, 4711, false);
	header.size = (uint16_t)record.size;
	memcpy(record.bytes, &header, sizeof(header));
	assert_false(sample_parts_find(&parts, (const uint8_t *)record.bytes, record.size, &attr));
	assert_true(sample_parts_find(&parts, (const uint8_t *)record.bytes, record.size, &with_weight));
	strbuf_init(&out);
	rest = sample_parts_all(&parts);
	sample_parts_append(&out, &parts, &rest);
	assert_int_equal(out.size, record.size - 1024 + 24);
	memcpy(&weight, out.bytes + out.size - sizeof(weight), sizeof(weight));
	assert_int_equal(weight, 4711);
	strbuf_fini(&out);
	strbuf_fini(&record);
}

static void a_dump_stays_a_multiple_of_eight_bytes(void **state)
{
	struct strbuf record;

	(void)state;
	make_sample(&record, true, 1024, 13);
	assert_kept_as(&record, true, 24, 13);
}

static void a_full_dump_stays_as_it_is(void **state)
{
	struct strbuf record;

	(void)state;
	make_sample(&record, true, 1024, 1024);
	assert_kept_as(&record, true, 1024, 1024);
}

static void a_dump_of_nothing_becomes_empty(void **state)
{
	struct strbuf record;

	(void)state;
	make_sample(&record, true, 1024, 0);
	assert_kept_as(&record, true, 0, 0);
}

static void a_kernel_threads_sample_without_registers_and_dump_stays(void **state)
{
	struct strbuf record;

	(void)state;
	make_sample(&record, false, 0, 0);
	assert_kept_as(&record, false, 0, 0);
}

static void the_parts_are_found(void **state)
{
	struct sample_parts parts;
	struct strbuf record;

	(void)state;
	make_sample(&record, true, 1024, 13);
	assert_true(sample_parts_find(&parts, (const uint8_t *)record.bytes, record.size, &attr));
	assert_int_equal(parts.pid, 77);
	assert_int_equal(parts.time_ns, 12345);
	assert_int_equal(parts.chain_count, 1);
	assert_int_equal(sample_chain_entry(parts.chain, 0), 0x401000);
	assert_int_equal(parts.abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(sample_chain_entry(parts.registers, 1), 7);
	assert_int_equal(parts.dump[12], 'S');
	assert_int_equal(parts.dump_size, 1024);
	assert_int_equal(parts.filled, 13);
	strbuf_fini(&record);
}

static void the_time_comes_behind_an_identifier(void **state)
{
	struct perf_event_attr identified = attr;
	struct sample_parts parts;
	struct strbuf record, sample;

	(void)state;
	identified.sample_type |= PERF_SAMPLE_IDENTIFIER;
	make_sample(&sample, true, 8, 8);
	strbuf_init(&record);
	strbuf_add(&record, sample.bytes, 8);
	strbuf_add_u64(&record, 99, false);
	strbuf_add(&record, sample.bytes + 8, sample.size - 8);
	assert_true(sample_parts_find(&parts, (const uint8_t *)record.bytes, record.size, &identified));
	assert_int_equal(parts.pid, 77);
	assert_int_equal(parts.time_ns, 12345);
	strbuf_fini(&sample);
	strbuf_fini(&record);
}

static void a_dump_behind_branches_is_found(void **state)
{
	static const struct perf_event_attr branches = {
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
			       PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
		.branch_sample_type = 1 << 3 | 1 << 17 | 1 << 19
	};
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	/* ip, tid, time; no chain; nr, hw_idx, two of from, to, flags, two counters; no registers; the dump */
	const uint64_t words[] = { 0x401000, 77, 12345, 0, 2, 9, 1, 2, 3, 4, 5, 6, 7, 8, 0, 24, 'S', 0, 0, 8 };
	const uint64_t kept[] = { 0x401000, 77, 12345, 0, 2, 9, 1, 2, 3, 4, 5, 6, 7, 8, 0, 16, 'S', 0, 8 };
	struct sample_parts parts;
	struct sample_rest rest;
	struct strbuf record, out;

	(void)state;
	assert_true(sample_parts_applies(&branches));
	strbuf_init(&record);
	strbuf_init(&out);
	header.size = sizeof(header) + sizeof(words);
	strbuf_add(&record, &header, sizeof(header));
	strbuf_add(&record, words, sizeof(words));
	assert_true(sample_parts_find(&parts, (const uint8_t *)record.bytes, record.size, &branches));
	rest = sample_parts_all(&parts);
	sample_parts_append(&out, &parts, &rest);
	assert_int_equal(out.size, sizeof(header) + sizeof(kept));
	assert_memory_equal(out.bytes + sizeof(header), kept, sizeof(kept));
	strbuf_fini(&record);
	strbuf_fini(&out);
}

static void a_sample_is_written_with_another_chain_and_without_dump(void **state)
{
	const uint64_t chain[] = { 0x401000, 0x402000, 0x403000 };
	struct sample_parts parts;
	struct strbuf record, out;
	struct sample_rest rest = { .chain = chain, .chain_count = 3, .drop_registers = true };

	(void)state;
	make_sample(&record, true, 1024, 1024);
	strbuf_init(&out);
	assert_true(sample_parts_find(&parts, (const uint8_t *)record.bytes, record.size, &attr));
	sample_parts_append(&out, &parts, &rest);
	assert_true(sample_parts_find(&parts, (const uint8_t *)out.bytes, out.size, &attr));
	assert_int_equal(parts.chain_count, 3);
	assert_int_equal(sample_chain_entry(parts.chain, 2), 0x403000);
	assert_int_equal(parts.abi, PERF_SAMPLE_REGS_ABI_NONE);
	assert_int_equal(parts.dump_size, 0);
	assert_int_equal(out.size, 8 + 4 * 8 + 4 * 8 + 8 + 8);
	strbuf_fini(&record);
	strbuf_fini(&out);
}

static void a_dump_is_cut_behind_its_first_bytes(void **state)
{
	struct sample_parts parts;
	struct strbuf record, out;
	struct sample_rest rest;

	(void)state;
	make_sample(&record, true, 1024, 1000);
	strbuf_init(&out);
	assert_true(sample_parts_find(&parts, (const uint8_t *)record.bytes, record.size, &attr));
	rest = sample_parts_all(&parts);
	rest.dump_size = 64;
	sample_parts_append(&out, &parts, &rest);
	assert_true(sample_parts_find(&parts, (const uint8_t *)out.bytes, out.size, &attr));
	assert_int_equal(parts.dump_size, 64);
	assert_int_equal(parts.filled, 64);
	assert_int_equal(parts.abi, PERF_SAMPLE_REGS_ABI_64);
	strbuf_fini(&record);
	strbuf_fini(&out);
}

static void a_record_that_is_not_as_expected_is_refused(void **state)
{
	struct sample_parts parts;
	struct strbuf record;

	(void)state;
	make_sample(&record, true, 1024, 8);
	for (size_t size = 0; size < record.size; size += 8) /* cut anywhere */
		assert_false(sample_parts_find(&parts, (const uint8_t *)record.bytes, size, &attr));
	memset(record.bytes + 8 + 4 * 8, 0xff, 8); /* the chain's length */
	assert_false(sample_parts_find(&parts, (const uint8_t *)record.bytes, record.size, &attr));
	strbuf_fini(&record);
	make_sample(&record, true, 1024, 1032); /* more filled than dumped */
	assert_false(sample_parts_find(&parts, (const uint8_t *)record.bytes, record.size, &attr));
	strbuf_fini(&record);
}

static void samples_with_a_dump_can_be_taken_apart_where_all_in_front_of_it_is_known(void **state)
{
	struct perf_event_attr other = attr;

	(void)state;
	assert_true(sample_parts_applies(&attr));
	other.sample_type |= PERF_SAMPLE_WEIGHT;
	assert_true(sample_parts_applies(&other));
	other.sample_type |= PERF_SAMPLE_READ;
	assert_false(sample_parts_applies(&other));
	other.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;
	assert_false(sample_parts_applies(&other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_that_the_kernel_did_not_fill_are_left_out_but_for_a_word),
		cmocka_unit_test(fields_behind_the_dump_stay),
		cmocka_unit_test(a_dump_stays_a_multiple_of_eight_bytes),
		cmocka_unit_test(a_full_dump_stays_as_it_is),
		cmocka_unit_test(a_dump_of_nothing_becomes_empty),
		cmocka_unit_test(a_kernel_threads_sample_without_registers_and_dump_stays),
		cmocka_unit_test(the_parts_are_found),
		cmocka_unit_test(a_dump_behind_branches_is_found),
		cmocka_unit_test(the_time_comes_behind_an_identifier),
		cmocka_unit_test(a_sample_is_written_with_another_chain_and_without_dump),
		cmocka_unit_test(a_dump_is_cut_behind_its_first_bytes),
		cmocka_unit_test(a_record_that_is_not_as_expected_is_refused),
		cmocka_unit_test(samples_with_a_dump_can_be_taken_apart_where_all_in_front_of_it_is_known),
	};

	return cmocka_run_group_tests_name("record/stack/sample_parts", tests, NULL, NULL);
}
