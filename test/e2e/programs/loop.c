/* A loop with a call and a branch in it, and nothing else: each jump can be named. */
static volatile int sum;

__attribute__((noinline)) static void add(int n)
{
	if (n & 1)
		sum += n;
}

void _start(void)
{
	for (int i = 0; i < 1000; i++)
		add(i);
	for (;;)
		;
}
