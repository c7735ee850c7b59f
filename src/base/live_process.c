/*
 * Each function looks at one place of /proc/PID (proc(5)). A process may end at any time, so a missing place is an ordinary
 * answer and no error.
 */
#include "base/live_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

uint32_t live_process_inner_pid(uint32_t pid)
{
	char path[64], line[4096];
	uint32_t inner = pid;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	status = fopen(path, "re");
	if (!status)
		return pid;
	while (fgets(line, sizeof(line), status)) {
		const char *last;

		if (strncmp(line, "NSpid:", strlen("NSpid:")) != 0)
			continue;
		last = strrchr(line, '\t');
		if (last)
			inner = (uint32_t)strtoul(last, NULL, 10);
		break;
	}
	fclose(status);
	return inner ? inner : pid;
}

bool live_process_user(uint32_t pid, uid_t *user)
{
	struct stat status;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u", pid);
	if (stat(path, &status) < 0)
		return false;
	*user = status.st_uid;
	return true;
}

/* The fields of /proc/PID/stat that are read here, by their numbers in proc(5). */
enum { STAT_COMMAND = 2, STAT_FLAGS = 9, STAT_START_TICKS = 22 };

/* Not STAT_COMMAND itself, which stands in brackets and may hold spaces and brackets. Returns -1 with errno if there is none. */
static int read_stat_field(uint32_t pid, int field, unsigned long long *value)
{
	char path[64], text[1024];
	const char *at;
	size_t size;
	FILE *stat_file;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	stat_file = fopen(path, "re");
	if (!stat_file)
		return -1;
	size = fread(text, 1, sizeof(text) - 1, stat_file);
	fclose(stat_file);
	text[size] = '\0';
	at = strrchr(text, ')');
	for (int i = STAT_COMMAND; at && i < field; i++)
		at = strchr(at + 1, ' ');
	if (!at) {
		errno = ESRCH; /* it ended while it was read */
		return -1;
	}
	*value = strtoull(at, NULL, 10);
	return 0;
}

int64_t live_process_started_s(uint32_t pid)
{
	const long ticks_per_second = sysconf(_SC_CLK_TCK);
	struct timespec now, since_boot;
	unsigned long long ticks;

	if (ticks_per_second <= 0 || read_stat_field(pid, STAT_START_TICKS, &ticks) < 0)
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &since_boot);
	return (int64_t)now.tv_sec - (int64_t)since_boot.tv_sec +
	       (int64_t)(ticks / (unsigned long long)ticks_per_second);
}

bool live_process_is_ending(uint32_t pid)
{
	enum {
		EXITING = 0x4
	}; /* PF_EXITING, include/linux/sched.h: set before the process gives up its events */
	unsigned long long flags;

	if (read_stat_field(pid, STAT_FLAGS, &flags) < 0)
		return errno == ENOENT || errno == ESRCH;
	return flags & EXITING;
}
