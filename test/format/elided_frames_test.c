#include "format/elided_frames.h"

#include "support/cmocka.h"

static void the_number_can_be_read_off_the_address(void **state)
{
	(void)state;
	assert_true(elided_frames_entry(18977) == UINT64_C(0x0e11ded000018977));
	assert_true(elided_frames_entry(1) == UINT64_C(0x0e11ded000000001));
	assert_true(elided_frames_entry(99999999) == UINT64_C(0x0e11ded099999999));
}

static void more_than_there_are_digits_for_is_as_many_as_there_are(void **state)
{
	(void)state;
	assert_true(elided_frames_entry((size_t)1 << 40) == UINT64_C(0x0e11ded099999999));
}

static void an_entry_gives_its_number_back(void **state)
{
	static const size_t counts[] = { 1, 9, 10, 8000, 12345678, 99999999 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		assert_int_equal(elided_frames_count(elided_frames_entry(counts[i])), counts[i]);
}

static void other_addresses_stand_for_no_frames(void **state)
{
	static const uint64_t addresses[] = {
		0,
		0x401000,
		0x7fffffffe000,
		UINT64_C(0xffffffff81000010),
		UINT64_C(0x0e11ded000000000), /* zero frames left out */
		UINT64_C(0x0e11ded00000000a), /* not a decimal digit */
		UINT64_C(0x1e11ded000000001),
		UINT64_C(0x0e11ded100000001),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++)
		assert_int_equal(elided_frames_count(addresses[i]), 0);
}

static void the_name_says_how_many(void **state)
{
	char name[ELIDED_FRAMES_NAME_SIZE];

	(void)state;
	assert_string_equal(elided_frames_name(name, 18977), "[... 18977 frames]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_number_can_be_read_off_the_address),
		cmocka_unit_test(more_than_there_are_digits_for_is_as_many_as_there_are),
		cmocka_unit_test(an_entry_gives_its_number_back),
		cmocka_unit_test(other_addresses_stand_for_no_frames),
		cmocka_unit_test(the_name_says_how_many),
	};

	return cmocka_run_group_tests_name("format/elided_frames", tests, NULL, NULL);
}
