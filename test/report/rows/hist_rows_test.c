#include "report/rows/hist_row.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/hist_set_up.h"
#include "support/profile_builder.h"

/* The rows of all samples that pass the filter, unsorted. */
static void add_rows(struct hist_set_up *set_up, struct profile *profile, const char *sort,
		     enum call_order order)
{
	const struct layout_request request = { .sort = sort, .children = true };

	hist_set_up_init(set_up, profile, &request, order);
	hist_rows_add(&set_up->hist, PROFILE_NONE, &(struct filter){ 0 });
}

struct recorded {
	const char *who, *stack;
	uint64_t weight;
};

/* A profile of samples, each with its weight as its count, too; the list ends with an entry without a stack. */
static struct profile *profile_of(const struct recorded *samples)
{
	struct profile *p = profile_create();

	builder_event(p, "cycles");
	for (; samples->stack; samples++)
		builder_add(p, 0, samples->who, samples->stack, samples->weight, samples->weight);
	return p;
}

struct expected_row {
	const char *first, *second; /* as for hist_set_up_row() */
	uint64_t self, total;
};

static void assert_sums(const struct hist_row *row, uint64_t self, uint64_t total)
{
	assert_int_equal(row->self_weight, self);
	assert_int_equal(row->total_weight, total);
}

/* Expects these rows and no others; the list ends with an entry without a text. */
static void assert_rows(const struct hist_set_up *set_up, const struct expected_row *expected)
{
	uint32_t count = 0;

	for (; expected[count].first; count++)
		assert_sums(hist_set_up_row(set_up, expected[count].first, expected[count].second),
			    expected[count].self, expected[count].total);
	assert_int_equal(set_up->hist.row_count, count);
}

static void threads_of_one_name_share_rows_and_names_do_not(void **state)
{
	static const struct recorded samples[] = {
		{ "b 2/2 0", "a`main;a`f", 1 }, { "a 1/1 0", "a`main;a`f", 2 },
		{ "b 2/3 1", "a`main;a`f", 4 }, { "a 1/1 0", "a`main;a`g", 8 },
		{ "b 5/5 0", "a`main", 16 },    { NULL, NULL, 0 },
	};
	static const struct expected_row rows[] = {
		{ "a", "main", 0, 10 },  { "a", "f", 2, 2 }, { "a", "g", 8, 8 },
		{ "b", "main", 16, 21 }, { "b", "f", 5, 5 }, { NULL, NULL, 0, 0 },
	};
	struct hist_set_up set_up;

	(void)state;
	add_rows(&set_up, profile_of(samples), "comm,sym", CALL_ORDER_CALLER);
	assert_rows(&set_up, rows);
	assert_int_equal(hist_set_up_row(&set_up, "b", "f")->self_count, 5);
	hist_set_up_fini(&set_up);
}

/* The order of their stacks does not matter. */
static void a_row_has_the_thread_of_its_first_sample(void **state)
{
	static const struct recorded samples[] = {
		{ "x 1/1 0", "a`main;a`g", 1 },
		{ "x 2/2 0", "a`main;a`f", 1 },
		{ "x 3/3 0", "a`main;a`g;a`f", 1 },
		{ NULL, NULL, 0 },
	};
	struct hist_set_up set_up;

	(void)state;
	add_rows(&set_up, profile_of(samples), "comm,sym", CALL_ORDER_CALLER);
	assert_int_equal(hist_set_up_row(&set_up, "x", "main")->thread, 0);
	assert_int_equal(hist_set_up_row(&set_up, "x", "g")->thread, 0);
	assert_int_equal(hist_set_up_row(&set_up, "x", "f")->thread, 1);
	hist_set_up_fini(&set_up);
}

static void functions_that_call_themselves_get_a_sample_once(void **state)
{
	static const struct recorded samples[] = {
		{ "x 1/1 0", "a`main;a`f;a`f;a`f", 1 },     { "x 1/1 0", "a`main;a`f;a`g;a`f;a`g", 2 },
		{ "x 1/1 0", "a`main;a`f;a`g;a`h", 4 },     { "x 1/1 0", "a`main;a`g;a`f", 8 },
		{ "x 1/1 0", "a`main;a`f;a`main;a`h", 16 }, { NULL, NULL, 0 },
	};
	static const struct expected_row rows[] = {
		{ "main", NULL, 0, 31 }, { "f", NULL, 9, 31 }, { "g", NULL, 2, 14 },
		{ "h", NULL, 20, 20 },   { NULL, NULL, 0, 0 },
	};
	struct hist_set_up set_up;

	(void)state;
	add_rows(&set_up, profile_of(samples), "sym", CALL_ORDER_CALLER);
	assert_rows(&set_up, rows);
	assert_int_equal(hist_set_up_row(&set_up, "f", NULL)->height, 4);
	hist_set_up_fini(&set_up);
}

