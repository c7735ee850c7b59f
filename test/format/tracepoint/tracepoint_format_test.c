#include "format/tracepoint/tracepoint_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cmocka.h"

static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

static const char wakeup_format[] =
	"name: wakeup\nID: 42\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:int prio;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:u64 code;\toffset:16;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"prio=%d name=%s at=%ps in=%pS\", REC->prio, __get_str(name), (void *)REC->code, "
	"(void *)REC->code\n";

static void add_block(struct strbuf *data, const char *text, bool swap)
{
	strbuf_add_u64(data, strlen(text), swap);
	strbuf_adds(data, text);
}

/* TRACING_DATA with one tracepoint, toy:wakeup with id 42, of a machine of either byte order. */
static struct strbuf tracing_data(bool swap)
{
	const bool big_endian = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swap;
	struct strbuf data;

	strbuf_init(&data);
	strbuf_add(&data, "\x17\x08\x44tracing0.6\0", 14);
	strbuf_addc(&data, (char)big_endian);
	strbuf_addc(&data, 8);
	strbuf_add_u32(&data, 4096, swap);
	strbuf_add(&data, "header_page", 12);
	add_block(&data, header_page, swap);
	strbuf_add(&data, "header_event", 13);
	add_block(&data, "", swap);
	strbuf_add_u32(&data, 0, swap); /* ftrace */
	strbuf_add_u32(&data, 1, swap); /* systems */
	strbuf_add(&data, "toy", 4);
	strbuf_add_u32(&data, 1, swap);
	add_block(&data, wakeup_format, swap);
	strbuf_add_u32(&data, 0, swap); /* kallsyms */
	strbuf_add_u32(&data, 0, swap); /* printk */
	return data;
}

/* prio 7, the name "migration" at byte 24, the code at 0xffffffff81000010 */
static struct strbuf raw_sample(bool swap, uint16_t name_offset)
{
	struct strbuf raw;

	strbuf_init(&raw);
	strbuf_add_u16(&raw, 42, swap);
	strbuf_add_u16(&raw, 0, swap);
	strbuf_add_u32(&raw, 1, swap);
	strbuf_add_u32(&raw, 7, swap);
	strbuf_add_u32(&raw, 10u << 16 | name_offset, swap);
	strbuf_add_u64(&raw, 0xffffffff81000010, swap);
	strbuf_add(&raw, "migration", 10);
	return raw;
}

static const char *resolve(uint64_t *address, void *context)
{
	(void)context;
	if (*address >> 8 != 0xffffffff810000)
		return NULL;
	*address = 0xffffffff81000000;
	return "_text";
}

static struct tracepoint_formats *open_formats(struct strbuf *data, bool swap)
{
	struct error err = { .message = "" };
	struct tracepoint_formats *formats = tracepoint_formats_create(
		byte_reader_over(data->bytes, data->size, swap), resolve, NULL, &err);

	if (!tracepoint_parser_available()) {
		assert_null(formats);
		assert_non_null(strstr(err.message, "libtraceevent"));
		strbuf_fini(data);
		skip();
	}
	assert_non_null(formats);
	return formats;
}

static int print(struct tracepoint_formats *formats, uint64_t id, const struct strbuf *raw, size_t size,
		 struct strbuf *text, struct error *err)
{
	tracepoint_formats_ask(formats, id, 0, (const uint8_t *)raw->bytes, size);
	return tracepoint_formats_answer(formats, text, err);
}

static void check_print(bool swap)
{
	struct strbuf data = tracing_data(swap), raw = raw_sample(swap, 24), text;
	struct tracepoint_formats *formats = open_formats(&data, swap);
	struct error err;

	strbuf_init(&text);
	assert_int_equal(print(formats, 42, &raw, raw.size, &text, &err), 0);
	assert_string_equal(text.bytes, "prio=7 name=migration at=_text in=_text+0x10");
	strbuf_reset(&text);
	assert_int_equal(tracepoint_formats_name(formats, 42, &text), 0);
	assert_string_equal(text.bytes, "toy:wakeup");
	tracepoint_formats_destroy(formats);
	strbuf_fini(&text);
	strbuf_fini(&raw);
	strbuf_fini(&data);
}

static void fields_are_printed_as_the_kernel_says(void **state)
{
	(void)state;
	check_print(false);
}

/* Runs in a process that may not start others. 0 if the error says so. */
static int fail_to_start(struct strbuf *data)
{
	const struct rlimit no_processes = { 0, 0 };
	struct error err = { .message = "" };

	if (setrlimit(RLIMIT_NPROC, &no_processes) != 0 || (geteuid() == 0 && setuid(65534) != 0))
		return 2;
	if (tracepoint_formats_create(byte_reader_over(data->bytes, data->size, false), resolve, NULL, &err))
		return 3;
	return strcmp(err.message, "cannot start a process to read the formats of tracepoints: "
				   "Resource temporarily unavailable") == 0 ?
		       0 :
		       4;
}

static void a_process_that_cannot_be_started_is_no_fault_of_the_formats(void **state)
{
	struct strbuf data = tracing_data(false);
	int status;
	pid_t child;

	(void)state;
	if (!tracepoint_parser_available()) {
		strbuf_fini(&data);
		skip();
	}
	child = fork();
	if (child == 0)
		_exit(fail_to_start(&data));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	strbuf_fini(&data);
}

