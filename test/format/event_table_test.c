#include "format/event_table.h"

#include <linux/perf_event.h>

#include "format/perf_abi.h"
#include "support/cmocka.h"

static struct byte_reader ids_reader(const uint64_t *ids, size_t count)
{
	return byte_reader_over(ids, count * sizeof(ids[0]), false);
}

/* Two events with that sample_type. Ids 11 and 12 belong to the first, 21 to the second. */
static void init_two(struct event_table *table, uint64_t sample_type, uint64_t flags)
{
	static const uint64_t first[] = { 11, 12 }, second[] = { 21 };
	const struct perf_attr attr = { .sample_type = sample_type, .flags = flags };

	event_table_init(table);
	assert_int_equal(event_table_add(table, &attr), 0);
	assert_int_equal(event_table_add(table, &attr), 1);
	event_table_add_ids(table, 0, ids_reader(first, 2));
	event_table_add_ids(table, 1, ids_reader(second, 1));
}

static size_t event_of(const struct event_table *table, uint32_t type, const uint64_t *words, size_t count)
{
	const struct event event = { .type = type,
				     .payload = (const uint8_t *)words,
				     .payload_size = count * 8 };

	return event_table_of(table, &event);
}

static const uint64_t all_ids = 1 << PERF_ATTR_SAMPLE_ID_ALL;

static void identifier_is_the_first_word_of_a_sample_and_the_last_of_others(void **state)
{
	const uint64_t sample[] = { 21, 12 }, comm[] = { 12, 0, 21 };
	struct event_table table;

	(void)state;
	init_two(&table, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TIME, all_ids);
	assert_int_equal(event_of(&table, PERF_RECORD_SAMPLE, sample, 2), 1);
	assert_int_equal(event_of(&table, PERF_RECORD_COMM, comm, 3), 1);
	event_table_fini(&table);
}

static void the_place_of_an_id_follows_from_the_fields_before_and_behind_it(void **state)
{
	/* ip, tid, time, addr, ID, stream, cpu; in the trailer: tid, time, ID, stream, cpu */
	const uint64_t sample[] = { 11, 11, 11, 11, 21, 11, 11 }, exit[] = { 11, 11, 11, 21, 11, 11 };
	struct event_table table;

	(void)state;
	init_two(&table,
		 PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
			 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU,
		 all_ids);
	assert_int_equal(event_of(&table, PERF_RECORD_SAMPLE, sample, 7), 1);
	assert_int_equal(event_of(&table, PERF_RECORD_EXIT, exit, 6), 1);
	assert_true(event_of(&table, PERF_RECORD_SAMPLE, sample, 4) == SIZE_MAX);
	event_table_fini(&table);
}

static void records_without_a_trailer_and_with_id_zero_are_the_first_events(void **state)
{
	const uint64_t unknown[] = { 99 }, zero[] = { 0 };
	struct event_table table;

	(void)state;
	init_two(&table, PERF_SAMPLE_IDENTIFIER, 0);
	assert_int_equal(event_of(&table, PERF_RECORD_COMM, unknown, 1), 0);
	assert_true(event_of(&table, PERF_RECORD_SAMPLE, unknown, 1) == SIZE_MAX);
	assert_int_equal(event_of(&table, PERF_RECORD_SAMPLE, zero, 1), 0);
	assert_true(event_of(&table, PERF_RECORD_FINISHED_ROUND, NULL, 0) == SIZE_MAX);
	event_table_fini(&table);
}

static void a_single_event_and_events_without_ids_need_none(void **state)
{
	const struct perf_attr with_id = { .sample_type = PERF_SAMPLE_IDENTIFIER }, without = { 0 };
	const uint64_t unknown[] = { 99 };
	struct event_table table;

	(void)state;
	event_table_init(&table);
	assert_true(event_of(&table, PERF_RECORD_SAMPLE, unknown, 1) == SIZE_MAX);
	event_table_add(&table, &with_id);
	assert_int_equal(event_of(&table, PERF_RECORD_SAMPLE, unknown, 1), 0);
	assert_int_equal(event_of(&table, PERF_RECORD_SAMPLE, unknown, 0), 0);
	event_table_fini(&table);

	event_table_init(&table);
	event_table_add(&table, &without);
	event_table_add(&table, &without);
	assert_int_equal(event_of(&table, PERF_RECORD_SAMPLE, unknown, 1), 0);
	event_table_fini(&table);
}