static void samples_that_do_not_pass_the_filter_are_in_no_row(void **state)
{
	static const struct recorded samples[] = {
		{ "x 1/1 0", "a`main;a`f", 1 },
		{ "y 2/2 0", "a`main;a`f;a`g", 2 },
		{ "x 1/1 0", "a`main", 4 },
		{ NULL, NULL, 0 },
	};
	static const struct expected_row rows[] = { { "main", NULL, 4, 5 },
						    { "f", NULL, 1, 1 },
						    { NULL, NULL, 0, 0 } };
	const struct layout_request request = { .sort = "sym", .children = true };
	const struct filter filter = { .comms = (const char *const[]){ "x", NULL } };
	struct hist_set_up set_up;

	(void)state;
	hist_set_up_init(&set_up, profile_of(samples), &request, CALL_ORDER_CALLER);
	hist_rows_add(&set_up.hist, PROFILE_NONE, &filter);
	assert_rows(&set_up, rows);
	assert_int_equal(hist_set_up_row(&set_up, "main", NULL)->height, 2);
	assert_int_equal(set_up.hist.weight, 7);
	assert_int_equal(set_up.hist.shown_weight, 5);
	hist_set_up_fini(&set_up);
}

static void hits_are_kept_newest_first_whoever_was_sampled_in_between(void **state)
{
	static const uint32_t expected[] = { 4, 2, 0 };
	static const struct recorded samples[] = {
		{ "even 2/2 0", "a`f;a`g", 1 }, { "odd 1/1 0", "a`f;a`g", 1 },
		{ "even 2/2 0", "a`f;a`h", 1 }, { "odd 1/1 0", "a`f;a`h", 1 },
		{ "even 2/4 0", "a`f;a`h", 1 }, { NULL, NULL, 0 },
	};
	struct hist_set_up set_up;
	uint32_t hit, i;

	(void)state;
	add_rows(&set_up, profile_of(samples), "comm,sym", CALL_ORDER_CALLER);
	hit = hist_set_up_row(&set_up, "even", "f")->first_hit;
	for (i = 0; i < 3; i++, hit = set_up.hist.hits[hit].next)
		assert_int_equal(set_up.hist.hits[hit].sample, expected[i]);
	assert_int_equal(hit, HIST_NO_HIT);
	hist_set_up_fini(&set_up);
}

/* Frames of different functions in one row: "a" is left and entered again. */
static const struct recorded samples_that_return[] = {
	{ "x 1/1 0", "a`main;a`f;b`g;a`h;c`leaf", 10 },
	{ "x 1/1 0", "a`main;a`f;b`g;a`h", 100 },
	{ NULL, NULL, 0 },
};

static void recursion_within_a_dso_counts_once_and_starts_with_the_outermost_caller(void **state)
{
	struct hist_set_up set_up;
	const struct hist_row *row;
	const struct hist_hit *hit;

	(void)state;
	add_rows(&set_up, profile_of(samples_that_return), "dso", CALL_ORDER_CALLER);
	row = hist_set_up_row(&set_up, "a", NULL);
	assert_int_equal(set_up.hist.row_count, 3);
	assert_sums(row, 100, 110);
	assert_int_equal(row->height, 5); /* main to leaf */
	hit = &set_up.hist.hits[row->first_hit];
	assert_int_equal(hit->stack, PROFILE_NONE); /* its own leaf shows the whole stack */
	hit = &set_up.hist.hits[hit->next];
	assert_int_equal(hit->stack, 0); /* main */
	assert_int_equal(hit->next, HIST_NO_HIT);
	assert_int_equal(hist_set_up_row(&set_up, "b", NULL)->height, 3); /* g;h;leaf */
	hist_set_up_fini(&set_up);
}

static void in_callee_order_it_starts_with_the_innermost(void **state)
{
	struct hist_set_up set_up;
	const struct hist_row *row;
	const struct hist_hit *hit;

	(void)state;
	add_rows(&set_up, profile_of(samples_that_return), "dso", CALL_ORDER_CALLEE);
	row = hist_set_up_row(&set_up, "a", NULL);
	assert_sums(row, 100, 110);
	assert_int_equal(row->height, 4); /* h to main */
	hit = &set_up.hist.hits[set_up.hist.hits[row->first_hit].next];
	assert_int_equal(hit->stack, 3);                                  /* h */
	assert_int_equal(hist_set_up_row(&set_up, "b", NULL)->height, 3); /* g;f;main */
	hist_set_up_fini(&set_up);
}

