#include "report/script/script_filter.h"

#include "support/cmocka.h"

static const struct sample sample = { .pid = 10, .tid = 11, .cpu = 2, .time_ns = 5000000000 };

static void what_was_not_asked_for_keeps_nothing_out(void **state)
{
	const struct script_filter everything = { 0 };

	(void)state;
	assert_true(script_filter_passes(&everything, &sample, "worker"));
	assert_true(script_filter_has_cpu(&everything, UINT32_MAX));
	assert_true(script_filter_has_place(&everything, &(struct script_place){ .has_symbol = false }, 0));
}

static void assert_numbers_choose(struct script_filter *filter, struct number_list *list, const char *others,
				  const char *its)
{
	assert_int_equal(number_list_parse(list, others, NULL), 0);
	assert_false(script_filter_passes(filter, &sample, "worker"));
	assert_int_equal(number_list_parse(list, its, NULL), 0);
	assert_true(script_filter_passes(filter, &sample, "worker"));
}

static void samples_are_chosen_by_process_thread_and_cpu(void **state)
{
	struct script_filter filter = { 0 };

	(void)state;
	assert_numbers_choose(&filter, &filter.choice.pids, "9,11", "9,10");
	assert_numbers_choose(&filter, &filter.choice.tids, "10", "10-12");
	assert_numbers_choose(&filter, &filter.choice.cpus, "0,1,3", "2");
	assert_true(script_filter_has_cpu(&filter, 2));
	assert_false(script_filter_has_cpu(&filter, UINT32_MAX));
	sample_choice_fini(&filter.choice);
}

static void samples_are_chosen_by_the_name_of_their_thread(void **state)
{
	struct script_filter filter = { 0 };

	(void)state;
	text_list_parse(&filter.choice.comms, "make,worker");
	assert_true(script_filter_passes(&filter, &sample, "worker"));
	assert_false(script_filter_passes(&filter, &sample, "work"));
	text_list_parse(&filter.choice.comms, "");
	assert_false(script_filter_passes(&filter, &sample, "worker"));
	sample_choice_fini(&filter.choice);
}

static void samples_are_chosen_by_what_they_waited_for(void **state)
{
	struct script_filter filter = { 0 };

	(void)state;
	assert_true(script_filter_has_wait(&filter, "cpu-clock", &sample));
	assert_int_equal(wait_choice_parse(&filter.choice.waits, "futex", NULL), 0);
	assert_false(script_filter_has_wait(&filter, "cpu-clock", &sample));
	assert_int_equal(wait_choice_parse(&filter.choice.waits, "running", NULL), 0);
	assert_true(script_filter_has_wait(&filter, "cpu-clock", &sample));
}

static void samples_are_chosen_by_time(void **state)
{
	struct script_filter filter = { 0 };

	(void)state;
	filter.times.items[0] = (struct time_range){ 4000000000, 5000000000 };
	filter.times.count = 1;
	assert_true(script_filter_passes(&filter, &sample, "worker"));
	filter.times.items[0].to_ns = 4999999999;
	assert_false(script_filter_passes(&filter, &sample, "worker"));
}

static void what_has_no_name_is_in_no_function_that_was_asked_for(void **state)
{
	struct script_filter filter = { 0 };

	(void)state;
	text_list_parse(&filter.choice.symbols, "main,read");
	assert_true(script_filter_has_place(
		&filter, &(struct script_place){ .has_symbol = true, .symbol.name = "read" }, 0));
	assert_false(script_filter_has_place(
		&filter, &(struct script_place){ .has_symbol = true, .symbol.name = "write" }, 0));
	assert_false(script_filter_has_place(&filter, &(struct script_place){ .has_symbol = false }, 0));
	sample_choice_fini(&filter.choice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_not_asked_for_keeps_nothing_out),
		cmocka_unit_test(samples_are_chosen_by_process_thread_and_cpu),
		cmocka_unit_test(samples_are_chosen_by_the_name_of_their_thread),
		cmocka_unit_test(samples_are_chosen_by_what_they_waited_for),
		cmocka_unit_test(samples_are_chosen_by_time),
		cmocka_unit_test(what_has_no_name_is_in_no_function_that_was_asked_for),
	};

	return cmocka_run_group_tests_name("report/script/script_filter", tests, NULL, NULL);
}
