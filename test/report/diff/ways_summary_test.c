#include "report/diff/ways_summary.h"

#include <string.h>

#include "report/diff/view_ways.h"
#include "support/cmocka.h"

/* Groups and skips as unwind_ways_add() makes them, at places where nothing is mapped: "[unknown]". */
static void add_group(struct unwind_ways *ways, const char *comm, enum chain_fault fault, uint64_t samples,
		      uint64_t frames, uint64_t missing, uint64_t wrong)
{
	struct ways_group key = { .comm = str_pool_add(ways->texts, comm),
				  .fault = fault,
				  .at = { WAYS_NONE, 0 },
				  .end = { WAYS_NONE, fault == CHAIN_ENDS ? 1 : 0 },
				  .end_missing = fault == CHAIN_ENDS,
				  .rooted = fault != CHAIN_FARTHER };
	struct ways_group *group;
	uint32_t number = intern_table_add(&ways->groups, ways->groups.count, &key);

	group = (struct ways_group *)ways->groups.items + number;
	group->samples = samples;
	group->frames = frames;
	group->missing = missing;
	group->wrong = wrong;
	ways->samples += samples;
}

static void add_skip(struct unwind_ways *ways, uint64_t at, uint64_t skipped, uint64_t samples)
{
	struct ways_skip key = { .at = { WAYS_NONE, at }, .skipped = { WAYS_NONE, skipped } };
	uint32_t number = intern_table_add(&ways->skips, ways->skips.count, &key);

	((struct ways_skip *)ways->skips.items)[number].samples = samples;
}

static void fill(struct unwind_ways *ways)
{
	unwind_ways_init(ways);
	add_group(ways, "web", CHAIN_AGREES, 60, 600, 0, 0);
	add_group(ways, "web", CHAIN_SKIPS, 20, 200, 20, 0);
	add_group(ways, "db", CHAIN_ENDS, 15, 150, 75, 0);
	add_group(ways, "db", CHAIN_STRAYS, 4, 40, 30, 8);
	add_group(ways, "db", CHAIN_FARTHER, 1, 10, 0, 0);
	add_skip(ways, 0x10, 0x20, 15);
	add_skip(ways, 0x10, 0x30, 5);
}

static void samples_are_added_up_by_their_first_fault(void **state)
{
	struct way_names names = { 0 };
	struct ways_summary summary;
	struct unwind_ways ways;

	(void)state;
	fill(&ways);
	ways_summary_init(&summary, &ways, &names);
	assert_int_equal(summary.all.samples, 100);
	assert_int_equal(summary.all.by_fault[CHAIN_AGREES], 60);
	assert_int_equal(summary.all.by_fault[CHAIN_SKIPS], 20);
	assert_int_equal(summary.all.by_fault[CHAIN_ENDS], 15);
	assert_int_equal(summary.all.by_fault[CHAIN_STRAYS], 4);
	assert_int_equal(summary.all.by_fault[CHAIN_FARTHER], 1);
	assert_int_equal(summary.all.frames, 1000);
	assert_int_equal(summary.all.missing, 125);
	assert_int_equal(summary.all.wrong, 8);
	assert_int_equal(summary.skips, 20);
	assert_int_equal(summary.dump_too_short, 1);

	assert_int_equal(summary.comms.count, 2);
	assert_string_equal(summary.comms.list[0].name, "web");
	assert_int_equal(summary.comms.list[0].sums.samples, 80);
	assert_int_equal(summary.comms.list[1].sums.by_fault[CHAIN_ENDS], 15);
	assert_int_equal(summary.dsos.count, 1);
	assert_string_equal(summary.dsos.list[0].name, "[unknown]");
	assert_int_equal(summary.dsos.list[0].sums.samples, 39);
	assert_int_equal(summary.skipped_behind.count, 1);
	assert_int_equal(summary.skipped_behind.list[0].sums.samples, 20);
	assert_string_equal(summary.skipped_behind.list[0].example, "[unknown]");
	ways_summary_fini(&summary);
	unwind_ways_fini(&ways);
}

static void the_view_says_it_in_sentences(void **state)
{
	struct unwind_ways ways;
	struct strbuf out;

	(void)state;
	fill(&ways);
	strbuf_init(&out);
	view_ways_render(&(struct ways_view_options){ .ways = &ways, .path = "x.data" }, &out);
	assert_non_null(strstr(out.bytes, "# x.data: 100 samples unwound twice\n"));
	assert_non_null(strstr(
		out.bytes, "   60.00%          60  nowhere: the same callers up to the start of the thread\n"
			   "   20.00%          20  they skip a caller, and go on\n"
			   "   15.00%          15  they end before the start of the thread\n"
			   "    4.00%           4  they go on with a frame that is not a caller\n"
			   "    1.00%           1  nowhere, as far as call frame information gets\n"));
	assert_non_null(strstr(out.bytes, "# of 1000 frames 125 (12.50%) are missing, 20 of them "));
	assert_non_null(strstr(out.bytes,
			       "          80   75.0%   25.00%    0.00%    0.00%           2.50%  web\n"
			       "          20    0.0%    0.00%   75.00%   20.00%          52.50%  db\n"));
	strbuf_fini(&out);
	unwind_ways_fini(&ways);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_added_up_by_their_first_fault),
		cmocka_unit_test(the_view_says_it_in_sentences),
	};

	return cmocka_run_group_tests_name("report/diff/ways_summary", tests, NULL, NULL);
}
