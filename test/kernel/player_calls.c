/* The system calls: answers each as the kernel would, or leaves it to the kernel. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "kernel/played_epoll.h"
#include "kernel/player.h"
#include "kernel/record_bytes.h"

enum {
	HELD_NS = 5000000, /* a recorder also waits for other things, which it must check now and then */
	ATTR_MIN_BYTES = PERF_ATTR_SIZE_VER0,
	COUNTS_MAX = 4096,
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The process of a thread; 0 if the thread has ended. */
static pid_t process_of(pid_t tid)
{
	char path[64], line[128];
	FILE *status;
	int pid = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	status = fopen(path, "r");
	while (status && fgets(line, sizeof(line), status) && sscanf(line, "Tgid: %d", &pid) != 1)
		;
	if (status)
		fclose(status);
	return pid;
}

static bool read_attr(pid_t pid, uint64_t address, struct perf_event_attr *attr)
{
	uint32_t size;

	memset(attr, 0, sizeof(*attr));
	if (!notifier_read_memory(pid, address + offsetof(struct perf_event_attr, size), &size, sizeof(size)))
		return false;
	if (size < ATTR_MIN_BYTES)
		size = ATTR_MIN_BYTES;
	return notifier_read_memory(pid, address, attr, size < sizeof(*attr) ? size : sizeof(*attr));
}

static bool refusal_holds(const struct player *player, const struct play_refusal *refusal,
			  const struct perf_event_attr *attr, int cpu, bool is_member)
{
	return !refusal->map_above_bytes &&
	       (refusal->after < 0 || (int64_t)played_events_open_count(&player->events) >= refusal->after) &&
	       (refusal->member < 0 || refusal->member == is_member) &&
	       (refusal->cpu < 0 || refusal->cpu == cpu) &&
	       (refusal->type < 0 || refusal->type == (int64_t)attr->type) &&
	       (refusal->precise < 0 || refusal->precise == (int64_t)attr->precise_ip) &&
	       (!refusal->branch ||
		(attr->sample_type & PERF_SAMPLE_BRANCH_STACK && attr->branch_sample_type & refusal->branch));
}

static int refusal_of(const struct player *player, const struct perf_event_attr *attr, int cpu,
		      bool is_member)
{
	for (size_t i = 0; i < player->script.refusal_count; i++)
		if (refusal_holds(player, &player->script.refusals[i], attr, cpu, is_member))
			return player->script.refusals[i].errno_value;
	return machine_refusal(player->machine, attr, cpu);
}

static void log_open(const struct player *player, const struct perf_event_attr *attr, int cpu,
		     int errno_value)
{
	if (player->log)
		fprintf(player->log,
			"open type=%u config=0x%" PRIx64 " precise=%u sample_type=0x%" PRIx64
			" branch=0x%" PRIx64 " period=%" PRIu64 " cpu=%d: %s\n",
			attr->type, (uint64_t)attr->config, (unsigned)attr->precise_ip,
			(uint64_t)attr->sample_type, (uint64_t)attr->branch_sample_type,
			(uint64_t)attr->sample_period, cpu,
			errno_value ? strerrorname_np(errno_value) : "opened");
}

static int free_fd(pid_t pid)
{
	char path[64];

	for (int fd = FIRST_FD; fd < END_OF_FDS; fd++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
		if (access(path, F_OK) < 0)
			return fd;
	}
	return -1;
}

/* A member of a group shares its leader's ring only if SET_OUTPUT says so. */
static void answer_open(struct player *player, const struct seccomp_notif *call)
{
	const struct seccomp_data *data = &call->data;
	const pid_t caller = (pid_t)call->pid, pid = (pid_t)data->args[1];
	const int cpu = (int)data->args[2], group_fd = (int)data->args[3];
	const int leader = group_fd < 0 ? -1 : played_events_find(&player->events, caller, group_fd);
	struct perf_event_attr attr;
	struct error err;
	int errno_value, number, fd;

	if (!read_attr(caller, data->args[0], &attr)) {
		notifier_fail(&player->notifier, call->id, EFAULT);
		return;
	}
	errno_value = refusal_of(player, &attr, cpu, leader >= 0);
	log_open(player, &attr, cpu, errno_value);
	fd = free_fd(caller);
	if (errno_value || fd < 0) {
		notifier_fail(&player->notifier, call->id, errno_value ? errno_value : EMFILE);
		return;
	}
	if (!player->recorder)
		player->recorder = process_of(caller);
	number = played_events_add(&player->events, &attr, pid ? pid : caller, cpu, leader,
				   process_of(caller), &err);
	if (number < 0 ||
	    !notifier_return_fd(&player->notifier, call->id, player->events.items[number].memory, fd,
				data->args[4] & PERF_FLAG_FD_CLOEXEC))
		notifier_fail(&player->notifier, call->id, EMFILE);
}

static void enable(struct player *player, int number, bool whole_group, bool enabled)
{
	for (size_t i = 0; i < player->events.count; i++)
		if ((int)i == number || (whole_group && player->events.items[i].leader == number))
			player->events.items[i].is_enabled = enabled;
}

