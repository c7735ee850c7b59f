#include "profile/filter.h"

#include "support/cmocka.h"

/* Two samples: "web" (pid 10, tid 11, cpu 1) in malloc of libc, called from main of web; "db" (20, 20, 0) in an unknown place. */
struct fixture {
	struct profile *profile;
	struct profile_sample web, db;
};

static struct fixture setup(void)
{
	struct profile *p = profile_create();
	uint32_t program = profile_dso(p, "web", "/usr/bin/web", "");
	uint32_t libc = profile_dso(p, "libc.so.6", "/lib/libc.so.6", "");
	uint32_t main_ = profile_location(p, program, 0x1010, FRAME_USER);
	uint32_t malloc_ = profile_location(p, libc, 0x2010, FRAME_USER);
	uint32_t unknown = profile_location(p, PROFILE_NONE, 0x3000, FRAME_USER);
	struct fixture fixture = { .profile = p };

	profile_set_function(p, main_, profile_function(p, program, "main", 0x1000));
	profile_set_function(p, malloc_, profile_function(p, libc, "malloc", 0x2000));
	fixture.web.thread = profile_thread(p, 10, 11, profile_string(p, "web"));
	fixture.web.cpu = 1;
	fixture.web.stack = profile_stack(p, profile_stack(p, PROFILE_NONE, main_, FRAME_KERNEL_CHAIN),
					  malloc_, FRAME_SAMPLED);
	fixture.db.thread = profile_thread(p, 20, 20, profile_string(p, "db"));
	fixture.db.stack = profile_stack(p, PROFILE_NONE, unknown, FRAME_SAMPLED);
	return fixture;
}

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define NUMBERS(...) ((const uint32_t[]){ __VA_ARGS__ })

static void assert_passing(const struct filter *filter, bool web, bool db)
{
	struct fixture fixture = setup();

	assert_int_equal(filter_passes(filter, fixture.profile, &fixture.web), web);
	assert_int_equal(filter_passes(filter, fixture.profile, &fixture.db), db);
	profile_destroy(fixture.profile);
}

static void an_empty_filter_passes_everything(void **state)
{
	(void)state;
	assert_passing(&(struct filter){ 0 }, true, true);
}

static void comms_pids_and_tids_look_at_the_thread(void **state)
{
	(void)state;
	assert_passing(&(struct filter){ .comms = LIST("web") }, true, false);
	assert_passing(&(struct filter){ .comms = LIST("we", "db") }, false, true);
	assert_passing(&(struct filter){ .pids = NUMBERS(10, 30), .pid_count = 2 }, true, false);
	assert_passing(&(struct filter){ .tids = NUMBERS(20), .tid_count = 1 }, false, true);
	assert_passing(&(struct filter){ .tids = NUMBERS(10), .tid_count = 1 }, false, false);
}

static void cgroups_match_by_path(void **state)
{
	struct fixture fixture = setup();
	const struct filter filter = { .cgroups = LIST("/a", "/b") };

	(void)state;
	fixture.web.cgroup = profile_string(fixture.profile, "/b");
	assert_true(filter_passes(&filter, fixture.profile, &fixture.web));
	assert_false(filter_passes(&filter, fixture.profile, &fixture.db));
	profile_destroy(fixture.profile);
}

static void stacks_pass_by_their_leaf(void **state)
{
	(void)state; /* the three nodes: main, malloc below it, unknown */
	assert_passing(&(struct filter){ .stacks = (const bool[]){ true, false, true } }, false, true);
	assert_passing(&(struct filter){ .stacks = (const bool[]){ false, true, false } }, true, false);
}

static void dsos_match_by_short_name_or_path_of_the_leaf(void **state)
{
	(void)state;
	assert_passing(&(struct filter){ .dsos = LIST("libc.so.6") }, true, false);
	assert_passing(&(struct filter){ .dsos = LIST("/lib/libc.so.6") }, true, false);
	assert_passing(&(struct filter){ .dsos = LIST("web") }, false, false);
}

