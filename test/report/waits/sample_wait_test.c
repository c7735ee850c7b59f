#include "report/waits/sample_wait.h"

#include "support/cmocka.h"
#include "support/waiting_sample.h"

static void the_wait_is_read_from_samples_of_its_event(void **state)
{
	const struct off_cpu_wait wait = { .state = OFF_CPU_DISK,
					   .kind = OFF_CPU_KIND_DISK,
					   .blocked_ns = 7 };
	struct off_cpu_wait read;
	struct strbuf raw;
	struct sample sample;

	(void)state;
	strbuf_init(&raw);
	sample = waiting_sample_make(&wait, &raw);
	assert_true(sample_wait_read(&read, "offcpu-time", &sample));
	assert_int_equal(read.state, OFF_CPU_DISK);
	assert_int_equal(read.blocked_ns, 7);
	assert_false(sample_wait_read(&read, "cpu-clock", &sample));
	assert_false(sample_wait_read(&read, NULL, &sample));
	strbuf_fini(&raw);
}

static void raw_data_that_is_missing_or_cut_says_nothing(void **state)
{
	const struct off_cpu_wait wait = { .state = OFF_CPU_SLEEPING };
	struct off_cpu_wait read;
	struct strbuf raw;
	struct sample sample;

	(void)state;
	strbuf_init(&raw);
	sample = waiting_sample_make(&wait, &raw);
	sample.raw_size = 12;
	assert_false(sample_wait_read(&read, "offcpu-time", &sample));
	sample.raw = NULL;
	assert_false(sample_wait_read(&read, "offcpu-time", &sample));
	strbuf_fini(&raw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wait_is_read_from_samples_of_its_event),
		cmocka_unit_test(raw_data_that_is_missing_or_cut_says_nothing),
	};

	return cmocka_run_group_tests_name("report/waits/sample_wait", tests, NULL, NULL);
}
