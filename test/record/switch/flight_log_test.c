#include "record/switch/flight_log.h"

#include "support/cmocka.h"

static void describe(struct flight_log *log, const char *text)
{
	struct strbuf description;

	strbuf_init(&description);
	strbuf_adds(&description, text);
	flight_log_describe(log, &description);
	strbuf_fini(&description);
}

static void expect(const struct flight_log *log, const char *expected)
{
	const struct flight_log_pieces pieces = flight_log_pieces(log);
	struct strbuf all;

	strbuf_init(&all);
	for (int i = 0; i < 2; i++)
		if (pieces.sizes[i])
			strbuf_add(&all, pieces.pieces[i], pieces.sizes[i]);
	strbuf_add(&all, "", 1);
	assert_string_equal(all.bytes, expected);
	strbuf_fini(&all);
}

static void a_file_gets_the_first_description_and_all_records(void **state)
{
	struct flight_log log;

	(void)state;
	flight_log_init(&log);
	expect(&log, "");
	describe(&log, "[first]");
	expect(&log, "[first]");
	strbuf_adds(&log.current, "abc");
	expect(&log, "[first]abc");
	flight_log_fini(&log);
}

static void a_second_description_stands_for_nothing_that_the_first_and_the_records_do_not_say(void **state)
{
	struct flight_log log;

	(void)state;
	flight_log_init(&log);
	describe(&log, "[first]");
	strbuf_adds(&log.current, "abc");
	describe(&log, "[second]");
	expect(&log, "[first]abc");
	strbuf_adds(&log.current, "de");
	expect(&log, "[first]abcde");
	flight_log_fini(&log);
}

static void the_part_before_the_last_is_dropped(void **state)
{
	struct flight_log log;

	(void)state;
	flight_log_init(&log);
	describe(&log, "[first]");
	strbuf_adds(&log.current, "abc");
	describe(&log, "[second]");
	strbuf_adds(&log.current, "de");
	describe(&log, "[third]");
	strbuf_adds(&log.current, "f");
	expect(&log, "[second]def");
	flight_log_fini(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_gets_the_first_description_and_all_records),
		cmocka_unit_test(
			a_second_description_stands_for_nothing_that_the_first_and_the_records_do_not_say),
		cmocka_unit_test(the_part_before_the_last_is_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
