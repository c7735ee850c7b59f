#include "record/stack/mapping_log.h"

#include <sys/mman.h>

#include "support/cmocka.h"

enum { PID = 7, START = 0x10000, END = 0x30000, INSIDE = 0x18000 };

static struct mapping_log *known;

static int set_up(void **state)
{
	(void)state;
	known = mapping_log_create();
	mapping_log_add_process(known, PID);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	mapping_log_destroy(known);
	return 0;
}

static void note(uint64_t start, uint64_t end, uint32_t prot, uint64_t time_ns)
{
	const struct logged_mapping mapping = { .start = start, .end = end, .time_ns = time_ns, .prot = prot };

	mapping_log_note(known, PID, &mapping);
}

static bool is_mapped_after(uint64_t address, uint64_t time_ns)
{
	return mapping_log_is_mapped_after(known, PID, address, time_ns);
}

static void memory_is_mapped_after_the_times_before_its_mapping(void **state)
{
	(void)state;
	note(START, END, PROT_EXEC, 100);
	assert_true(is_mapped_after(START, 99));
	assert_true(is_mapped_after(END - 1, 99));
	assert_false(is_mapped_after(START, 100));
	assert_false(is_mapped_after(START - 1, 99));
	assert_false(is_mapped_after(END, 99));
}

static void the_same_mapping_again_is_another(void **state)
{
	(void)state;
	note(START, END, PROT_READ | PROT_EXEC, 100);
	note(START, END, PROT_READ | PROT_EXEC, 200);
	assert_true(is_mapped_after(INSIDE, 150));
}

static void mappings_may_be_told_of_out_of_order(void **state)
{
	(void)state;
	note(START, END, PROT_EXEC, 200);
	note(END, END + 0x1000, PROT_EXEC, 100);
	note(END, END + 0x1000, PROT_EXEC, 90);
	assert_true(is_mapped_after(INSIDE, 150));
	assert_false(is_mapped_after(END, 150));
}

static void what_was_there_when_a_mapping_grows_is_not_mapped_anew(void **state)
{
	(void)state;
	note(START, END, PROT_EXEC, 100);
	note(START, END + 0x1000, PROT_EXEC, 200);
	assert_false(is_mapped_after(INSIDE, 150));
	assert_true(is_mapped_after(END, 150));
}

static void a_larger_mapping_of_another_protection_is_another(void **state)
{
	(void)state;
	note(START, END, PROT_READ, 100);
	note(START, END + 0x1000, PROT_EXEC, 200);
	assert_true(is_mapped_after(INSIDE, 150));
}

static void what_is_no_longer_known_is_taken_to_have_been_mapped(void **state)
{
	(void)state;
	note(START, END, PROT_EXEC, 100);
	for (uint64_t i = 0; i < 10000; i++)
		note(END, END + 0x1000, PROT_EXEC, 200 + i);
	assert_true(is_mapped_after(INSIDE, 50));
	assert_false(is_mapped_after(INSIDE, 200 + 9999));
}

static void processes_are_told_apart_and_others_are_not_known(void **state)
{
	(void)state;
	note(START, END, PROT_EXEC, 100);
	assert_false(mapping_log_is_mapped_after(known, PID + 1, INSIDE, 50));
	mapping_log_add_process(known, PID + 1);
	mapping_log_add_process(known, PID + 1);
	assert_int_equal(mapping_log_process_count(known), 2);
	assert_false(mapping_log_is_mapped_after(known, PID + 1, INSIDE, 50));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(memory_is_mapped_after_the_times_before_its_mapping),
		TEST(the_same_mapping_again_is_another),
		TEST(mappings_may_be_told_of_out_of_order),
		TEST(what_was_there_when_a_mapping_grows_is_not_mapped_anew),
		TEST(a_larger_mapping_of_another_protection_is_another),
		TEST(what_is_no_longer_known_is_taken_to_have_been_mapped),
		TEST(processes_are_told_apart_and_others_are_not_known),
	};

	return cmocka_run_group_tests_name("record/stack/mapping_log", tests, NULL, NULL);
}
