/*
 * Few instructions, most of them in loops and branches, for branch_tracer to follow. hot is called 40 times and loops 20 times in
 * each, in half of them into odd, which is local; cold is called four times. operations is called 40 times, a quarter of them
 * twice.
 */
static volatile unsigned int sum;
static unsigned int table[64];

__attribute__((noinline)) static unsigned int odd(unsigned int n)
{
	if (n % 16 == 3)
		return n * 7;
	return n + 1;
}

__attribute__((noinline)) unsigned int hot(unsigned int n)
{
	unsigned int i, s = 0;

	for (i = 0; i < 20; i++) {
		if ((n ^ i) & 1)
			s += odd(i);
		else
			s ^= table[i];
	}
	return s;
}

__attribute__((noinline)) unsigned int cold(unsigned int n)
{
	sum += 3;
	return n ^ 5;
}

__attribute__((noinline)) static unsigned int add(unsigned int n)
{
	return n + 2;
}

__attribute__((noinline)) static unsigned int twice(unsigned int n)
{
	return n * 2;
}

static unsigned int (*volatile operations[4])(unsigned int) = { add, add, add, twice };

__attribute__((noinline)) int run(void)
{
	for (unsigned int i = 0; i < 40; i++) {
		sum += hot(i);
		sum = operations[i % 4](sum);
		if (i % 10 == 9)
			sum += cold(i);
	}
	return 0;
}

void _start(void)
{
	run();
	__asm__ volatile("mov $60, %eax; xor %edi, %edi; syscall");
}
