/*
 * Follows a program instruction by instruction and writes the branches that a CPU with branch records would have recorded, as
 * lines for branch_data.py: a sample after every EVERY taken branches, with the last DEPTH before it.
 *
 * usage: branch_tracer INSTRUCTIONS EVERY DEPTH PROGRAM [ARGUMENT...]
 *
 * INSTRUCTIONS has the address of each instruction of the program, hexadecimal, in ascending order: an instruction that does not
 * lead to the next one is a branch. Only branches within these are recorded. The cycles of a branch are the instructions since
 * the previous one.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_DEPTH = 64 };

static uint64_t *instructions;
static size_t instruction_count;

struct branch {
	uint64_t from, to;
	unsigned int cycles;
};

static int compare(const void *a, const void *b)
{
	const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

static const uint64_t *find(uint64_t address)
{
	return bsearch(&address, instructions, instruction_count, sizeof(address), compare);
}

static void read_instructions(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long long address;
	size_t capacity = 0;

	if (!file)
		exit(1);
	while (fscanf(file, "%llx", &address) == 1) {
		if (instruction_count == capacity) {
			capacity = capacity ? capacity * 2 : 4096;
			instructions = realloc(instructions, capacity * sizeof(*instructions));
		}
		instructions[instruction_count++] = address;
	}
	fclose(file);
}

static void write_sample(uint64_t ip, const struct branch *ring, size_t taken, size_t depth)
{
	printf("%llx", (unsigned long long)ip);
	for (size_t i = 0; i < depth && i < taken; i++) {
		const struct branch *branch = &ring[(taken - 1 - i) % MAX_DEPTH];

		printf(" %llx/%llx/%c/%u", (unsigned long long)branch->from, (unsigned long long)branch->to,
		       (taken - i) % 7 ? 'P' : 'M', branch->cycles);
	}
	putchar('\n');
}

static void follow(pid_t pid, size_t every, size_t depth)
{
	static struct branch ring[MAX_DEPTH];
	struct user_regs_struct regs;
	unsigned int cycles = 0;
	size_t taken = 0;
	uint64_t before = 0;
	int status;

	while (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) == 0 && waitpid(pid, &status, 0) == pid &&
	       WIFSTOPPED(status)) {
		const uint64_t *at = before ? find(before) : NULL;

		if (ptrace(PTRACE_GETREGS, pid, 0, &regs))
			return;
		cycles++;
		if (at && find(regs.rip) && regs.rip != before && regs.rip != at[1]) {
			ring[taken++ % MAX_DEPTH] = (struct branch){ before, regs.rip, cycles };
			cycles = 0;
			if (taken % every == 0)
				write_sample(regs.rip, ring, taken, depth);
		}
		before = regs.rip;
	}
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	if (argc < 5)
		return 2;
	read_instructions(argv[1]);
	pid = fork();
	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(argv[4], argv + 4);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return 1;
	follow(pid, strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
	return 0;
}
