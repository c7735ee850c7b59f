/* Tells samples of time off the CPU from others, by the name of their event and by complete raw data. No other file does. */
#include "report/waits/sample_wait.h"

#include <string.h>

bool sample_wait_is_event(const char *event_name)
{
	return event_name && strcmp(event_name, OFF_CPU_EVENT_NAME) == 0;
}

bool sample_wait_read(struct off_cpu_wait *wait, const char *event_name, const struct sample *sample)
{
	struct error unreadable;

	return sample_wait_is_event(event_name) && sample->raw &&
	       off_cpu_wait_decode(wait, sample->raw, sample->raw_size, sample->swap, &unreadable) == 0;
}
