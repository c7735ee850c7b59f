#include "record/id_aliases.h"

#include <string.h>

#include "support/cmocka.h"

enum { LATE_ID = 900, LISTED_ID = 7, OTHER_ID = 8 };

static const struct perf_event_attr identified = { .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
								  PERF_SAMPLE_TID | PERF_SAMPLE_TIME };
static const struct perf_event_attr plain = { .sample_type =
						      PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME };

struct words {
	uint64_t words[16];
	size_t count;
};

/* A record with these words after its header. */
static struct words record(uint32_t type, const uint64_t *payload, size_t count)
{
	struct words record = { .count = 1 + count };
	const struct perf_event_header header = { .type = type, .size = (uint16_t)(8 * (1 + count)) };

	memcpy(record.words, &header, sizeof(header));
	memcpy(record.words + 1, payload, 8 * count);
	return record;
}

static struct words renamed(struct words record, const struct perf_event_attr *attr, uint64_t counted)
{
	struct id_aliases aliases = { 0 };

	id_aliases_add(&aliases,
		       &(struct id_alias){
			       .id = LATE_ID, .listed_id = LISTED_ID, .counted = counted, .attr = attr });
	id_aliases_apply(&aliases, attr, (uint8_t *)record.words, 8 * record.count);
	id_aliases_fini(&aliases);
	return record;
}

static void a_sample_gets_the_id_that_the_file_lists(void **state)
{
	const uint64_t payload[] = { LATE_ID, LATE_ID, 2, 3 };
	const struct words sample = renamed(record(PERF_RECORD_SAMPLE, payload, 4), &identified, 0);

	(void)state;
	assert_int_equal(sample.words[1], LISTED_ID);
	assert_int_equal(sample.words[2], LATE_ID); /* the IP, which has the same number by chance */
}

static void a_listed_id_stays(void **state)
{
	const uint64_t payload[] = { OTHER_ID, 1, 2, 3 };

	(void)state;
	assert_int_equal(renamed(record(PERF_RECORD_SAMPLE, payload, 4), &identified, 0).words[1], OTHER_ID);
}

static void samples_without_ids_are_left_alone(void **state)
{
	const uint64_t payload[] = { LATE_ID, 2, 3 };

	(void)state;
	assert_int_equal(renamed(record(PERF_RECORD_SAMPLE, payload, 3), &plain, 0).words[1], LATE_ID);
}

static void other_records_get_it_in_their_last_word(void **state)
{
	const uint64_t exit_payload[] = { 1, 2, 3, 4, 5, LATE_ID };

	(void)state;
	assert_int_equal(renamed(record(PERF_RECORD_EXIT, exit_payload, 6), &identified, 0).words[6],
			 LISTED_ID);
	assert_int_equal(renamed(record(PERF_RECORD_EXIT, exit_payload, 6), &plain, 0).words[6], LATE_ID);
}

static void records_about_an_event_name_the_listed_one(void **state)
{
	const uint64_t lost[] = { LATE_ID, 12, 1, 2, LATE_ID };
	const uint64_t throttle[] = { 1000, LATE_ID, LATE_ID, 1, 2, LATE_ID };
	const struct words lost_record = renamed(record(PERF_RECORD_LOST, lost, 5), &identified, 0);
	const struct words throttled = renamed(record(PERF_RECORD_THROTTLE, throttle, 6), &identified, 0);

	(void)state;
	assert_int_equal(lost_record.words[1], LISTED_ID);
	assert_int_equal(lost_record.words[5], LISTED_ID);
	assert_int_equal(throttled.words[2], LISTED_ID);
	assert_int_equal(throttled.words[3], LISTED_ID);
}

static void counts_in_samples_go_on_from_what_was_counted_before(void **state)
{
	struct perf_event_attr attr = identified;
	/* identifier, ip, tid, time, then two of { value, id, lost } */
	const uint64_t payload[] = { LATE_ID, 1, 2, 3, 2, 50, LATE_ID, 0, 60, OTHER_ID, 0 };
	struct words sample;

	(void)state;
	attr.sample_type |= PERF_SAMPLE_READ;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST;
	sample = renamed(record(PERF_RECORD_SAMPLE, payload, 11), &attr, 1000);
	assert_int_equal(sample.words[6], 1050);
	assert_int_equal(sample.words[7], LISTED_ID);
	assert_int_equal(sample.words[9], 60);
	assert_int_equal(sample.words[10], OTHER_ID);
}

static void records_of_impossible_size_end_the_walk(void **state)
{
	const uint64_t payload[] = { LATE_ID, 1, 2, 3 };
	struct words cut = record(PERF_RECORD_SAMPLE, payload, 4), empty = cut;
	const struct perf_event_header no_size = { .type = PERF_RECORD_SAMPLE };

	(void)state;
	cut.count = 3;
	assert_int_equal(renamed(cut, &identified, 0).words[1], LATE_ID);
	memcpy(empty.words, &no_size, sizeof(no_size));
	assert_int_equal(renamed(empty, &identified, 0).words[1], LATE_ID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_gets_the_id_that_the_file_lists),
		cmocka_unit_test(a_listed_id_stays),
		cmocka_unit_test(samples_without_ids_are_left_alone),
		cmocka_unit_test(other_records_get_it_in_their_last_word),
		cmocka_unit_test(records_about_an_event_name_the_listed_one),
		cmocka_unit_test(counts_in_samples_go_on_from_what_was_counted_before),
		cmocka_unit_test(records_of_impossible_size_end_the_walk),
	};

	return cmocka_run_group_tests_name("record/id_aliases", tests, NULL, NULL);
}
