/* many_execs SECONDS RATE PROGRAM: starts PROGRAM RATE times a second, and prints how often it did. */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	const double began = now_s(), seconds = argc > 3 ? atof(argv[1]) : 0,
		     rate = argc > 3 ? atof(argv[2]) : 1;
	char *const none[] = { NULL };
	long started = 0;

	while (now_s() - began < seconds) {
		char *const arguments[] = { argv[3], NULL };
		pid_t pid;

		if (posix_spawn(&pid, argv[3], NULL, NULL, arguments, none) == 0)
			started++;
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		while ((now_s() - began) * rate < (double)started && now_s() - began < seconds)
			nanosleep(&(const struct timespec){ .tv_nsec = 50000 }, NULL);
	}
	while (wait(NULL) > 0)
		;
	printf("%ld\n", started);
	return 0;
}
