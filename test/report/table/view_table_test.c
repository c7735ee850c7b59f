#include "report/table/table_options.h"
#include "report/view/view.h"

#include <stdio.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"

struct fixture {
	struct profile *profile;
	struct selection selection;
	struct layout_request request;
	struct table_options options;
	struct canvas canvas;
	const uint32_t *thread_names;
};

static struct fixture empty_fixture(void)
{
	return (struct fixture){ .profile = profile_create(), .selection = { .event = PROFILE_NONE } };
}

/* main calls parse, which calls itself and read, which enters the kernel; and a line of unknown origin. */
static struct fixture usual_fixture(void)
{
	struct fixture f = empty_fixture();
	uint32_t cycles = builder_event(f.profile, "cycles");

	builder_add(f.profile, cycles, "web 10/11 0", "web`main;web`parse", 3, 300);
	builder_add(f.profile, cycles, "web 10/11 1", "web`main;web`parse;web`parse", 1, 100);
	builder_add(f.profile, cycles, "web 10/11 0", "web`main;web`parse;libc.so.6`read;[k]`sys_read", 5,
		    500);
	builder_add(f.profile, cycles, "db 20/20 0", "`0x7f00", 1, 100);
	return f;
}

static void assert_table(struct fixture *f, const char *expected)
{
	struct frame_table frames;
	const struct profile_facts facts = { .thread_names = f->thread_names };
	struct strbuf out;

	f->request.children = f->options.children;
	assert_int_equal(layout_make(&f->options.layout, &f->request, NULL), 0);
	frame_table_init(&frames, f->profile);
	strbuf_init(&out);
	view_table.render(&(struct view_input){ .profile = f->profile,
						.frames = &frames,
						.selection = &f->selection,
						.facts = &facts,
						.canvas = f->canvas },
			  &f->options, &out);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
	frame_table_fini(&frames);
	profile_destroy(f->profile);
}

static void looks_like_perf_report_without_children(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	assert_table(&f, "# Samples: 10  of event 'cycles'\n"
			 "# Event count (approx.): 1000\n"
			 "#\n"
			 "# Overhead  Command  Shared Object      Symbol\n"
			 "# ........  .......  .................  ......................\n"
			 "#\n"
			 "    50.00%  web      [kernel.kallsyms]  [k] sys_read\n"
			 "    40.00%  web      web                [.] parse\n"
			 "    10.00%  db       [unknown]          [.] 0x0000000000007f00\n");
}

/*
 * A function is counted once per chain, recursion or not; callers come above their callees, except that a leaf's height is that
 * of its whole stack, as in perf.
 */
static void children_count_a_row_once_per_chain(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.options.children = true;
	assert_table(&f, "# Samples: 10  of event 'cycles'\n"
			 "# Event count (approx.): 1000\n"
			 "#\n"
			 "# Children      Self  Command  Shared Object      Symbol\n"
			 "# ........  ........  .......  .................  ......................\n"
			 "#\n"
			 "    90.00%     0.00%  web      web                [.] main\n"
			 "    90.00%    40.00%  web      web                [.] parse\n"
			 "    50.00%    50.00%  web      [kernel.kallsyms]  [k] sys_read\n"
			 "    50.00%     0.00%  web      libc.so.6          [.] read\n"
			 "    10.00%    10.00%  db       [unknown]          [.] 0x0000000000007f00\n");
}

static void other_keys_make_other_rows(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.request.sort = "pid,cpu";
	f.request.samples = true;
	f.request.period = true;
	assert_table(&f, "# Samples: 10  of event 'cycles'\n"
			 "# Event count (approx.): 1000\n"
			 "#\n"
			 "# Overhead       Samples        Period      Pid:Command  CPU\n"
			 "# ........  ............  ............  ...............  ...\n"
			 "#\n"
			 "    80.00%             8           800       11:web      000\n"
			 "    10.00%             1           100       11:web      001\n"
			 "    10.00%             1           100       20:db       000\n");
}

