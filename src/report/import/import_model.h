#ifndef XPROF_REPORT_IMPORT_IMPORT_MODEL_H
#define XPROF_REPORT_IMPORT_IMPORT_MODEL_H

/*
 * Readers of other tools' profiles fill this: the model that views are drawn from, and the facts about it. Anything that a format
 * does not say stays unknown: threads without a name have an empty one, frames without an address have none, samples
 * without a time are not on the map over time.
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

/* Zeroed, nothing is known of it. Texts need to live only as long as the call. */
struct import_frame {
	const char *function;
	const char *module;   /* the path or name of the file that the code is in */
	const char *build_id; /* of it, hexadecimal */
	const char *file;     /* of the source */
	uint32_t line;
	uint64_t address; /* in the module, as a file offset; in the kernel, and without a module, at run time */
	bool has_address;
	bool is_jit;     /* code made at run time */
	bool is_inlined; /* into the caller */
	uint32_t inline_depth; /* with an address: 0 for the function that was compiled, 1 for what is inlined there ... */
	enum frame_mode mode;
};

/* A number: as it stands in the profile, 0 included. PROFILE_NONE: unknown. */
struct import_thread {
	const char *comm; /* NULL: unknown */
	uint32_t pid, tid;
};

#define IMPORT_NO_TIME UINT64_MAX

struct import_sample {
	uint32_t event, thread;
	uint32_t cpu;       /* PROFILE_NONE: unknown */
	uint32_t stack;     /* leaf; PROFILE_NONE: the profile has none for it */
	const char *cgroup; /* NULL: unknown */
	uint64_t count, weight;
	uint64_t time_ns; /* IMPORT_NO_TIME: unknown */
};

struct import_model {
	struct profile *profile;
	struct profile_facts facts;
	struct timeline *timeline;       /* NULL: not wanted */
	struct sample_log *log;          /* likewise */
	const struct time_ranges *times; /* samples outside are left out; NULL: none are */
	uint32_t unknown_stack;          /* of samples without a stack; PROFILE_NONE: there were none */
	uint64_t left_out;               /* samples without a time, or outside the times */
};

void import_model_init(struct import_model *model, struct timeline *timeline);
void import_model_fini(struct import_model *model);

/*
 * A thread that is called "make 4711/4712", which is how xprof and others write what has no fields of its own: the command in
 * `comm`, of `size` bytes, which what is returned points to. Any other name is the command, without numbers.
 */
struct import_thread import_thread_of(const char *name, char *comm, size_t size);

/* Does the path or name of a module say that it is the kernel or one of its modules? */
bool import_module_is_kernel(const char *path);

/*
 * `unit`: of weights: "count", "nanoseconds", "bytes" ...; NULL or "": the format does not say. Two units of one name are two events. An
 * event without a name goes by its unit.
 */
uint32_t import_model_event(struct import_model *model, const char *name, const char *unit);
/* An event of a recorder, whose name says what it counts. */
uint32_t import_model_recorded_event(struct import_model *model, const char *name);
uint32_t import_model_thread(struct import_model *model, const struct import_thread *thread);

/* The location of a frame; the same frame has the same one. */
uint32_t import_model_location(struct import_model *model, const struct import_frame *frame);

/* The node of a stack: `parent` is the caller's, PROFILE_NONE for the outermost frame. */
uint32_t import_model_stack(struct import_model *model, uint32_t parent, uint32_t location);
uint32_t import_model_frame(struct import_model *model, uint32_t parent, const struct import_frame *frame);

void import_model_add(struct import_model *model, const struct import_sample *sample);

/* Hands over what was filled; the model is empty afterwards. `path`: as the user named it; `format`: in words. */
void import_model_finish(struct import_model *model, const char *path, const char *format,
			 struct loaded_profile *loaded);

#endif
