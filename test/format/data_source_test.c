#include "format/data_source.h"

#include "support/cmocka.h"

static void assert_words(uint64_t data_src, const char *expected)
{
	struct strbuf text;

	strbuf_init(&text);
	data_source_add(&text, data_src);
	assert_string_equal(text.bytes, expected);
	strbuf_fini(&text);
}

/* The texts are what perf 6.1 prints for these words. */
static void real_words_read_as_in_perf(void **state)
{
	(void)state;
	assert_words(0x10268100142, "|OP LOAD|LVL L1 or L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A");
	assert_words(0x1026a100142, "|OP LOAD|LVL L1 or L1 hit|SNP None|TLB L1 or L2 hit|LCK Yes|BLK  N/A");
	assert_words(0x10650100842, "|OP LOAD|LVL L3 or L3 hit|SNP None|TLB L2 miss|LCK No|BLK  N/A");
	assert_words(0x11868100242,
		     "|OP LOAD|LVL LFB/MAB or LFB/MAB hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A");
}

static void nothing_at_all_is_not_available(void **state)
{
	(void)state;
	assert_words(0, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	assert_words(0x5080021, "|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_words_read_as_in_perf),
		cmocka_unit_test(nothing_at_all_is_not_available),
	};

	return cmocka_run_group_tests_name("format/data_source", tests, NULL, NULL);
}
