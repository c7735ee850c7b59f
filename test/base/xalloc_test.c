#include "base/xalloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cmocka.h"

static void sizes_of_zero_give_a_block(void **state)
{
	void *block = xmalloc(0), *zeroed = xcalloc(0, 8);

	(void)state;
	assert_non_null(block);
	assert_non_null(zeroed);
	block = xrealloc(block, 0);
	assert_non_null(block);
	free(block);
	free(zeroed);
}

static void written_memory_is_zeroed(void **state)
{
	enum { COUNT = 1000 };
	unsigned char *block = xmalloc(COUNT * 8), *zeroed;

	(void)state;
	memset(block, 0xff, COUNT * 8);
	free(block);
	zeroed = xcalloc_written(COUNT, 8); /* perhaps the same memory */
	for (size_t i = 0; i < COUNT * 8; i++)
		assert_int_equal(zeroed[i], 0);
	free(zeroed);
	zeroed = xcalloc_written(0, 8);
	assert_non_null(zeroed);
	free(zeroed);
}

static void texts_are_copied(void **state)
{
	char *whole = xstrdup("sample"), *part = xstrndup("sample", 3), *made = xasprintf("%s-%d", "cpu", 3);

	(void)state;
	assert_string_equal(whole, "sample");
	assert_string_equal(part, "sam");
	assert_string_equal(made, "cpu-3");
	free(whole);
	free(part);
	free(made);
}

static void array_grow_doubles_and_keeps_the_items(void **state)
{
	size_t capacity = 0, grown = 0, before, i;
	int *items = NULL;

	(void)state;
	for (i = 0; i < 1000; i++) {
		before = capacity;
		items = array_grow(items, &capacity, i + 1, sizeof(*items));
		grown += capacity != before;
		items[i] = (int)i;
	}
	for (i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
	assert_int_equal(capacity, 1024);
	assert_int_equal(grown, 7); /* 16, 32, … 1024 */
	free(items);
}

static void array_grow_leaves_an_array_that_is_large_enough(void **state)
{
	size_t capacity = 4;
	int items[4];

	(void)state;
	assert_ptr_equal(array_grow(items, &capacity, 4, sizeof(*items)), items);
	assert_int_equal(capacity, 4);
}

/* Runs `exhaust` in a child. Returns its exit status, and what it wrote to standard error. */
static int in_child(void (*exhaust)(void), char *message, size_t size_bytes)
{
	int fds[2], status;
	ssize_t length;
	pid_t child;

	assert_int_equal(pipe(fds), 0);
	child = fork();
	if (child == 0) {
		dup2(fds[1], STDERR_FILENO);
		exhaust();
		_exit(0);
	}
	close(fds[1]);
	length = read(fds[0], message, size_bytes - 1);
	message[length < 0 ? 0 : length] = '\0';
	close(fds[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void overflow_an_array(void)
{
	size_t capacity = 0;

	array_grow(NULL, &capacity, SIZE_MAX / 2, 16);
}

static void exhaustion_is_said_in_one_line_and_ends_with_status_1(void **state)
{
	char message[200];

	(void)state;
	assert_int_equal(in_child(overflow_an_array, message, sizeof(message)), 1);
	assert_string_equal(message, "xprof: out of memory\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_of_zero_give_a_block),
		cmocka_unit_test(written_memory_is_zeroed),
		cmocka_unit_test(texts_are_copied),
		cmocka_unit_test(array_grow_doubles_and_keeps_the_items),
		cmocka_unit_test(array_grow_leaves_an_array_that_is_large_enough),
		cmocka_unit_test(exhaustion_is_said_in_one_line_and_ends_with_status_1),
	};

	return cmocka_run_group_tests_name("base/xalloc", tests, NULL, NULL);
}
