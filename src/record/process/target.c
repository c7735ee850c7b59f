/*
 * target_resolve() reads the CPUs from sysfs, then adds the threads that -p, -t and -u name. All lists of CPUs go
 * through target_parse_cpus(), which sorts them and drops duplicates; MAX_CPUS bounds them.
 */
#include "record/process/target.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "record/machine/proc_file.h"
#include "record/process/process_name.h"

enum { MAX_CPUS = 1 << 16 }; /* bounds lists such as 0-999999999; NR_CPUS is at most 8192 */

const struct target_roots target_roots_system = { .proc = "/proc", .sys = "/sys" };

void target_add_thread(struct target *target, pid_t pid, pid_t tid)
{
	*ARRAY_ADD(target->threads, target->thread_count, target->thread_capacity) =
		(struct target_thread){ .pid = pid, .tid = tid };
}

void target_fini(struct target *target)
{
	free(target->threads);
	free(target->cpus);
	free(target->sampled_cpus);
	*target = (struct target){ 0 };
}

/* The pid in the name of a directory of /proc. 0 if the name is not a number. */
static pid_t parse_pid(const char *text)
{
	char *end;
	long pid;

	if (!isdigit((unsigned char)text[0]))
		return 0;
	errno = 0;
	pid = strtol(text, &end, 10);
	return *end || errno || pid <= 0 || pid > INT_MAX ? 0 : (pid_t)pid;
}

int target_each_thread(const char *proc, pid_t pid, void (*visit)(pid_t pid, pid_t tid, void *context),
		       void *context)
{
	char path[PATH_MAX];
	const struct dirent *entry;
	DIR *tasks;

	snprintf(path, sizeof(path), "%s/%d/task", proc, (int)pid);
	tasks = opendir(path);
	if (!tasks)
		return -1;
	while ((entry = readdir(tasks))) {
		pid_t tid = parse_pid(entry->d_name);

		if (tid)
			visit(pid, tid, context);
	}
	closedir(tasks);
	return 0;
}

int target_each_process(const char *proc, void (*visit)(pid_t pid, void *context), void *context,
			struct error *err)
{
	const struct dirent *entry;
	DIR *processes = opendir(proc);

	if (!processes)
		return error_set_errno(err, errno, "cannot list the processes in %s", proc);
	while ((entry = readdir(processes))) {
		pid_t pid = parse_pid(entry->d_name);

		if (pid)
			visit(pid, context);
	}
	closedir(processes);
	return 0;
}

static void add_visited_thread(pid_t pid, pid_t tid, void *target)
{
	target_add_thread(target, pid, tid);
}

struct name_search {
	struct target *target;
	const char *proc, *name;
	bool is_own; /* the only process with that name is this one */
};

static void add_process_of_name(pid_t pid, void *context)
{
	struct name_search *search = context;

	if (!process_name_is(search->proc, pid, search->name))
		return;
	if (pid == getpid())
		search->is_own = true;
	else
		target_each_thread(search->proc, pid, add_visited_thread, search->target);
}

/* Adds all processes with this name, except the recorder itself. */
static int add_name(struct target *target, const char *name, const char *proc, struct error *err)
{
	const size_t before = target->thread_count;
	struct name_search search = { .target = target, .proc = proc, .name = name };

	if (target_each_process(proc, add_process_of_name, &search, err) < 0)
		return -1;
	if (target->thread_count == before)
		return error_set(err, "-p %s: no %sprocess has this name", name,
				 search.is_own ? "other " : "");
	return 0;
}

static int add_pid(struct target *target, const char *text, const char *proc, struct error *err)
{
	pid_t pid = parse_pid(text);

	if (!pid && text[strspn(text, "0123456789")] == '\0')
		return error_set(err, "-p %s: not a process id", text);
	if (!pid)
		return add_name(target, text, proc, err);
	if (target_each_thread(proc, pid, add_visited_thread, target) < 0)
		return error_set(err,
				 errno == EACCES ? "-p %d: no permission to look at this process" :
						   "-p %d: no such process",
				 (int)pid);
	return 0;
}

/* The process of a thread: "Tgid:" of its status. 0 if there is no such thread. */
static pid_t process_of_thread(const char *proc, pid_t tid)
{
	struct strbuf status = STRBUF_INIT;
	pid_t pid = 0;

	if (proc_file_readf(&status, NULL, "%s/%d/status", proc, (int)tid) == 0) {
		const char *field = strstr(status.bytes, "\nTgid:");

		if (field)
			pid = (pid_t)strtol(field + strlen("\nTgid:"), NULL, 10);
	}
	strbuf_fini(&status);
	return pid;
}

