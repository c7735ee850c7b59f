#include "kernel/play_script.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"

static int read_text(struct play_script *script, const char *text, struct error *err)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	const int result = play_script_read(script, in, err);

	fclose(in);
	return result;
}

static void records_have_numbers_and_lists(void **state)
{
	struct play_script script;
	const struct play_record *sample;

	(void)state;
	assert_int_equal(
		read_text(
			&script,
			"machine intel-lbr32\n# a comment\n\n"
			"sample pid=7 ip=0x10 chain=kernel,0x1,user,2 regs=7:0x99 branches=0x10/0x20/M/X/A/5/6/3/2\n",
			NULL),
		0);
	assert_string_equal(script.machine, "intel-lbr32");
	assert_int_equal(script.record_count, 1);
	sample = &script.records[0];
	assert_int_equal(sample->kind, PLAY_SAMPLE);
	assert_int_equal(sample->numbers[NUMBER_PID], 7);
	assert_int_equal(sample->numbers[NUMBER_IP], 0x10);
	assert_int_equal(sample->lists[LIST_CHAIN].count, 4);
	assert_int_equal(sample->lists[LIST_CHAIN].items[2], (uint64_t)PERF_CONTEXT_USER);
	assert_int_equal(sample->lists[LIST_REGS].items[1], 0x99);
	/* mispred, in_tx, abort, cycles 5, type 6, spec 3, priv 2: struct perf_branch_entry */
	assert_int_equal(sample->lists[LIST_BRANCHES].items[2],
			 1u | 1u << 2 | 1u << 3 | 5u << 4 | 6u << 20 | 3u << 24 | 2u << 30);
	play_script_fini(&script);
}

static void refusals_have_conditions(void **state)
{
	struct play_script script;

	(void)state;
	assert_int_equal(read_text(&script,
				   "refuse errno=EMFILE after=4\nrefuse branch=hw_index errno=EINVAL\n",
				   NULL),
			 0);
	assert_int_equal(script.refusal_count, 2);
	assert_int_equal(script.refusals[0].errno_value, EMFILE);
	assert_int_equal(script.refusals[0].after, 4);
	assert_int_equal(script.refusals[0].type, -1);
	assert_int_equal(script.refusals[1].branch, 1 << 17);
	play_script_fini(&script);
}

static void mistakes_are_refused_with_their_line(void **state)
{
	static const char *const lines[] = { "simple pid=1",         "sample pid",
					     "sample pid=x",         "sample colour=1",
					     "sample branches=0x10", "sample branches=1/2/P",
					     "sample regs=7",        "refuse errno=EGG",
					     "refuse branch=twig",   "file colour=green",
					     "sample pid=1x",        "sample chain=0x1y" };

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct play_script script;
		struct error err = { 0 };
		char text[128];

		snprintf(text, sizeof(text), "machine none\n%s\n", lines[i]);
		assert_int_equal(read_text(&script, text, &err), -1);
		if (strncmp(err.message, "line 2: ", 8) != 0)
			fail_msg("%s: %s", lines[i], err.message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_have_numbers_and_lists),
		cmocka_unit_test(refusals_have_conditions),
		cmocka_unit_test(mistakes_are_refused_with_their_line),
	};

	return cmocka_run_group_tests_name("kernel/play_script", tests, NULL, NULL);
}
