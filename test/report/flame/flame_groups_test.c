#include "report/flame/flame_groups.h"

#include "support/cmocka.h"
#include "support/profile_builder.h"

/* The text of the last sample of a profile. */
static void assert_text(struct profile *profile, const uint32_t *thread_names, enum flame_group group,
			const char *expected)
{
	const struct profile_facts facts = { .thread_names = thread_names };
	const struct view_input input = { .profile = profile, .facts = &facts };
	struct str_pool *texts = str_pool_create();
	struct flame_groups groups;
	uint32_t text;

	flame_groups_init(&groups, &input);
	text = flame_groups_text(&groups, profile_sample_at(profile, profile_sample_count(profile) - 1),
				 group, texts);
	assert_string_equal(str_pool_text(texts, text), expected);
	flame_groups_fini(&groups);
	str_pool_destroy(texts);
}

static struct profile *one_sample(const char *who)
{
	struct profile *p = profile_create();

	builder_add(p, builder_event(p, "cycles"), who, "web`main", 1, 1);
	return p;
}

static void a_sample_has_a_text_for_each_group(void **state)
{
	struct profile *p = one_sample("web 7/8 3");

	(void)state;
	assert_text(p, NULL, FLAME_BY_COMM, "web");
	assert_text(p, NULL, FLAME_BY_PID, "process 7");
	assert_text(p, NULL, FLAME_BY_TID, "thread 8 web");
	assert_text(p, NULL, FLAME_BY_CPU, "CPU 3");
	assert_text(p, NULL, FLAME_BY_CGROUP, "cgroup unknown");
	assert_text(p, NULL, FLAME_BY_EVENT, "cycles");
	profile_destroy(p);
}

static void a_cpu_that_was_not_recorded_is_unknown(void **state)
{
	struct profile *p = one_sample("web 7/8");

	(void)state;
	assert_text(p, NULL, FLAME_BY_CPU, "CPU unknown");
	profile_destroy(p);
}

static void a_process_is_called_what_its_main_thread_was_called_in_the_end(void **state)
{
	struct profile *p = profile_create();
	uint32_t cycles = builder_event(p, "cycles"), names[2];

	(void)state;
	builder_add(p, cycles, "sh 7/7 0", "web`main", 1, 1);
	builder_add(p, cycles, "pool 7/8 0", "web`main", 1, 1);
	names[0] = profile_string(p, "web");
	names[1] = profile_string(p, "worker");
	assert_text(p, names, FLAME_BY_PID, "process 7 web");
	assert_text(p, names, FLAME_BY_TID, "thread 8 worker");
	assert_text(p, names, FLAME_BY_COMM, "pool");
	profile_destroy(p);
}

static void a_cgroup_goes_by_its_path(void **state)
{
	struct profile *p = one_sample("web 7/8 3");
	struct profile_sample sample = *profile_sample_at(p, 0);

	(void)state;
	sample.cgroup = profile_string(p, "/system.slice");
	profile_add(p, &sample);
	assert_text(p, NULL, FLAME_BY_CGROUP, "/system.slice");
	profile_destroy(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_has_a_text_for_each_group),
		cmocka_unit_test(a_cpu_that_was_not_recorded_is_unknown),
		cmocka_unit_test(a_process_is_called_what_its_main_thread_was_called_in_the_end),
		cmocka_unit_test(a_cgroup_goes_by_its_path),
	};

	return cmocka_run_group_tests_name("report/flame/flame_groups", tests, NULL, NULL);
}
