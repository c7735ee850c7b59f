#include "report/load/trace_fields.h"

#include "support/cmocka.h"

#define ANSWER(text) text, sizeof(text) - 1

/* Checks the value of `field` of event 3 in an answer; the caller frees nothing. */
static void assert_field(const struct sample_key_field *field, const char *answer, size_t size,
			 const char *expected)
{
	struct sample_key_request request = {
		.wanted = { [SAMPLE_KEY_TRACE] = true, [SAMPLE_KEY_FIELD] = true }, .fields = { *field }
	};
	struct sample_keys *keys = sample_keys_create(&request);
	const char *texts[SAMPLE_KEY_COUNT] = { NULL };
	struct strbuf text;

	(void)sample_keys_add(keys, texts);
	strbuf_init(&text);
	strbuf_add(&text, answer, size);
	trace_fields_take(keys, 1, 3, "sched:sched_switch", &text);
	assert_string_equal(sample_keys_text(keys, 1, SAMPLE_KEY_FIELD), expected);
	assert_string_equal(sample_keys_text(keys, 1, SAMPLE_KEY_TRACE), answer);
	strbuf_fini(&text);
	sample_keys_destroy(keys);
}

static void a_field_is_what_the_trace_says(void **state)
{
	(void)state;
	assert_field(
		&(struct sample_key_field){ .name = "prev_state" },
		ANSWER("prev_comm=sh prev_state=R+ ==> next_comm=ls\0prev_comm\0sh\0prev_state\000256\0"),
		"R+");
	assert_field(&(struct sample_key_field){ .name = "comm" }, ANSWER("prev_comm=sh comm=ls\0comm\0ls\0"),
		     "ls");
	assert_field(&(struct sample_key_field){ .name = "flags" },
		     ANSWER("dfd: 0x1, flags: 0x80000, mode: 0x0\0dfd\0001\0flags\000524288\0"), "0x80000");
}

static void where_the_trace_does_not_say_it_is_its_value(void **state)
{
	(void)state;
	assert_field(&(struct sample_key_field){ .name = "prio" }, ANSWER("comm=sh\0comm\0sh\0prio\000120\0"),
		     "120");
	assert_field(&(struct sample_key_field){ .name = "prev_state", .raw = true },
		     ANSWER("prev_state=R+\0prev_state\000256\0"), "256");
}

static void a_number_names_a_field_too(void **state)
{
	(void)state;
	assert_field(&(struct sample_key_field){ .number = 1 }, ANSWER("a=1 b=2\0a\0001\0b\0002\0"), "2");
	assert_field(&(struct sample_key_field){ .number = 2 }, ANSWER("a=1 b=2\0a\0001\0b\0002\0"), "");
}

static void other_events_have_no_such_field(void **state)
{
	(void)state;
	assert_field(&(struct sample_key_field){ .event = "sched_wakeup", .name = "a" },
		     ANSWER("a=1\0a\0001\0"), "");
	assert_field(&(struct sample_key_field){ .event = "sched_switch", .name = "a" },
		     ANSWER("a=1\0a\0001\0"), "1");
}

static void an_answer_that_is_cut_short_has_what_it_has(void **state)
{
	(void)state;
	assert_field(&(struct sample_key_field){ .name = "b" }, ANSWER("x\0a\0001\0b"), "");
	assert_field(&(struct sample_key_field){ .name = "b" }, ANSWER("x"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_field_is_what_the_trace_says),
		cmocka_unit_test(where_the_trace_does_not_say_it_is_its_value),
		cmocka_unit_test(a_number_names_a_field_too),
		cmocka_unit_test(other_events_have_no_such_field),
		cmocka_unit_test(an_answer_that_is_cut_short_has_what_it_has),
	};

	return cmocka_run_group_tests_name("report/load/trace_fields", tests, NULL, NULL);
}