static void sums_saturate(void **state)
{
	static const struct recorded samples[] = {
		{ "x 1/1 0", "a`main;a`f;a`f", UINT64_MAX - 1 },
		{ "x 1/2 0", "a`main;a`f", 3 },
		{ "x 1/3 0", "a`main;a`g", 5 },
		{ NULL, NULL, 0 },
	};
	static const struct expected_row rows[] = {
		{ "f", NULL, UINT64_MAX, UINT64_MAX },
		{ "main", NULL, 0, UINT64_MAX },
		{ "g", NULL, 5, 5 },
		{ NULL, NULL, 0, 0 },
	};
	struct hist_set_up set_up;

	(void)state;
	add_rows(&set_up, profile_of(samples), "sym", CALL_ORDER_CALLER);
	assert_rows(&set_up, rows);
	assert_int_equal(hist_set_up_row(&set_up, "main", NULL)->total_count, UINT64_MAX);
	assert_int_equal(set_up.hist.weight, UINT64_MAX);
	hist_set_up_fini(&set_up);
}

static void a_sample_without_a_stack_has_a_row_of_what_is_unknown(void **state)
{
	struct profile *p = profile_create();
	struct profile_sample sample = { .stack = PROFILE_NONE, .count = 1, .weight = 7 };
	struct hist_set_up set_up;

	(void)state;
	builder_event(p, "cycles");
	sample.thread = profile_thread(p, 1, 1, profile_string(p, "x"));
	profile_add(p, &sample);
	add_rows(&set_up, p, "sym", CALL_ORDER_CALLER);
	assert_int_equal(set_up.hist.row_count, 1);
	assert_int_equal(set_up.hist.rows[0].keys[0], PROFILE_NONE);
	assert_sums(&set_up.hist.rows[0], 7, 7);
	assert_int_equal(set_up.hist.rows[0].height, 0);
	hist_set_up_fini(&set_up);
}

/* All at one instruction, told apart by their lines. */
static void a_sample_in_an_inlined_function_has_its_line_and_the_symbol_around(void **state)
{
	static const struct expected_row rows[] = {
		{ "work", "mix.h:8", 10, 10 },
		{ "work", "work.c:3", 0, 10 },
		{ "mix", "mix.h:8", 0, 10 },
		{ NULL, NULL, 0, 0 },
	};
	struct hist_set_up set_up;

	(void)state;
	add_rows(&set_up, hist_set_up_inlined_profile(), "sym,srcline", CALL_ORDER_CALLER);
	assert_rows(&set_up, rows);
	hist_set_up_fini(&set_up);
}

