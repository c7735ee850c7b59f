#include "report/diff/diff_drawing.h"

#include <stdio.h>

#include "support/built_sides.h"
#include "support/cmocka.h"
#include "support/profile_builder.h"

/* "cycles" and "faults" of two recordings of 10 and 5 seconds. */
struct fixture {
	struct built_sides built;
	struct diff_events events;
	struct diff_options options;
	struct diff_drawing drawing;
	struct strbuf out;
	struct error err;
};

static struct fixture fixture;

static void fill(int side, uint64_t grows, uint64_t shrinks, uint64_t seconds)
{
	struct profile *profile = built_sides_profile(&fixture.built, side);
	struct profile_facts *facts = &fixture.built.sides[side].list[0].input.loaded.facts;
	const uint32_t cycles = builder_event(profile, "cycles"), faults = builder_event(profile, "faults");

	builder_add(profile, cycles, "web 1/1", "web`main;web`grows", grows, 10 * grows);
	builder_add(profile, cycles, "web 1/1", "web`main;web`shrinks", shrinks, 10 * shrinks);
	builder_add(profile, faults, "web 1/1", "web`main", 4, 4);
	facts->first_time_ns = 1;
	facts->last_time_ns = 1 + seconds * 1000000000;
}

static int setup(void **state)
{
	fixture = (struct fixture){ .options = diff_option_defaults };
	built_sides_init(&fixture.built);
	fill(COMPARE_BEFORE, 100, 300, 10);
	fill(COMPARE_AFTER, 600, 200, 5);
	built_sides_finish(&fixture.built);
	assert_int_equal(diff_events_choose(&fixture.events, fixture.built.sides, NULL, NULL), 0);
	fixture.options.all = fixture.options.quiet = true;
	fixture.options.separator = ",";
	fixture.drawing = (struct diff_drawing){ .options = &fixture.options,
						 .keys = DIFF_BY_SYMBOL,
						 .sides = fixture.built.sides,
						 .events = &fixture.events };
	strbuf_init(&fixture.out);
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	strbuf_fini(&fixture.out);
	diff_events_fini(&fixture.events);
	built_sides_fini(&fixture.built);
	return 0;
}

static void assert_drawn(const char *expected)
{
	assert_int_equal(diff_drawing_add(&fixture.out, &fixture.drawing, &fixture.err), 0);
	assert_string_equal(fixture.out.bytes, expected);
}

static void each_pair_of_events_has_a_table(void **state)
{
	(void)state;
	assert_drawn("25.00%,+50.00% ,+44.55% .. +54.92%,[.] grows\n"
		     "75.00%,-50.00% ,-54.92% .. -44.55%,[.] shrinks\n"
		     "\n\n"
		     "100.00%,+0.00%~,-48.99% .. +48.99%,[.] main\n");
}

static void by_time_sums_are_divided_by_the_seconds_of_their_own_recording(void **state)
{
	(void)state;
	fixture.events.count = 1;
	fixture.options.normalize = DIFF_TIME;
	assert_drawn("100,+1.100k?,+1.005k .. +1.202k,[.] grows\n"
		     "300,+100?,+37.02 .. +167.5,[.] shrinks\n");
}

static void a_recording_without_times_cannot_be_compared_by_time(void **state)
{
	(void)state;
	fixture.built.sides[COMPARE_AFTER].list[0].input.loaded.facts.last_time_ns = 1;
	fixture.options.normalize = DIFF_TIME;
	assert_int_equal(diff_drawing_add(&fixture.out, &fixture.drawing, &fixture.err), -1);
	assert_string_equal(fixture.err.message,
			    "/nonexistent/after: --normalize=time: its samples have no times");
}

static void a_ratio_is_of_periods_as_they_are_unless_told_otherwise(void **state)
{
	(void)state;
	fixture.events.count = 1;
	fixture.options.compute = DIFF_RATIO;
	assert_drawn("1.000k,6.000000?,4.857 .. 7.412,[.] grows\n"
		     "3.000k,0.666667?,0.558 .. 0.797,[.] shrinks\n");
	strbuf_reset(&fixture.out);
	fixture.options.normalize_set = true;
	assert_drawn("25.00%,3.000000 ,2.429 .. 3.706,[.] grows\n"
		     "75.00%,0.333333 ,0.279 .. 0.399,[.] shrinks\n");
}

static void folded_stacks_are_of_the_first_pair_and_scaled_to_what_is_after(void **state)
{
	(void)state;
	fixture.options.folded = true;
	assert_drawn("web;main;grows 2000 6000\n"
		     "web;main;shrinks 6000 2000\n");
}

static void folded_stacks_of_unequal_work_are_scaled_by_it(void **state)
{
	(void)state;
	fixture.options.folded = true;
	fixture.options.normalize = DIFF_WORK;
	fixture.options.work[COMPARE_BEFORE] = 1;
	fixture.options.work[COMPARE_AFTER] = 4;
	assert_drawn("web;main;grows 4000 6000\n"
		     "web;main;shrinks 12000 2000\n");
}

static void folded_samples_are_not_scaled(void **state)
{
	(void)state;
	fixture.options.folded = true;
	fixture.options.normalize = DIFF_SAMPLES;
	assert_drawn("web;main;grows 100 600\n"
		     "web;main;shrinks 300 200\n");
}

static size_t line_count(void)
{
	size_t count = 0;

	strbuf_reset(&fixture.out);
	assert_int_equal(diff_drawing_add(&fixture.out, &fixture.drawing, &fixture.err), 0);
	for (size_t i = 0; i < fixture.out.size; i++)
		count += fixture.out.bytes[i] == '\n';
	return count;
}

static void a_terminal_gets_forty_rows_unless_another_number_is_asked_for(void **state)
{
	struct frame_table *frames = &fixture.built.sides[COMPARE_BEFORE].list[0].frames;
	char stack[32];

	(void)state;
	for (unsigned i = 0; i < 50; i++) {
		snprintf(stack, sizeof(stack), "web`function%u", i);
		builder_add(built_sides_profile(&fixture.built, COMPARE_BEFORE), 0, "web 1/1", stack, 1, 10);
	}
	frame_table_fini(frames);
	frame_table_init(frames, built_sides_profile(&fixture.built, COMPARE_BEFORE));
	fixture.events.count = 1;
	assert_int_equal(line_count(), 52);
	fixture.drawing.terminal = true;
	assert_int_equal(line_count(), 40);
	fixture.options.top_set = true;
	fixture.options.top = 45;
	assert_int_equal(line_count(), 45);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_pair_of_events_has_a_table),
		TEST(by_time_sums_are_divided_by_the_seconds_of_their_own_recording),
		TEST(a_recording_without_times_cannot_be_compared_by_time),
		TEST(a_ratio_is_of_periods_as_they_are_unless_told_otherwise),
		TEST(folded_stacks_are_of_the_first_pair_and_scaled_to_what_is_after),
		TEST(folded_stacks_of_unequal_work_are_scaled_by_it),
		TEST(folded_samples_are_not_scaled),
		TEST(a_terminal_gets_forty_rows_unless_another_number_is_asked_for),
	};

	return cmocka_run_group_tests_name("report/diff/diff_drawing", tests, NULL, NULL);
}