static int set_output(struct player *player, pid_t caller, struct played_event *event, int number, int fd)
{
	const int output = fd < 0 ? number : played_events_find(&player->events, caller, fd);

	if (output < 0 || player->events.items[output].cpu != event->cpu)
		return EINVAL;
	event->output = output;
	return 0;
}

/* Returns the errno, or 0. */
static int control(struct player *player, const struct seccomp_notif *call, int number)
{
	const uint64_t request = call->data.args[1], argument = call->data.args[2];
	struct played_event *event = &player->events.items[number];
	const pid_t caller = (pid_t)call->pid;

	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
	case PERF_EVENT_IOC_DISABLE:
		enable(player, number, argument & PERF_IOC_FLAG_GROUP, request == PERF_EVENT_IOC_ENABLE);
		return 0;
	case PERF_EVENT_IOC_ID:
		return notifier_write_memory(caller, argument, &event->id, sizeof(event->id)) ? 0 : EFAULT;
	case PERF_EVENT_IOC_SET_OUTPUT: return set_output(player, caller, event, number, (int)argument);
	case PERF_EVENT_IOC_SET_FILTER: return event->attr.type == PERF_TYPE_TRACEPOINT ? 0 : EINVAL;
	case PERF_EVENT_IOC_RESET: event->counted = 0; return 0;
	case PERF_EVENT_IOC_REFRESH: event->is_enabled = true; return 0;
	case PERF_EVENT_IOC_PERIOD:
	case PERF_EVENT_IOC_PAUSE_OUTPUT: return 0;
	default: return EINVAL; /* including BPF programs */
	}
}

static void answer_control(struct player *player, const struct seccomp_notif *call, int number)
{
	const int errno_value = control(player, call, number);

	if (errno_value)
		notifier_fail(&player->notifier, call->id, errno_value);
	else
		notifier_return(&player->notifier, call->id, 0);
}

static void answer_map(struct player *player, const struct seccomp_notif *call, int number)
{
	struct error err = { 0 };

	for (size_t i = 0; i < player->script.refusal_count; i++) {
		const struct play_refusal *refusal = &player->script.refusals[i];

		if (refusal->map_above_bytes && call->data.args[1] > refusal->map_above_bytes) {
			notifier_fail(&player->notifier, call->id, refusal->errno_value);
			return;
		}
	}
	if (played_event_map(&player->events.items[number], call->data.args[1], &err) < 0)
		notifier_fail(&player->notifier, call->id, err.errno_value);
	else
		notifier_continue(&player->notifier, call->id); /* the memfd is now as large as the ring */
}

static void answer_read(struct player *player, const struct seccomp_notif *call, int number)
{
	const struct played_event *event = &player->events.items[number];
	const bool whole_group = event->attr.read_format & PERF_FORMAT_GROUP;
	uint64_t ids[SAMPLERS_MAX], counts[SAMPLERS_MAX];
	size_t size = 0;

	for (size_t i = 0; i < player->events.count && size < SAMPLERS_MAX; i++) {
		const struct played_event *member = &player->events.items[i];

		if (whole_group ? member->leader == event->leader && !member->is_closed : (int)i == number) {
			ids[size] = member->id;
			counts[size++] = member->counted;
		}
	}
	strbuf_reset(&player->bytes);
	record_bytes_add_counts(&player->bytes,
				&(struct record_shape){ .attr = &event->attr,
							.id = event->id,
							.group_ids = ids,
							.group_size = size,
							.running_ns = now_ns() - event->opened_ns },
				counts, size);
	if (player->bytes.size > call->data.args[2])
		notifier_fail(&player->notifier, call->id, ENOSPC);
	else if (!notifier_write_memory((pid_t)call->pid, call->data.args[1], player->bytes.bytes,
					player->bytes.size))
		notifier_fail(&player->notifier, call->id, EFAULT);
	else
		notifier_return(&player->notifier, call->id, (int64_t)player->bytes.size);
}

/* Only the process that opened an event closes it; a copy in a new process has no effect. */
static void answer_close(struct player *player, const struct seccomp_notif *call, int number)
{
	struct played_event *event = &player->events.items[number];

	if (process_of((pid_t)call->pid) == event->owner) {
		event->is_closed = true;
		played_epoll_forget(event);
	}
	notifier_continue(&player->notifier, call->id);
}

static void answer_epoll_control(struct player *player, const struct seccomp_notif *call, int number)
{
	const struct seccomp_data *data = &call->data;
	const int operation = (int)data->args[1];
	struct epoll_event wanted = { .events = 0 };
	int errno_value;

	if (operation != EPOLL_CTL_DEL &&
	    !notifier_read_memory((pid_t)call->pid, data->args[3], &wanted, sizeof(wanted))) {
		notifier_fail(&player->notifier, call->id, EFAULT);
		return;
	}
	errno_value = played_epoll_control(&player->events.items[number], process_of((pid_t)call->pid),
					   (int)data->args[0], operation, &wanted);
	if (errno_value)
		notifier_fail(&player->notifier, call->id, errno_value);
	else
		notifier_return(&player->notifier, call->id, 0);
}

