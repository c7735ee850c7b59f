#ifndef XPROF_PROFILE_PROFILE_FACTS_H
#define XPROF_PROFILE_PROFILE_FACTS_H

/*
 * The facts of a recording besides its samples: where and how it was made, lost samples, the quality of its
 * stacks, the names of its threads. Views read this and the profile, and nothing of the file that both were
 * made from, so that a profile of any source is as good as another: whoever makes a profile fills in what the
 * source knows.
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
	uint64_t sample_keys; /* bit n: what enum sample_key n is made of (profile/sample_keys.h) */
};

/*
 * For how long what was recorded ran on a CPU, and how long it was there: samples are of running time alone, so that a
 * command which waits most of its time looks as if it did nothing else than its little work.
 */
struct running_time {
	bool is_known;
	bool mostly_waited; /* certainly: it ran for less than half of one CPU */
	double running_s;   /* of all threads together; if is_bound, at most that */
	double span_s;      /* from the first sign of it to the last */
	uint32_t threads;   /* that were sampled */
	bool of_command; /* of a command from its start; else of processes or threads that were there before */
	bool is_estimate; /* out of the rate of samples: the events count cycles, not time */
	bool is_bound;    /* the samples are too few to tell whether the machine's timers keep up */
};

/* Counts, never percentages. Texts are NULL, and numbers 0, where the source does not say. */
struct profile_facts {
	const char *path;   /* of the recording, as the user named it */
	const char *format; /* of a profile that another tool wrote, in words; NULL: it is a recording */

	/* Where and how it was made. */
	const char *hostname, *os_release, *arch, *cpu_description;
	const char *recorder; /* and its version */
	const char *const *command_line;
	size_t command_line_count;
	uint32_t cpus_online;
	enum recorded_host host;

	/* The data it samples. */
	struct event_facts *events; /* the profile's events under the same numbers */
	size_t event_count;
	uint32_t largest_dump_bytes;      /* of the user's stack; 0: none was copied */
	bool has_callchains;              /* or what they can be made of */
	bool has_user_chains_beside_dump; /* one event has both */
	bool has_copied_stacks; /* copied as a whole: no dump could be larger, and no user's rights greater */
	bool has_stacks_of_unknown_end; /* of another tool's profile, which does not say why stacks end */
	bool has_hardware_traces;       /* Intel PT and the like, which are not decoded */

	/* Losses. */
	bool is_cut_off;       /* the file ends in the middle */
	bool is_unfinished;    /* the recorder was killed or is still at work */
	bool is_part;          /* by the options samples were left out */
	uint64_t lost_samples; /* that the kernel had no room for in a ring */
	uint64_t lost_others;  /* other records: of what was mapped, named, forked */
	uint64_t lost_records; /* of either kind, where the file does not tell them apart: may include lost_samples */
	uint64_t throttle_records; /* how often the kernel stopped sampling for a while */
	uint64_t skipped_records;  /* whose header is damaged */
	uint64_t damaged_records;  /* state records that could not be decoded */
	uint64_t damaged_samples;
	uint64_t unknown_event_samples; /* of an event that the file does not describe */
	uint64_t jit_dumps_unclear; /* jitdump files whose code took turns at addresses, on a clock that is not known */
	uint64_t dumps_not_unwound; /* of a machine that is not supported, or of a 32-bit program of aarch64 */

	/* The samples. */
	uint64_t samples;
	uint64_t first_time_ns, last_time_ns;     /* of samples; UINT64_MAX, 0 when none has a time */
	uint64_t first_record_ns, last_record_ns; /* likewise, and of threads that began or ended meanwhile */
	uint64_t near_gaps, prompt_gaps;        /* how regularly timers fired: struct sample_intake_counts */
	uint64_t unresolved_samples;            /* whose leaf has no function */
	uint64_t continued_samples;             /* whose stack was read on in the process, above its dump */
	uint64_t guessed_samples;               /* in whose stack a caller was guessed */
	uint64_t stacks_ended[STACK_END_COUNT]; /* samples by the reason their stack ended */
	struct running_time running;

	/*
	 * The last name of each of the profile's threads, as a string of the profile: perf's pid column shows
	 * a thread under that, whatever its name was when it was sampled. NULL: as when it was sampled.
	 */
	const uint32_t *thread_names;

	struct arena texts; /* what the pointers above point to */
};

void profile_facts_init(struct profile_facts *facts);
void profile_facts_fini(struct profile_facts *facts);

/* A copy that lives as long as the facts. NULL for NULL. */
const char *profile_facts_text(struct profile_facts *facts, const char *text);

/* Has any event what this key of samples is made of? */
bool profile_facts_have_key(const struct profile_facts *facts, unsigned int sample_key);
bool profile_facts_have_tracepoints(const struct profile_facts *facts);

/* The lost samples: of two units in which the kernel reports the same loss, the more exact one. */
uint64_t profile_facts_lost(const struct profile_facts *facts);

/* From the first sample to the last; 0 where they have no times. */
double profile_facts_seconds(const struct profile_facts *facts);

/* Is there any stack with callers? */
bool profile_facts_have_stacks(const struct profile_facts *facts);

/* Adds up of a finished profile why its stacks end, and which samples have guessed, continued or nameless frames. */
struct profile;
void profile_facts_count_stacks(struct profile_facts *facts, const struct profile *profile);

#endif
