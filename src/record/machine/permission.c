/*
 * The kernel has two errnos for many causes. The owner of the process, the effective user and perf_event_paranoid tell
 * them apart; permission_explain() tries the most specific cause first.
 */
#include "record/machine/permission.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/machine/proc_file.h"

static const char paranoid_path[] = "/proc/sys/kernel/perf_event_paranoid";

int permission_paranoid_level(void)
{
	long long level;

	return proc_file_read_number(paranoid_path, &level, NULL) < 0 ? 2 : (int)level;
}

/* Only its own user and root may trace a process, and thus observe it. */
static bool belongs_to_another_user(pid_t pid)
{
	struct stat status;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	return pid > 0 && geteuid() != 0 && stat(path, &status) == 0 && status.st_uid != geteuid();
}

bool permission_has(const char *proc, enum permission_capability capability)
{
	struct strbuf status = STRBUF_INIT;
	uint64_t capabilities = 0;

	if (proc_file_readf(&status, NULL, "%s/self/status", proc) == 0 && status.size) {
		const char *field = strstr(status.bytes, "\nCapEff:");

		if (field)
			capabilities = strtoull(field + strlen("\nCapEff:"), NULL, 16);
	}
	strbuf_fini(&status);
	return capabilities >> capability & 1;
}

bool permission_has_perfmon(const char *proc)
{
	return permission_has(proc, PERMISSION_PERFMON) || permission_has(proc, PERMISSION_SYS_ADMIN);
}

/* ptrace_may_access() decides on mappings as on events: it refuses a process with capabilities that xprof lacks. */
static bool has_more_rights(pid_t pid)
{
	char path[32];
	int fd;

	if (pid <= 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd < 0 && (errno == EACCES || errno == EPERM);
}

static void explain_level(struct error *err, const char *event, bool system_wide, int level, int needed)
{
	const char *const scope = system_wide ? " for the whole system" : "";

	if (geteuid() == 0 && !permission_has_perfmon("/proc"))
		error_set(
			err,
			"cannot open %s%s: permission denied (kernel.perf_event_paranoid is %d), and this root has no "
			"CAP_PERFMON, as in containers: 'docker run --cap-add PERFMON', or 'sysctl "
			"kernel.perf_event_paranoid=%d' outside",
			event, scope, level, needed);
	else
		error_set(
			err,
			"cannot open %s%s: permission denied (kernel.perf_event_paranoid is %d): run as root, or "
			"'sysctl kernel.perf_event_paranoid=%d', or 'setcap cap_perfmon+ep' on xprof; in a "
			"container also allow perf_event_open in its seccomp filter",
			event, scope, level, needed);
}

/*
 * The kernel returns EACCES if perf_event_paranoid forbids something. EPERM for root, or although perf_event_paranoid permits it,
 * comes from a container's seccomp filter.
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
	else if (has_more_rights(pid))
		error_set(
			err,
			"cannot open %s: process %d has more rights than xprof (capabilities, setuid): run as root "
			"with all capabilities",
			event, (int)pid);
	else if (open_errno == EPERM && (geteuid() == 0 || level <= needed))
		error_set(
			err,
			"cannot open %s: not permitted, although kernel.perf_event_paranoid is %d: a container's "
			"seccomp filter forbids perf_event_open; allow it (docker run --security-opt "
			"seccomp=FILE, or --cap-add PERFMON)",
			event, level);
	else
		explain_level(err, event, system_wide, level, needed);
	if (err)
		err->errno_value = open_errno;
	return -1;
}
