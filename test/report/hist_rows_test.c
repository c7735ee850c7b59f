#include "report/hist_rows.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"

struct fixture {
	struct profile *profile;
	struct frame_table frames;
	struct layout layout;
	struct source_texts sources;
	struct hist hist;
};

/* The rows of all samples, in no order. The profile belongs to the fixture from here on. */
static void fixture_init(struct fixture *fixture, struct profile *profile, const char *sort,
			 enum call_order order)
{
	struct layout_request request = { .sort = sort, .children = true };

	*fixture = (struct fixture){ .profile = profile };
	assert_int_equal(layout_make(&fixture->layout, &request, NULL), 0);
	source_texts_init(&fixture->sources, profile, false);
	frame_table_init(&fixture->frames, profile);
	fixture->hist = (struct hist){
		.profile = profile,
		.frames = &fixture->frames,
		.options = { .layout = &fixture->layout,
			     .children = true,
			     .keep_hits = true,
			     .order = order,
			     .sources = &fixture->sources },
	};
	hist_rows_add(&fixture->hist, PROFILE_NONE, &(struct filter){ 0 });
}

static void fixture_fini(struct fixture *fixture)
{
	hist_fini(&fixture->hist);
	frame_table_fini(&fixture->frames);
	source_texts_fini(&fixture->sources);
	profile_destroy(fixture->profile);
}

static const char *text_of(const struct fixture *fixture, enum column column, uint32_t key)
{
	if (key == PROFILE_NONE)
		return "";
	if (column == COLUMN_SYMBOL)
		key = fixture->frames.frames[key].name;
	return profile_text(fixture->profile, key);
}

/* By the texts of two keys, the second NULL where there is one only. */
static const struct hist_row *row_of(const struct fixture *fixture, const char *first, const char *second)
{
	const struct column_list *keys = &fixture->layout.keys;
	const struct hist_row *found = NULL;

	for (uint32_t i = 0; i < fixture->hist.row_count; i++) {
		const struct hist_row *row = &fixture->hist.rows[i];

		if (strcmp(text_of(fixture, keys->items[0], row->keys[0]), first) ||
		    (second && strcmp(text_of(fixture, keys->items[1], row->keys[1]), second)))
			continue;
		assert_null(found);
		found = row;
	}
	assert_non_null(found);
	return found;
}

static void assert_sums(const struct hist_row *row, uint64_t self, uint64_t total)
{
	assert_int_equal(row->self_weight, self);
	assert_int_equal(row->total_weight, total);
}

static void threads_of_one_name_share_rows_and_names_do_not(void **state)
{
	struct profile *p = profile_create();
	struct fixture fixture;

	(void)state;
	builder_event(p, "cycles");
	builder_add(p, 0, "b 2/2 0", "a`main;a`f", 1, 1);
	builder_add(p, 0, "a 1/1 0", "a`main;a`f", 1, 2);
	builder_add(p, 0, "b 2/3 1", "a`main;a`f", 1, 4);
	builder_add(p, 0, "a 1/1 0", "a`main;a`g", 1, 8);
	builder_add(p, 0, "b 5/5 0", "a`main", 1, 16);
	fixture_init(&fixture, p, "comm,sym", CALL_ORDER_CALLER);
	assert_int_equal(fixture.hist.row_count, 5);
	assert_sums(row_of(&fixture, "a", "main"), 0, 10);
	assert_sums(row_of(&fixture, "a", "f"), 2, 2);
	assert_sums(row_of(&fixture, "a", "g"), 8, 8);
	assert_sums(row_of(&fixture, "b", "main"), 16, 21);
	assert_sums(row_of(&fixture, "b", "f"), 5, 5);
	assert_int_equal(row_of(&fixture, "b", "f")->self_count, 2);
	assert_int_equal(row_of(&fixture, "b", "main")->thread, 0); /* 2/2, which came first */
	fixture_fini(&fixture);
}