static void fields_of_the_other_byte_order_are_read_in_theirs(void **state)
{
	(void)state;
	check_print(true);
}

static void samples_that_are_too_short_for_their_fields_are_not_printed(void **state)
{
	struct strbuf data = tracing_data(false), raw = raw_sample(false, 24), far = raw_sample(false, 30),
		      text;
	struct tracepoint_formats *formats = open_formats(&data, false);
	struct error err;

	(void)state;
	strbuf_init(&text);
	assert_int_equal(print(formats, 42, &raw, 20, &text, &err), -1);
	assert_string_equal(err.message, "20 bytes are too few for the fields of toy:wakeup");
	/* The string would be behind the end. */
	assert_int_equal(print(formats, 42, &far, far.size, &text, &err), -1);
	assert_int_equal(print(formats, 43, &raw, raw.size, &text, &err), -1);
	assert_string_equal(err.message, "the tracing data has no tracepoint 43");
	tracepoint_formats_destroy(formats);
	strbuf_fini(&text);
	strbuf_fini(&raw);
	strbuf_fini(&far);
	strbuf_fini(&data);
}

static void many_questions_are_answered_in_their_order(void **state)
{
	struct strbuf data = tracing_data(false), raw = raw_sample(false, 24), text;
	struct tracepoint_formats *formats = open_formats(&data, false);
	size_t asked = 0;
	struct error err;

	(void)state;
	strbuf_init(&text);
	for (; !tracepoint_formats_is_full(formats); asked++) {
		raw.bytes[8] = (char)(asked % 100); /* prio */
		tracepoint_formats_ask(formats, 42, 0, (const uint8_t *)raw.bytes, raw.size);
	}
	assert_true(asked > 1000);
	for (size_t i = 0; i < asked; i++) {
		char expected[64];

		strbuf_reset(&text);
		assert_int_equal(tracepoint_formats_answer(formats, &text, &err), 0);
		snprintf(expected, sizeof(expected), "prio=%zu name=migration at=_text in=_text+0x10",
			 i % 100);
		assert_string_equal(text.bytes, expected);
	}
	assert_int_equal(tracepoint_formats_answer(formats, &text, &err), -1);
	tracepoint_formats_destroy(formats);
	strbuf_fini(&text);
	strbuf_fini(&raw);
	strbuf_fini(&data);
}

/* Wherever the data ends, there is an error, or the formats up to there are read. Sanitizers notice the rest. */
static void tracing_data_may_end_anywhere(void **state)
{
	struct strbuf data = tracing_data(false);
	struct error err;

	(void)state;
	if (!tracepoint_parser_available()) {
		strbuf_fini(&data);
		skip();
	}
	for (size_t size = 0; size < data.size; size++)
		tracepoint_parser_destroy(tracepoint_parser_create(byte_reader_over(data.bytes, size, false),
								   NULL, NULL, &err));
	assert_null(tracepoint_formats_create(byte_reader_over(data.bytes, 15, false), NULL, NULL, &err));
	assert_string_equal(err.message, "the tracing data ends too early, or is damaged");
	assert_null(
		tracepoint_formats_create(byte_reader_over("no tracing data", 15, false), NULL, NULL, &err));
	assert_string_equal(err.message, "the tracing data has an unknown header");
	strbuf_fini(&data);
}

/* A resolver that crashes stands for a library that does: both run in the child. */
static const char *crash(uint64_t *address, void *context)
{
	(void)address, (void)context;
	abort();
}

static void a_child_that_dies_is_an_error_and_stays_one(void **state)
{
	struct strbuf data = tracing_data(false), raw = raw_sample(false, 24), text;
	struct tracepoint_formats *formats;
	struct error err;

	(void)state;
	if (!tracepoint_parser_available()) {
		strbuf_fini(&data);
		strbuf_fini(&raw);
		skip();
	}
	strbuf_init(&text);
	formats =
		tracepoint_formats_create(byte_reader_over(data.bytes, data.size, false), crash, NULL, &err);
	assert_non_null(formats);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(print(formats, 42, &raw, raw.size, &text, &err), -1);
		assert_string_equal(err.message, "libtraceevent failed on the formats of this recording");
	}
	assert_int_equal(tracepoint_formats_name(formats, 42, &text), -1);
	tracepoint_formats_destroy(formats);
	strbuf_fini(&text);
	strbuf_fini(&raw);
	strbuf_fini(&data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_printed_as_the_kernel_says),
		cmocka_unit_test(a_process_that_cannot_be_started_is_no_fault_of_the_formats),
		cmocka_unit_test(fields_of_the_other_byte_order_are_read_in_theirs),
		cmocka_unit_test(samples_that_are_too_short_for_their_fields_are_not_printed),
		cmocka_unit_test(many_questions_are_answered_in_their_order),
		cmocka_unit_test(tracing_data_may_end_anywhere),
		cmocka_unit_test(a_child_that_dies_is_an_error_and_stays_one),
	};

	return cmocka_run_group_tests_name("format/tracepoint/tracepoint_format", tests, NULL, NULL);
}
