#ifndef XPROF_RECORD_RECORDING_STATE_H
#define XPROF_RECORD_RECORDING_STATE_H

/* Shared by the files of recording; no other file includes it. */

#include "record/recording.h"
#include "record/stop_signals.h"
#include "record/switch/control_channel.h"
#include "record/switch/flight_log.h"
#include "record/switch/output_names.h"
#include "record/switch/process_set.h"
#include "record/wait/wait_recording.h"
#include "record/workload.h"

struct recording {
	struct recording_plan plan;
	struct target target;
	bool target_is_workload;
	struct workload workload;
	bool has_workload;
	bool workload_is_left; /* running, because a signal asked not to wait for it */
	struct stop_signals signals;
	struct control_channel *control; /* NULL: no commands come */
	int watch_fd;                    /* has signals and commands behind it; -1: signals alone */
	struct event_set *events;
	struct perf_writer *writer;
	struct build_id_table *files;
	struct stack_copier *copier; /* NULL: the kernel dumps stacks */
	struct ring_demand copies_demand;
	struct wait_recording *waits;      /* NULL: time off the CPU is not sampled */
	struct written_event *file_events; /* the samplers, and behind them that of waits */
	size_t file_event_count;
	struct evidence *evidence; /* NULL: samples are written as they come */
	struct map_snapshots *maps;
	struct comm_filter *comms; /* NULL: all */
	struct drain_plan threads;
	struct recorder *recorder;
	struct output_names *names; /* of complete files; NULL: there is one, and its name is the output's */
	struct process_set *followed; /* NULL: there is one file, or the whole system is recorded */
	struct strbuf *beginning;     /* of the next file, while one ends; NULL: none does */
	struct flight_log flight;     /* with plan.options.overwrite */
	size_t flight_log_bytes;      /* of records, until processes are described anew */
	uint64_t samples_before;      /* in the files before */
	uint64_t bytes_before;        /* of their data */
	uint64_t switched_ns;         /* CLOCK_MONOTONIC, when the file began */
	struct compression_totals compression_before;
	struct recording_summary summary;
	struct strbuf offline; /* of the summary */
	bool files_failed;     /* the next file could not be begun: there is none to write to */
	struct sampling_schedule schedule;
	uint64_t first_started_ns; /* CLOCK_MONOTONIC, the samplers; 0: not yet */
	bool deadline_passed;
};

/* Functions, grouped by the file that has them; a file calls only those of files that stand above it here. */

/* --- recording_description.c ------------------------------------------------------------------------------ */

/* The records of all that is there already are written to the first file, or to the flight log. */
int recording_synthesize_first(struct recording *recording, struct error *err);

/* They are appended to `records`. */
int recording_synthesize(struct recording *recording, struct strbuf *records, struct error *err);

/* --- recording_schedule.c --------------------------------------------------------------------------------- */

/* Has the samplers run from now on. */
int recording_start_samplers(struct recording *recording, struct error *err);

/* Does what the schedule says up to now; *over if it ends the recording. */
int recording_follow_schedule(struct recording *recording, bool *over, struct error *err);

/* The next time at which something is due; 0: none is known. */
uint64_t recording_next_deadline_ns(const struct recording *recording);

/* --- recording_flight.c: with plan.options.overwrite ------------------------------------------------------- */

/* Once there is a recorder. */
void recording_prepare_flight(struct recording *recording);

/* The log has become large: begins its next part. */
int recording_describe_flight(struct recording *recording, struct error *err);

/* Fills the file with the samples of the rings, and all that they need. */
int recording_write_flight(struct recording *recording, struct error *err);

/* --- recording_files.c ------------------------------------------------------------------------------------ */

/* Opens the place that the plan names, waiting for a reader of a FIFO. */
int recording_open_output(struct recording *recording, struct error *err);

/* Writes all that comes before the records. */
int recording_begin_file(struct recording *recording, struct error *err);

/* Once there is a recorder: prepares for there being more files than one, if the plan says so. */
void recording_prepare_files(struct recording *recording);

/* Ends the file and begins the next. -1 when one of them cannot be written; complete files stay. */
int recording_switch_file(struct recording *recording, struct error *err);

/* After the last sample: finishes the file. */
int recording_finish_file(struct recording *recording, struct error *err);

/* --- recording_control.c ---------------------------------------------------------------------------------- */

/* After the signals were taken. */
int recording_open_control(struct recording *recording, struct error *err);
void recording_close_control(struct recording *recording);

/* Readable when a signal or a command has come. */
int recording_watch_fd(const struct recording *recording);

/* Does what the commands that have come say; *over when one ends the recording. */
int recording_obey(struct recording *recording, bool *over, struct error *err);

#endif
