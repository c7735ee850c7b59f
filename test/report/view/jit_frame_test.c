#include "report/view/jit_frame.h"

#include "support/cmocka.h"

static bool is_jit(const char *dso_path)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "any", dso_path, "");
	const struct profile_stack node = { .origin = FRAME_CFI };
	const struct frame frame = { .name = PROFILE_NONE, .dso = dso };
	bool result = frame_is_jit(p, &node, &frame);

	profile_destroy(p);
	return result;
}

static void jit_code_is_known_by_the_files_of_its_compilers(void **state)
{
	(void)state;
	assert_true(is_jit("/tmp/perf-12.map"));
	assert_true(is_jit("/srv/jit-12.dump"));
	assert_true(is_jit("/root/.debug/jit/x/jitted-12-3.so"));
	assert_false(is_jit("/usr/lib/libjit-12.so"));
	assert_false(is_jit("/usr/bin/node"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jit_code_is_known_by_the_files_of_its_compilers),
	};

	return cmocka_run_group_tests_name("report/view/jit_frame", tests, NULL, NULL);
}
