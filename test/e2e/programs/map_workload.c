/*
 * map_workload SECONDS: runs code made at run time, whose name it writes into /tmp/perf-PID.map (PID as in its own namespace),
 * and a function of its own, for SECONDS of CPU time; then writes a line and waits for a letter on its standard input, or its
 * end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* lea -1(%rdi),%rdi; test %rdi,%rdi; jne -9; ret, after push %rbp; mov %rsp,%rbp */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x8d, 0x7f, 0xff,
				      0x48, 0x85, 0xff, 0x75, 0xf7, 0x5d, 0xc3 };

__attribute__((noinline)) static void made_by_the_compiler(volatile long *left)
{
	for (*left = 1000000; *left; --*left)
		;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	unsigned char *at =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*spin)(long);
	volatile long left;
	char path[64];
	FILE *map;

	if (at == MAP_FAILED)
		return 1;
	memcpy(at, code, sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "w");
	if (!map)
		return 1;
	fprintf(map, "%lx %zx made_at_run_time\n", (unsigned long)at, sizeof(code));
	fclose(map);
	memcpy(&spin, &at, sizeof(spin));
	while ((double)clock() / CLOCKS_PER_SEC < seconds) {
		spin(1000000);
		made_by_the_compiler(&left);
	}
	puts("done");
	fflush(stdout);
	getchar();
	return 0;
}