/* Nodes count their depth up to 65535 only. */
static void stacks_of_any_depth_are_as_high_as_they_are(void **state)
{
	enum { DEPTH = 70000 };
	struct profile *p = profile_create();
	struct profile_sample sample = { .count = 1, .weight = 1, .stack = PROFILE_NONE };
	uint32_t dso = profile_dso(p, "x", "/x", ""), i;
	struct hist_set_up set_up;

	(void)state;
	builder_event(p, "cycles");
	for (i = 0; i < DEPTH; i++)
		sample.stack = profile_stack(p, sample.stack, profile_location(p, dso, i % 10, FRAME_USER),
					     FRAME_CFI);
	sample.thread = profile_thread(p, 1, 1, profile_string(p, "x"));
	profile_add(p, &sample);
	add_rows(&set_up, p, "sym", CALL_ORDER_CALLEE);
	assert_int_equal(set_up.hist.row_count, 10);
	for (i = 0; i < 10; i++) {
		const struct hist_row *row = &set_up.hist.rows[i];

		assert_int_equal(row->total_weight, 1);
		assert_int_equal(row->height, DEPTH - 9 + set_up.frames.frames[row->keys[0]].address);
	}
	hist_set_up_fini(&set_up);
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

/* The key at a node of a sample's stack, found without the code under test. */
static uint32_t key_at(const struct hist_set_up *set_up, enum column column,
		       const struct profile_sample *sample, uint32_t stack)
{
	const struct profile_thread *thread = profile_thread_at(set_up->profile, sample->thread);
	const uint32_t frame = frame_table_of_stack(&set_up->frames, set_up->profile, stack);

	switch (column) {
	case COLUMN_COMM: return thread->comm;
	case COLUMN_TID: return thread->tid;
	case COLUMN_TGID: return thread->pid;
	case COLUMN_CPU: return sample->cpu;
	case COLUMN_DSO: return set_up->frames.frames[frame].dso_name;
	default: return frame;
	}
}

static bool row_is(const struct hist_set_up *set_up, const struct hist_row *row,
		   const struct profile_sample *sample, uint32_t stack)
{
	const struct column_list *keys = &set_up->layout.keys;

	for (size_t i = 0; i < keys->count; i++)
		if (row->keys[i] != key_at(set_up, keys->items[i], sample, stack))
			return false;
	return true;
}

/* The row's height for the sample, 0 if none of its frames is in the row. */
static size_t height_in(const struct hist_set_up *set_up, const struct hist_row *row,
			const struct profile_sample *sample)
{
	const bool from_root = set_up->hist.options.order == CALL_ORDER_CALLER;
	size_t length = 0, innermost = 0, outermost = 0; /* steps from the leaf, which is 1 */
	uint32_t stack;

	for (stack = sample->stack; stack != PROFILE_NONE;
	     stack = profile_stack_at(set_up->profile, stack)->parent) {
		length++;
		if (!row_is(set_up, row, sample, stack))
			continue;
		outermost = length;
		innermost = innermost ? innermost : length;
	}
	if (innermost <= 1)
		return innermost * length;
	return from_root ? outermost : length + 1 - innermost;
}

static void assert_row_is_what_its_samples_come_to(const struct hist_set_up *set_up,
						   const struct hist_row *row)
{
	const struct profile *p = set_up->profile;
	uint64_t self = 0, total = 0;
	size_t height = 0;

	for (uint32_t i = 0; i < profile_sample_count(p); i++) {
		const struct profile_sample *sample = profile_sample_at(p, i);
		const size_t own_height = height_in(set_up, row, sample);

		self += row_is(set_up, row, sample, sample->stack) ? sample->weight : 0;
		total += own_height ? sample->weight : 0;
		height = own_height > height ? own_height : height;
	}
	assert_sums(row, self, total);
	assert_int_equal(row->height, height);
}

static void assert_rows_are_what_their_samples_come_to(uint32_t seed, const char *sort, bool keep_hits)
{
	const struct layout_request request = { .sort = sort, .children = true };
	struct hist_set_up set_up;
	uint64_t self = 0;

	hist_set_up_init(&set_up, random_profile(seed), &request,
			 seed % 2 ? CALL_ORDER_CALLER : CALL_ORDER_CALLEE);
	set_up.hist.options.keep_hits = keep_hits;
	hist_rows_add(&set_up.hist, PROFILE_NONE, &(struct filter){ 0 });
	for (uint32_t row = 0; row < set_up.hist.row_count; row++) {
		assert_row_is_what_its_samples_come_to(&set_up, &set_up.hist.rows[row]);
		self += set_up.hist.rows[row].self_weight;
	}
	assert_int_equal(self, set_up.hist.weight);
	hist_set_up_fini(&set_up);
}

static void whatever_makes_rows_they_are_what_their_samples_come_to(void **state)
{
	static const char *const sorts[] = { "sym", "dso",         "comm",     "comm,dso,sym",
					     "cpu", "tid,cpu,dso", "tgid,sym", "cpu,comm,sym" };

	(void)state;
	for (uint32_t i = 0; i < 2 * sizeof(sorts) / sizeof(sorts[0]); i++) {
		assert_rows_are_what_their_samples_come_to(i, sorts[i / 2], true);
		assert_rows_are_what_their_samples_come_to(i, sorts[i / 2], false);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_of_one_name_share_rows_and_names_do_not),
		cmocka_unit_test(a_row_has_the_thread_of_its_first_sample),
		cmocka_unit_test(functions_that_call_themselves_get_a_sample_once),
		cmocka_unit_test(samples_that_do_not_pass_the_filter_are_in_no_row),
		cmocka_unit_test(hits_are_kept_newest_first_whoever_was_sampled_in_between),
		cmocka_unit_test(recursion_within_a_dso_counts_once_and_starts_with_the_outermost_caller),
		cmocka_unit_test(in_callee_order_it_starts_with_the_innermost),
		cmocka_unit_test(sums_saturate),
		cmocka_unit_test(a_sample_without_a_stack_has_a_row_of_what_is_unknown),
		cmocka_unit_test(a_sample_in_an_inlined_function_has_its_line_and_the_symbol_around),
		cmocka_unit_test(stacks_of_any_depth_are_as_high_as_they_are),
		cmocka_unit_test(whatever_makes_rows_they_are_what_their_samples_come_to),
	};

	return cmocka_run_group_tests_name("report/rows/hist_rows", tests, NULL, NULL);
}
