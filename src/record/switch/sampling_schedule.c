/* sampling_plan_parse() parses -D. The schedule is a cursor over the spans, plus the end of the duration. */
#include "record/switch/sampling_schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option.h"

enum { NS_PER_MS = 1000 * 1000 };

/* Reads milliseconds and returns the end of the number. NULL if there is no number, or it is too large. */
static const char *read_ms(const char *text, uint64_t *time_ns)
{
	const size_t digits = strspn(text, "0123456789");
	const uint64_t ms = strtoull(text, NULL, 10);

	if (digits == 0 || digits > 15 || ms > UINT64_MAX / 2 / NS_PER_MS)
		return NULL;
	*time_ns = ms * NS_PER_MS;
	return text + digits;
}

static int parse_spans(struct sampling_plan *plan, const char *text, struct error *err)
{
	uint64_t last_ns = 0;

	for (const char *at = text; at; at = *at == ',' ? at + 1 : NULL) {
		struct sampling_span span;

		if (plan->span_count == SAMPLING_SPANS_MAX)
			return error_set(err, "more than %d ranges of time", SAMPLING_SPANS_MAX);
		at = read_ms(at, &span.start_ns);
		at = at && *at == '-' ? read_ms(at + 1, &span.end_ns) : NULL;
		if (!at || (*at && *at != ','))
			return error_set(err, "'%s': ranges are milliseconds, such as 10-20,30-40", text);
		if (span.end_ns <= span.start_ns || (plan->span_count && span.start_ns <= last_ns))
			return error_set(
				err,
				"'%s': each range has to begin after the one before it, and end after "
				"its beginning",
				text);
		last_ns = span.end_ns;
		plan->spans[plan->span_count++] = span;
	}
	return 0;
}

int sampling_plan_parse(struct sampling_plan *plan, const char *text, struct error *err)
{
	struct sampling_span span = { 0 };
	const char *end;

	plan->span_count = 0;
	plan->starts_disabled = strcmp(text, "-1") == 0;
	if (plan->starts_disabled)
		return 0;
	if (strchr(text, '-') || strchr(text, ','))
		return parse_spans(plan, text, err);
	if (text[strspn(text, "0123456789")]) {
		if (option_parse_duration(text, &span.start_ns, err) < 0)
			return -1;
	} else {
		end = read_ms(text, &span.start_ns);
		if (!end)
			return error_set(err, "'%s' is not a number of milliseconds", text);
	}
	if (span.start_ns)
		plan->spans[plan->span_count++] = span;
	return 0;
}

bool sampling_plan_starts_at_once(const struct sampling_plan *plan)
{
	return plan->span_count == 0 && !plan->starts_disabled;
}

static void limit_duration(struct sampling_schedule *schedule, uint64_t started_ns)
{
	if (schedule->plan->duration_ns && !schedule->ends_ns)
		schedule->ends_ns = started_ns + schedule->plan->duration_ns;
}

void sampling_schedule_begin(struct sampling_schedule *schedule, const struct sampling_plan *plan,
			     uint64_t now_ns)
{
	*schedule = (struct sampling_schedule){ .plan = plan, .began_ns = now_ns };
	if (plan->span_count == 0)
		limit_duration(schedule, now_ns);
}

/* The next start or end of a span. 0 if there is none. */
static uint64_t next_edge_ns(const struct sampling_schedule *schedule)
{
	const struct sampling_span *span = &schedule->plan->spans[schedule->span];
	uint64_t edge_ns;

	if (schedule->span >= schedule->plan->span_count)
		return 0;
	edge_ns = schedule->in_span ? span->end_ns : span->start_ns;
	return schedule->in_span && !edge_ns ? 0 : schedule->began_ns + edge_ns;
}

uint64_t sampling_schedule_next_ns(const struct sampling_schedule *schedule)
{
	const uint64_t edge_ns = next_edge_ns(schedule), ends_ns = schedule->ends_ns;

	return edge_ns && (!ends_ns || edge_ns < ends_ns) ? edge_ns : ends_ns;
}

enum sampling_change sampling_schedule_due(struct sampling_schedule *schedule, uint64_t now_ns)
{
	const uint64_t edge_ns = next_edge_ns(schedule);

	if (schedule->ends_ns && now_ns >= schedule->ends_ns)
		return SAMPLING_ENDS;
	if (!edge_ns || now_ns < edge_ns)
		return SAMPLING_GOES_ON;
	schedule->in_span = !schedule->in_span;
	if (schedule->in_span) {
		limit_duration(schedule, now_ns);
		return SAMPLING_STARTS;
	}
	schedule->span++;
	if (schedule->span == schedule->plan->span_count) {
		schedule->ends_ns = now_ns;
		return SAMPLING_ENDS;
	}
	return SAMPLING_STOPS;
}
