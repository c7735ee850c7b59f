#include "base/map_guard.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cmocka.h"

enum { PAGES = 4 };

struct mapping {
	int fd;
	size_t page, size;
	volatile const uint8_t *bytes;
};

static struct mapping map_file(void)
{
	struct mapping mapping = { .fd = memfd_create("guarded", MFD_CLOEXEC),
				   .page = (size_t)sysconf(_SC_PAGESIZE) };

	mapping.size = PAGES * mapping.page;
	assert_true(mapping.fd >= 0);
	for (size_t i = 0; i < mapping.size; i += mapping.page)
		assert_int_equal(pwrite(mapping.fd, "x", 1, (off_t)i), 1);
	assert_int_equal(ftruncate(mapping.fd, (off_t)mapping.size), 0);
	mapping.bytes = mmap(NULL, mapping.size, PROT_READ, MAP_PRIVATE, mapping.fd, 0);
	assert_true(mapping.bytes != MAP_FAILED);
	return mapping;
}

static void unmap(const struct mapping *mapping)
{
	munmap((void *)mapping->bytes, mapping->size);
	close(mapping->fd);
}

static void what_was_cut_off_reads_as_zeros_and_is_told(void **state)
{
	struct mapping mapping = map_file();
	struct map_guard *guard = map_guard_add((const void *)mapping.bytes, mapping.size);

	(void)state;
	assert_int_equal(mapping.bytes[2 * mapping.page], 'x');
	assert_false(map_guard_was_hit(guard));
	assert_int_equal(ftruncate(mapping.fd, (off_t)mapping.page), 0);
	assert_int_equal(mapping.bytes[2 * mapping.page], 0);
	assert_int_equal(mapping.bytes[mapping.size - 1], 0);
	assert_int_equal(mapping.bytes[mapping.page], 0);
	assert_int_equal(mapping.bytes[0], 'x');
	assert_true(map_guard_was_hit(guard));
	map_guard_remove(guard);
	unmap(&mapping);
}

static void a_guard_of_one_mapping_says_nothing_of_another(void **state)
{
	struct mapping cut = map_file(), whole = map_file();
	struct map_guard *guards[] = { map_guard_add((const void *)cut.bytes, cut.size),
				       map_guard_add((const void *)whole.bytes, whole.size) };

	(void)state;
	assert_int_equal(ftruncate(cut.fd, 0), 0);
	assert_int_equal(cut.bytes[0], 0);
	assert_int_equal(whole.bytes[0], 'x');
	assert_true(map_guard_was_hit(guards[0]));
	assert_false(map_guard_was_hit(guards[1]));
	map_guard_remove(guards[0]);
	map_guard_remove(guards[1]);
	unmap(&cut);
	unmap(&whole);
}

static void read_without_guard(void)
{
	struct mapping mapping;

	signal(SIGBUS, SIG_DFL); /* cmocka has installed its own handler */
	mapping = map_file();
	map_guard_remove(map_guard_add((const void *)mapping.bytes, mapping.size));
	if (ftruncate(mapping.fd, 0) == 0)
		_exit(mapping.bytes[0]);
	_exit(1);
}

static void a_mapping_without_a_guard_still_ends_the_program(void **state)
{
	int status = 0;
	pid_t child = fork();

	(void)state;
	if (child == 0)
		read_without_guard();
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGBUS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_cut_off_reads_as_zeros_and_is_told),
		cmocka_unit_test(a_guard_of_one_mapping_says_nothing_of_another),
		cmocka_unit_test(a_mapping_without_a_guard_still_ends_the_program),
	};

	return cmocka_run_group_tests_name("base/map_guard", tests, NULL, NULL);
}
