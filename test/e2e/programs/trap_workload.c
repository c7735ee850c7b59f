/*
 * Repeats what trips up a recorder that reads in running processes, with stacks deeper than a dump of the kernel:
 *
 *	trap_workload exit|exec|unmap|code|protect|rewrite|user|closed TURNS [LIBRARY LIBRARY]
 *
 *	exit    child processes that end right after their deep stack
 *	exec    a thread replaces the program while the main thread's stack is deep
 *	unmap   the two libraries take turns, at the same addresses
 *	code    code is written, called and unmapped, and other code is mapped in its place
 *	protect the same, written before it is made executable
 *	rewrite code is written over by other code
 *	user    becomes another user
 *	closed  forbids others to read its memory, and allows it again
 *
 * Expected stacks: leaf0() to leaf3() are called by 111, 141, 171 and 201 calls of recurse0() to recurse3(), all in one program
 * or library. Code is called by main() and calls leaf_of_code().
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "deep_stack.h"

static int count_exits(int turns)
{
	for (int turn = 0; turn < turns; turn++) {
		if (fork() == 0) {
			deep_stack(turn, turn % 3 ? 40 : 300);
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}

static char **arguments;

static void *replace_program(void *turns)
{
	char left[16];

	usleep(*(int *)turns % 2 ? 300000 : 60000);
	snprintf(left, sizeof(left), "%d", *(int *)turns - 1);
	arguments[2] = left;
	execv("/proc/self/exe", arguments);
	_exit(1);
}

static int replace(int turns)
{
	pthread_t thread;

	if (turns == 0)
		return 0;
	pthread_create(&thread, NULL, replace_program, &turns);
	deep_stack(turns, 10000);
	return 1;
}

static int unmap(int turns, char **libraries)
{
	for (int turn = 0; turn < turns; turn++) {
		void *library = dlopen(libraries[turn % 2], RTLD_NOW);
		void (*work)(int, int) = (void (*)(int, int))dlsym(library, "deep_stack");

		if (!work)
			return 1;
		work(turn, turn % 3 ? 30 : 250);
		dlclose(library);
	}
	return 0;
}

#ifdef __x86_64__
enum { CODE_BYTES = 4096 };

/* sub $BYTES, %rsp; call *%rdi; add $BYTES, %rsp; ret */
static void write_code(unsigned char *code, int turn)
{
	static const unsigned char instructions[] = { 0x48, 0x81, 0xec, 0, 0, 0, 0, 0xff, 0xd7,
						      0x48, 0x81, 0xc4, 0, 0, 0, 0, 0xc3 };
	const unsigned int bytes = 8 + 16 * (unsigned int)(turn % 50);

	memcpy(code, instructions, sizeof(instructions));
	memcpy(code + 3, &bytes, sizeof(bytes));
	memcpy(code + 12, &bytes, sizeof(bytes));
}

static unsigned char *map_code(int protection)
{
	static void *const place = (void *)0x100000000;
	unsigned char *code =
		mmap(place, CODE_BYTES, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	return code == MAP_FAILED ? NULL : code;
}

__attribute__((noinline, noclone)) static void leaf_of_code(void)
{
	leaf0(8);
	__asm__ volatile("");
}

static void call_code(unsigned char *code)
{
	void (*function)(void (*)(void));

	memcpy(&function, &code, sizeof(function));
	function(leaf_of_code);
}

static int run_code(int turns, bool is_protected)
{
	for (int turn = 0; turn < turns; turn++) {
		unsigned char *code = map_code(PROT_READ | PROT_WRITE | (is_protected ? 0 : PROT_EXEC));

		if (!code)
			return 1;
		write_code(code, turn);
		if (is_protected && mprotect(code, CODE_BYTES, PROT_READ | PROT_EXEC) < 0)
			return 1;
		call_code(code);
		munmap(code, CODE_BYTES);
	}
	return 0;
}

static int rewrite_code(int turns)
{
	unsigned char *code = map_code(PROT_READ | PROT_WRITE | PROT_EXEC);

	for (int turn = 0; code && turn < turns; turn++) {
		write_code(code, turn);
		call_code(code);
	}
	return code ? 0 : 1;
}
#else
static int run_code(int turns, bool is_protected)
{
	(void)turns;
	(void)is_protected;
	return 77;
}

static int rewrite_code(int turns)
{
	(void)turns;
	return 77;
}
#endif

static int change_user(int turns)
{
	for (int turn = 0; turn < turns; turn++) {
		if (turn == turns / 2 && setuid(65534) < 0)
			return 1;
		deep_stack(turn, 200);
	}
	return 0;
}

static int close_memory(int turns)
{
	for (int turn = 0; turn < turns; turn++) {
		prctl(PR_SET_DUMPABLE, turn % 2);
		deep_stack(turn, 200);
	}
	return 0;
}

int main(int count, char **words)
{
	const int turns = count > 2 ? atoi(words[2]) : 0;

	arguments = words;
	if (count < 3)
		return 2;
	if (strcmp(words[1], "exit") == 0)
		return count_exits(turns);
	if (strcmp(words[1], "exec") == 0)
		return replace(turns);
	if (strcmp(words[1], "unmap") == 0 && count > 4)
		return unmap(turns, words + 3);
	if (strcmp(words[1], "code") == 0 || strcmp(words[1], "protect") == 0)
		return run_code(turns, words[1][0] == 'p');
	if (strcmp(words[1], "rewrite") == 0)
		return rewrite_code(turns);
	if (strcmp(words[1], "user") == 0)
		return change_user(turns);
	return strcmp(words[1], "closed") == 0 ? close_memory(turns) : 2;
}
