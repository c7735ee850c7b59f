#ifndef XPROF_REPORT_IMPORT_IMPORT_MODEL_H
#define XPROF_REPORT_IMPORT_IMPORT_MODEL_H

/*
 * The target of readers of other tools' profiles: the data model of views, and facts about it. Anything that a format does not
 * say stays unknown: threads without a name have an empty one, frames without an address have none, and samples without a time
 * are not in the timeline.
 *
 *	struct import_model model;
 *
 *	import_model_init(&model, timeline);
 *	event = import_model_event(&model, "cpu", "nanoseconds");
 *	leaf = import_model_frame(&model, PROFILE_NONE, &(struct import_frame){ .function = "main" });
 *	import_model_add(&model, &(struct import_sample){ .event = event, .stack = leaf, .count = 1, .weight = 10000000 });
 *	import_model_finish(&model, "cpu.pprof", "pprof (profile.proto)", &loaded);
 */

#include "profile/profile.h"
#include "profile/sample_log.h"
#include "profile/timeline.h"
#include "report/load/loaded_profile.h"

/* All zeros: nothing is known. Texts must live only as long as the call. */
struct import_frame {
	const char *function;
	const char *module;   /* path or name of the file that contains the code */
	const char *build_id; /* of the module, hexadecimal */
	const char *file;     /* source file */
	uint32_t line;
	/* file offset in the module; in the kernel, and without a module, the run-time address */
	uint64_t address;
	bool has_address;
	bool is_jit;     /* code made at run time */
	bool is_inlined; /* into the caller */
	/* with an address: 0 for the compiled function, 1 for a function inlined into it ... */
	uint32_t inline_depth;
	enum frame_mode mode;
};

/* pid and tid are those in the profile, including 0. PROFILE_NONE: unknown. */
struct import_thread {
	const char *comm; /* NULL: unknown */
	uint32_t pid, tid;
};

#define IMPORT_NO_TIME UINT64_MAX

struct import_sample {
	uint32_t event, thread;
	uint32_t cpu;       /* PROFILE_NONE: unknown */
	uint32_t stack;     /* leaf; PROFILE_NONE: the sample has no stack */
	const char *cgroup; /* NULL: unknown */
	uint64_t count, weight;
	uint64_t time_ns; /* IMPORT_NO_TIME: unknown */
};

struct import_model {
	struct profile *profile;
	struct profile_facts facts;
	struct timeline *timeline;       /* NULL: not wanted */
	struct sample_log *log;          /* likewise */
	const struct time_ranges *times; /* samples outside of these are left out; NULL: none are */
	uint32_t unknown_stack;          /* stack of samples without a stack; PROFILE_NONE: there were none */
	uint64_t left_out;               /* samples without a time, or outside the times */
};

void import_model_init(struct import_model *model, struct timeline *timeline);
void import_model_fini(struct import_model *model);

/*
 * Parses a thread name such as "make 4711/4712", which xprof and others write if a format has no fields for command, pid and
 * tid. The command is stored in `comm` of `size` bytes, to which the result points. Any other name is a command without
 * numbers.
 */
struct import_thread import_thread_of(const char *name, char *comm, size_t size);

/* Is this the path or name of the kernel or of one of its modules? */
bool import_module_is_kernel(const char *path);

/*
 * The number of an event. `unit` is that of weights: "count", "nanoseconds", "bytes" ...; NULL or "": the format does not say.
 * An event name with two units is two events. An event without a name is named after its unit.
 */
uint32_t import_model_event(struct import_model *model, const char *name, const char *unit);
/* The same for an event of a recorder, whose name tells what it counts. */
uint32_t import_model_recorded_event(struct import_model *model, const char *name);
uint32_t import_model_thread(struct import_model *model, const struct import_thread *thread);

/* The location of a frame. Equal frames have the same location. */
uint32_t import_model_location(struct import_model *model, const struct import_frame *frame);

/* The node of a stack: `parent` is the caller's, PROFILE_NONE for the outermost frame. */
uint32_t import_model_stack(struct import_model *model, uint32_t parent, uint32_t location);
uint32_t import_model_frame(struct import_model *model, uint32_t parent, const struct import_frame *frame);

void import_model_add(struct import_model *model, const struct import_sample *sample);

/* Moves everything to `loaded`; the model is empty afterwards. `path`: as the user named it; `format`: in words. */
void import_model_finish(struct import_model *model, const char *path, const char *format,
			 struct loaded_profile *loaded);

#endif
