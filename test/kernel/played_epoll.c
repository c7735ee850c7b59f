/*
 * Gets the recorder's epoll instance with pidfd_getfd(), so that the real kernel waits, wakes and reports errors. For new data in
 * a ring that already has some, writes to the eventfd once more: an edge for callers that wait for edges.
 */
#include "kernel/played_epoll.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Copies a descriptor of another process. -1 with errno. */
static int copy_fd(pid_t pid, int fd)
{
	const int process = (int)syscall(SYS_pidfd_open, pid, 0);
	int copy, errno_value;

	if (process < 0)
		return -1;
	copy = (int)syscall(SYS_pidfd_getfd, process, fd, 0);
	errno_value = errno;
	close(process);
	errno = errno_value;
	return copy;
}

int played_epoll_control(struct played_event *event, pid_t pid, int epoll_fd, int operation,
			 struct epoll_event *wanted)
{
	int copy, result;

	if (!event->ready_fd) {
		const int ready_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

		if (ready_fd < 0)
			return errno;
		event->ready_fd = ready_fd;
	}
	copy = copy_fd(pid, epoll_fd);
	if (copy < 0)
		return errno;
	result = epoll_ctl(copy, operation, event->ready_fd, wanted) < 0 ? errno : 0;
	close(copy);
	return result;
}

static void refresh(struct played_events *events, struct played_event *event)
{
	const struct played_ring *ring = played_events_ring(events, event);
	const bool has_data = ring && played_ring_has_data(ring);
	uint64_t number = 1;

	if (has_data && event->ready_head != ring->head) {
		event->ready_head = ring->head;
		(void)!write(event->ready_fd, &number, sizeof(number));
	} else if (!has_data) {
		(void)!read(event->ready_fd, &number, sizeof(number));
	}
}

void played_epoll_refresh(struct played_events *events)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].ready_fd)
			refresh(events, &events->items[i]);
}

void played_epoll_forget(struct played_event *event)
{
	if (event->ready_fd)
		close(event->ready_fd);
	event->ready_fd = 0;
}