static void hits_are_kept_newest_first_whoever_was_sampled_in_between(void **state)
{
	static const uint32_t expected[] = { 4, 2, 0 };
	struct profile *p = profile_create();
	struct fixture fixture;
	uint32_t hit, i;

	(void)state;
	builder_event(p, "cycles");
	builder_add(p, 0, "even 2/2 0", "a`f;a`g", 1, 1);
	builder_add(p, 0, "odd 1/1 0", "a`f;a`g", 1, 1);
	builder_add(p, 0, "even 2/2 0", "a`f;a`h", 1, 1);
	builder_add(p, 0, "odd 1/1 0", "a`f;a`h", 1, 1);
	builder_add(p, 0, "even 2/4 0", "a`f;a`h", 1, 1);
	fixture_init(&fixture, p, "comm,sym", CALL_ORDER_CALLER);
	hit = row_of(&fixture, "even", "f")->first_hit;
	for (i = 0; i < 3; i++, hit = fixture.hist.hits[hit].next)
		assert_int_equal(fixture.hist.hits[hit].sample, expected[i]);
	assert_int_equal(hit, HIST_NO_HIT);
	fixture_fini(&fixture);
}

/* Frames of different functions in one row: "a" is left and entered again. */
static struct profile *profile_that_returns(void)
{
	struct profile *p = profile_create();

	builder_add(p, builder_event(p, "cycles"), "x 1/1 0", "a`main;a`f;b`g;a`h;c`leaf", 1, 10);
	builder_add(p, 0, "x 1/1 0", "a`main;a`f;b`g;a`h", 1, 100);
	return p;
}

static void recursion_within_a_dso_counts_once_and_starts_with_the_outermost_caller(void **state)
{
	struct fixture fixture;
	const struct hist_row *row;
	const struct hist_hit *hit;

	(void)state;
	fixture_init(&fixture, profile_that_returns(), "dso", CALL_ORDER_CALLER);
	row = row_of(&fixture, "a", NULL);
	assert_int_equal(fixture.hist.row_count, 3);
	assert_sums(row, 100, 110);
	assert_int_equal(row->height, 5); /* main to leaf */
	hit = &fixture.hist.hits[row->first_hit];
	assert_int_equal(hit->stack, PROFILE_NONE); /* its own leaf shows the whole stack */
	hit = &fixture.hist.hits[hit->next];
	assert_int_equal(hit->stack, 0); /* main */
	assert_int_equal(hit->next, HIST_NO_HIT);
	assert_int_equal(row_of(&fixture, "b", NULL)->height, 3); /* g;h;leaf */
	fixture_fini(&fixture);
}

static void in_callee_order_it_starts_with_the_innermost(void **state)
{
	struct fixture fixture;
	const struct hist_row *row;
	const struct hist_hit *hit;

	(void)state;
	fixture_init(&fixture, profile_that_returns(), "dso", CALL_ORDER_CALLEE);
	row = row_of(&fixture, "a", NULL);
	assert_sums(row, 100, 110);
	assert_int_equal(row->height, 4); /* h to main */
	hit = &fixture.hist.hits[fixture.hist.hits[row->first_hit].next];
	assert_int_equal(hit->stack, 3);                          /* h */
	assert_int_equal(row_of(&fixture, "b", NULL)->height, 3); /* g;f;main */
	fixture_fini(&fixture);
}

static void sums_saturate(void **state)
{
	struct profile *p = profile_create();
	struct fixture fixture;

	(void)state;
	builder_event(p, "cycles");
	builder_add(p, 0, "x 1/1 0", "a`main;a`f", UINT64_MAX - 1, UINT64_MAX - 1);
	builder_add(p, 0, "x 1/2 0", "a`main;a`f", 3, 3);
	builder_add(p, 0, "x 1/3 0", "a`main;a`g", 5, 5);
	fixture_init(&fixture, p, "sym", CALL_ORDER_CALLER);
	assert_sums(row_of(&fixture, "f", NULL), UINT64_MAX, UINT64_MAX);
	assert_sums(row_of(&fixture, "main", NULL), 0, UINT64_MAX);
	assert_sums(row_of(&fixture, "g", NULL), 5, 5);
	assert_int_equal(row_of(&fixture, "main", NULL)->total_count, UINT64_MAX);
	assert_int_equal(fixture.hist.weight, UINT64_MAX);
	fixture_fini(&fixture);
}