static void an_id_stays_with_the_event_that_had_it_first(void **state)
{
	const uint64_t again[] = { 12, 22 };
	struct event_table table;

	(void)state;
	init_two(&table, PERF_SAMPLE_IDENTIFIER, all_ids);
	event_table_add_ids(&table, 1, ids_reader(again, 2));
	assert_int_equal(event_table_by_id(&table, 12), 0);
	assert_int_equal(event_table_by_id(&table, 22), 1);
	assert_int_equal(event_table_at(&table, 0)->id_count, 2);
	assert_int_equal(event_table_at(&table, 1)->id_count, 2);
	assert_int_equal(event_table_at(&table, 1)->ids[1], 22);
	assert_true(event_table_by_id(&table, 23) == SIZE_MAX);
	event_table_fini(&table);
}

static void names_come_from_the_attr_until_they_are_set(void **state)
{
	struct event_table table;
	const struct event_desc *desc;

	(void)state;
	init_two(&table, 0, 0);
	desc = event_table_at(&table, 1);
	assert_string_equal(desc->name, "cycles:HG");
	event_table_set_name(&table, 1, "cycles:u");
	assert_string_equal(desc->name, "cycles:u");
	event_table_set_name(&table, 1, "");
	assert_string_equal(desc->name, "cycles:u");
	event_table_set_name(&table, 2, "nobody");
	event_table_set_name(&table, SIZE_MAX, "nobody");
	assert_null(event_table_at(&table, 2));
	event_table_fini(&table);
}

static struct event sample_of_id(uint64_t words[2], uint64_t id)
{
	words[0] = id;
	return (struct event){ .type = PERF_RECORD_SAMPLE, .payload = (uint8_t *)words, .payload_size = 16 };
}

static void samples_of_a_group_have_counters_if_one_of_its_events_asks(void **state)
{
	const struct perf_attr plain = { .sample_type = PERF_SAMPLE_BRANCH_STACK,
					 .branch_sample_type = PERF_SAMPLE_BRANCH_ANY };
	struct perf_attr counting = plain;
	struct event_table table;

	(void)state;
	counting.branch_sample_type |= 1 << 19; /* PERF_SAMPLE_BRANCH_COUNTERS */
	event_table_init(&table);
	for (size_t i = 0; i < 4; i++)
		event_table_add(&table, i == 2 ? &counting : &plain);
	event_table_set_group(&table, 1, 2);
	event_table_set_group(&table, 3, 2); /* there is no second event in it */
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(event_table_at(&table, i)->leader, i == 2 ? 1 : i);
		assert_int_equal(event_table_at(&table, i)->attr.group_counts_branches, i == 1 || i == 2);
	}
	event_table_fini(&table);
}

static void an_id_that_no_attr_lists_is_of_the_only_event_that_lists_none(void **state)
{
	const uint64_t id = 11;
	struct event_table table;
	struct event event;
	uint64_t words[2] = { 0 };

	(void)state;
	event_table_init(&table);
	for (int i = 0; i < 3; i++)
		event_table_add(&table, &(struct perf_attr){ .sample_type = PERF_SAMPLE_IDENTIFIER });
	event = sample_of_id(words, 99);
	assert_int_equal(event_table_of(&table, &event), 0); /* no ids at all: the first event */
	event_table_add_ids(&table, 0, byte_reader_over(&id, sizeof(id), false));
	assert_true(event_table_of(&table, &event) == SIZE_MAX); /* two events could be meant */
	event_table_add_ids(&table, 2, byte_reader_over(&(uint64_t){ 13 }, sizeof(id), false));
	assert_int_equal(event_table_of(&table, &event), 1);
	event_table_add_ids(&table, 1, byte_reader_over(&(uint64_t){ 12 }, sizeof(id), false));
	assert_true(event_table_of(&table, &event) == SIZE_MAX);
	event_table_fini(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identifier_is_the_first_word_of_a_sample_and_the_last_of_others),
		cmocka_unit_test(the_place_of_an_id_follows_from_the_fields_before_and_behind_it),
		cmocka_unit_test(records_without_a_trailer_and_with_id_zero_are_the_first_events),
		cmocka_unit_test(a_single_event_and_events_without_ids_need_none),
		cmocka_unit_test(an_id_stays_with_the_event_that_had_it_first),
		cmocka_unit_test(names_come_from_the_attr_until_they_are_set),
		cmocka_unit_test(samples_of_a_group_have_counters_if_one_of_its_events_asks),
		cmocka_unit_test(an_id_that_no_attr_lists_is_of_the_only_event_that_lists_none),
	};

	return cmocka_run_group_tests_name("format/event_table", tests, NULL, NULL);
}