static int add_tid(struct target *target, const char *text, const char *proc, struct error *err)
{
	pid_t tid = parse_pid(text);
	pid_t pid = tid ? process_of_thread(proc, tid) : 0;

	if (!tid)
		return error_set(err, "-t %s: not a thread id", text);
	if (!pid)
		return error_set(err, "-t %d: no such thread", (int)tid);
	target_add_thread(target, pid, tid);
	return 0;
}

static int add_list(struct target *target, const char *list, const char *proc,
		    int (*add)(struct target *target, const char *text, const char *proc, struct error *err),
		    struct error *err)
{
	char *copy = xstrdup(list);
	char *rest = NULL;
	int result = 0;

	for (char *item = strtok_r(copy, ",", &rest); item && result == 0; item = strtok_r(NULL, ",", &rest))
		result = add(target, item, proc, err);
	free(copy);
	return result;
}

struct user_search {
	struct target *target;
	const char *proc;
	uid_t uid;
};

static void add_process_of_user(pid_t pid, void *context)
{
	const struct user_search *search = context;
	char path[PATH_MAX];
	struct stat status;

	snprintf(path, sizeof(path), "%s/%d", search->proc, (int)pid);
	if (stat(path, &status) == 0 && status.st_uid == search->uid)
		target_each_thread(search->proc, pid, add_visited_thread, search->target);
}

/*
 * A static program's C library cannot load the modules that resolve names by other means (LDAP, systemd), so it reads only
 * /etc/passwd.
 */
static bool find_user(const char *name, uid_t *uid)
{
#ifdef XPROF_STATIC
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *entry = NULL;

	while (file && (entry = fgetpwent(file)) && strcmp(entry->pw_name, name) != 0)
		continue;
	if (file)
		fclose(file);
#else
	const struct passwd *entry = getpwnam(name);
#endif
	if (entry)
		*uid = entry->pw_uid;
	return entry;
}

static int add_user(struct target *target, const char *user, const char *proc, struct error *err)
{
	struct user_search search = { .target = target, .proc = proc };
	char *end;

	if (!find_user(user, &search.uid)) {
		errno = 0;
		search.uid = (uid_t)strtoul(user, &end, 10);
		if (!isdigit((unsigned char)user[0]) || *end || errno)
			return error_set(err, "-u %s: no such user", user);
	}
	if (target_each_process(proc, add_process_of_user, &search, err) < 0)
		return -1;
	if (target->thread_count == 0)
		return error_set(err, "-u %s: no process of this user is running", user);
	return 0;
}

