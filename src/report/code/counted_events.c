/* One pass over the file's events keeps the place of each one's bits. */
#include "report/code/counted_events.h"

#include <linux/perf_event.h>

#include "format/perf_abi.h"
#include "format/pmu_cap.h"
#include "text/safe_text.h"

enum { WORD_BITS = 64 };

static bool is_counted(const struct perf_attr *attr)
{
	return attr->sample_type & PERF_SAMPLE_BRANCH_STACK && attr->branch_sample_type & BRANCH_COUNTERS;
}

static unsigned int count_of_group(const struct counted_events *events, size_t leader)
{
	unsigned int count = 0;

	for (size_t i = 0; i < events->count; i++)
		count += events->items[i].leader == leader;
	return count;
}

void counted_events_find(struct counted_events *events, const struct perf_file *file)
{
	const size_t count = perf_file_event_count(file);
	const unsigned long bits =
		pmu_cap_number(perf_file_feature_bytes(file, HEADER_CPU_PMU_CAPS),
			       perf_file_feature_bytes(file, HEADER_PMU_CAPS), "branch_counter_width");

	*events = (struct counted_events){ .bits = bits < 32 ? (unsigned int)bits : 0 };
	for (size_t i = 0; i < count && events->count < COUNTED_EVENTS_MAX; i++) {
		const struct event_desc *desc = perf_file_event(file, i);

		if (!is_counted(&desc->attr))
			continue;
		events->items[events->count] = (struct counted_event){
			.number = i,
			.leader = desc->leader,
			.shift = events->bits * count_of_group(events, desc->leader),
		};
		events->count++;
	}
}

bool counted_events_read(const struct counted_events *events, size_t item, const struct sample *sample,
			 size_t leader, size_t branch, unsigned int *count, bool *may_be_more)
{
	const struct counted_event *event = &events->items[item];
	const unsigned int most = (1u << events->bits) - 1;

	if (event->leader != leader || !sample->branch_counters || !events->bits ||
	    event->shift + events->bits > WORD_BITS)
		return false;
	*count = (unsigned int)(sample_word(sample, sample->branch_counters, branch) >> event->shift) & most;
	*may_be_more = *count == most;
	return true;
}

void counted_events_add_heading(const struct counted_events *events, const struct perf_file *file,
				struct strbuf *out)
{
	strbuf_adds(out, "# Branch counter abbr list:\n");
	for (size_t i = 0; i < events->count; i++) {
		strbuf_adds(out, "# ");
		safe_text_add(out, perf_file_event(file, events->items[i].number)->name);
		strbuf_addf(out, " = %c\n", counted_event_letter(i));
	}
	strbuf_adds(out, "# '-' No event occurs\n"
			 "# '+' Event occurrences may be lost due to branch counter saturated\n");
}
