/* Makes the shapes of frames that C has, one per function, as its name says. Small, since every instruction is followed. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <math.h>
#include <time.h>
#include <ucontext.h>
#endif

#define NOINLINE __attribute__((noinline))

static volatile unsigned sink;
static volatile sig_atomic_t signals;

static NOINLINE unsigned leaf(unsigned value)
{
	return value * 2654435761u >> 7;
}

static NOINLINE unsigned recursive(unsigned depth)
{
	if (depth == 0)
		return leaf(7);
	return recursive(depth - 1) + leaf(depth);
}

static NOINLINE unsigned many_registers(unsigned a, unsigned b, unsigned c, unsigned d)
{
	unsigned x = leaf(a), y = leaf(b), z = leaf(c), w = leaf(d), v = leaf(x + y);

	for (unsigned i = 0; i < 3; i++) {
		x += leaf(y + i);
		z ^= leaf(w + x);
		v += leaf(z);
	}
	return x ^ y ^ z ^ w ^ v;
}

static NOINLINE unsigned variable_array(unsigned size)
{
	unsigned array[size];

	memset(array, (int)size, sizeof(array));
	for (unsigned i = 0; i < size; i++)
		array[i] = leaf(i);
	return array[size / 2];
}

static NOINLINE unsigned realigned_stack(unsigned value)
{
	_Alignas(64) volatile unsigned char block[256];

	for (unsigned i = 0; i < 4; i++)
		block[i * 64] = (unsigned char)leaf(value + i);
	return block[64] + leaf((unsigned)(uintptr_t)block & 63);
}

/* An aligned frame of variable size needs a register that points to the caller's frame. */
static NOINLINE unsigned realigned_and_variable(unsigned size)
{
	_Alignas(32) volatile unsigned char block[64];
	unsigned array[size];

	for (unsigned i = 0; i < size; i++)
		array[i] = leaf(i);
	block[0] = (unsigned char)leaf(array[size - 1]);
	return block[0];
}

static NOINLINE unsigned large_frame(unsigned value)
{
	volatile unsigned char block[20000];

	block[0] = (unsigned char)value;
	block[19999] = (unsigned char)leaf(value);
	return block[0] + leaf(block[19999]);
}

static NOINLINE unsigned sum_of(unsigned count, ...)
{
	va_list list;
	unsigned sum = 0;

	va_start(list, count);
	for (unsigned i = 0; i < count; i++)
		sum += leaf(va_arg(list, unsigned));
	va_end(list);
	return sum;
}

static NOINLINE unsigned tail_call(unsigned value)
{
	return recursive(value % 5 + 1);
}

static NOINLINE unsigned many_arguments(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e,
					unsigned f, unsigned g, unsigned h, unsigned i)
{
	return leaf(a + b + c) + leaf(d + e + f) + leaf(g + h + i);
}

static int compare(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return leaf(x) < leaf(y) ? -1 : x != y;
}

static NOINLINE void called_back(void)
{
	unsigned array[12];

	for (unsigned i = 0; i < 12; i++)
		array[i] = i * 7919 % 13;
	qsort(array, 12, sizeof(*array), compare);
	sink += array[3];
}

/* The call is the last instruction, so that the return address belongs to the next function. */
static jmp_buf place;
static NOINLINE _Noreturn void never_returns(unsigned value)
{
	sink += leaf(value);
	longjmp(place, 1);
}
static NOINLINE unsigned calls_what_never_returns(unsigned depth)
{
	if (depth == 0)
		never_returns(depth);
	return calls_what_never_returns(depth - 1) + 1;
}

static NOINLINE void jumps(void)
{
	for (volatile unsigned i = 0; i < 3; i++)
		if (setjmp(place) == 0)
			sink += calls_what_never_returns(4 + i);
}

static void handler(int number)
{
	signals++;
	sink += recursive((unsigned)number % 4);
}

