#ifndef XPROF_TEST_KERNEL_PLAYED_EPOLL_H
#define XPROF_TEST_KERNEL_PLAYED_EPOLL_H

/*
 * Played events in epoll instances of the recorder. An event's descriptor is a memfd, which epoll does not accept. Instead an
 * eventfd of this program is added, with the recorder's events and data, which is readable while the event's ring has data.
 */

#include <sys/epoll.h>

#include "kernel/played_event.h"

/* Does an epoll_ctl() of a process for the event; EPOLL_CTL_DEL does not use `wanted`. Returns the errno, or 0. */
int played_epoll_control(struct played_event *event, pid_t pid, int epoll_fd, int operation,
			 struct epoll_event *wanted);

/* Makes exactly the events with data readable. */
void played_epoll_refresh(struct played_events *events);

/* Removes a closed event from all instances. */
void played_epoll_forget(struct played_event *event);

#endif
