#ifndef XPROF_RECORD_CPU_WATCH_H
#define XPROF_RECORD_CPU_WATCH_H

/*
 * Notices that CPUs went offline or came online: the kernel announces it (a uevent), the list of those that are online
 * changes, or the machine was suspended, during which all CPUs but one are offline. Looking costs a read of one line of
 * sysfs; nothing is asked of the CPUs.
 */

#include <stdbool.h>
#include <stdint.h>

#include "record/process/target.h"

struct cpu_watch;

/* `sys` is "/sys", or a directory of tests. Missing files are tolerated. */
struct cpu_watch *cpu_watch_open(const char *sys);
void cpu_watch_close(struct cpu_watch *watch);

/* For poll(): readable when the kernel announced something, often about other devices; -1: it does not. */
int cpu_watch_fd(const struct cpu_watch *watch);

/* True if some CPU may have come or gone since the last look; then cpu_watch_online() is what is true now. */
bool cpu_watch_look(struct cpu_watch *watch);

/* Only its CPUs are set. Valid until the next look. */
const struct target *cpu_watch_online(const struct cpu_watch *watch);

/* Is this message of the kernel about a CPU that came or went? */
bool cpu_watch_is_about_cpu(const char *message, size_t size);

#endif
