#include "base/thread_aside.h"

#include <stddef.h>

#include "base/usable_cpus.h"

static void *run(void *context)
{
	const struct thread_aside *aside = context;

	aside->work(aside->context);
	return NULL;
}

void thread_aside_start(struct thread_aside *aside, thread_aside_work *work, void *context)
{
	aside->work = work;
	aside->context = context;
	aside->running = usable_cpus() > 1 && pthread_create(&aside->thread, NULL, run, aside) == 0;
	if (!aside->running)
		work(context);
}

void thread_aside_wait(struct thread_aside *aside)
{
	if (aside->running)
		pthread_join(aside->thread, NULL);
	aside->running = false;
}
