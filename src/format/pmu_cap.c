/* Both features hold lists of names and values; the second one has a list for each PMU, of which the first is read. */
#include "format/pmu_cap.h"

#include <stdlib.h>
#include <string.h>

/* u32 nr_caps, then names and values as strings: u32 length, bytes with zeros. */
static unsigned long number_in(struct byte_reader *caps, const char *wanted)
{
	uint32_t count = byte_reader_u32(caps);
	unsigned long number = 0;

	while (count-- && byte_reader_ok(caps)) {
		const char *name = byte_reader_string(caps, byte_reader_u32(caps));
		const char *value = byte_reader_string(caps, byte_reader_u32(caps));

		if (name && value && strcmp(name, wanted) == 0)
			number = strtoul(value, NULL, 10);
	}
	return number;
}

unsigned long pmu_cap_number(struct byte_reader cpu_caps, struct byte_reader pmu_caps, const char *name)
{
	unsigned long number = byte_reader_left(&cpu_caps) ? number_in(&cpu_caps, name) : 0;

	if (!number && byte_reader_left(&pmu_caps)) {
		(void)byte_reader_u32(
			&pmu_caps); /* number of PMUs; reads the first, as the number is the same for all cores */
		number = number_in(&pmu_caps, name);
	}
	return number;
}