static void a_sample_without_a_stack_has_a_row_of_what_is_unknown(void **state)
{
	struct profile *p = profile_create();
	struct profile_sample sample = { .stack = PROFILE_NONE, .count = 1, .weight = 7 };
	struct fixture fixture;

	(void)state;
	builder_event(p, "cycles");
	sample.thread = profile_thread(p, 1, 1, profile_string(p, "x"));
	profile_add(p, &sample);
	fixture_init(&fixture, p, "sym", CALL_ORDER_CALLER);
	assert_int_equal(fixture.hist.row_count, 1);
	assert_int_equal(fixture.hist.rows[0].keys[0], PROFILE_NONE);
	assert_sums(&fixture.hist.rows[0], 7, 7);
	assert_int_equal(fixture.hist.rows[0].height, 0);
	fixture_fini(&fixture);
}

/* "mix" inlined into "work", at one instruction; the lines tell them apart. */
static void a_sample_in_an_inlined_function_has_its_line_and_the_symbol_around(void **state)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "x", "/x", "");
	uint32_t work = profile_location(p, dso, 0x1010, FRAME_USER);
	uint32_t mix = profile_inlined_location(p, dso, 0x1010, FRAME_USER, 1);
	struct profile_sample sample = { .count = 1, .weight = 10 };
	struct fixture fixture;

	(void)state;
	builder_event(p, "cycles");
	profile_set_function(p, work, profile_function(p, dso, "work", 0x1000));
	profile_set_function(p, mix, profile_inlined_function(p, dso, "mix", 0x1000));
	profile_set_line(p, work, profile_string(p, "work.c"), 3);
	profile_set_line(p, mix, profile_string(p, "mix.h"), 8);
	sample.thread = profile_thread(p, 1, 1, profile_string(p, "x"));
	sample.stack =
		profile_stack(p, profile_stack(p, PROFILE_NONE, work, FRAME_SAMPLED), mix, FRAME_SAMPLED);
	profile_add(p, &sample);
	fixture_init(&fixture, p, "sym,srcline", CALL_ORDER_CALLER);
	assert_int_equal(fixture.hist.row_count, 3);
	assert_sums(row_of(&fixture, "work", "mix.h:8"), 10, 10);
	assert_sums(row_of(&fixture, "work", "work.c:3"), 0, 10);
	assert_sums(row_of(&fixture, "mix", "mix.h:8"), 0, 10);
	fixture_fini(&fixture);
}

/* The depth that nodes know ends at 65535. */
static void stacks_of_any_depth_are_as_high_as_they_are(void **state)
{
	enum { DEPTH = 70000 };
	struct profile *p = profile_create();
	struct profile_sample sample = { .count = 1, .weight = 1, .stack = PROFILE_NONE };
	uint32_t dso = profile_dso(p, "x", "/x", ""), i;
	struct fixture fixture;

	(void)state;
	builder_event(p, "cycles");
	for (i = 0; i < DEPTH; i++)
		sample.stack = profile_stack(p, sample.stack, profile_location(p, dso, i % 10, FRAME_USER),
					     FRAME_CFI);
	sample.thread = profile_thread(p, 1, 1, profile_string(p, "x"));
	profile_add(p, &sample);
	fixture_init(&fixture, p, "sym", CALL_ORDER_CALLEE);
	assert_int_equal(fixture.hist.row_count, 10);
	for (i = 0; i < 10; i++) {
		const struct hist_row *row = &fixture.hist.rows[i];

		assert_int_equal(row->total_weight, 1);
		assert_int_equal(row->height, DEPTH - 9 + fixture.frames.frames[row->keys[0]].address);
	}
	fixture_fini(&fixture);
}

static uint32_t next_random(uint32_t *random, uint32_t below)
{
	*random = *random * 1664525u + 1013904223u;
	return (*random >> 8) % below;
}

/* Threads, CPUs and stacks in any mixture; weights are below 100. */
static struct profile *random_profile(uint32_t seed)
{
	static const char *const names[] = { "a`a", "a`b", "b`c", "[k]`d", "`0x99", "b`0x40" };
	static const char *const who[] = { "x 1/1 0", "x 1/1 1", "x 1/2 0", "y 1/2 1", "z 7/7" };
	struct profile *p = profile_create();

