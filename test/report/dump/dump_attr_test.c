#include "report/dump/dump_attr.h"

#include <linux/perf_event.h>

#include "support/cmocka.h"

static void assert_attr(const struct perf_attr *attr, const char *expected)
{
	struct dump_out out;

	dump_out_init(&out, false, (struct color){ false });
	dump_attr(&out, attr);
	assert_string_equal(out.text.bytes, expected);
	dump_out_fini(&out);
}

static void what_is_zero_is_left_out(void **state)
{
	(void)state;
	assert_attr(&(struct perf_attr){ .type = PERF_TYPE_HARDWARE, .size_bytes = 64 },
		    "type hardware  size 64  config 0x0  sample_period 0  sample_type 0");
}

static void masks_are_spelled_out(void **state)
{
	const struct perf_attr attr = {
		.type = 42,
		.size_bytes = 136,
		.config = 0x1c2,
		.sample_period_or_freq = 4000,
		.sample_type =
			PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_BRANCH_STACK | (uint64_t)1 << 40,
		.read_format = PERF_FORMAT_ID,
		.flags = (uint64_t)1 << PERF_ATTR_FREQ | (uint64_t)2 << PERF_ATTR_PRECISE_IP,
		.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY,
	};

	(void)state;
	assert_attr(&attr, "type 42  size 136  config 0x1c2  sample_freq 4000  "
			   "sample_type IP|TID|BRANCH_STACK|0x10000000000  read_format ID  "
			   "flags freq|precise_ip=2  branch_sample_type USER|ANY");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_zero_is_left_out),
		cmocka_unit_test(masks_are_spelled_out),
	};

	return cmocka_run_group_tests_name("report/dump/dump_attr", tests, NULL, NULL);
}
