/* The program of the recordings in this folder, with several kinds of stacks. See make.sh. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALL __attribute__((noinline, noclone))

static unsigned long scale; /* of the total run time */

CALL static unsigned long spin(unsigned long n)
{
	volatile unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++)
		sum += i;
	return sum;
}

CALL static unsigned long light(void)
{
	return spin(scale) + 1;
}

CALL static unsigned long heavy(void)
{
	return spin(3 * scale) + 1;
}

CALL static unsigned long calls(void)
{
	return light() + heavy();
}

CALL static unsigned long recurse(int depth)
{
	volatile char room[24];

	room[depth % 24] = 1;
	return depth ? recurse(depth - 1) + room[depth % 24] : heavy();
}

CALL static int compare(const void *a, const void *b)
{
	(void)spin(scale / 1000);
	return *(const int *)a - *(const int *)b;
}

/* A callback of the C library. */
CALL static unsigned long sort(void)
{
	int numbers[400];

	for (int i = 0; i < 400; i++)
		numbers[i] = i * 7919 % 400;
	qsort(numbers, 400, sizeof(*numbers), compare);
	return (unsigned long)numbers[0];
}

static void *thread(void *name)
{
	pthread_setname_np(pthread_self(), name);
	return (void *)(strcmp(name, "sorter") ? calls() : sort());
}

CALL static unsigned long threads(void)
{
	pthread_t first, second;

	pthread_create(&first, NULL, thread, "sorter");
	pthread_create(&second, NULL, thread, "caller");
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return 0;
}

CALL static unsigned long family(char *program, char *scale_text)
{
	if (fork() == 0) {
		calls();
		execl(program, "acts", "sort", scale_text, (char *)NULL);
		_exit(1);
	}
	calls();
	wait(NULL);
	return 0;
}

static void handler(int number)
{
	(void)number;
	(void)calls();
}

CALL static unsigned long signals(void)
{
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	return 0;
}

/* Code made at run time, whose name is in /tmp/perf-PID.map: push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret */
CALL static unsigned long generated(void)
{
	static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };
	unsigned char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *map;
	unsigned long result;

	memcpy(page, code, sizeof(code));
	mprotect(page, 4096, PROT_READ | PROT_EXEC);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "w");
	fprintf(map, "%lx %zx made_at_run_time\n", (unsigned long)page, sizeof(code));
	fclose(map);
	result = ((unsigned long (*)(unsigned long (*)(void)))page)(heavy);
	unlink(path);
	return result;
}

CALL static unsigned long files(void)
{
	char line[256];
	unsigned long length = 0;

	for (unsigned long i = 0; i < scale / 10000; i++) {
		FILE *file = fopen("/proc/self/stat", "r");

		length += fread(line, 1, sizeof(line), file);
		fclose(file);
	}
	return length;
}

int main(int count, char **arguments)
{
	const char *act = count > 2 ? arguments[1] : "";
	unsigned long result = 0;

	scale = count > 2 ? strtoul(arguments[2], NULL, 10) : 0;
	if (!strcmp(act, "calls"))
		result = calls();
	else if (!strcmp(act, "sort"))
		result = sort();
	else if (!strcmp(act, "deep"))
		result = recurse(20000);
	else if (!strcmp(act, "threads"))
		result = threads();
	else if (!strcmp(act, "family"))
		result = family(arguments[0], arguments[2]);
	else if (!strcmp(act, "signals"))
		result = signals();
	else if (!strcmp(act, "generated"))
		result = generated();
	else if (!strcmp(act, "files"))
		result = files();
	else
		return 2;
	return result == 1;
}
