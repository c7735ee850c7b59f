/*
 * stack_switches WAY SECONDS: switches stacks as often as it can: by longjmp, by a switch of fibers like Boost's jump_fcontext,
 * by swapcontext, or for a signal handler with a stack of its own.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

enum { STACK_BYTES = 64 << 10, ROUNDS = 1000 };

static volatile unsigned long sum;

__attribute__((noinline)) static void spin(int n)
{
	for (int i = 0; i < n; i++)
		sum += (unsigned long)i;
}

/* --- longjmp --- */

static jmp_buf back;

__attribute__((noinline)) static void jump_from(int depth)
{
	if (depth == 0)
		longjmp(back, 1);
	jump_from(depth - 1);
	sum++;
}

__attribute__((noinline)) static void try_once(int depth)
{
	if (setjmp(back) == 0)
		jump_from(depth);
	sum++;
}

static void jump(void)
{
	for (int i = 0; i < ROUNDS; i++)
		try_once(i % 5);
}

/* --- fibers: no call frame information, as in Boost --- */

void *switch_fiber(void *to);
__asm__(".globl switch_fiber\n.type switch_fiber, @function\nswitch_fiber:\n"
	"lea -0x38(%rsp), %rsp\n stmxcsr (%rsp)\n fnstcw 4(%rsp)\n mov %r12, 8(%rsp)\n mov %r13, 16(%rsp)\n"
	"mov %r14, 24(%rsp)\n mov %r15, 32(%rsp)\n mov %rbx, 40(%rsp)\n mov %rbp, 48(%rsp)\n mov %rsp, %rax\n"
	"mov %rdi, %rsp\n mov 56(%rsp), %r8\n ldmxcsr (%rsp)\n fldcw 4(%rsp)\n mov 8(%rsp), %r12\n"
	"mov 16(%rsp), %r13\n mov 24(%rsp), %r14\n mov 32(%rsp), %r15\n mov 40(%rsp), %rbx\n mov 48(%rsp), %rbp\n"
	"lea 64(%rsp), %rsp\n mov %rax, %rdi\n jmp *%r8\n.size switch_fiber, . - switch_fiber\n");

__attribute__((noreturn)) static void run_fiber(void *from)
{
	for (;;) {
		spin(3);
		from = switch_fiber(from);
	}
}

static void *make_fiber(void)
{
	char *stack = calloc(1, STACK_BYTES), *top = stack + STACK_BYTES - 64;
	void **frame = (void **)(top - 64);

	__asm__ volatile("stmxcsr %0\n fnstcw %1" : "=m"(frame[0]), "=m"(((int *)frame)[1]));
	frame[7] = (void *)run_fiber;
	frame[8] = NULL; /* its return address */
	return frame;
}

static void switch_fibers(void)
{
	static void *fiber;

	if (!fiber)
		fiber = make_fiber();
	for (int i = 0; i < ROUNDS; i++)
		fiber = switch_fiber(fiber);
}

/* --- contexts --- */

static ucontext_t outside, inside;

static void run_context(void)
{
	for (;;) {
		spin(300);
		swapcontext(&inside, &outside);
	}
}

static void switch_contexts(void)
{
	if (!inside.uc_stack.ss_sp) {
		getcontext(&inside);
		inside.uc_stack.ss_sp = malloc(STACK_BYTES);
		inside.uc_stack.ss_size = STACK_BYTES;
		makecontext(&inside, run_context, 0);
	}
	for (int i = 0; i < ROUNDS; i++)
		swapcontext(&outside, &inside);
}

/* --- handlers --- */

static void handle(int number)
{
	(void)number;
	spin(100000);
	sum++; /* no tail call */
}

__attribute__((noinline)) static void interrupted(void)
{
	spin(300000);
	sum++;
}

static void handle_signals(void)
{
	static const struct itimerval every = { { 0, 1000 }, { 0, 1000 } };
	static stack_t own;

	if (!own.ss_sp) {
		struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK | SA_RESTART };

		own = (stack_t){ .ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES };
		sigaltstack(&own, NULL);
		sigaction(SIGALRM, &action, NULL);
		setitimer(ITIMER_REAL, &every, NULL);
	}
	interrupted();
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	void (*run)(void) = !strcmp(way, "longjmp")  ? jump :
			    !strcmp(way, "fibers")   ? switch_fibers :
			    !strcmp(way, "contexts") ? switch_contexts :
						       handle_signals;
	const double end = now() + (argc > 2 ? atof(argv[2]) : 1);

	while (now() < end)
		run();
	return 0;
}
