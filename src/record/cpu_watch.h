#ifndef XPROF_RECORD_CPU_WATCH_H
#define XPROF_RECORD_CPU_WATCH_H

/*
 * Notices that CPUs went offline or came online. There are three signs: a uevent from the kernel, a change of
 * the list of online CPUs in sysfs, and a suspend of the machine, during which all CPUs but one are offline.
 * A look reads one line of sysfs and does not disturb the CPUs.
 */

#include <stdbool.h>

#include "record/process/target.h"

struct cpu_watch;

/* `sys` is "/sys", or a directory that a test has made. Missing files are tolerated. */
struct cpu_watch *cpu_watch_open(const char *sys);
void cpu_watch_close(struct cpu_watch *watch);

/*
 * A descriptor for poll(), readable when a uevent came, often about another device. -1 if uevents cannot be
 * received.
 */
int cpu_watch_fd(const struct cpu_watch *watch);

/* Returns true if a CPU may have come or gone since the last look, and updates cpu_watch_online(). */
bool cpu_watch_look(struct cpu_watch *watch);

/*
 * The CPUs that are online; only the fields of the target that list CPUs are set. Valid until the next look.
 */
const struct target *cpu_watch_online(const struct cpu_watch *watch);

/* Is this uevent about a CPU that came or went? */
bool cpu_watch_is_about_cpu(const char *message, size_t size);

#endif
