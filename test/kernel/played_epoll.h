#ifndef XPROF_TEST_KERNEL_PLAYED_EPOLL_H
#define XPROF_TEST_KERNEL_PLAYED_EPOLL_H

/*
 * Played events in epoll instances of the recorder. An event's descriptor is a memfd, which epoll does not take: in its place an
 * eventfd of this program is put in, with the recorder's events and data, that is readable while the event's ring has data.
 */

#include <sys/epoll.h>

#include "kernel/played_event.h"

/* epoll_ctl() of a process on the event; `wanted` is not used by EPOLL_CTL_DEL. The errno, or 0. */
int played_epoll_control(struct played_event *event, pid_t pid, int epoll_fd, int operation,
			 struct epoll_event *wanted);

/* Makes readable what has data, and nothing else. */
void played_epoll_refresh(struct played_events *events);

/* Of an event that was closed: takes it out of all instances. */
void played_epoll_forget(struct played_event *event);

#endif
