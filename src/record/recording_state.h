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
	/* CLOCK_MONOTONIC, when the kernel detached the events of a workload that is still running; 0: it did not */
	uint64_t unseen_since_ns;
	struct workload workload;
	bool has_workload;
	bool workload_is_left; /* it goes on running: a signal asked not to wait for it */
	struct stop_signals signals;
	struct control_channel *control; /* NULL: no commands come */
	int watch_fd; /* epoll descriptor of signals and commands; -1: there are no commands */
	struct event_set *events;
	struct perf_writer *writer;
	struct build_id_table *files;
	struct stack_copier *copier; /* NULL: the kernel dumps stacks */
	struct ring_demand copies_demand;
	struct wait_recording *waits;      /* NULL: time off the CPU is not sampled */
	struct written_event *file_events; /* the samplers, then the event of waits */
	size_t file_event_count;
	struct evidence *evidence; /* NULL: samples are written as they come */
	struct map_snapshots *maps;
	struct comm_filter *comms; /* NULL: all */
	struct drain_plan threads;
	struct recorder *recorder;
	struct output_names *names; /* names of complete files; NULL: there is one file, called as the output */
	struct process_set *followed; /* NULL: one file only, or the whole system is recorded */
	struct strbuf *beginning;     /* records for the next file, while a file ends; else NULL */
	struct flight_log flight;     /* with plan.options.overwrite */
	size_t flight_log_bytes;      /* size of its records at which processes are described anew */
	uint64_t samples_before;      /* in earlier files */
	uint64_t bytes_before;        /* data of earlier files */
	uint64_t switched_ns;         /* CLOCK_MONOTONIC, when this file began */
	struct compression_totals compression_before;
	struct recording_summary summary;
	struct strbuf offline; /* text of summary.offline */
	bool files_failed;     /* the next file could not be begun, so there is no file to write to */
	struct sampling_schedule schedule;
	uint64_t first_started_ns; /* CLOCK_MONOTONIC, when the samplers first started; 0: not yet */
	bool deadline_passed;
};

/* Functions, grouped by file. A file calls only functions of the files above it in this list. */

/* --- recording_description.c ------------------------------------------------------------------------------ */

/* Writes records that describe existing processes into the first file, or into the flight log. */
int recording_synthesize_first(struct recording *recording, struct error *err);

/* Appends the same records to `records`. */
int recording_synthesize(struct recording *recording, struct strbuf *records, struct error *err);

/* --- recording_schedule.c --------------------------------------------------------------------------------- */

/* Starts the samplers. */
int recording_start_samplers(struct recording *recording, struct error *err);

/* Starts or stops the samplers as the schedule says. Sets *over if the schedule ends the recording. */
int recording_follow_schedule(struct recording *recording, bool *over, struct error *err);

/* CLOCK_MONOTONIC of the next scheduled change; 0: none is known. */
uint64_t recording_next_deadline_ns(const struct recording *recording);

/* --- recording_flight.c: with plan.options.overwrite ------------------------------------------------------- */

/* Prepares the flight recorder. Call it when the recorder exists. */
void recording_prepare_flight(struct recording *recording);

/* Begins the next part of the log, or lets it grow while samples need it. Call it when the log has become large. */
int recording_describe_flight(struct recording *recording, struct error *err);

/* Writes the samples of the rings into the file, with all records that they need. */
int recording_write_flight(struct recording *recording, struct error *err);

/* --- recording_files.c ------------------------------------------------------------------------------------ */

/* Opens the output that the plan names. A FIFO is waited for until it has a reader. */
int recording_open_output(struct recording *recording, struct error *err);

/* Writes everything that precedes the records. */
int recording_begin_file(struct recording *recording, struct error *err);

/* Prepares for several files if the plan asks for them. Call it when the recorder exists. */
void recording_prepare_files(struct recording *recording);

/* Ends the file and begins the next. Returns -1 with err if either cannot be written; complete files stay. */
int recording_switch_file(struct recording *recording, struct error *err);

/* Finishes the file. Call it after the last sample. */
int recording_finish_file(struct recording *recording, struct error *err);

/* --- recording_control.c ---------------------------------------------------------------------------------- */

/* Opens the channel of --control. Call it after stop_signals_take(). */
int recording_open_control(struct recording *recording, struct error *err);
void recording_close_control(struct recording *recording);

/* A descriptor that is readable when a signal or a command has come. */
int recording_watch_fd(const struct recording *recording);

/* Carries out the commands that have come. Sets *over if one of them ends the recording. */
int recording_obey(struct recording *recording, bool *over, struct error *err);

#endif
