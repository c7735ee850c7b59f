#include "report/diff/diff_result.h"

#include <math.h>
#include <stdio.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"
#include "support/profile_pair.h"

struct fixture {
	struct profile_pair pair;
	struct diff_result result;
};

static void setup(struct fixture *fixture)
{
	profile_pair_init(&fixture->pair, "cpu-clock");
}

static void add(struct fixture *fixture, int side, const char *stack, uint64_t count)
{
	builder_add(fixture->pair.profile[side], 0, "a 1/1", stack, count, 1000 * count);
}

static struct diff_request request_of(enum diff_normalize normalize)
{
	return (struct diff_request){ .normalize = normalize,
				      .order = DIFF_ORDER_COMPUTED,
				      .confidence = 0.95,
				      .divisor = { 1, 1 },
				      .factor = { 1, 1 },
				      .design_effect = { 1, 1 } };
}

static void run(struct fixture *fixture, const struct diff_request *request)
{
	profile_pair_match(&fixture->pair, DIFF_BY_DSO | DIFF_BY_SYMBOL, NULL);
	diff_result_init(&fixture->result, fixture->pair.diff, request);
}

/* Number of lines with that verdict, as in a table with children. */
static uint32_t count_verdicts(const struct fixture *fixture, enum diff_verdict verdict)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < fixture->result.count; i++)
		count += diff_line_verdict(&fixture->result.lines[i], true) == verdict;
	return count;
}

static void teardown(struct fixture *fixture)
{
	diff_result_fini(&fixture->result);
	profile_pair_fini(&fixture->pair);
}

static const char *symbol_of(const struct fixture *fixture, uint32_t line)
{
	uint32_t function = profile_diff_row(fixture->pair.diff, fixture->result.lines[line].row)->function;

	return profile_diff_text(fixture->pair.diff,
				 profile_diff_function(fixture->pair.diff, function)->symbol);
}

/* 20% of 10,000 samples against 30% is no chance; one sample more or less in 50 may be. */
static void a_known_difference_is_found_and_chance_is_not(void **state)
{
	struct diff_request request = request_of(DIFF_SHARE);
	struct fixture fixture;

	(void)state;
	setup(&fixture);
	add(&fixture, COMPARE_BEFORE, "prog`grows", 2000);
	add(&fixture, COMPARE_BEFORE, "prog`shrinks", 7950);
	add(&fixture, COMPARE_BEFORE, "prog`same", 50);
	add(&fixture, COMPARE_AFTER, "prog`grows", 3000);
	add(&fixture, COMPARE_AFTER, "prog`shrinks", 6951);
	add(&fixture, COMPARE_AFTER, "prog`same", 49);
	run(&fixture, &request);
	assert_int_equal(fixture.result.count, 3);
	assert_int_equal(count_verdicts(&fixture, DIFF_PROGRAMS), 2);
	assert_string_equal(symbol_of(&fixture, 0), "grows");
	assert_true(fabs(fixture.result.lines[0].self.delta - 0.1) < 1e-12);
	assert_int_equal(fixture.result.lines[0].self_verdict, DIFF_PROGRAMS);
	assert_string_equal(symbol_of(&fixture, 1), "shrinks");
	assert_int_equal(fixture.result.lines[1].self_verdict, DIFF_PROGRAMS);
	assert_string_equal(symbol_of(&fixture, 2), "same");
	assert_int_equal(fixture.result.lines[2].self_verdict, DIFF_CHANCE);
	assert_true(fixture.result.lines[2].self_chance > 0.999);
	teardown(&fixture);
}

/* Of 200 rows whose true shares are equal, some miss their interval; together they do not differ. */
static void many_rows_that_differ_a_little_do_not_differ(void **state)
{
	struct diff_request request = request_of(DIFF_SHARE);
	unsigned outside = 0;
	struct fixture fixture;

	(void)state;
	setup(&fixture);
	for (unsigned i = 0; i < 200; i++) {
		/* A fixed sequence of numbers, about as far apart as counts of 100 are. */
		unsigned before = 80 + (i * 7919 + 3) % 41, after = 80 + (i * 104729 + 11) % 41;
		char stack[32];

		snprintf(stack, sizeof(stack), "prog`f%u", i);
		add(&fixture, COMPARE_BEFORE, stack, before);
		add(&fixture, COMPARE_AFTER, stack, after);
	}
	run(&fixture, &request);
	for (uint32_t i = 0; i < fixture.result.count; i++)
		outside += fixture.result.lines[i].self.chance < 0.05;
	assert_true(outside > 0);
	assert_int_equal(count_verdicts(&fixture, DIFF_PROGRAMS), 0);
	teardown(&fixture);
}