static void a_separator_takes_the_padding_out(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.options.separator = '.';
	assert_table(&f, "# Samples: 10  of event 'cycles'\n"
			 "# Event count (approx.): 1000\n"
			 "#\n"
			 "# Overhead.Command.Shared Object.Symbol\n"
			 "50.00%.web.[kernel.kallsyms].[k] sys_read\n"
			 "40.00%.web.web.[.] parse\n"
			 "10.00%.db.[unknown].[.] 0x0000000000007f00\n");
}

static void a_separator_in_a_name_is_a_dot(void **state)
{
	struct fixture f = empty_fixture();

	(void)state;
	f.options.quiet = true;
	f.options.separator = ':';
	builder_add(f.profile, builder_event(f.profile, "cycles"), "a:b 1/1", "lib:c`ns::f", 1, 1);
	assert_table(&f, "100.00%:a.b:lib.c:[.] ns..f\n");
}

static void names_are_padded_by_what_is_seen_of_them(void **state)
{
	struct fixture f = empty_fixture();
	uint32_t cycles = builder_event(f.profile, "cycles");

	(void)state;
	f.options.quiet = true;
	f.request.sort = "dso,comm";
	builder_add(f.profile, cycles, "a 1/1", "caf\xc3\xa9`f", 1, 3);
	builder_add(f.profile, cycles, "b 1/1", "one\nlonger than this`f", 1, 1);
	assert_table(&f, "    75.00%  caf\xc3\xa9                  a\n"
			 "    25.00%  one?longer than this  b\n");
}

static void a_filter_hides_rows_and_keeps_the_total(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.options.quiet = true;
	f.request.sort = "sym";
	f.selection.filter.comms = (const char *const[]){ "db", NULL };
	assert_table(&f, "    10.00%  [.] 0x0000000000007f00\n");
}

static void a_column_that_can_say_one_thing_only_is_a_heading(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.selection.filter.comms = (const char *const[]){ "db", NULL };
	assert_table(&f, "# comm: db\n"
			 "# Samples: 10  of event 'cycles'\n"
			 "# Event count (approx.): 1000\n"
			 "#\n"
			 "# Overhead  Shared Object     Symbol\n"
			 "# ........  ................  ......................\n"
			 "#\n"
			 "    10.00%  [unknown]         [.] 0x0000000000007f00\n");
}

static void relative_shares_refer_to_what_is_shown(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.request.sort = "sym";
	f.selection.relative = true;
	f.selection.filter.dsos = (const char *const[]){ "web", NULL };
	assert_table(&f, "# dso: web\n"
			 "# Samples: 4  of event 'cycles'\n"
			 "# Event count (approx.): 400\n"
			 "#\n"
			 "# Overhead  Symbol\n"
			 "# ........  .........\n"
			 "#\n"
			 "   100.00%  [.] parse\n");
}

static void a_cpu_filter_changes_the_total(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.options.quiet = true;
	f.request.sort = "sym,cpu";
	f.selection.filter.cpus = (const uint32_t[]){ 1 };
	f.selection.filter.cpu_count = 1;
	assert_table(&f, "   100.00%  [.] parse  001\n");
}

static void the_percent_limit_looks_at_children_where_they_are(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.options.quiet = true;
	f.options.children = true;
	f.options.percent_limit = 60;
	f.request.sort = "sym";
	assert_table(&f, "    90.00%     0.00%  [.] main\n"
			 "    90.00%    40.00%  [.] parse\n");
}

static void top_says_what_it_leaves_out(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.options.top = 1;
	f.request.sort = "sym";
	assert_table(&f,
		     "# Samples: 10  of event 'cycles'\n"
		     "# Event count (approx.): 1000\n"
		     "#\n"
		     "# Overhead  Symbol\n"
		     "# ........  ......................\n"
		     "#\n"
		     "    50.00%  [k] sys_read\n"
		     "# 2 more rows with 50.00% of the samples' weight in themselves; --top 0 shows all\n");
}

