#include "report/table/table_options.h"

#include "support/cmocka.h"
#include "support/drawn_view.h"
#include "support/profile_builder.h"

enum { MS = 1000000 };

/* Two threads: one slept 3 ms twice and 10 us (which stands for 100) once, the other 20 ms once. */
static struct profile *two_sleepers(struct wait_times *times)
{
	struct profile *p = profile_create();
	const uint32_t event = builder_event(p, "offcpu-time");

	builder_add(p, event, "short 1/1", "a`main;[k]`schedule", 3, 7 * MS);
	builder_add(p, event, "long 2/2", "a`main;[k]`schedule", 1, 20 * MS);
	wait_times_add(times, 0, 3 * MS, 3 * MS);
	wait_times_add(times, 0, 3 * MS, 3 * MS);
	wait_times_add(times, 0, 10000, MS);
	wait_times_add(times, 1, 20 * MS, 20 * MS);
	wait_times_finish(times);
	return p;
}

static void assert_histogram(struct table_options options, const char *expected)
{
	struct wait_times *times = wait_times_create();
	struct profile *profile = two_sleepers(times);
	struct strbuf out;

	assert_int_equal(layout_make(&options.layout, &(struct layout_request){ .sort = "comm" }, NULL), 0);
	options.wait_times = times;
	out = drawn_view(&view_histogram, profile, NULL, &options);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
	wait_times_destroy(times);
}

#define COLUMNS "#     duration       waits          time    share\n#\n"
#define EMPTY "           0      0.000 us    0.00%  |                                        |\n"
#define LONGEST "|########################################|\n"

#define ALL                                                                                               \
	"# 100.00%  all: 27.000 ms in about 103 waits, of which 4 are samples\n"                          \
	"     8-16   us         100      1.000 ms    3.70%  |##                                      |\n" \
	"    16-32   us" EMPTY "    32-64   us" EMPTY "    64-128  us" EMPTY "   128-256  us" EMPTY       \
	"   256-512  us" EMPTY "   512-1024 us" EMPTY "     1-2    ms" EMPTY                              \
	"     2-4    ms           2      6.000 ms   22.22%  |############                            |\n" \
	"     4-8    ms" EMPTY "     8-16   ms" EMPTY                                                     \
	"    16-32   ms           1     20.000 ms   74.07%  " LONGEST "\n"

#define LONG                                                                   \
	"#  74.07%  long: 20.000 ms in about 1 wait, of which 1 is a sample\n" \
	"    16-32   ms           1     20.000 ms  100.00%  " LONGEST "\n"

static void the_whole_comes_first_and_then_the_rows(void **state)
{
	(void)state;
	assert_histogram((struct table_options){ .top = 1 }, COLUMNS ALL LONG);
}

static void rows_are_left_out_by_their_share(void **state)
{
	(void)state;
	assert_histogram((struct table_options){ .percent_limit = 30 }, COLUMNS ALL LONG);
}

static void nothing_has_no_classes(void **state)
{
	struct wait_times *times = wait_times_create();
	struct table_options options = { .wait_times = times };
	struct strbuf out;

	(void)state;
	wait_times_finish(times);
	assert_int_equal(layout_make(&options.layout, &(struct layout_request){ .sort = "comm" }, NULL), 0);
	out = drawn_view(&view_histogram, profile_create(), NULL, &options);
	assert_string_equal(out.bytes,
			    COLUMNS "#   0.00%  all: 0.000 us in about 0 waits, of which 0 are samples\n\n");
	strbuf_fini(&out);
	wait_times_destroy(times);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_whole_comes_first_and_then_the_rows),
		cmocka_unit_test(rows_are_left_out_by_their_share),
		cmocka_unit_test(nothing_has_no_classes),
	};

	return cmocka_run_group_tests_name("report/table/view_histogram", tests, NULL, NULL);
}