/* Updates readiness, then lets the real kernel wait. */
static void answer_epoll_wait(struct player *player, const struct seccomp_notif *call)
{
	played_epoll_refresh(&player->events);
	notifier_continue(&player->notifier, call->id);
}

/* A memfd is always readable. So a call that asks for events waits here for data, and is then left to the kernel. */
static void hold_poll(struct player *player, const struct seccomp_notif *call)
{
	const size_t count = call->data.args[1] < WATCHED_MAX ? (size_t)call->data.args[1] : WATCHED_MAX;
	struct waiting_poll *poll = &player->polls[player->poll_count];
	struct pollfd entries[WATCHED_MAX];

	if (player->poll_count == WAITING_MAX || !notifier_read_memory((pid_t)call->pid, call->data.args[0],
								       entries, count * sizeof(entries[0]))) {
		notifier_continue(&player->notifier, call->id);
		return;
	}
	*poll = (struct waiting_poll){ .call = call->id, .until_ns = now_ns() + HELD_NS };
	for (size_t i = 0; i < count; i++)
		if (entries[i].fd >= FIRST_FD && entries[i].fd < END_OF_FDS) {
			const int number =
				played_events_find(&player->events, (pid_t)call->pid, entries[i].fd);

			if (number >= 0)
				poll->events[poll->event_count++] = number;
		}
	if (poll->event_count == 0)
		answer_epoll_wait(player, call); /* another entry may be an epoll instance */
	else
		player->poll_count++;
}

/* If an execve() finds its program, starts the events that wait for it. */
static void see_execution(struct player *player, const struct seccomp_notif *call)
{
	char path[4096] = "";

	for (size_t i = 0; i < sizeof(path) - 1; i++)
		if (!notifier_read_memory((pid_t)call->pid, call->data.args[0] + i, &path[i], 1) || !path[i])
			break;
	if (access(path, X_OK) == 0)
		for (size_t i = 0; i < player->events.count; i++)
			if (player->events.items[i].attr.enable_on_exec &&
			    player->events.items[i].pid == (pid_t)call->pid)
				player->events.items[i].is_enabled = true;
	notifier_continue(&player->notifier, call->id);
}

/* Keeps the workload alive until the whole script is played, so that the recorder does not end before. */
static void hold_exit(struct player *player, const struct seccomp_notif *call)
{
	if (player->recorder && process_of((pid_t)call->pid) != player->recorder &&
	    player->held_count < WAITING_MAX)
		player->held_exits[player->held_count++] = call->id;
	else
		notifier_continue(&player->notifier, call->id);
}

static void answer_of_event(struct player *player, const struct seccomp_notif *call, int fd)
{
	const int number = played_events_find(&player->events, (pid_t)call->pid, fd);

	if (number < 0) {
		notifier_continue(&player->notifier, call->id);
		return;
	}
	switch (call->data.nr) {
	case SYS_ioctl: answer_control(player, call, number); break;
	case SYS_read: answer_read(player, call, number); break;
	case SYS_close: answer_close(player, call, number); break;
	case SYS_mmap: answer_map(player, call, number); break;
	case SYS_epoll_ctl: answer_epoll_control(player, call, number); break;
	default: notifier_continue(&player->notifier, call->id);
	}
}

void player_answer(struct player *player, const struct seccomp_notif *call)
{
	switch (call->data.nr) {
	case SYS_perf_event_open: answer_open(player, call); break;
	case SYS_execve: see_execution(player, call); break;
	case SYS_exit_group: hold_exit(player, call); break;
#ifdef SYS_poll
	case SYS_poll:
#endif
	case SYS_ppoll: hold_poll(player, call); break;
#ifdef SYS_epoll_wait
	case SYS_epoll_wait:
#endif
	case SYS_epoll_pwait:
	case SYS_epoll_pwait2: answer_epoll_wait(player, call); break;
	case SYS_epoll_ctl: answer_of_event(player, call, (int)call->data.args[2]); break;
	case SYS_mmap: answer_of_event(player, call, (int)call->data.args[4]); break;
	default: answer_of_event(player, call, (int)call->data.args[0]);
	}
}

static bool has_data(struct player *player, const struct waiting_poll *poll)
{
	for (size_t i = 0; i < poll->event_count; i++) {
		struct played_event *event = &player->events.items[poll->events[i]];
		const struct played_ring *ring = played_events_ring(&player->events, event);

		if (ring && played_ring_has_data(ring))
			return true;
	}
	return false;
}

void player_answer_waiting(struct player *player)
{
	const uint64_t now = now_ns();

	played_epoll_refresh(&player->events);
	for (size_t i = player->poll_count; i-- > 0;)
		if (player->polls[i].until_ns <= now || has_data(player, &player->polls[i])) {
			notifier_continue(&player->notifier, player->polls[i].call);
			player->polls[i] = player->polls[--player->poll_count];
		}
	if (player_is_done(player))
		while (player->held_count > 0)
			notifier_continue(&player->notifier, player->held_exits[--player->held_count]);
}
