/*
 * Runs two commands in turn (A B A B …), so that other activity on the machine affects both, and compares the medians of
 *
 *	- wall time,
 *	- CPU time (user and system, with all children that were waited for),
 *	- peak resident memory,
 *	- the command's own part of that: without pages of files, which the kernel takes back when it needs them. A thread
 *	  reads it every few milliseconds.
 *
 * usage: pair CASE RUNS NAME_A NAME_B :: COMMAND_A… :: COMMAND_B…
 *
 * Standard output and error of the commands go to /dev/null unless PAIR_VERBOSE is set. A command that fails ends the comparison.
 */

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 101 };

enum metric {
	WALL_MS,
	CPU_MS,
	PEAK_RSS_MIB,
	PEAK_OWN_MIB,
	METRIC_COUNT,
};

static const char *const metric_names[METRIC_COUNT] = { "wall ms", "CPU ms", "peak RSS MiB", "peak own MiB" };

struct command {
	const char *name;
	char **arguments; /* NULL-terminated */
	double results[METRIC_COUNT][MAX_RUNS];
};

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double timeval_ms(struct timeval time)
{
	return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

static void exec_quietly(char **arguments)
{
	int null = open("/dev/null", O_RDWR);

	if (!getenv("PAIR_VERBOSE")) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	dup2(null, STDIN_FILENO);
	execvp(arguments[0], arguments);
	_exit(127);
}

/* The thread that watches the memory of a command while it runs. */
struct watch {
	char path[64];
	atomic_bool over;
	long peak_kib;
};

static void *watch(void *context)
{
	const struct timespec pause = { .tv_nsec = 3000000 };
	struct watch *watch = context;
	char line[256];

	while (!atomic_load(&watch->over)) {
		FILE *status = fopen(watch->path, "r");
		long own_kib;

		while (status && fgets(line, sizeof(line), status))
			if (sscanf(line, "RssAnon: %ld", &own_kib) == 1 && own_kib > watch->peak_kib)
				watch->peak_kib = own_kib;
		if (status)
			fclose(status);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static int wait_and_watch(pid_t child, int *status, struct rusage *usage, double *end_ms, long *peak_kib)
{
	struct watch watched = { .peak_kib = 0 };
	pthread_t watcher;
	bool watching;
	pid_t waited;

	snprintf(watched.path, sizeof(watched.path), "/proc/%ld/status", (long)child);
	watching = pthread_create(&watcher, NULL, watch, &watched) == 0;
	waited = wait4(child, status, 0, usage);
	*end_ms = now_ms();
	atomic_store(&watched.over, true);
	if (watching)
		pthread_join(watcher, NULL);
	*peak_kib = watched.peak_kib;
	return waited < 0 ? -1 : 0;
}

static int run(struct command *command, unsigned int turn)
{
	double start_ms = now_ms(), end_ms;
	struct rusage usage;
	long own_kib = 0;
	pid_t child;
	int status;

	child = fork();
	if (child == 0)
		exec_quietly(command->arguments);
	if (child < 0 || wait_and_watch(child, &status, &usage, &end_ms, &own_kib) < 0) {
		perror("pair");
		return -1;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		fprintf(stderr,
			"pair: %s: '%s' failed with wait status 0x%x; PAIR_VERBOSE=1 shows its output\n",
			command->name, command->arguments[0], (unsigned int)status);
		return -1;
	}
	command->results[WALL_MS][turn] = end_ms - start_ms;
	command->results[CPU_MS][turn] = timeval_ms(usage.ru_utime) + timeval_ms(usage.ru_stime);
	command->results[PEAK_RSS_MIB][turn] = (double)usage.ru_maxrss / 1024; /* ru_maxrss is in KiB */
	command->results[PEAK_OWN_MIB][turn] = (double)own_kib / 1024;
	return 0;
}

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Sorts the values. */
static double median(double *values, unsigned int count)
{
	qsort(values, count, sizeof(*values), compare_doubles);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void print_comparison(const char *name, struct command *a, struct command *b, unsigned int runs)
{
	unsigned int metric;

	for (metric = 0; metric < METRIC_COUNT; metric++) {
		double left = median(a->results[metric], runs), right = median(b->results[metric], runs);

		printf("%-34s %-14s %10.1f %10.1f %8.2f   %.1f-%.1f | %.1f-%.1f\n", metric ? "" : name,
		       metric_names[metric], left, right, right > 0 ? left / right : 0.0,
		       a->results[metric][0], a->results[metric][runs - 1], b->results[metric][0],
		       b->results[metric][runs - 1]);
	}
}

/* Cuts the arguments at the next "::". NULL if there is nothing before it. */
static char **cut_command(char ***arguments)
{
	char **first = *arguments, **next = first;

	while (*next && strcmp(*next, "::") != 0)
		next++;
	if (next == first)
		return NULL;
	*arguments = *next ? next + 1 : next;
	*next = NULL;
	return first;
}

int main(int argc, char **argv)
{
	static struct command a, b;
	unsigned int runs, turn;
	char **rest;

	if (argc < 6 || strcmp(argv[5], "::") != 0)
		goto usage;
	runs = (unsigned int)strtoul(argv[2], NULL, 10);
	rest = argv + 6;
	a.name = argv[3];
	b.name = argv[4];
	a.arguments = cut_command(&rest);
	b.arguments = rest;
	if (!a.arguments || !b.arguments[0] || runs < 1 || runs > MAX_RUNS)
		goto usage;
	for (turn = 0; turn < runs; turn++)
		if (run(&a, turn) < 0 || run(&b, turn) < 0)
			return 1;
	print_comparison(argv[1], &a, &b, runs);
	return 0;
usage:
	fprintf(stderr,
		"usage: pair CASE RUNS NAME_A NAME_B :: COMMAND_A... :: COMMAND_B... (at most %d runs)\n",
		MAX_RUNS);
	return 2;
}
