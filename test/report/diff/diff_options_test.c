#include "report/diff/diff_options.h"

#include "cli/commands.h"
#include "report/load/dump_unwinder.h"
#include "support/cmocka.h"
#include "support/option_words.h"

/* Parses words separated by blanks into the defaults. */
static enum option_result parse(struct diff_options *options, const char *words)
{
	*options = diff_option_defaults;
	return option_words_parse(&cmd_diff, options, words);
}

static void assert_wrong(const char *words)
{
	struct diff_options options;

	assert_int_equal(parse(&options, words), OPTION_WRONG);
	diff_options_fini(&options);
}

static void differences_are_perfs_unless_told_otherwise(void **state)
{
	struct diff_options options;

	(void)state;
	assert_int_equal(parse(&options, ""), OPTION_PARSED);
	assert_int_equal(options.compute, DIFF_DELTA_ABS);
	assert_int_equal(options.normalize, DIFF_SHARE);
	assert_true(options.confidence_percent == 95);
	assert_int_equal(parse(&options, "-c ratio --normalize=time"), OPTION_PARSED);
	assert_int_equal(options.compute, DIFF_RATIO);
	assert_int_equal(options.normalize, DIFF_TIME);
	assert_wrong("-c sideways");
	assert_wrong("--normalize=sideways");
	assert_wrong("--confidence=100");
	assert_wrong("-o 3");
}

static void weights_are_written_as_perf_writes_them(void **state)
{
	struct diff_options options;

	(void)state;
	assert_int_equal(parse(&options, "--compute=wdiff:2,3"), OPTION_PARSED);
	assert_int_equal(options.compute, DIFF_WDIFF);
	assert_true(options.weights[COMPARE_BEFORE] == 2);
	assert_true(options.weights[COMPARE_AFTER] == 3);
	assert_wrong("-c wdiff:2");
	assert_wrong("-c wdiff:0,1");
	assert_wrong("-c wdiff:1,x");
}

static void work_is_two_numbers_or_an_event(void **state)
{
	struct diff_options options;

	(void)state;
	assert_int_equal(parse(&options, "--work 100:250.5"), OPTION_PARSED);
	assert_int_equal(options.normalize, DIFF_WORK);
	assert_true(options.work[COMPARE_BEFORE] == 100);
	assert_true(options.work[COMPARE_AFTER] == 250.5);
	assert_int_equal(parse(&options, "--work instructions:u"), OPTION_PARSED);
	assert_string_equal(options.work_event, "instructions:u");
	assert_wrong("--work 100");
	assert_wrong("--work 0:1");
}

static void unwind_alone_is_two_ways_of_one_file(void **state)
{
	struct diff_options options;

	(void)state;
	assert_int_equal(parse(&options, "--unwind"), OPTION_PARSED);
	assert_true(options.ways);
	assert_int_equal(parse(&options, "--unwind=fp"), OPTION_PARSED);
	assert_false(options.ways);
	assert_int_equal(options.stacks.unwind, UNWIND_FP);
	assert_wrong("--unwind=sideways");
}

static void renames_are_collected(void **state)
{
	struct diff_options options;

	(void)state;
	assert_int_equal(parse(&options, "--rename a=b --rename c=d=e"), OPTION_PARSED);
	assert_int_equal(options.pairs.count, 2);
	assert_string_equal(options.pairs.list[0].before, "a");
	assert_string_equal(options.pairs.list[0].after, "b");
	assert_string_equal(options.pairs.list[1].after, "d=e");
	diff_options_fini(&options);
	assert_wrong("--rename a");
	assert_wrong("--rename =b");
	assert_wrong("--rename a=");
}

static void assert_keys(const char *sort, unsigned expected)
{
	struct diff_options options = { .sort = sort };
	unsigned keys;

	assert_int_equal(diff_options_keys(&options, &keys, NULL), 0);
	assert_int_equal(keys, expected);
}

static void keys_are_what_two_recordings_have_in_common(void **state)
{
	struct diff_options options = { .sort = "comm,pid" };
	unsigned keys;

	(void)state;
	assert_keys(NULL, DIFF_BY_DSO | DIFF_BY_SYMBOL);
	assert_keys("sym", DIFF_BY_SYMBOL);
	assert_keys("cpu, comm", DIFF_BY_CPU | DIFF_BY_COMM);
	assert_keys("+comm", DIFF_BY_COMM | DIFF_BY_DSO | DIFF_BY_SYMBOL);
	assert_int_equal(diff_options_keys(&options, &keys, NULL), -1);
	options.sort = ",";
	assert_int_equal(diff_options_keys(&options, &keys, NULL), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differences_are_perfs_unless_told_otherwise),
		cmocka_unit_test(weights_are_written_as_perf_writes_them),
		cmocka_unit_test(work_is_two_numbers_or_an_event),
		cmocka_unit_test(unwind_alone_is_two_ways_of_one_file),
		cmocka_unit_test(renames_are_collected),
		cmocka_unit_test(keys_are_what_two_recordings_have_in_common),
	};

	return cmocka_run_group_tests_name("report/diff/diff_options", tests, NULL, NULL);
}
