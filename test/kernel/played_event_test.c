#include "kernel/played_event.h"

#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"

static struct played_event *mapped_event(struct played_events *events, size_t data_pages)
{
	const struct perf_event_attr attr = { .sample_period = 1 };
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	played_events_init(events);
	assert_int_equal(played_events_add(events, &attr, -1, 0, -1, getpid(), NULL), 0);
	assert_int_equal(played_event_map(&events->items[0], (1 + data_pages) * page_bytes, NULL), 0);
	return &events->items[0];
}

static void a_record_wraps_around_the_end_of_its_ring(void **state)
{
	struct played_events events;
	struct played_ring *ring = &mapped_event(&events, 1)->ring;
	const size_t size = ring->size_bytes;
	uint8_t filler[65536] = { 0 }, record[16];

	(void)state;
	memset(record, 7, sizeof(record));
	assert_true(played_ring_write(ring, filler, size - 8));
	ring->control->data_tail = size - 8; /* the recorder has read it */
	assert_false(played_ring_has_data(ring));
	assert_true(played_ring_write(ring, record, sizeof(record)));
	assert_memory_equal(ring->data + size - 8, record, 8);
	assert_memory_equal(ring->data, record, 8);
	assert_int_equal(ring->control->data_head, size + 8);
	played_events_fini(&events);
}

static void a_full_ring_takes_nothing_until_it_is_read(void **state)
{
	struct played_events events;
	struct played_ring *ring = &mapped_event(&events, 1)->ring;
	const uint8_t record[32] = { 0 };
	size_t written = 0;

	(void)state;
	while (played_ring_write(ring, record, sizeof(record)))
		written += sizeof(record);
	assert_int_equal(written, ring->size_bytes);
	ring->control->data_tail = sizeof(record);
	assert_true(played_ring_write(ring, record, sizeof(record)));
	assert_false(played_ring_write(ring, record, sizeof(record)));
	played_events_fini(&events);
}

static void a_descriptor_is_known_by_its_memory(void **state)
{
	struct played_events events;
	struct played_event *event = mapped_event(&events, 2);
	const int copy = dup(event->memory);

	(void)state;
	assert_int_equal(played_events_find(&events, getpid(), copy), 0);
	assert_int_equal(played_events_find(&events, getpid(), 0), -1);
	assert_int_equal(played_event_map(event, 3 * (size_t)sysconf(_SC_PAGESIZE), NULL), 0); /* again */
	assert_int_equal(played_event_map(event, 5 * (size_t)sysconf(_SC_PAGESIZE), NULL), -1);
	close(copy);
	played_events_fini(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_wraps_around_the_end_of_its_ring),
		cmocka_unit_test(a_full_ring_takes_nothing_until_it_is_read),
		cmocka_unit_test(a_descriptor_is_known_by_its_memory),
	};

	return cmocka_run_group_tests_name("kernel/played_event", tests, NULL, NULL);
}
