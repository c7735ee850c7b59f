/*
 * Three signs that a CPU came or went. The list in sysfs shows CPUs that are offline now. Uevents also tell
 * of CPUs that came back since the last look. A difference between CLOCK_BOOTTIME, which counts suspended
 * time, and CLOCK_MONOTONIC, which does not, shows that the machine was suspended.
 */
#include "record/cpu_watch.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"

enum {
	LIST_BYTES = 4096,    /* a file of sysfs is a page at most */
	MESSAGE_BYTES = 2048, /* UEVENT_BUFFER_SIZE of the kernel */
	UEVENT_GROUP = 1,     /* the kernel's own messages; udevd sends to group 2 */
	SUSPENDED_LEAST_NS = 1000 * 1000,
};

struct cpu_watch {
	int list_fd, uevent_fd;
	char list[LIST_BYTES];
	struct target online;
	int64_t suspended_ns;
};

static int64_t now_ns(clockid_t clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t suspended_ns(void)
{
	return now_ns(CLOCK_BOOTTIME) - now_ns(CLOCK_MONOTONIC);
}

static int open_uevents(void)
{
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = UEVENT_GROUP };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Returns whether the list has changed. */
static bool read_list(struct cpu_watch *watch)
{
	char list[LIST_BYTES];
	struct target online = { 0 };
	ssize_t size = watch->list_fd < 0 ? -1 : pread(watch->list_fd, list, sizeof(list) - 1, 0);

	if (size <= 0)
		return false;
	list[size] = 0;
	if (strcmp(list, watch->list) == 0 || target_parse_cpus(&online, list, NULL) < 0) {
		target_fini(&online);
		return false;
	}
	memcpy(watch->list, list, (size_t)size + 1);
	target_fini(&watch->online);
	watch->online = online;
	return true;
}

struct cpu_watch *cpu_watch_open(const char *sys)
{
	struct cpu_watch *watch = xcalloc(1, sizeof(*watch));
	char path[256];

	snprintf(path, sizeof(path), "%s/devices/system/cpu/online", sys);
	watch->list_fd = open(path, O_RDONLY | O_CLOEXEC);
	watch->uevent_fd = open_uevents();
	watch->suspended_ns = suspended_ns();
	(void)read_list(watch);
	return watch;
}

void cpu_watch_close(struct cpu_watch *watch)
{
	if (!watch)
		return;
	if (watch->list_fd >= 0)
		close(watch->list_fd);
	if (watch->uevent_fd >= 0)
		close(watch->uevent_fd);
	target_fini(&watch->online);
	free(watch);
}

int cpu_watch_fd(const struct cpu_watch *watch)
{
	return watch->uevent_fd;
}

/* "online@/devices/system/cpu/cpu1", a zero byte and more fields: Documentation/ABI/testing/sysfs-uevent */
bool cpu_watch_is_about_cpu(const char *message, size_t size)
{
	static const char device[] = "@/devices/system/cpu/cpu";
	const char *at = memchr(message, '@', size);

	return at && size - (size_t)(at - message) > strlen(device) &&
	       memcmp(at, device, strlen(device)) == 0 && isdigit((unsigned char)at[strlen(device)]);
}

/* Reads all messages. ENOBUFS, messages that did not fit into the queue, counts as a message about a CPU. */
static bool take_uevents(const struct cpu_watch *watch)
{
	char message[MESSAGE_BYTES];
	bool any = false;

	if (watch->uevent_fd < 0)
		return false;
	for (;;) {
		ssize_t size = recv(watch->uevent_fd, message, sizeof(message), 0);

		if (size < 0 && errno == ENOBUFS)
			any = true;
		else if (size < 0)
			return any;
		else
			any |= cpu_watch_is_about_cpu(message, (size_t)size);
	}
}

static bool was_suspended(struct cpu_watch *watch)
{
	const int64_t now = suspended_ns();
	const bool is_longer = now - watch->suspended_ns > SUSPENDED_LEAST_NS;

	if (is_longer)
		watch->suspended_ns = now;
	return is_longer;
}

bool cpu_watch_look(struct cpu_watch *watch)
{
	const bool announced = take_uevents(watch);
	const bool suspended = was_suspended(watch);

	return read_list(watch) || announced || suspended;
}

const struct target *cpu_watch_online(const struct cpu_watch *watch)
{
	return &watch->online;
}