	builder_event(p, "cycles");
	for (uint32_t i = 0; i < 400; i++) {
		uint32_t depth = 1 + next_random(&seed, 6);
		char stack[64] = "";

		while (depth--) {
			strcat(stack, names[next_random(&seed, 6)]);
			strcat(stack, depth ? ";" : "");
		}
		builder_add(p, 0, who[next_random(&seed, 5)], stack, 1, next_random(&seed, 100));
	}
	return p;
}

/* What the key is at a node of a sample's stack, told without the code under test. */
static uint32_t key_at(const struct fixture *fixture, enum column column, const struct profile_sample *sample,
		       uint32_t stack)
{
	const struct profile_thread *thread = profile_thread_at(fixture->profile, sample->thread);
	const uint32_t frame = frame_table_of_stack(&fixture->frames, fixture->profile, stack);

	switch (column) {
	case COLUMN_COMM: return thread->comm;
	case COLUMN_TID: return thread->tid;
	case COLUMN_TGID: return thread->pid;
	case COLUMN_CPU: return sample->cpu;
	case COLUMN_DSO: return fixture->frames.frames[frame].dso_name;
	default: return frame;
	}
}

static bool row_is(const struct fixture *fixture, const struct hist_row *row,
		   const struct profile_sample *sample, uint32_t stack)
{
	const struct column_list *keys = &fixture->layout.keys;

	for (size_t i = 0; i < keys->count; i++)
		if (row->keys[i] != key_at(fixture, keys->items[i], sample, stack))
			return false;
	return true;
}

static void assert_row_is_what_its_samples_come_to(const struct fixture *fixture, const struct hist_row *row)
{
	const struct profile *p = fixture->profile;
	uint64_t self = 0, total = 0;

	for (uint32_t i = 0; i < profile_sample_count(p); i++) {
		const struct profile_sample *sample = profile_sample_at(p, i);
		uint32_t stack = sample->stack;

		self += row_is(fixture, row, sample, stack) ? sample->weight : 0;
		while (stack != PROFILE_NONE && !row_is(fixture, row, sample, stack))
			stack = profile_stack_at(p, stack)->parent;
		total += stack != PROFILE_NONE ? sample->weight : 0;
	}
	assert_sums(row, self, total);
}

static void whatever_makes_rows_they_are_what_their_samples_come_to(void **state)
{
	static const char *const sorts[] = { "sym", "dso",         "comm",     "comm,dso,sym",
					     "cpu", "tid,cpu,dso", "tgid,sym", "cpu,comm,sym" };

	(void)state;
	for (uint32_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++) {
		struct fixture fixture;
		uint64_t self = 0;

		fixture_init(&fixture, random_profile(i), sorts[i],
			     i % 2 ? CALL_ORDER_CALLER : CALL_ORDER_CALLEE);
		for (uint32_t row = 0; row < fixture.hist.row_count; row++) {
			assert_row_is_what_its_samples_come_to(&fixture, &fixture.hist.rows[row]);
			self += fixture.hist.rows[row].self_weight;
		}
		assert_int_equal(self, fixture.hist.weight);
		fixture_fini(&fixture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_of_one_name_share_rows_and_names_do_not),
		cmocka_unit_test(hits_are_kept_newest_first_whoever_was_sampled_in_between),
		cmocka_unit_test(recursion_within_a_dso_counts_once_and_starts_with_the_outermost_caller),
		cmocka_unit_test(in_callee_order_it_starts_with_the_innermost),
		cmocka_unit_test(sums_saturate),
		cmocka_unit_test(a_sample_without_a_stack_has_a_row_of_what_is_unknown),
		cmocka_unit_test(a_sample_in_an_inlined_function_has_its_line_and_the_symbol_around),
		cmocka_unit_test(stacks_of_any_depth_are_as_high_as_they_are),
		cmocka_unit_test(whatever_makes_rows_they_are_what_their_samples_come_to),
	};

	return cmocka_run_group_tests_name("report/hist_rows", tests, NULL, NULL);
}
