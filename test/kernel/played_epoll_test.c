#include "kernel/played_epoll.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"

struct watched {
	struct played_events events;
	int epoll_fd;
};

static struct played_event *event_of(struct watched *watched)
{
	return &watched->events.items[0];
}

static int control(struct watched *watched, int operation, uint32_t interest, uint32_t data)
{
	struct epoll_event wanted = { .events = interest, .data.u32 = data };

	return played_epoll_control(event_of(watched), getpid(), watched->epoll_fd, operation, &wanted);
}

static void begin(struct watched *watched)
{
	const struct perf_event_attr attr = { .sample_period = 1 };

	played_events_init(&watched->events);
	assert_int_equal(played_events_add(&watched->events, &attr, -1, 0, -1, getpid(), NULL), 0);
	assert_int_equal(played_event_map(event_of(watched), 2 * (size_t)sysconf(_SC_PAGESIZE), NULL), 0);
	watched->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	assert_true(watched->epoll_fd >= 0);
}

static void end(struct watched *watched)
{
	close(watched->epoll_fd);
	played_epoll_forget(event_of(watched));
	played_events_fini(&watched->events);
}

static void write_record(struct watched *watched)
{
	const uint8_t record[16] = { 0 };

	assert_true(played_ring_write(&event_of(watched)->ring, record, sizeof(record)));
	played_epoll_refresh(&watched->events);
}

static void read_all(struct watched *watched)
{
	struct played_ring *ring = &event_of(watched)->ring;

	ring->control->data_tail = ring->head;
	played_epoll_refresh(&watched->events);
}

/* The data with which the ready event was registered; 0 if none is ready. */
static uint32_t ready(const struct watched *watched)
{
	struct epoll_event event = { .events = 0 };

	return epoll_wait(watched->epoll_fd, &event, 1, 0) == 1 && event.events == EPOLLIN ? event.data.u32 :
											     0;
}

static void an_event_is_ready_while_its_ring_has_data(void **state)
{
	struct watched watched;

	(void)state;
	begin(&watched);
	assert_int_equal(control(&watched, EPOLL_CTL_ADD, EPOLLIN, 42), 0);
	assert_int_equal(ready(&watched), 0);
	write_record(&watched);
	assert_int_equal(ready(&watched), 42);
	assert_int_equal(ready(&watched), 42);
	read_all(&watched);
	assert_int_equal(ready(&watched), 0);
	write_record(&watched);
	assert_int_equal(ready(&watched), 42);
	end(&watched);
}

static void edges_come_with_new_data_alone(void **state)
{
	struct watched watched;

	(void)state;
	begin(&watched);
	assert_int_equal(control(&watched, EPOLL_CTL_ADD, EPOLLIN | EPOLLET, 42), 0);
	write_record(&watched);
	assert_int_equal(ready(&watched), 42);
	played_epoll_refresh(&watched.events);
	assert_int_equal(ready(&watched), 0);
	write_record(&watched);
	assert_int_equal(ready(&watched), 42);
	end(&watched);
}

static void registrations_are_changed_and_removed(void **state)
{
	struct watched watched;

	(void)state;
	begin(&watched);
	assert_int_equal(control(&watched, EPOLL_CTL_MOD, EPOLLIN, 1), ENOENT);
	assert_int_equal(control(&watched, EPOLL_CTL_ADD, EPOLLIN, 42), 0);
	assert_int_equal(control(&watched, EPOLL_CTL_ADD, EPOLLIN, 42), EEXIST);
	write_record(&watched);
	assert_int_equal(control(&watched, EPOLL_CTL_MOD, EPOLLIN, 43), 0);
	assert_int_equal(ready(&watched), 43);
	assert_int_equal(control(&watched, EPOLL_CTL_DEL, 0, 0), 0);
	assert_int_equal(ready(&watched), 0);
	assert_int_equal(control(&watched, EPOLL_CTL_DEL, 0, 0), ENOENT);
	end(&watched);
}

static void a_closed_event_is_in_no_instance(void **state)
{
	struct watched watched;

	(void)state;
	begin(&watched);
	assert_int_equal(control(&watched, EPOLL_CTL_ADD, EPOLLIN, 42), 0);
	write_record(&watched);
	played_epoll_forget(event_of(&watched));
	assert_int_equal(ready(&watched), 0);
	played_epoll_refresh(&watched.events);
	end(&watched);
}

static void what_is_no_instance_is_refused(void **state)
{
	struct watched watched;
	struct epoll_event wanted = { .events = EPOLLIN };

	(void)state;
	begin(&watched);
	assert_int_equal(played_epoll_control(event_of(&watched), getpid(), event_of(&watched)->memory,
					      EPOLL_CTL_ADD, &wanted),
			 EINVAL);
	assert_int_equal(played_epoll_control(event_of(&watched), getpid(), 999, EPOLL_CTL_ADD, &wanted),
			 EBADF);
	end(&watched);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_is_ready_while_its_ring_has_data),
		cmocka_unit_test(edges_come_with_new_data_alone),
		cmocka_unit_test(registrations_are_changed_and_removed),
		cmocka_unit_test(a_closed_event_is_in_no_instance),
		cmocka_unit_test(what_is_no_instance_is_refused),
	};

	return cmocka_run_group_tests_name("kernel/played_epoll", tests, NULL, NULL);
}
