#include "report/names/jit_paths.h"

#include "support/cmocka.h"

static void jit_code_is_known_by_the_files_of_its_compilers(void **state)
{
	(void)state;
	assert_true(jit_paths_contain("/tmp/perf-12.map"));
	assert_true(jit_paths_contain("[JIT] tid 12"));
	assert_true(jit_paths_contain("/srv/jit-12.dump"));
	assert_true(jit_paths_contain("/root/.debug/jit/x/jitted-12-3.so"));
	assert_false(jit_paths_contain("/usr/lib/libjit-12.so"));
	assert_false(jit_paths_contain("/usr/bin/node"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jit_code_is_known_by_the_files_of_its_compilers),
	};

	return cmocka_run_group_tests_name("report/names/jit_paths", tests, NULL, NULL);
}
