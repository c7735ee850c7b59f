#ifndef XPROF_PROFILE_PROFILE_FACTS_H
#define XPROF_PROFILE_PROFILE_FACTS_H

/*
 * The facts of a recording besides its samples: where and how it was made, lost samples, the quality of its
 * stacks, the names of its threads. Views read only this and the profile, never the file from which both were
 * made, so that they work with profiles of any source. The code that makes a profile fills in what the source
 * knows.
 *
 *	struct profile_facts facts;
 *
 *	profile_facts_init(&facts);
 *	facts.path = profile_facts_text(&facts, "cpu.pprof");
 *	facts.samples = 12912;
 *	trust_header_render(...);
 *	profile_facts_fini(&facts);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "profile/stack_node.h"

/* Was it recorded on the machine that reads it? */
enum recorded_host {
	RECORDED_HOST_UNKNOWN, /* the recording does not say */
	RECORDED_HOST_THIS,
	RECORDED_HOST_OTHER,
};

/* The attributes of one event of the recording. */
struct event_facts {
	const char *name;     /* as in the recording, where several events may have one name */
	bool is_tracepoint;   /* its samples have the fields of the tracepoint's format */
	uint64_t sample_keys; /* bit n: samples have the data for enum sample_key n (profile/sample_keys.h) */
};

/*
 * How long the recorded command or threads ran on a CPU, and how long they existed. Samples show only running time, so
 * a command that mostly waits would look as if it were busy all the time.
 */
struct running_time {
	bool is_known;
	bool mostly_waited; /* certainly: it ran for less than half of one CPU */
	double running_s;   /* of all threads together; an upper bound if is_bound */
	double span_s;      /* from the first record to the last */
	uint32_t threads;   /* number of sampled threads */
	bool of_command;    /* the recording is of a command from its start; else of processes or threads that
			    were running already */
	bool is_estimate;   /* computed from the rate of samples, since the events count cycles, not time */
	bool is_bound;      /* there are too few samples to know whether the machine's timers were on time */
};

/* Counts, never percentages. Texts are NULL, and numbers 0, if unknown. */
struct profile_facts {
	const char *path;   /* of the recording, as the user named it */
	const char *format; /* name of the format of another tool's profile; NULL: a recording */

	/* Where and how it was made. */
	const char *hostname, *os_release, *arch, *cpu_description;
	const char *recorder; /* name and version */
	const char *const *command_line;
	size_t command_line_count;
	uint32_t cpus_online;
	enum recorded_host host;

	/* The sampled data. */
	struct event_facts *events; /* by number of the profile's events */
	size_t event_count;
	uint32_t largest_dump_bytes;      /* of the user stack; 0: none was copied */
	bool has_callchains;              /* or data from which they can be made */
	bool has_user_chains_beside_dump; /* one event has both */
	bool has_copied_stacks; /* stacks were copied as a whole, so no larger dump and no other permissions
				   would help */
	bool has_stacks_of_unknown_end; /* another tool's profile, which does not say why stacks end */
	bool has_hardware_traces;       /* Intel PT and the like, which are not decoded */

	/* Losses. */
	bool is_cut_off;       /* the file ends in the middle */
	bool is_unfinished;    /* the recorder was killed or is still at work */
	bool is_part;          /* options excluded some samples */
	uint64_t lost_samples; /* for which the rings had no room */
	uint64_t lost_others;  /* other records: MMAP, COMM, FORK … */
	uint64_t lost_records; /* of either kind, if the file does not tell them apart; may include lost_samples */
	uint64_t throttle_records; /* how often the kernel stopped sampling for a while */
	uint64_t skipped_records;  /* records with a damaged header */
	uint64_t damaged_records;  /* state records that could not be decoded */
	uint64_t damaged_samples;
	uint64_t unknown_event_samples; /* of an event that the file does not describe */
	uint64_t jit_dumps_unclear; /* jitdump files with several pieces of code at one address and an unknown clock */
	uint64_t dumps_not_unwound; /* dumps of unsupported machines or of 32-bit programs on aarch64 */

	/* The samples. */
	uint64_t samples;
	uint64_t first_time_ns, last_time_ns;     /* of samples; UINT64_MAX and 0 if none has a time */
	uint64_t first_record_ns, last_record_ns; /* likewise, but including records of threads that began or
						     ended */
	uint64_t near_gaps, prompt_gaps;        /* how regularly timers fired: struct sample_intake_counts */
	uint64_t unresolved_samples;            /* samples whose leaf has no function */
	uint64_t continued_samples;             /* samples whose stack the recorder continued above the dump,
						   by reading the process */
	uint64_t guessed_samples;               /* samples with a guessed caller in the stack */
	uint64_t stacks_ended[STACK_END_COUNT]; /* samples by the reason their stack ended */
	struct running_time running;

	/*
	 * The last name of each thread of the profile, a string of the profile: perf's pid column shows that,
	 * not the name at the sample. NULL: use the name at the sample.
	 */
	const uint32_t *thread_names;

	struct arena texts; /* the texts that the pointers above point to */
};

void profile_facts_init(struct profile_facts *facts);
void profile_facts_fini(struct profile_facts *facts);

/* Copies a text; the copy lives as long as the facts. NULL for NULL. */
const char *profile_facts_text(struct profile_facts *facts, const char *text);

/* Does any event have the data for this key of samples? */
bool profile_facts_have_key(const struct profile_facts *facts, unsigned int sample_key);
bool profile_facts_have_tracepoints(const struct profile_facts *facts);

/* The number of lost samples. The kernel may report one loss in two ways; this is the more exact one. */
uint64_t profile_facts_lost(const struct profile_facts *facts);

/* Seconds from the first sample to the last; 0 if samples have no times. */
double profile_facts_seconds(const struct profile_facts *facts);

/* Does any sample have a stack with callers? */
bool profile_facts_have_stacks(const struct profile_facts *facts);

/*
 * Counts, in a finished profile, the reasons why stacks end, and the samples with guessed, continued or nameless
 * frames.
 */
struct profile;
void profile_facts_count_stacks(struct profile_facts *facts, const struct profile *profile);

#endif
