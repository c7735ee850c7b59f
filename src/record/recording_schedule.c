/*
 * Starts and stops the samplers, by the ranges of -D and by --duration, and tells when the next file is due
 * by time.
 */
#include "base/clock.h"
#include "record/recording_state.h"

int recording_start_samplers(struct recording *recording, struct error *err)
{
	if (!recording->first_started_ns) {
		recording->first_started_ns = clock_now_ns();
		if (recording->waits &&
		    wait_recording_begin(recording->waits, recording->first_started_ns, err) < 0)
			return -1;
	}
	return event_set_enable(recording->events, err);
}

int recording_follow_schedule(struct recording *recording, bool *over, struct error *err)
{
	for (;;) {
		switch (sampling_schedule_due(&recording->schedule, clock_now_ns())) {
		case SAMPLING_GOES_ON: return 0;
		case SAMPLING_STARTS:
			if (recording_start_samplers(recording, err) < 0)
				return -1;
			break;
		case SAMPLING_STOPS: event_set_disable(recording->events); break;
		case SAMPLING_ENDS:
			recording->deadline_passed = recording->plan.sampling.duration_ns != 0;
			*over = true;
			return 0;
		}
	}
}

uint64_t recording_next_deadline_ns(const struct recording *recording)
{
	const uint64_t every_ns = recording->plan.switches.every_ns;
	const uint64_t switch_ns = every_ns ? recording->switched_ns + every_ns : 0;
	const uint64_t change_ns = sampling_schedule_next_ns(&recording->schedule);

	if (!switch_ns || !change_ns)
		return switch_ns ? switch_ns : change_ns;
	return switch_ns < change_ns ? switch_ns : change_ns;
}
