#include "record/bpf/copy_ring.h"

#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/cmocka.h"

enum { RING_BYTES = 4 << 20, RECORD_BYTES = 64 << 10, FIRST_STEP = 256 << 10 };

/* A file that stands for the map, with the same pages: the reader's, the program's, the data and the data's start again. */
static int make_map(void)
{
	const int fd = memfd_create("ring", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 2 * sysconf(_SC_PAGESIZE) + RING_BYTES + RECORD_BYTES), 0);
	return fd;
}

static void write_at(int fd, off_t offset, const void *bytes, size_t size)
{
	assert_int_equal(pwrite(fd, bytes, size, offset), size);
}

static void set_end(int fd, uint64_t position)
{
	write_at(fd, sysconf(_SC_PAGESIZE), &position, sizeof(position));
}

static void add_record(int fd, uint64_t position, char byte)
{
	const uint32_t header[2] = { 1, 0 };
	const off_t at = 2 * sysconf(_SC_PAGESIZE) + (off_t)(position % RING_BYTES);

	write_at(fd, at, header, sizeof(header));
	write_at(fd, at + (off_t)sizeof(header), &byte, 1);
	set_end(fd, position + 16);
}

static char byte_of(const struct copy_ring *ring, uint64_t position)
{
	const struct copy_ring_record record = copy_ring_read(ring, position);

	assert_int_equal(record.state, COPY_RING_READY);
	assert_int_equal(record.size, 1);
	return (char)record.bytes[0];
}

static void pages_are_mapped_when_records_lie_in_them(void **state)
{
	/* Each position is past the previous case's mapping; the last is on the second pass through the ring. */
	static const struct {
		uint64_t position;
		size_t mapped_bytes;
	} cases[] = {
		{ 0, FIRST_STEP },
		{ FIRST_STEP - 8, 2 * FIRST_STEP },
		{ 3 * FIRST_STEP, 4 * FIRST_STEP },
		{ RING_BYTES + 8, RING_BYTES + RECORD_BYTES },
	};
	const int fd = make_map();
	struct copy_ring ring;
	struct error err;

	(void)state;
	assert_int_equal(copy_ring_map(&ring, fd, RING_BYTES, RECORD_BYTES, &err), 0);
	assert_int_equal(copy_ring_end(&ring), 0);
	assert_int_equal(ring.mapped_bytes, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		add_record(fd, cases[i].position, (char)('a' + i));
		assert_int_equal(copy_ring_end(&ring), cases[i].position + 16);
		assert_int_equal(ring.mapped_bytes, cases[i].mapped_bytes);
		assert_int_equal(byte_of(&ring, cases[i].position), 'a' + i);
	}
	copy_ring_unmap(&ring);
	close(fd);
}

static void a_record_that_goes_around_the_end_is_mapped_as_a_whole(void **state)
{
	const int fd = make_map();
	struct copy_ring ring;
	struct error err;

	(void)state;
	assert_int_equal(copy_ring_map(&ring, fd, RING_BYTES, RECORD_BYTES, &err), 0);
	add_record(fd, RING_BYTES - 8, 'z');
	assert_int_equal(copy_ring_end(&ring), RING_BYTES + 8);
	assert_int_equal(byte_of(&ring, RING_BYTES - 8), 'z');
	copy_ring_unmap(&ring);
	close(fd);
}

static void the_end_stays_where_nothing_more_can_be_mapped(void **state)
{
	const int fd = make_map();
	struct copy_ring ring;
	struct error err;

	(void)state;
	assert_int_equal(copy_ring_map(&ring, fd, RING_BYTES, RECORD_BYTES, &err), 0);
	add_record(fd, 0, 'a');
	assert_int_equal(copy_ring_end(&ring), 16);
	set_end(fd, FIRST_STEP + 16);
	close(fd);
	assert_int_equal(copy_ring_end(&ring), 16);
	assert_int_equal(byte_of(&ring, 0), 'a');
	copy_ring_unmap(&ring);
}

static void a_descriptor_that_is_no_ring_is_an_error(void **state)
{
	struct copy_ring ring;
	struct error err;

	(void)state;
	assert_int_equal(copy_ring_map(&ring, -1, RING_BYTES, RECORD_BYTES, &err), -1);
	copy_ring_unmap(&ring); /* does nothing */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_mapped_when_records_lie_in_them),
		cmocka_unit_test(a_record_that_goes_around_the_end_is_mapped_as_a_whole),
		cmocka_unit_test(the_end_stays_where_nothing_more_can_be_mapped),
		cmocka_unit_test(a_descriptor_that_is_no_ring_is_an_error),
	};

	return cmocka_run_group_tests_name("record/bpf/copy_ring", tests, NULL, NULL);
}
