/* Code is read out of this very process. */

#include "record/live_code.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/cmocka.h"

enum { PAGE_BYTES = 4096 };

static struct live_code *code;
static uint8_t *memory; /* two pages */

static int set_up(void **state)
{
	(void)state;
	code = live_code_create(&unwind_arch_x86_64);
	memory = mmap(NULL, 2 * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? -1 : 0;
}

static int tear_down(void **state)
{
	(void)state;
	live_code_destroy(code);
	return munmap(memory, 2 * PAGE_BYTES);
}

/* A page that holds the address, in which the module has the bytes that are in memory there. */
static struct live_page find(const uint8_t *at)
{
	struct live_page page = { .module = NULL };

	if (!live_code_find(code, (uint32_t)getpid(), (uintptr_t)at, &page))
		skip(); /* who may not trace may not read memory either */
	assert_in_range((uintptr_t)at, page.start, page.end - 1);
	return page;
}

static uint8_t byte_at(const struct live_page *page, const uint8_t *at)
{
	const struct code_bytes bytes = module_code(page->module, (uintptr_t)at - page->base);

	assert_non_null(bytes.at);
	return *bytes.at;
}

static void a_page_has_the_bytes_of_the_process(void **state)
{
	struct live_page page;

	(void)state;
	memory[100] = 0xc3;
	memory[PAGE_BYTES] = 0x90;
	page = find(memory + 100);
	assert_int_equal(page.end - page.start, PAGE_BYTES);
	assert_int_equal(byte_at(&page, memory + 100), 0xc3);
	assert_int_equal(byte_at(&page, memory + PAGE_BYTES), 0x90); /* instructions go on behind it */
	page = find(memory + PAGE_BYTES);
	assert_int_equal(page.start, (uintptr_t)memory + PAGE_BYTES);
}

static void code_that_was_written_over_is_seen_when_it_is_old(void **state)
{
	struct live_page page, again;

	(void)state;
	memory[100] = 0xc3;
	page = find(memory + 100);
	memory[100] = 0x90;
	again = find(memory + 100);
	assert_ptr_equal(again.module, page.module);
	live_code_age(code);
	assert_int_equal(live_code_generation(code), 1);
	again = find(memory + 100);
	assert_ptr_not_equal(again.module, page.module);
	assert_int_not_equal(module_number(again.module), module_number(page.module));
	assert_int_equal(byte_at(&again, memory + 100), 0x90);
	assert_int_equal(byte_at(&page, memory + 100), 0xc3); /* stacks may still be remembered by it */
}

static void code_that_stays_keeps_its_rules(void **state)
{
	struct live_page page, again;

	(void)state;
	page = find(memory + 100);
	live_code_age(code);
	again = find(memory + 100);
	assert_ptr_equal(again.module, page.module);
}

static void memory_that_is_not_there_is_not_found(void **state)
{
	struct live_page page;

	(void)state;
	assert_false(live_code_find(code, (uint32_t)getpid(), 0x1000, &page));
	assert_false(live_code_find(code, 0x7fffffff, (uintptr_t)memory, &page));
}

static void pages_are_bounded(void **state)
{
	struct live_page page;

	(void)state;
	for (uint64_t i = 0; i < 10000 && !live_code_is_full(code); i++)
		(void)live_code_find(code, 0x7fffffff, i * PAGE_BYTES, &page);
	assert_true(live_code_is_full(code));
	assert_false(live_code_find(code, (uint32_t)getpid(), (uintptr_t)memory, &page));
}

static void machines_with_a_link_register_are_left_alone(void **state)
{
	(void)state;
	assert_null(live_code_create(&unwind_arch_aarch64));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_page_has_the_bytes_of_the_process),
		TEST(code_that_was_written_over_is_seen_when_it_is_old),
		TEST(code_that_stays_keeps_its_rules),
		TEST(memory_that_is_not_there_is_not_found),
		TEST(pages_are_bounded),
		TEST(machines_with_a_link_register_are_left_alone),
	};

	return cmocka_run_group_tests_name("record/live_code", tests, NULL, NULL);
}
