#include "format/perf_attr.h"

#include <linux/perf_event.h>

#include "base/strbuf.h"
#include "support/cmocka.h"

/* type 1, size 64, config 3, period 4, sample_type 5, read_format 6, the flags, wakeup 7, bp_type 8, config1 9 */
static void add_first_version(struct strbuf *out, uint64_t flags, bool swap)
{
	strbuf_add_u32(out, 1, swap);
	strbuf_add_u32(out, 64, swap);
	for (uint64_t word = 3; word <= 6; word++)
		strbuf_add_u64(out, word, swap);
	strbuf_add_u64(out, flags, swap);
	strbuf_add_u32(out, 7, swap);
	strbuf_add_u32(out, 8, swap);
	strbuf_add_u64(out, 9, swap);
}

static struct perf_attr decode(const struct strbuf *bytes, bool swap)
{
	struct byte_reader r = byte_reader_over(bytes->bytes, bytes->size, swap);
	struct perf_attr attr;
	struct error err;

	assert_int_equal(perf_attr_decode(&attr, &r, &err), 0);
	assert_int_equal(byte_reader_left(&r), 0);
	return attr;
}

static void the_first_version_is_decoded_and_what_it_lacks_is_zero(void **state)
{
	struct perf_attr attr;
	struct strbuf bytes;

	(void)state;
	strbuf_init(&bytes);
	add_first_version(&bytes, 1 << PERF_ATTR_FREQ, false);
	assert_int_equal(bytes.size, 64);
	attr = decode(&bytes, false);
	assert_int_equal(attr.type, 1);
	assert_int_equal(attr.size_bytes, 64);
	assert_int_equal(attr.config, 3);
	assert_int_equal(attr.sample_period_or_freq, 4);
	assert_int_equal(attr.sample_type, 5);
	assert_int_equal(attr.read_format, 6);
	assert_int_equal(attr.flags, 1 << PERF_ATTR_FREQ);
	assert_int_equal(attr.wakeup_events_or_watermark, 7);
	assert_int_equal(attr.bp_type, 8);
	assert_int_equal(attr.config1, 9);
	assert_int_equal(attr.config2, 0);
	assert_int_equal(attr.branch_sample_type, 0);
	assert_int_equal(attr.config3, 0);
	strbuf_fini(&bytes);
}

static void a_longer_attr_is_decoded_and_what_is_unknown_ignored(void **state)
{
	struct perf_attr attr;
	struct strbuf bytes;

	(void)state;
	strbuf_init(&bytes);
	add_first_version(&bytes, 0, true);
	strbuf_add_u64(&bytes, 10, true); /* config2 */
	strbuf_add_u64(&bytes, 11, true); /* branch_sample_type */
	strbuf_add_u64(&bytes, 12, true); /* sample_regs_user */
	strbuf_add_u32(&bytes, 13, true); /* sample_stack_user */
	strbuf_add_u32(&bytes, 14, true); /* clockid */
	strbuf_add_u64(&bytes, 15, true); /* sample_regs_intr */
	strbuf_add_u32(&bytes, 16, true); /* aux_watermark */
	strbuf_add_u16(&bytes, 17, true); /* sample_max_stack */
	strbuf_add_u16(&bytes, 99, true);
	strbuf_add_u32(&bytes, 18, true); /* aux_sample_size */
	strbuf_add_u32(&bytes, 99, true);
	strbuf_add_u64(&bytes, 19, true); /* sig_data */
	strbuf_add_u64(&bytes, 20, true); /* config3 */
	strbuf_add_u64(&bytes, 99, true);
	attr = decode(&bytes, true);
	assert_int_equal(attr.config2, 10);
	assert_int_equal(attr.branch_sample_type, 11);
	assert_int_equal(attr.sample_regs_user, 12);
	assert_int_equal(attr.sample_stack_user, 13);
	assert_int_equal(attr.clockid, 14);
	assert_int_equal(attr.sample_regs_intr, 15);
	assert_int_equal(attr.aux_watermark, 16);
	assert_int_equal(attr.sample_max_stack, 17);
	assert_int_equal(attr.aux_sample_size, 18);
	assert_int_equal(attr.sig_data, 19);
	assert_int_equal(attr.config3, 20);
	strbuf_fini(&bytes);
}

/*
 * The first declared field is the most significant: disabled is bit 63, mmap bit 55, precise_ip bits 48 and 47, the higher
 * first.
 */