/* Twice as many samples for the same work: more than sampling error, but two runs of one program may be as far apart. */
static void of_work_one_recording_of_each_claims_nothing(void **state)
{
	struct diff_request request = request_of(DIFF_WORK);
	struct fixture fixture;

	(void)state;
	setup(&fixture);
	add(&fixture, COMPARE_BEFORE, "prog`grows", 1000);
	add(&fixture, COMPARE_BEFORE, "prog`same", 1000);
	add(&fixture, COMPARE_AFTER, "prog`grows", 2000);
	add(&fixture, COMPARE_AFTER, "prog`same", 1010);
	run(&fixture, &request);
	assert_false(fixture.result.claims);
	assert_string_equal(symbol_of(&fixture, 0), "grows");
	assert_int_equal(fixture.result.lines[0].self_verdict, DIFF_RUNS);
	assert_int_equal(fixture.result.lines[1].self_verdict, DIFF_CHANCE);
	assert_int_equal(count_verdicts(&fixture, DIFF_PROGRAMS), 0);
	assert_int_equal(count_verdicts(&fixture, DIFF_RUNS), 1);
	teardown(&fixture);
}

static void values_are_what_they_are_normalized_by(void **state)
{
	struct diff_request request = request_of(DIFF_TIME);
	struct fixture fixture;

	(void)state;
	setup(&fixture);
	add(&fixture, COMPARE_BEFORE, "prog`main", 10);
	add(&fixture, COMPARE_AFTER, "prog`main", 40);
	request.divisor[COMPARE_BEFORE] = 2;
	request.divisor[COMPARE_AFTER] = 10;
	run(&fixture, &request);
	assert_true(fixture.result.lines[0].self.value[COMPARE_BEFORE] == 5000);
	assert_true(fixture.result.lines[0].self.value[COMPARE_AFTER] == 4000);
	assert_true(fixture.result.whole.delta == -1000);
	diff_result_fini(&fixture.result);

	request = request_of(DIFF_SAMPLES);
	diff_result_init(&fixture.result, fixture.pair.diff, &request);
	assert_true(fixture.result.lines[0].self.delta == 30);
	diff_result_fini(&fixture.result);

	request = request_of(DIFF_NOTHING);
	request.compute = DIFF_RATIO;
	diff_result_init(&fixture.result, fixture.pair.diff, &request);
	assert_true(fixture.result.lines[0].self.ratio == 4);
	diff_result_fini(&fixture.result);

	request.compute = DIFF_WDIFF;
	request.factor[COMPARE_AFTER] = 2;
	diff_result_init(&fixture.result, fixture.pair.diff, &request);
	assert_true(fixture.result.lines[0].self.delta == 70000);
	teardown(&fixture);
}

/* By baseline, by difference of either direction, by the callees' difference. */
static void rows_are_ordered_as_asked_for(void **state)
{
	struct diff_request request = request_of(DIFF_NOTHING);
	struct fixture fixture;

	(void)state;
	setup(&fixture);
	add(&fixture, COMPARE_BEFORE, "prog`a;prog`b", 90);
	add(&fixture, COMPARE_BEFORE, "prog`c", 100);
	add(&fixture, COMPARE_AFTER, "prog`a;prog`b", 50);
	add(&fixture, COMPARE_AFTER, "prog`c", 110);
	run(&fixture, &request);
	assert_string_equal(symbol_of(&fixture, 0), "b");
	assert_string_equal(symbol_of(&fixture, 1), "c");
	assert_string_equal(symbol_of(&fixture, 2), "a");
	diff_result_fini(&fixture.result);

	request.compute = DIFF_DELTA;
	diff_result_init(&fixture.result, fixture.pair.diff, &request);
	assert_string_equal(symbol_of(&fixture, 0), "c");
	assert_string_equal(symbol_of(&fixture, 2), "b");
	diff_result_fini(&fixture.result);

	request.compute = DIFF_DELTA_ABS;
	request.order = DIFF_ORDER_CHILDREN;
	diff_result_init(&fixture.result, fixture.pair.diff, &request);
	assert_string_equal(symbol_of(&fixture, 0), "a");
	assert_string_equal(symbol_of(&fixture, 2), "c");
	diff_result_fini(&fixture.result);

	request.order = DIFF_ORDER_BASELINE;
	diff_result_init(&fixture.result, fixture.pair.diff, &request);
	assert_string_equal(symbol_of(&fixture, 0), "c");
	teardown(&fixture);
}

static void the_design_effect_is_1_where_all_samples_weigh_alike(void **state)
{
	struct profile *profile = profile_create();

	(void)state;
	(void)builder_event(profile, "cycles");
	assert_true(diff_design_effect(profile_event_at(profile, 0)) == 1);
	builder_add(profile, 0, "a 1/1", "prog`main", 1, 5);
	builder_add(profile, 0, "a 1/1", "prog`main", 1, 5);
	assert_true(diff_design_effect(profile_event_at(profile, 0)) == 1);
	builder_add(profile, 0, "a 1/1", "prog`main", 1, 30);
	/* 3 * (25 + 25 + 900) / 40^2 */
	assert_true(fabs(diff_design_effect(profile_event_at(profile, 0)) - 1.78125) < 1e-12);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_difference_is_found_and_chance_is_not),
		cmocka_unit_test(many_rows_that_differ_a_little_do_not_differ),
		cmocka_unit_test(of_work_one_recording_of_each_claims_nothing),
		cmocka_unit_test(values_are_what_they_are_normalized_by),
		cmocka_unit_test(rows_are_ordered_as_asked_for),
		cmocka_unit_test(the_design_effect_is_1_where_all_samples_weigh_alike),
	};

	return cmocka_run_group_tests_name("report/diff/diff_result", tests, NULL, NULL);
}
