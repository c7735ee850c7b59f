#include "report/table/table_cell.h"

#include "support/cmocka.h"
#include "support/profile_builder.h"

/* The only row of a profile with one sample, whose leaf is `stack`'s last frame. */
static void assert_cell(const char *stack, const char *key, enum column column, bool verbose, size_t columns,
			const char *expected)
{
	struct profile *p = profile_create();
	struct layout_request request = { .sort = key };
	struct layout layout;
	struct frame_table frames;
	struct hist hist;
	struct strbuf cell;

	builder_add(p, builder_event(p, "cycles"), "my\033app 10/11 2", stack, 1, 1);
	assert_int_equal(layout_make(&layout, &request, NULL), 0);
	frame_table_init(&frames, p);
	hist_init(&hist, p, &frames, 0, &(struct filter){ 0 }, &(struct hist_options){ .layout = &layout });
	strbuf_init(&cell);
	table_cell_add(
		&cell,
		&(struct cell_context){ .input = &(struct view_input){ .profile = p, .frames = &frames },
					.hist = &hist,
					.verbose = verbose },
		&hist.rows[0], column, columns);
	assert_string_equal(cell.bytes, expected);
	strbuf_fini(&cell);
	hist_fini(&hist);
	frame_table_fini(&frames);
	profile_destroy(p);
}

static void functions_carry_the_mark_of_their_mode(void **state)
{
	(void)state;
	assert_cell("a`main", "sym", COLUMN_SYMBOL, false, SIZE_MAX, "[.] main");
	assert_cell("[k]`sys_read", "sym", COLUMN_SYMBOL, false, SIZE_MAX, "[k] sys_read");
	assert_cell("a`a_long_function_name", "sym", COLUMN_SYMBOL, false, 16, "[.] a_l...n_name");
}

static void unknown_functions_are_addresses_that_are_never_padded_into_a_cut(void **state)
{
	(void)state;
	assert_cell("a`0x2805ef0", "sym", COLUMN_SYMBOL, false, SIZE_MAX, "[.] 0x0000000002805ef0");
	assert_cell("a`0x2805ef0", "sym", COLUMN_SYMBOL, false, 21, "[.] 0x2805ef0");
	assert_cell("", "sym", COLUMN_SYMBOL, false, SIZE_MAX, "[.] [unknown]");
}

static void dsos_are_short_names_or_whole_paths(void **state)
{
	(void)state;
	assert_cell("libc.so.6`read", "dso", COLUMN_DSO, false, SIZE_MAX, "libc.so.6");
	assert_cell("libc.so.6`read", "dso", COLUMN_DSO, true, SIZE_MAX, "/usr/lib/libc.so.6");
	assert_cell("`0x1", "dso", COLUMN_DSO, true, SIZE_MAX, "[unknown]");
}

static void threads_are_numbers_with_names_that_cannot_drive_a_terminal(void **state)
{
	(void)state;
	assert_cell("a`main", "pid", COLUMN_PID, false, SIZE_MAX, "     11:my?app");
	assert_cell("a`main", "tgid", COLUMN_TGID, false, SIZE_MAX, "     10:my?app");
	assert_cell("a`main", "comm", COLUMN_COMM, false, SIZE_MAX, "my?app");
	assert_cell("a`main", "cpu", COLUMN_CPU, false, SIZE_MAX, "002");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_carry_the_mark_of_their_mode),
		cmocka_unit_test(unknown_functions_are_addresses_that_are_never_padded_into_a_cut),
		cmocka_unit_test(dsos_are_short_names_or_whole_paths),
		cmocka_unit_test(threads_are_numbers_with_names_that_cannot_drive_a_terminal),
	};

	return cmocka_run_group_tests_name("report/table/table_cell", tests, NULL, NULL);
}
