/*
 * A run-time compiler that describes nothing: small copies of a template in anonymous memory, like CPython's perf trampolines.
 * Each calls its fourth argument and keeps no frame pointer. One template runs for half of the time, for the other half one of
 * another frame size that was written over it. With an argument, one template runs all of the time, and makes a second call after
 * its first.
 */
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { DEPTH = 6, COPY_BYTES = 16 };

typedef long function(long depth, void *a, void *b, void *callee);

/* sub $8, %rsp; call *%rcx; add $8, %rsp; ret */
static const unsigned char small[COPY_BYTES] = { 0x48, 0x83, 0xec, 0x08, 0xff, 0xd1,
						 0x48, 0x83, 0xc4, 0x08, 0xc3 };
/* The same with 40 bytes, and a saved register. */
static const unsigned char large[COPY_BYTES] = { 0x53, 0x48, 0x83, 0xec, 0x20, 0xff, 0xd1,
						 0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3 };
/* push %rdx; call *%rcx; call *(%rsp), the third argument; add $8, %rsp; ret */
static const unsigned char twice[COPY_BYTES] = { 0x52, 0xff, 0xd1, 0xff, 0x14, 0x24,
						 0x48, 0x83, 0xc4, 0x08, 0xc3 };

static unsigned char *memory;
static volatile long sink;

static double cpu_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

__attribute__((noinline, noclone)) static long spin(void)
{
	for (long i = 0; i < 200000; i++)
		sink += i;
	return sink;
}

__attribute__((noinline, noclone)) static long level(long depth, void *a, void *b, void *callee)
{
	function *copy;
	unsigned char *at = memory + depth * COPY_BYTES;

	if (depth == 0)
		return spin() + 1;
	memcpy(&copy, &at, sizeof(copy));
	return copy(depth - 1, a, b, callee) + 1;
}

__attribute__((noinline, noclone)) static void nothing(void)
{
	__asm__ volatile("");
}

static void run(const unsigned char *template, double until)
{
	function *callee = level;
	void (*last)(void) = nothing;
	void *pointer, *b;

	memcpy(&pointer, &callee, sizeof(pointer));
	memcpy(&b, &last, sizeof(b));
	for (int i = 0; i <= DEPTH; i++)
		memcpy(memory + i * COPY_BYTES, template, COPY_BYTES);
	while (cpu_seconds() < until)
		(void)level(DEPTH, NULL, b, pointer);
}

int main(int argument_count, char **arguments)
{
	memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	(void)arguments;
	if (argument_count > 1) {
		run(twice, 0.5);
		return 0;
	}
	run(small, 0.8);
	run(large, 1.6);
	return 0;
}