static void kernel_and_user_shares_are_those_of_the_leaf(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.options.quiet = true;
	f.request.sort = "comm";
	f.request.cpu_utilization = true;
	assert_table(&f, "    90.00%    50.00%    40.00%  web\n"
			 "    10.00%     0.00%    10.00%  db\n");
}

static void events_stand_one_after_the_other(void **state)
{
	struct fixture f = empty_fixture();

	(void)state;
	builder_add(f.profile, builder_event(f.profile, "cycles"), "a 1/1", "a`f", 1500, 2000);
	builder_add(f.profile, builder_event(f.profile, "page-faults"), "a 1/1", "a`g", 1, 1);
	f.request.sort = "sym";
	assert_table(&f, "# Samples: 1K of event 'cycles'\n"
			 "# Event count (approx.): 2000\n"
			 "#\n"
			 "# Overhead  Symbol\n"
			 "# ........  ......\n"
			 "#\n"
			 "   100.00%  [.] f\n"
			 "\n\n"
			 "# Samples: 1  of event 'page-faults'\n"
			 "# Event count (approx.): 1\n"
			 "#\n"
			 "# Overhead  Symbol\n"
			 "# ........  ......\n"
			 "#\n"
			 "   100.00%  [.] g\n");
}

static void equal_rows_are_ordered_by_their_keys(void **state)
{
	struct fixture f = empty_fixture();
	uint32_t cycles = builder_event(f.profile, "cycles");

	(void)state;
	f.options.quiet = true;
	builder_add(f.profile, cycles, "b 1/1", "`0x20", 1, 1);
	builder_add(f.profile, cycles, "b 1/1", "z`g", 1, 1);
	builder_add(f.profile, cycles, "b 1/1", "z`f", 1, 1);
	builder_add(f.profile, cycles, "b 1/1", "z`0x20", 1, 1);
	builder_add(f.profile, cycles, "a 1/1", "z`f", 1, 1);
	assert_table(&f, "    20.00%  a        z                 [.] f\n"
			 "    20.00%  b        z                 [.] f\n"
			 "    20.00%  b        z                 [.] g\n"
			 "    20.00%  b        z                 [.] 0x0000000000000020\n"
			 "    20.00%  b        [unknown]         [.] 0x0000000000000020\n");
}

static void names_are_cut_on_a_terminal_only(void **state)
{
	struct fixture f = empty_fixture();

	(void)state;
	f.options.quiet = true;
	f.canvas.columns = 50;
	f.request.sort = "dso,sym";
	builder_add(f.profile, builder_event(f.profile, "cycles"), "a 1/1",
		    "libsomething-with-a-long-name.so.1`"
		    "std::vector<std::pair<int, int>, std::allocator<std::pair<int, int> > >::push_back",
		    1, 1);
	assert_table(&f, "   100.00%  libsomething-...  [.] std:...push_back\n");
}

static void colours_mark_shares_as_perf_does(void **state)
{
	struct fixture f = empty_fixture();
	uint32_t cycles = builder_event(f.profile, "cycles");
	struct color color = { .enabled = true };
	char expected[256];

	(void)state;
	f.options.quiet = true;
	f.canvas.color = color;
	f.request.sort = "sym";
	builder_add(f.profile, cycles, "a 1/1", "a`hot", 1, 9894);
	builder_add(f.profile, cycles, "a 1/1", "a`warm", 1, 100);
	builder_add(f.profile, cycles, "a 1/1", "a`cold", 1, 6);
	snprintf(expected, sizeof(expected),
		 "    %s98.94%%%s  [.] hot\n     %s1.00%%%s  [.] warm\n     0.06%%  [.] cold\n",
		 color_on(color, COLOR_HOT), color_off(color), color_on(color, COLOR_WARM), color_off(color));
	assert_table(&f, expected);
}

