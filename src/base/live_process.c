/*
 * Each function looks at one place of /proc/PID (proc(5)). A process may end at any time, so a missing place is an ordinary
 * answer and no error.
 */
#include "base/live_process.h"

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

/* Field 22 of /proc/PID/stat (proc(5)); the second one, the command in brackets, may hold spaces and brackets. */
static bool read_start_ticks(uint32_t pid, unsigned long long *ticks)
{
	enum { FIELDS_BEHIND_COMMAND = 19 }; /* that are skipped: 3 to 21 */
	char path[64], text[1024];
	const char *at;
	size_t size;
	FILE *stat_file;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	stat_file = fopen(path, "re");
	if (!stat_file)
		return false;
	size = fread(text, 1, sizeof(text) - 1, stat_file);
	fclose(stat_file);
	text[size] = '\0';
	at = strrchr(text, ')');
	for (int i = 0; at && i <= FIELDS_BEHIND_COMMAND; i++)
		at = strchr(at + 1, ' ');
	if (!at)
		return false;
	*ticks = strtoull(at, NULL, 10);
	return true;
}

int64_t live_process_started_s(uint32_t pid)
{
	const long ticks_per_second = sysconf(_SC_CLK_TCK);
	struct timespec now, since_boot;
	unsigned long long ticks;

	if (ticks_per_second <= 0 || !read_start_ticks(pid, &ticks))
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &since_boot);
	return (int64_t)now.tv_sec - (int64_t)since_boot.tv_sec +
	       (int64_t)(ticks / (unsigned long long)ticks_per_second);
}
