/* Reads memory of this very process. */

#include "record/stack/process_memory.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cmocka.h"

enum { PAGE_BYTES = 4096 };

static uint8_t *memory; /* two pages, followed by an unmapped one */

static int set_up(void **state)
{
	(void)state;
	memory = mmap(NULL, 3 * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -1;
	for (size_t i = 0; i < 2 * PAGE_BYTES; i++)
		memory[i] = (uint8_t)(i * 7);
	return munmap(memory + 2 * PAGE_BYTES, PAGE_BYTES);
}

static int tear_down(void **state)
{
	(void)state;
	return munmap(memory, 2 * PAGE_BYTES);
}

static void bytes_are_those_of_the_process(void **state)
{
	uint8_t read[PAGE_BYTES];

	(void)state;
	assert_int_equal(process_memory_read((uint32_t)getpid(), (uintptr_t)memory + 100, read, sizeof(read)),
			 sizeof(read));
	assert_memory_equal(read, memory + 100, sizeof(read));
}

static void reading_ends_where_nothing_is_mapped(void **state)
{
	uint8_t read[3 * PAGE_BYTES];

	(void)state;
	assert_int_equal(process_memory_read((uint32_t)getpid(), (uintptr_t)memory + 8, read, sizeof(read)),
			 2 * PAGE_BYTES - 8);
	assert_int_equal(process_memory_read((uint32_t)getpid(), (uintptr_t)memory + 2 * PAGE_BYTES, read, 8),
			 0);
}

static void a_process_that_has_ended_has_no_memory(void **state)
{
	const pid_t child = fork();
	uint8_t read[8];

	(void)state;
	if (child == 0)
		_exit(0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(process_memory_read((uint32_t)child, (uintptr_t)memory, read, sizeof(read)), 0);
}

static void more_than_is_read_at_once_is_cut(void **state)
{
	static uint8_t read[2 * PROCESS_MEMORY_MAX_BYTES], large[2 * PROCESS_MEMORY_MAX_BYTES];

	(void)state;
	memset(large, 1, sizeof(large));
	assert_int_equal(process_memory_read((uint32_t)getpid(), (uintptr_t)large, read, sizeof(read)),
			 PROCESS_MEMORY_MAX_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_those_of_the_process),
		cmocka_unit_test(reading_ends_where_nothing_is_mapped),
		cmocka_unit_test(a_process_that_has_ended_has_no_memory),
		cmocka_unit_test(more_than_is_read_at_once_is_cut),
	};

	return cmocka_run_group_tests_name("record/stack/process_memory", tests, set_up, tear_down);
}
