#include "report/load/branch_keys.h"

#include "support/cmocka.h"

static const uint64_t words[] = { 0x100, 0, 4 | 8 | 300 << 4 }; /* in a transaction, aborted, 300 cycles */

static const struct sample sample = { .pid = 7, .branches = (const uint8_t *)words, .branch_count = 1 };

static void assert_text(enum sample_key key, const char *expected)
{
	struct process_table *processes = process_table_create();
	struct strbuf text;

	strbuf_init(&text);
	branch_keys_add_text(&text, key, processes, &sample, 1);
	assert_string_equal(text.bytes, expected);
	strbuf_fini(&text);
	process_table_destroy(processes);
}

static void flags_have_perfs_letters(void **state)
{
	(void)state;
	assert_text(SAMPLE_KEY_MISPREDICT, "N/A");
	assert_text(SAMPLE_KEY_IN_TX, "T");
	assert_text(SAMPLE_KEY_ABORT, "A");
	assert_text(SAMPLE_KEY_CYCLES, "300");
}

/* Checks the text of a key, once named, for a branch between unmapped addresses. */
static void assert_named(enum sample_key key, const char *expected)
{
	struct sample_key_request request = { .wanted = { [SAMPLE_KEY_SYMBOL_FROM] = false } };
	const char *texts[SAMPLE_KEY_COUNT] = { NULL };
	struct process_table *processes = process_table_create();
	struct symbolizer *symbolizer = symbolizer_create(&(struct symbolizer_options){ .symfs = NULL });
	struct sample_keys *keys;
	struct strbuf text;
	uint32_t set;

	request.wanted[key] = true;
	keys = sample_keys_create(&request);
	strbuf_init(&text);
	branch_keys_add_text(&text, key, processes, &sample, 1);
	texts[key] = text.bytes;
	set = sample_keys_add(keys, texts);
	branch_keys_name(keys, processes, symbolizer);
	assert_string_equal(sample_keys_text(keys, set, key), expected);
	strbuf_fini(&text);
	sample_keys_destroy(keys);
	symbolizer_destroy(symbolizer);
	process_table_destroy(processes);
}

static void ends_that_nothing_is_mapped_at_are_addresses(void **state)
{
	(void)state;
	assert_named(SAMPLE_KEY_SYMBOL_FROM, "[H] 0x0000000000000100");
	assert_named(SAMPLE_KEY_SYMBOL_TO, "[H] 0000000000000000");
	assert_named(SAMPLE_KEY_ADDR_FROM, "[H] 0x0000000000000100");
	assert_named(SAMPLE_KEY_DSO_TO, "[unknown]");
	assert_named(SAMPLE_KEY_SRCLINE_FROM, "[100]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_have_perfs_letters),
		cmocka_unit_test(ends_that_nothing_is_mapped_at_are_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