static void flags_of_a_big_endian_machine_are_turned_round(void **state)
{
	const uint64_t mirrored = (uint64_t)1 << 63 | (uint64_t)1 << 55 | (uint64_t)2 << 47;
	const bool swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	struct perf_attr attr;
	struct strbuf bytes;

	(void)state;
	strbuf_init(&bytes);
	add_first_version(&bytes, mirrored, swap);
	attr = decode(&bytes, swap);
	assert_int_equal(attr.flags,
			 1 << PERF_ATTR_DISABLED | 1 << PERF_ATTR_MMAP | 2 << PERF_ATTR_PRECISE_IP);
	assert_true(perf_attr_has(&attr, PERF_ATTR_MMAP));
	assert_false(perf_attr_has(&attr, PERF_ATTR_COMM));
	strbuf_fini(&bytes);
}

static void fewer_bytes_than_the_first_version_are_refused(void **state)
{
	const uint8_t bytes[63] = { 0 };
	struct byte_reader r = byte_reader_over(bytes, sizeof(bytes), false);
	struct perf_attr attr;
	struct error err;

	(void)state;
	assert_int_equal(perf_attr_decode(&attr, &r, &err), -1);
	assert_string_equal(err.message,
			    "an event attribute has 63 bytes, fewer than the 64 of its first version");
}

#define FLAG(name) ((uint64_t)1 << PERF_ATTR_##name)

static void names_are_those_that_perf_gives(void **state)
{
	static const struct {
		struct perf_attr attr;
		const char *name;
	} cases[] = {
		{ { .type = PERF_TYPE_HARDWARE, .config = 0 }, "cycles:HG" },
		{ { .type = PERF_TYPE_HARDWARE, .config = 0, .flags = FLAG(EXCLUDE_GUEST) }, "cycles" },
		{ { .type = PERF_TYPE_HARDWARE,
		    .config = 1,
		    .flags = FLAG(EXCLUDE_KERNEL) | FLAG(EXCLUDE_HV) | FLAG(EXCLUDE_GUEST) },
		  "instructions:uH" },
		{ { .type = PERF_TYPE_HARDWARE, .config = 0x400000000 }, "cycles:HG" }, /* on PMU 4 */
		{ { .type = PERF_TYPE_HARDWARE, .config = 77 }, "hardware 0x4d:HG" },
		{ { .type = PERF_TYPE_SOFTWARE, .flags = (uint64_t)3 << PERF_ATTR_PRECISE_IP },
		  "cpu-clock:ppp" },
		{ { .type = PERF_TYPE_SOFTWARE,
		    .flags = (uint64_t)2 << PERF_ATTR_PRECISE_IP | FLAG(EXCLUDE_GUEST) },
		  "cpu-clock:ppH" },
		{ { .type = PERF_TYPE_HW_CACHE, .config = 0x10002 }, "LLC-load-misses:HG" },
		{ { .type = PERF_TYPE_HW_CACHE, .config = 0x100 }, "L1-dcache-stores:HG" },
		{ { .type = PERF_TYPE_HW_CACHE, .config = 0x70000 }, "cache 0x70000:HG" },
		{ { .type = PERF_TYPE_TRACEPOINT, .config = 315 }, "tracepoint 315" },
		{ { .type = PERF_TYPE_RAW, .config = 0x1c2 }, "raw 0x1c2:HG" },
		{ { .type = 8, .config = 1 }, "pmu 8 config 0x1:HG" },
	};
	char name[64];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		perf_attr_name(&cases[i].attr, name, sizeof(name));
		if (strncmp(name, cases[i].name, sizeof(name)) != 0)
			fail_msg("case %zu: got '%s', expected '%s'", i, name, cases[i].name);
	}
}

static void a_name_is_cut_to_its_buffer(void **state)
{
	const struct perf_attr attr = { .type = PERF_TYPE_SOFTWARE };
	char name[8];

	(void)state;
	for (size_t size = 1; size <= sizeof(name); size++) {
		perf_attr_name(&attr, name, size);
		assert_int_equal(strlen(name), size - 1);
	}
	perf_attr_name(&attr, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_version_is_decoded_and_what_it_lacks_is_zero),
		cmocka_unit_test(a_longer_attr_is_decoded_and_what_is_unknown_ignored),
		cmocka_unit_test(flags_of_a_big_endian_machine_are_turned_round),
		cmocka_unit_test(fewer_bytes_than_the_first_version_are_refused),
		cmocka_unit_test(names_are_those_that_perf_gives),
		cmocka_unit_test(a_name_is_cut_to_its_buffer),
	};

	return cmocka_run_group_tests_name("format/perf_attr", tests, NULL, NULL);
}
