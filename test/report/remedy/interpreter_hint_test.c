/* A program with half of its samples in functions of an interpreter. */

#include "report/remedy/interpreter_hint.h"

#include <sys/mman.h>

#include "support/cmocka.h"
#include "support/nameless_profile.h"

enum { INTERPRETER = 0x80000, CODE = 0x90000 };

static struct nameless_profile nameless;

static void map(uint64_t start, const char *path)
{
	perf_data_builder_mmap2(nameless.builder, &(struct built_mmap){ .pid = 7,
									.tid = 7,
									.start = start,
									.length = 0x1000,
									.prot = PROT_EXEC | PROT_READ,
									.misc = PERF_RECORD_MISC_USER,
									.path = path,
									.time_ns = 1 });
}

static int set_up(void **state)
{
	(void)state;
	nameless_profile_init(&nameless);
	map(INTERPRETER, "/usr/bin/python3.11");
	map(CODE, "//anon");
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	nameless_profile_fini(&nameless);
	return 0;
}

static void assert_hint(double percent, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	nameless_profile_load(&nameless, NULL);
	interpreter_hint_add(&out, &nameless.loaded, "> ", percent);
	assert_string_equal(out.size ? out.bytes : "", expected);
	strbuf_fini(&out);
}

static void what_an_interpreter_calls_counts_as_interpreted(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_WARM + 0x800, INTERPRETER + 0x100, 1);
	assert_hint(
		10,
		"> 50.0% in functions that /usr/bin/python3.11 interprets, which have no names: python3.11 "
		"cannot name its functions, 3.12 and later can: run 'python3.12 -X perf'\n");
}

static void small_shares_get_no_hint(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, INTERPRETER + 0x100, 0, 1);
	nameless_profile_add(&nameless, NAMELESS_WARM + 0x800, 0, 18);
	assert_hint(10, "");
}

static void other_programs_get_no_hint(void **state)
{
	(void)state;
	assert_hint(0, "");
}

static void functions_that_have_names_get_no_hint(void **state)
{
	(void)state;
	temp_tree_file(&nameless.tree, "tmp/perf-7.map", "90000 100 py::main:/srv/app.py\n");
	nameless_profile_add(&nameless, INTERPRETER + 0x100, CODE + 0x10, 1);
	assert_hint(10, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_an_interpreter_calls_counts_as_interpreted),
		TEST(small_shares_get_no_hint),
		TEST(other_programs_get_no_hint),
		TEST(functions_that_have_names_get_no_hint),
	};

	return cmocka_run_group_tests_name("report/remedy/interpreter_hint", tests, NULL, NULL);
}
