/*
 * A small run-time compiler: puts code into anonymous memory, describes it in jit-PID.dump in the current directory, runs it for
 * a while, and then puts other code at the same address. The code keeps no frame pointer and overwrites the caller's while it
 * calls spin(), so that only its unwind information leads to main().
 */

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "the code is for x86-64"
#endif

static const uint8_t code[] = {
	0x55,                   /* push %rbp */
	0x53,                   /* push %rbx */
	0x48, 0x83, 0xec, 0x18, /* sub $24, %rsp */
	0x31, 0xed,             /* xor %ebp, %ebp */
	0xff, 0xd7,             /* call *%rdi */
	0x48, 0x83, 0xc4, 0x18, /* add $24, %rsp */
	0x5b,                   /* pop %rbx */
	0x5d,                   /* pop %rbp */
	0xc3,                   /* ret */
};
enum { CODE_BYTES = sizeof(code), FRAMES_AT = (CODE_BYTES + 7) & ~7, CIE_BYTES = 24 };

/* .eh_frame (LSB Core, "Exception Frames"), FRAMES_AT bytes after the beginning of the code. */
static const uint8_t frames[] = {
	20,
	0,
	0,
	0,
	0,
	0,
	0,
	0, /* CIE */
	1,
	'z',
	'R',
	0,
	1,
	0x78,
	16,
	1,
	0x1b, /* version, augmentation, alignments 1 and -8, RA, pcrel sdata4 */
	0x0c,
	7,
	8,
	0x90,
	1,
	0,
	0, /* CFA is rsp + 8, RA below it */
	28,
	0,
	0,
	0,
	CIE_BYTES + 4,
	0,
	0,
	0, /* FDE */
	(uint8_t) - (FRAMES_AT + CIE_BYTES + 8),
	0xff,
	0xff,
	0xff,
	CODE_BYTES,
	0,
	0,
	0,
	0,
	0x41,
	0x0e,
	16,
	0x86,
	2, /* after the first push */
	0x41,
	0x0e,
	24,
	0x83,
	3, /* after the second */
	0x44,
	0x0e,
	48,
	0,
	0,
	0,
	0,
	0,
};

struct record {
	uint32_t id, size;
	uint64_t time_ns;
};

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void write_header(FILE *dump)
{
	const uint32_t words[] = { 0x4a695444, 1, 40, EM_X86_64, 0, (uint32_t)getpid(), 0, 0, 0, 0 };

	fwrite(words, sizeof(words), 1, dump);
}

static void write_unwinding(FILE *dump)
{
	const struct record record = { 4, sizeof(record) + 24 + sizeof(frames), now_ns(CLOCK_MONOTONIC) };
	const uint64_t sizes[] = { sizeof(frames), 0, 0 };

	fwrite(&record, sizeof(record), 1, dump);
	fwrite(sizes, sizeof(sizes), 1, dump);
	fwrite(frames, sizeof(frames), 1, dump);
}

static void write_load(FILE *dump, const void *address, uint64_t index, const char *name)
{
	const uint32_t ids[] = { (uint32_t)getpid(), (uint32_t)getpid() };
	const uint64_t words[] = { (uintptr_t)address, (uintptr_t)address, CODE_BYTES, index };
	const struct record record = {
		0, (uint32_t)(sizeof(record) + sizeof(ids) + sizeof(words) + strlen(name) + 1 + CODE_BYTES),
		now_ns(CLOCK_MONOTONIC)
	};

	fwrite(&record, sizeof(record), 1, dump);
	fwrite(ids, sizeof(ids), 1, dump);
	fwrite(words, sizeof(words), 1, dump);
	fwrite(name, strlen(name) + 1, 1, dump);
	fwrite(code, CODE_BYTES, 1, dump);
	fflush(dump);
}

static volatile uint64_t sink;

/* Half a second of CPU time. */
__attribute__((noinline)) static void spin(void)
{
	uint64_t end = now_ns(CLOCK_PROCESS_CPUTIME_ID) + 500000000;

	while (now_ns(CLOCK_PROCESS_CPUTIME_ID) < end)
		for (int i = 0; i < 1000000; i++)
			sink += (uint64_t)i;
}

int main(void)
{
	static const char *const names[] = { "jit_first", "jit_second" };
	uint8_t *memory =
		mmap(NULL, 65536, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *dump;

	snprintf(path, sizeof(path), "jit-%d.dump", (int)getpid());
	dump = fopen(path, "w+e");
	if (memory == MAP_FAILED || !dump)
		return 1;
	write_header(dump);
	fflush(dump);
	/* This only puts the file's name into the recording. */
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		return 1;
	for (uint64_t i = 0; i < 2; i++) {
		void (*function)(void (*)(void));

		memcpy(memory + 64, code, sizeof(code));
		memcpy(&function, &(uint8_t *){ memory + 64 }, sizeof(function));
		write_unwinding(dump);
		write_load(dump, memory + 64, i, names[i]);
		function(spin);
	}
	fclose(dump);
	return 0;
}
