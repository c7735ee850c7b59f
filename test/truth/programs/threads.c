/* A program with a second thread, which the test follows. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned sink;

static __attribute__((noinline)) unsigned recursive(unsigned depth)
{
	char text[32];

	snprintf(text, sizeof(text), "%u", depth);
	return depth ? recursive(depth - 1) + (unsigned)text[0] : 1;
}

static void forget(void *value)
{
	free(value);
}

static void *thread_main(void *argument)
{
	pthread_key_t key;

	pthread_key_create(&key, forget);
	pthread_setspecific(key, malloc(10));
	sink += recursive(*(unsigned *)argument);
	pthread_exit(NULL);
}

int main(void)
{
	unsigned depth = 6;
	pthread_t thread;

	pthread_create(&thread, NULL, thread_main, &depth);
	pthread_join(thread, NULL);
	return 0;
}
