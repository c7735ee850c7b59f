/* Calls setpriority(2) and sched_setscheduler(2). A positive nice value is the user's choice, so it is kept. */
#include "record/own_priority.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FOREMOST = -20 };

bool own_priority_raise(void)
{
	int nice_value;

	errno = 0;
	nice_value = getpriority(PRIO_PROCESS, 0);
	if (errno || nice_value > 0)
		return false;
	return nice_value == FOREMOST || setpriority(PRIO_PROCESS, 0, FOREMOST) == 0;
}

bool own_priority_may_be_raised(void)
{
	errno = 0;
	return geteuid() == 0 && getpriority(PRIO_PROCESS, 0) <= 0 && !errno;
}

int own_priority_set_realtime(int priority, struct error *err)
{
	const struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(0, SCHED_FIFO, &param) == 0)
		return 0;
	return error_set_errno(err, errno, "cannot get the real-time priority %d: run as root", priority);
}