static void symbols_match_by_name_or_start_of_the_leaf(void **state)
{
	(void)state;
	assert_passing(&(struct filter){ .symbols = LIST("malloc") }, true, false);
	assert_passing(&(struct filter){ .symbols = LIST("0x2000") }, true, false);
	assert_passing(&(struct filter){ .symbols = LIST("main") }, false, false);
	assert_passing(&(struct filter){ .symbols = LIST("0x3000") }, false, false);
}

static void a_function_known_by_its_start_has_no_name(void **state)
{
	struct fixture fixture = setup();
	const struct filter named = { .named_only = true }, by_text = { .symbols = LIST("libc.so.6+0x2000") },
			    by_start = { .symbols = LIST("0x2000") };
	const uint32_t leaf = profile_stack_at(fixture.profile, fixture.web.stack)->location;

	(void)state;
	assert_true(filter_passes(&named, fixture.profile, &fixture.web));
	profile_set_function(fixture.profile, leaf,
			     profile_nameless_function(fixture.profile,
						       profile_location_at(fixture.profile, leaf)->dso,
						       0x2000));
	assert_false(filter_passes(&named, fixture.profile, &fixture.web));
	assert_true(filter_passes(&by_text, fixture.profile, &fixture.web));
	assert_true(filter_passes(&by_start, fixture.profile, &fixture.web));
	profile_destroy(fixture.profile);
}

static void all_conditions_must_hold(void **state)
{
	(void)state;
	assert_passing(&(struct filter){ .comms = LIST("web"), .symbols = LIST("malloc") }, true, false);
	assert_passing(&(struct filter){ .comms = LIST("db"), .symbols = LIST("malloc") }, false, false);
}

static void stacks_that_are_taken_are_in_no_total(void **state)
{
	struct fixture fixture = setup();
	bool taken[8] = { false };
	const struct filter filter = { .taken_stacks = taken };

	(void)state;
	taken[fixture.web.stack] = true;
	assert_false(filter_counts(&filter, fixture.profile, &fixture.web));
	assert_true(filter_counts(&filter, fixture.profile, &fixture.db));
	fixture.db.stack = PROFILE_NONE;
	assert_true(filter_counts(&filter, fixture.profile, &fixture.db));
	profile_destroy(fixture.profile);
}

static void only_a_cpu_filter_takes_samples_out_of_the_total(void **state)
{
	struct fixture fixture = setup();
	struct filter cpu = { .cpus = NUMBERS(1), .cpu_count = 1 }, comm = { .comms = LIST("web") };

	(void)state;
	assert_true(filter_counts(&cpu, fixture.profile, &fixture.web));
	assert_false(filter_counts(&cpu, fixture.profile, &fixture.db));
	assert_false(filter_passes(&cpu, fixture.profile, &fixture.db));
	assert_true(filter_counts(&comm, fixture.profile, &fixture.db));
	profile_destroy(fixture.profile);
}

static void a_sample_without_a_stack_passes_no_leaf_condition(void **state)
{
	struct fixture fixture = setup();
	struct profile_sample bare = { .thread = fixture.web.thread, .stack = PROFILE_NONE };

	(void)state;
	assert_true(filter_passes(&(struct filter){ .comms = LIST("web") }, fixture.profile, &bare));
	assert_false(filter_passes(&(struct filter){ .symbols = LIST("malloc") }, fixture.profile, &bare));
	profile_destroy(fixture.profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_filter_passes_everything),
		cmocka_unit_test(comms_pids_and_tids_look_at_the_thread),
		cmocka_unit_test(cgroups_match_by_path),
		cmocka_unit_test(stacks_pass_by_their_leaf),
		cmocka_unit_test(dsos_match_by_short_name_or_path_of_the_leaf),
		cmocka_unit_test(symbols_match_by_name_or_start_of_the_leaf),
		cmocka_unit_test(a_function_known_by_its_start_has_no_name),
		cmocka_unit_test(all_conditions_must_hold),
		cmocka_unit_test(stacks_that_are_taken_are_in_no_total),
		cmocka_unit_test(only_a_cpu_filter_takes_samples_out_of_the_total),
		cmocka_unit_test(a_sample_without_a_stack_passes_no_leaf_condition),
	};

	return cmocka_run_group_tests_name("profile/filter", tests, NULL, NULL);
}
