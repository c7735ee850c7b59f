#include "report/load/cgroup_names.h"

#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"

/* { u64 id; char path[]; } in this machine's byte order. */
static struct event cgroup_event(uint8_t bytes[32], uint64_t id, const char *path)
{
	memset(bytes, 0, 32);
	memcpy(bytes, &id, sizeof(id));
	strcpy((char *)bytes + sizeof(id), path);
	return (struct event){ .type = PERF_RECORD_CGROUP, .payload = bytes, .payload_size = 32 };
}

static void a_cgroup_is_called_by_its_path(void **state)
{
	struct cgroup_names *names = cgroup_names_create();
	struct raw_profile *profile = raw_profile_create();
	uint8_t bytes[32];
	struct event event = cgroup_event(bytes, 7, "/system.slice");

	(void)state;
	assert_int_equal(cgroup_names_learn(names, &event, profile, NULL), 0);
	assert_string_equal(raw_profile_text(profile, cgroup_names_find(names, 7, profile)), "/system.slice");
	raw_profile_destroy(profile);
	cgroup_names_destroy(names);
}

static void one_without_a_record_goes_by_its_number(void **state)
{
	struct cgroup_names *names = cgroup_names_create();
	struct raw_profile *profile = raw_profile_create();

	(void)state;
	assert_string_equal(raw_profile_text(profile, cgroup_names_find(names, 9, profile)), "cgroup 9");
	raw_profile_destroy(profile);
	cgroup_names_destroy(names);
}

static void a_path_without_its_end_is_an_error(void **state)
{
	struct cgroup_names *names = cgroup_names_create();
	struct raw_profile *profile = raw_profile_create();
	uint8_t bytes[32];
	struct event event = cgroup_event(bytes, 7, "/a");

	(void)state;
	event.payload_size = 9;
	assert_int_equal(cgroup_names_learn(names, &event, profile, NULL), -1);
	raw_profile_destroy(profile);
	cgroup_names_destroy(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cgroup_is_called_by_its_path),
		cmocka_unit_test(one_without_a_record_goes_by_its_number),
		cmocka_unit_test(a_path_without_its_end_is_an_error),
	};

	return cmocka_run_group_tests_name("report/load/cgroup_names", tests, NULL, NULL);
}