static int compare_cpus(const void *a, const void *b)
{
	const int *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

static void sort_cpus(struct target *target)
{
	size_t kept = 0;

	qsort(target->cpus, target->cpu_count, sizeof(*target->cpus), compare_cpus);
	for (size_t i = 0; i < target->cpu_count; i++)
		if (kept == 0 || target->cpus[kept - 1] != target->cpus[i])
			target->cpus[kept++] = target->cpus[i];
	target->cpu_count = kept;
}

int target_parse_cpus(struct target *target, const char *list, struct error *err)
{
	const char *next = list;

	do {
		char *end;
		unsigned long first, last;

		if (!isdigit((unsigned char)*next))
			return error_set(err, "'%s' is not a list of CPUs: write it as 0,2-3", list);
		first = last = strtoul(next, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			last = strtoul(end + 1, &end, 10);
		if (first > last || last >= MAX_CPUS || (*end && *end != ',' && *end != '\n'))
			return error_set(err, "'%s' is not a list of CPUs: write it as 0,2-3", list);
		target->cpus = array_grow(target->cpus, &target->cpu_capacity,
					  target->cpu_count + last - first + 1, sizeof(*target->cpus));
		for (unsigned long cpu = first; cpu <= last; cpu++)
			target->cpus[target->cpu_count++] = (int)cpu;
		next = *end == ',' ? end + 1 : end;
	} while (*next && *next != '\n');
	sort_cpus(target);
	return 0;
}

bool target_has_cpu(const struct target *target, int cpu)
{
	return target->cpus &&
	       bsearch(&cpu, target->cpus, target->cpu_count, sizeof(cpu), compare_cpus) != NULL;
}

/* Adds CPUs that the kernel has room for but that are not online. None if the system does not list them. */
static void add_away_cpus(struct target *target, const char *sys)
{
	struct target possible = { 0 };
	struct strbuf list = STRBUF_INIT;

	if (proc_file_readf(&list, NULL, "%s/devices/system/cpu/possible", sys) == 0)
		(void)target_parse_cpus(&possible, list.bytes, NULL);
	strbuf_fini(&list);
	for (size_t i = 0; i < possible.cpu_count; i++) {
		if (target_has_cpu(target, possible.cpus[i]))
			continue;
		target->cpus = array_grow(target->cpus, &target->cpu_capacity,
					  target->cpu_count + target->away_count + 1, sizeof(*target->cpus));
		target->cpus[target->cpu_count + target->away_count++] = possible.cpus[i];
	}
	target_fini(&possible);
}

bool target_samples_cpu(const struct target *target, int cpu)
{
	return !target->sampled_cpus ||
	       bsearch(&cpu, target->sampled_cpus, target->sampled_count, sizeof(cpu), compare_cpus) != NULL;
}

size_t target_sampled_count(const struct target *target)
{
	return target->sampled_cpus ? target->sampled_count : target->cpu_count;
}

/* The CPUs of the request must all be online. */
static int choose_cpus(struct target *target, const char *wanted, const char *online, struct error *err)
{
	struct target chosen = { 0 };

	if (target_parse_cpus(&chosen, wanted, err) < 0) {
		error_wrap(err, "-C");
		target_fini(&chosen);
		return -1;
	}
	target->sampled_cpus = chosen.cpus;
	target->sampled_count = chosen.cpu_count;
	for (size_t i = 0; i < chosen.cpu_count; i++)
		if (!target_has_cpu(target, chosen.cpus[i]))
			return error_set(err, "-C %d: this CPU is not online (online: %.*s)", chosen.cpus[i],
					 (int)strcspn(online, "\n"), online);
	return 0;
}

static int resolve_cpus(struct target *target, const char *wanted, const char *sys, struct error *err)
{
	struct strbuf list = STRBUF_INIT;
	int result;

	result = proc_file_readf(&list, err, "%s/devices/system/cpu/online", sys);
	if (result == 0)
		result = target_parse_cpus(target, list.bytes, err);
	if (result == 0 && wanted)
		result = choose_cpus(target, wanted, list.bytes, err);
	if (result == 0)
		add_away_cpus(target, sys);
	strbuf_fini(&list);
	return result;
}

static int compare_threads(const void *a, const void *b)
{
	const struct target_thread *one = a, *other = b;

	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	return (one->tid > other->tid) - (one->tid < other->tid);
}

/* Drops threads that are named twice, and puts the threads of a process together. */
static void sort_threads(struct target *target)
{
	size_t kept = 0;

	if (target->thread_count)
		qsort(target->threads, target->thread_count, sizeof(*target->threads), compare_threads);
	for (size_t i = 0; i < target->thread_count; i++)
		if (kept == 0 || target->threads[kept - 1].tid != target->threads[i].tid)
			target->threads[kept++] = target->threads[i];
	target->thread_count = kept;
}

int target_resolve(struct target *target, const struct target_request *request,
		   const struct target_roots *roots, struct error *err)
{
	bool threads = request->pids || request->tids || request->user;

	*target = (struct target){ 0 };
	if (resolve_cpus(target, request->cpus, roots->sys, err) < 0)
		goto failed;
	if (request->pids && add_list(target, request->pids, roots->proc, add_pid, err) < 0)
		goto failed;
	if (request->tids && add_list(target, request->tids, roots->proc, add_tid, err) < 0)
		goto failed;
	if (request->user && add_user(target, request->user, roots->proc, err) < 0)
		goto failed;
	sort_threads(target);
	if (threads && target->thread_count == 0) {
		error_set(err, "'%s' names no process or thread",
			  request->pids ? request->pids : request->tids);
		goto failed;
	}
	if (!threads && (request->system_wide || request->cpus)) {
		target->any_thread = true;
		target_add_thread(target, -1, -1);
	}
	return 0;
failed:
	target_fini(target);
	return -1;
}

/* Both lists are sorted, so one pass suffices. */
bool target_has_grown(const struct target *before, const struct target *now)
{
	size_t known = 0;

	for (size_t i = 0; i < now->thread_count; i++) {
		while (known < before->thread_count && before->threads[known].tid != now->threads[i].tid)
			known++;
		if (known == before->thread_count)
			return true;
		known++;
	}
	return false;
}
