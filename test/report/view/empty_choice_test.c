#include "report/view/empty_choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "support/cmocka.h"

/* Three samples of "web" (pid 10, cpu 1) in malloc of libc, called by main; one of "db" (pid 20, cpu 0) in main. */
struct fixture {
	struct profile *profile;
	struct strbuf out;
};

static uint32_t location_of(struct profile *p, const char *dso_name, const char *name, uint64_t start)
{
	const uint32_t dso = profile_dso(p, dso_name, dso_name, "");
	const uint32_t location = profile_location(p, dso, start, FRAME_USER);

	profile_set_function(p, location, profile_function(p, dso, name, start));
	return location;
}

static void add_samples(struct profile *p, const char *comm, uint32_t pid, uint32_t cpu, uint32_t stack,
			uint64_t count)
{
	profile_add(p,
		    &(struct profile_sample){ .thread = profile_thread(p, pid, pid, profile_string(p, comm)),
					      .event = profile_event(p, "cycles", false, 1),
					      .cpu = cpu,
					      .stack = stack,
					      .count = count,
					      .weight = count });
}

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct profile *p = f->profile = profile_create();
	uint32_t main;

	main = profile_stack(p, PROFILE_NONE, location_of(p, "a.out", "main", 0x100), FRAME_CFI);
	add_samples(p, "web", 10, 1,
		    profile_stack(p, main, location_of(p, "libc.so.6", "malloc", 0x200), FRAME_SAMPLED), 3);
	add_samples(p, "db", 20, 0, main, 1);
	strbuf_init(&f->out);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	strbuf_fini(&f->out);
	profile_destroy(f->profile);
	free(f);
	return 0;
}

static const char *explain(struct fixture *f, const struct sample_choice *choice)
{
	return empty_choice_explain(&f->out, f->profile, choice) ? f->out.bytes : "";
}

#define TEXTS(...)                        \
	{                                 \
		.items = (const char *[]) \
		{                         \
			__VA_ARGS__, NULL \
		}                         \
	}

static void a_choice_that_leaves_samples_needs_no_word(void **state)
{
	const struct sample_choice everything = { .event = NULL }, web = { .comms = TEXTS("web") };

	assert_string_equal(explain(*state, &everything), "");
	assert_string_equal(explain(*state, &web), "");
}

static void the_option_is_named_with_what_there_is_the_most_frequent_first(void **state)
{
	const struct sample_choice choice = { .comms = TEXTS("wbe") };

	assert_string_equal(explain(*state, &choice),
			    "--comms: no sample matches; recorded: web (75.0%), db (25.0%)");
}

static void functions_and_files_are_those_that_were_sampled(void **state)
{
	struct fixture *f = *state;
	const struct sample_choice symbol = { .symbols = TEXTS("free") }, dso = { .dsos = TEXTS("libm") };

	assert_string_equal(explain(f, &symbol),
			    "--symbols: no sample matches; recorded: malloc (75.0%), main (25.0%)");
	strbuf_reset(&f->out);
	assert_string_equal(explain(f, &dso),
			    "--dsos: no sample matches; recorded: libc.so.6 (75.0%), a.out (25.0%)");
}

static void of_stacks_one_is_shown(void **state)
{
	const struct sample_choice choice = { .stack = "main;free" };

	assert_string_equal(explain(*state, &choice),
			    "--stack: no sample matches; recorded: main;malloc (75.0%)");
}

static void what_no_sample_says_is_said_to_be_unknown(void **state)
{
	const struct sample_choice choice = { .cgroups = TEXTS("/system.slice") };

	assert_string_equal(explain(*state, &choice),
			    "--cgroups: no sample matches; no sample has this information");
}

static void options_that_match_apart_but_not_together_are_named(void **state)
{
	const struct sample_choice choice = { .comms = TEXTS("db"), .symbols = TEXTS("malloc") };
	const char *text = explain(*state, &choice);

	assert_non_null(strstr(text, "--comms"));
	assert_non_null(strstr(text, "--symbols"));
	assert_non_null(strstr(text, ": samples match each of them, but none matches all"));
}

static void a_profile_without_samples_is_not_the_choices_fault(void **state)
{
	const struct sample_choice choice = { .comms = TEXTS("web") };
	struct profile *empty = profile_create();
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	assert_false(empty_choice_explain(&out, empty, &choice));
	assert_int_equal(out.size, 0);
	strbuf_fini(&out);
	profile_destroy(empty);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_choice_that_leaves_samples_needs_no_word),
		TEST(the_option_is_named_with_what_there_is_the_most_frequent_first),
		TEST(functions_and_files_are_those_that_were_sampled),
		TEST(of_stacks_one_is_shown),
		TEST(what_no_sample_says_is_said_to_be_unknown),
		TEST(options_that_match_apart_but_not_together_are_named),
		TEST(a_profile_without_samples_is_not_the_choices_fault),
	};

	return cmocka_run_group_tests_name("report/view/empty_choice", tests, NULL, NULL);
}