static sigjmp_buf fault_place;
static void fault_handler(int number, siginfo_t *info, void *context)
{
	(void)info;
	(void)context;
	sink += recursive((unsigned)number % 3);
	siglongjmp(fault_place, 1);
}

static NOINLINE void reads_null(void)
{
	sink += *(volatile unsigned *)(uintptr_t)leaf(0);
}

static char alternate_stack[65536] __attribute__((aligned(4096)));

static void take_signal(int number, int flags, void (*with_info)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_flags = flags };

	if (with_info)
		action.sa_sigaction = with_info;
	else
		action.sa_handler = handler;
	sigaction(number, &action, NULL);
}

static NOINLINE void signals_taken(void)
{
	stack_t stack = { .ss_sp = alternate_stack, .ss_size = sizeof(alternate_stack) };

	sigaltstack(&stack, NULL);
	take_signal(SIGUSR1, 0, NULL);
	take_signal(SIGUSR2, SA_ONSTACK, NULL);
	take_signal(SIGSEGV, SA_ONSTACK | SA_SIGINFO | SA_NODEFER, fault_handler);
	take_signal(SIGBUS, SA_SIGINFO | SA_NODEFER, fault_handler);
	raise(SIGUSR1);
	raise(SIGUSR2);
	kill(getpid(), SIGUSR1);
	if (sigsetjmp(fault_place, 1) == 0)
		reads_null();
	take_signal(SIGSEGV, SA_SIGINFO | SA_NODEFER, fault_handler);
	if (sigsetjmp(fault_place, 1) == 0)
		reads_null();
}

static NOINLINE void forks(void)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	waitpid(child, &status, 0);
	child = vfork();
	if (child == 0)
		_exit(0);
	waitpid(child, &status, 0);
}

#ifdef __GLIBC__
static ucontext_t main_context, other_context;

static void other_main(void)
{
	for (unsigned i = 0; i < 3; i++) {
		sink += recursive(i + 2);
		swapcontext(&other_context, &main_context);
	}
}

static NOINLINE void contexts(void)
{
	size_t size = 65536;
	char *stack = mmap(NULL, size + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(stack + 4096, size, PROT_READ | PROT_WRITE);
	getcontext(&other_context);
	other_context.uc_stack.ss_sp = stack + 4096;
	other_context.uc_stack.ss_size = size;
	other_context.uc_link = &main_context;
	makecontext(&other_context, other_main, 0);
	for (unsigned i = 0; i < 3; i++)
		swapcontext(&main_context, &other_context);
}

static NOINLINE void of_the_library(void)
{
	struct timespec now;
	time_t seconds = 86400;
	struct tm broken;

	clock_gettime(CLOCK_MONOTONIC, &now);
	sink += (unsigned)now.tv_nsec + (unsigned)(1000 * sin((double)now.tv_nsec)) +
		(unsigned)gmtime_r(&seconds, &broken)->tm_mday;
}
#else
static void contexts(void)
{
}
static void of_the_library(void)
{
}
#endif

static unsigned (*volatile pointers[])(unsigned) = { leaf, recursive, variable_array, realigned_stack };

static NOINLINE void print_numbers(void)
{
	char text[200];

	for (unsigned i = 0; i < 3; i++)
		snprintf(text, sizeof(text), "%s %u %.3f", "number", leaf(i), i * 1.5);
	sink += (unsigned)strlen(text) + (unsigned)strtol(text + 7, NULL, 10);
	free(malloc(strlen(text)));
}

int main(void)
{
	for (unsigned i = 0; i < 4; i++)
		sink += pointers[i](6);
	sink += many_registers(1, 2, 3, 4) + realigned_and_variable(9) + large_frame(3) + tail_call(3);
	sink += sum_of(3, 1u, 2u, 3u) + many_arguments(1, 2, 3, 4, 5, 6, 7, 8, 9);
	called_back();
	jumps();
	print_numbers();
	signals_taken();
	contexts();
	of_the_library();
	forks();
	return 0;
}
