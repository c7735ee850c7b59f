/*
 * Nearly all features are bits of the flags that follow read_format, numbered as in format/perf_attr.h,
 * because older headers have no names for the newest ones. PERF_FORMAT_LOST is a bit of read_format itself.
 */
#include "record/machine/attr_feature.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "format/perf_attr.h"

static const struct {
	const char *name, *since;
	uint64_t bits; /* 1 << enum perf_attr_flag; 0: PERF_FORMAT_LOST */
	bool can_do_without;
} features[] = {
	/* The first flag is for events with call chains, the second for the event that delivers the deferred chains. */
	[ATTR_FEATURE_DEFER_CALLCHAIN] = { "defer_callchain", "6.19",
					   UINT64_C(1) << PERF_ATTR_DEFER_CALLCHAIN |
						   UINT64_C(1) << PERF_ATTR_DEFER_OUTPUT,
					   true },
	[ATTR_FEATURE_LOST] = { "PERF_FORMAT_LOST", "6.0", 0, true },
	[ATTR_FEATURE_BUILD_ID] = { "build_id", "5.12", UINT64_C(1) << PERF_ATTR_BUILD_ID, true },
	[ATTR_FEATURE_CGROUP] = { "cgroup", "5.7", UINT64_C(1) << PERF_ATTR_CGROUP, false },
	[ATTR_FEATURE_BPF_EVENT] = { "bpf_event", "5.1", UINT64_C(1) << PERF_ATTR_BPF_EVENT, true },
	[ATTR_FEATURE_KSYMBOL] = { "ksymbol", "5.1", UINT64_C(1) << PERF_ATTR_KSYMBOL, true },
	[ATTR_FEATURE_NAMESPACES] = { "namespaces", "4.12", UINT64_C(1) << PERF_ATTR_NAMESPACES, false },
	[ATTR_FEATURE_CONTEXT_SWITCH] = { "context_switch", "4.3", UINT64_C(1) << PERF_ATTR_CONTEXT_SWITCH,
					  false },
	[ATTR_FEATURE_CLOCKID] = { "use_clockid", "4.1", UINT64_C(1) << PERF_ATTR_USE_CLOCKID, false },
	[ATTR_FEATURE_COMM_EXEC] = { "comm_exec", "3.16", UINT64_C(1) << PERF_ATTR_COMM_EXEC, true },
	[ATTR_FEATURE_MMAP2] = { "mmap2", "3.16", UINT64_C(1) << PERF_ATTR_MMAP2, true },
};

static_assert(sizeof(features) / sizeof(features[0]) == ATTR_FEATURE_COUNT, "a line for each feature");

enum { FLAGS_OFFSET = offsetof(struct perf_event_attr, read_format) + sizeof(uint64_t) };

/* Big-endian compilers put the first bit of a field into the highest bit. */
static uint64_t mirrored(uint64_t flags)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	uint64_t result = 0;

	for (unsigned int bit = 0; bit < 64; bit++)
		result |= (flags >> bit & 1) << (63 - bit);
	return result;
#else
	return flags;
#endif
}

static uint64_t flags_of(const struct perf_event_attr *attr)
{
	uint64_t flags;

	memcpy(&flags, (const char *)attr + FLAGS_OFFSET, sizeof(flags));
	return mirrored(flags);
}

static void set_flags(struct perf_event_attr *attr, uint64_t flags)
{
	flags = mirrored(flags);
	memcpy((char *)attr + FLAGS_OFFSET, &flags, sizeof(flags));
}

const char *attr_feature_since(enum attr_feature feature)
{
	return features[feature].since;
}

bool attr_feature_is_asked(const struct perf_event_attr *attr, enum attr_feature feature)
{
	if (feature == ATTR_FEATURE_LOST)
		return attr->read_format & PERF_FORMAT_LOST;
	return flags_of(attr) & features[feature].bits;
}

void attr_feature_ask(struct perf_event_attr *attr, enum attr_feature feature)
{
	if (feature == ATTR_FEATURE_LOST)
		attr->read_format |= PERF_FORMAT_LOST;
	else if (feature == ATTR_FEATURE_DEFER_CALLCHAIN)
		set_flags(attr, flags_of(attr) | UINT64_C(1) << (attr->sample_type & PERF_SAMPLE_CALLCHAIN ?
									 PERF_ATTR_DEFER_CALLCHAIN :
									 PERF_ATTR_DEFER_OUTPUT));
	else
		set_flags(attr, flags_of(attr) | features[feature].bits);
}

void attr_feature_drop(struct perf_event_attr *attr, enum attr_feature feature)
{
	if (feature == ATTR_FEATURE_LOST)
		attr->read_format &= ~(uint64_t)PERF_FORMAT_LOST;
	else
		set_flags(attr, flags_of(attr) & ~features[feature].bits);
}

const char *attr_feature_strip(struct perf_event_attr *attr)
{
	for (int feature = 0; feature < ATTR_FEATURE_COUNT; feature++) {
		if (!features[feature].can_do_without || !attr_feature_is_asked(attr, feature))
			continue;
		attr_feature_drop(attr, feature);
		return features[feature].name;
	}
	return NULL;
}

int attr_feature_try(enum attr_feature feature, const struct perf_calls *calls)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr) < PERF_ATTR_SIZE_VER7 ? sizeof(attr) : PERF_ATTR_SIZE_VER7,
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.disabled = 1,
	};
	int fd;

	attr_feature_ask(&attr, feature);
	fd = calls->open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}
