/*
 * The kernel has two errnos for many causes. The owner of the process, the effective user and perf_event_paranoid tell
 * them apart; permission_explain() tries the most specific cause first.
 */
#include "record/machine/permission.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/machine/proc_file.h"

static const char paranoid_path[] = "/proc/sys/kernel/perf_event_paranoid";

int permission_paranoid_level(void)
{
	long long level;

	return proc_file_read_number(paranoid_path, &level, NULL) < 0 ? 2 : (int)level;
}

/* A process may be looked at by whoever may trace it: its own user, and root. */
static bool belongs_to_another_user(pid_t pid)
{
	struct stat status;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	return pid > 0 && geteuid() != 0 && stat(path, &status) == 0 && status.st_uid != geteuid();
}

/*
 * The kernel answers EACCES where perf_event_paranoid forbids something. EPERM
 * for root, or where paranoid allows it, is a container's seccomp filter.
 */
int permission_explain(struct error *err, int open_errno, const char *event, pid_t pid)
{
	int level = permission_paranoid_level();
	bool system_wide = pid == -1;
	int needed = system_wide ? 0 : 1;

	if (belongs_to_another_user(pid))
		error_set(err,
			  "cannot open %s: process %d belongs to another user: run as root or as that user",
			  event, (int)pid);
	else if (open_errno == EPERM && (geteuid() == 0 || level <= needed))
		error_set(
			err,
			"cannot open %s: not permitted, although kernel.perf_event_paranoid is %d: a container's "
			"seccomp filter forbids perf_event_open; allow it (docker run --security-opt "
			"seccomp=FILE, or --cap-add PERFMON)",
			event, level);
	else
		error_set(
			err,
			"cannot open %s%s: permission denied (kernel.perf_event_paranoid is %d): run as root, or "
			"'sysctl kernel.perf_event_paranoid=%d', or 'setcap cap_perfmon+ep' on xprof; in a "
			"container also allow perf_event_open in its seccomp filter",
			event, system_wide ? " for the whole system" : "", level, needed);
	if (err)
		err->errno_value = open_errno;
	return -1;
}
