#include "format/round_order.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "support/cmocka.h"

enum { NO_LIMIT = 1 << 30 };

static void add(struct round_order *order, uint64_t time_ns, uint32_t type)
{
	uint8_t payload[8];

	memset(payload, (int)type, sizeof(payload));
	round_order_add(order,
			&(struct event){ .type = type, .payload = payload, .payload_size = sizeof(payload) },
			time_ns);
	memset(payload, 0, sizeof(payload)); /* so the bytes are lost unless they were copied */
}

static void add_times(struct round_order *order, const uint64_t *times)
{
	for (; *times; times++)
		add(order, *times, (uint32_t)*times);
}

#define ADD(order, ...) add_times(order, (const uint64_t[]){ __VA_ARGS__, 0 })

/* The types of all events that are ready, as text. Checks their payloads, too. */
static const char *ready(struct round_order *order, struct strbuf *text)
{
	struct event event;
	uint64_t time_ns;

	strbuf_reset(text);
	while (round_order_next(order, &event, &time_ns) == 1) {
		assert_int_equal(event.payload_size, 8);
		assert_int_equal(event.payload[7], event.type);
		strbuf_addf(text, "%s%u", text->size ? " " : "", event.type);
	}
	return text->bytes ? text->bytes : "";
}

static void a_round_is_held_until_the_next_one_finishes(void **state)
{
	struct round_order *order = round_order_create(false, NO_LIMIT);
	struct strbuf text;

	(void)state;
	strbuf_init(&text);
	ADD(order, 1, 2, 5, 3, 4, 8);
	assert_string_equal(ready(order, &text), "");
	round_order_finish_round(order);
	assert_string_equal(ready(order, &text), "");
	ADD(order, 6, 7, 9, 10);
	assert_string_equal(ready(order, &text), "");
	round_order_finish_round(order);
	assert_string_equal(ready(order, &text), "1 2 3 4 5 6 7 8");
	ADD(order, 11, 12);
	round_order_finish_round(order);
	assert_string_equal(ready(order, &text), "9 10");
	round_order_finish(order);
	assert_string_equal(ready(order, &text), "11 12");
	assert_int_equal(round_order_late_count(order), 0);
	strbuf_fini(&text);
	round_order_destroy(order);
}

static void records_of_one_time_leave_in_the_order_they_came(void **state)
{
	struct round_order *order = round_order_create(false, NO_LIMIT);
	struct strbuf text;

	(void)state;
	strbuf_init(&text);
	for (uint32_t type = 1; type <= 9; type++)
		add(order, 100, type);
	add(order, 50, 10);
	round_order_finish(order);
	assert_string_equal(ready(order, &text), "10 1 2 3 4 5 6 7 8 9");
	strbuf_fini(&text);
	round_order_destroy(order);
}

static void a_late_record_leaves_first_of_the_next_and_is_counted(void **state)
{
	struct round_order *order = round_order_create(false, NO_LIMIT);
	struct strbuf text;

	(void)state;
	strbuf_init(&text);
	ADD(order, 5, 6);
	round_order_finish_round(order);
	round_order_finish_round(order);
	assert_string_equal(ready(order, &text), "5 6");
	ADD(order, 9, 2);
	round_order_finish(order);
	assert_string_equal(ready(order, &text), "2 9");
	assert_int_equal(round_order_late_count(order), 1);
	strbuf_fini(&text);
	round_order_destroy(order);
}

static void without_rounds_the_older_half_leaves_at_the_limit(void **state)
{
	struct round_order *order = round_order_create(true, 1000);
	const struct event event = { .type = 1 };
	struct event got;
	uint64_t time_ns, last_ns = 0;
	size_t held = 0, most = 0, left = 0;

	(void)state;
	for (uint64_t time = 1; time <= 1000; time++) {
		round_order_add(order, &event, time);
		held++;
		if (held > most)
			most = held;
		while (round_order_next(order, &got, &time_ns) == 1) {
			assert_true(time_ns > last_ns);
			last_ns = time_ns;
			held--;
			left++;
		}
	}
	assert_true(most < 20);
	assert_true(left > 980);
	assert_true(round_order_overflow_count(order) > 50);
	round_order_destroy(order);
}

static size_t held_until_overflow(bool rounds)
{
	struct round_order *order = round_order_create(true, ROUND_ORDER_LIMIT_BYTES);
	size_t count = 0;

	if (rounds)
		round_order_finish_round(order);
	for (; round_order_overflow_count(order) == 0 && count < 1000000; count++)
		ADD(order, count);
	round_order_destroy(order);
	return count;
}

static void less_is_held_while_no_round_has_finished(void **state)
{
	(void)state;
	assert_in_range(held_until_overflow(false), 300000, 600000);
	assert_int_equal(held_until_overflow(true), 1000000);
}

/* Rings drained in turn; some records break every run, and many times are equal. */
static void any_disorder_is_put_in_order(void **state)
{
	enum { RECORDS = 5000, ROUND = 100 };
	struct round_order *order = round_order_create(false, NO_LIMIT);
	uint64_t random = 1, before_ns = 0, time_ns;
	uint32_t number_before = 0, left = 0;
	struct event event;

	(void)state;
	for (uint32_t i = 0; i < RECORDS; i++) {
		uint64_t in_round = i % ROUND * 37 % 64;

		random = random * 6364136223846793005u + 1442695040888963407u;
		if (random >> 60 == 0)
			in_round = random >> 50 & 63;
		add(order, i / ROUND * 64 + in_round, i);
		if (i % ROUND == ROUND - 1)
			round_order_finish_round(order);
		if (i == RECORDS - 1)
			round_order_finish(order);
		while (round_order_next(order, &event, &time_ns) == 1) {
			assert_true(time_ns > before_ns || left == 0 ||
				    (time_ns == before_ns && event.type > number_before));
			assert_int_equal(event.payload[7], (uint8_t)event.type);
			before_ns = time_ns;
			number_before = event.type;
			left++;
		}
	}
	assert_int_equal(left, RECORDS);
	assert_int_equal(round_order_late_count(order), 0);
	round_order_destroy(order);
}

static void what_is_held_is_released(void **state)
{
	struct round_order *order = round_order_create(false, NO_LIMIT);
	struct strbuf text;

	(void)state;
	strbuf_init(&text);
	ADD(order, 3, 1, 2);
	assert_string_equal(ready(order, &text), ""); /* all are held */
	strbuf_fini(&text);
	round_order_destroy(order); /* the leak checker would report those held */
	round_order_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_round_is_held_until_the_next_one_finishes),
		cmocka_unit_test(records_of_one_time_leave_in_the_order_they_came),
		cmocka_unit_test(a_late_record_leaves_first_of_the_next_and_is_counted),
		cmocka_unit_test(without_rounds_the_older_half_leaves_at_the_limit),
		cmocka_unit_test(less_is_held_while_no_round_has_finished),
		cmocka_unit_test(any_disorder_is_put_in_order),
		cmocka_unit_test(what_is_held_is_released),
	};

	return cmocka_run_group_tests_name("format/round_order", tests, NULL, NULL);
}