static void a_thread_is_shown_under_its_last_name(void **state)
{
	struct fixture f = empty_fixture();
	uint32_t names[2];

	(void)state;
	f.options.quiet = true;
	f.request.sort = "pid";
	builder_add(f.profile, builder_event(f.profile, "cycles"), "bash 7/7", "a`f", 1, 1);
	builder_add(f.profile, builder_event(f.profile, "cycles"), "sh 7/7", "a`f", 1, 1);
	names[0] = names[1] = profile_string(f.profile, "make");
	f.thread_names = names;
	assert_table(&f, "   100.00%        7:make\n");
}

static void an_event_without_samples_has_no_table(void **state)
{
	struct fixture f = empty_fixture();

	(void)state;
	builder_event(f.profile, "cycles");
	builder_event(f.profile, "dummy:HG");
	assert_table(&f, "# Samples: 0  of event 'cycles'\n# Event count (approx.): 0\n#\n");
}

static void empty_events_are_left_out_beside_others(void **state)
{
	struct fixture f = empty_fixture();

	(void)state;
	builder_event(f.profile, "dummy:HG");
	f.options.quiet = true;
	f.request.sort = "sym";
	builder_add(f.profile, builder_event(f.profile, "cycles"), "a 1/1", "a`f", 1, 1);
	assert_table(&f, "   100.00%  [.] f\n");
}

static void a_hierarchy_has_the_rows_of_each_key_below_those_of_the_key_before(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.options.hierarchy = true;
	f.options.percent_limit = 20;
	f.request.sort = "comm,dso,sym";
	assert_table(&f, "# Samples: 10  of event 'cycles'\n"
			 "# Event count (approx.): 1000\n"
			 "#\n"
			 "#       Overhead  Command / Shared Object / Symbol\n"
			 "# ..............  ................................\n"
			 "#\n"
			 "    90.00%        web\n"
			 "       50.00%        [kernel.kallsyms]\n"
			 "          50.00%        [k] sys_read\n"
			 "       40.00%        web\n"
			 "          40.00%        [.] parse\n");
}

static void a_level_without_rows_says_so(void **state)
{
	struct fixture f = usual_fixture();

	(void)state;
	f.options.hierarchy = f.options.quiet = true;
	f.options.percent_limit = 60;
	f.request.sort = "comm,dso";
	assert_table(&f, "    90.00%     web\n"
			 "                  no entry >= 60.00%\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looks_like_perf_report_without_children),
		cmocka_unit_test(children_count_a_row_once_per_chain),
		cmocka_unit_test(other_keys_make_other_rows),
		cmocka_unit_test(a_separator_takes_the_padding_out),
		cmocka_unit_test(a_separator_in_a_name_is_a_dot),
		cmocka_unit_test(names_are_padded_by_what_is_seen_of_them),
		cmocka_unit_test(a_filter_hides_rows_and_keeps_the_total),
		cmocka_unit_test(a_column_that_can_say_one_thing_only_is_a_heading),
		cmocka_unit_test(relative_shares_refer_to_what_is_shown),
		cmocka_unit_test(a_cpu_filter_changes_the_total),
		cmocka_unit_test(the_percent_limit_looks_at_children_where_they_are),
		cmocka_unit_test(top_says_what_it_leaves_out),
		cmocka_unit_test(kernel_and_user_shares_are_those_of_the_leaf),
		cmocka_unit_test(events_stand_one_after_the_other),
		cmocka_unit_test(equal_rows_are_ordered_by_their_keys),
		cmocka_unit_test(names_are_cut_on_a_terminal_only),
		cmocka_unit_test(colours_mark_shares_as_perf_does),
		cmocka_unit_test(a_thread_is_shown_under_its_last_name),
		cmocka_unit_test(an_event_without_samples_has_no_table),
		cmocka_unit_test(empty_events_are_left_out_beside_others),
		cmocka_unit_test(a_hierarchy_has_the_rows_of_each_key_below_those_of_the_key_before),
		cmocka_unit_test(a_level_without_rows_says_so),
	};

	return cmocka_run_group_tests_name("report/table/view_table", tests, NULL, NULL);
}
