/* Parses -F and compares it with the sysctl. If the sysctl cannot be read, there is no limit. */
#include "record/event/sample_rate.h"

#include <inttypes.h>
#include <string.h>

#include "cli/option.h"
#include "record/machine/proc_file.h"

int sample_rate_parse(struct sample_rate *rate, const char *text, struct error *err)
{
	*rate = (struct sample_rate){ .given = true, .maximum = strcmp(text, "max") == 0 };
	if (rate->maximum)
		return 0;
	if (option_parse_u64(text, &rate->frequency, err) < 0)
		return -1;
	return rate->frequency ?
		       0 :
		       error_set(err, "a rate of 0 takes no samples; -c COUNT takes one every COUNT events");
}

void sample_rate_limit(struct sample_rate *rate, const char *limit_path, struct strbuf *notices)
{
	long long limit;

	if (!rate->given)
		rate->frequency = SAMPLE_RATE_DEFAULT_HZ;
	if (proc_file_read_number(limit_path, &limit, NULL) < 0 || limit <= 0) {
		if (rate->maximum)
			rate->frequency = SAMPLE_RATE_DEFAULT_HZ;
		return;
	}
	if (rate->maximum) {
		rate->frequency = (uint64_t)limit;
		strbuf_addf(notices, "-F max is %lld Hz here (kernel.perf_event_max_sample_rate)\n", limit);
	} else if (rate->frequency > (uint64_t)limit) {
		strbuf_addf(notices,
			    "%" PRIu64 " Hz is more than the kernel allows: sampling at %lld Hz; 'sysctl "
			    "kernel.perf_event_max_sample_rate=%" PRIu64 "' raises the limit\n",
			    rate->frequency, limit, rate->frequency);
		rate->frequency = (uint64_t)limit;
	}
}
