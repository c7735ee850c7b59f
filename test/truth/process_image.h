#ifndef XPROF_TEST_TRUTH_PROCESS_IMAGE_H
#define XPROF_TEST_TRUTH_PROCESS_IMAGE_H

/* The memory and mappings of a followed program, in the form that the unwinder needs. */

#include <sys/types.h>

#include "truth/module_cache.h"
#include "truth/shadow_stack.h"
#include "unwind/unwinder.h"

struct mapped {
	struct unwind_mapping mapping;
	bool readable, writable, executable; /* according to the kernel */
	uint64_t file_offset;
	char *path; /* "" if no file is mapped */
};

struct process_image {
	pid_t pid;
	struct module_cache *cache;
	/* Sets what the unwinder needs in addition to a mapping's addresses: module, bias, executable. */
	void (*describe)(void *process, struct mapped *mapped);
	void *process;
	bool stale; /* mappings may have changed since */
	/* Private: */
	struct mapped *maps;
	size_t count, capacity;
	uint64_t space;
};

void process_image_fini(struct process_image *image);

/* Returns how many bytes could be read. */
size_t process_image_read(const struct process_image *image, uint64_t address, void *to, size_t size);

/* Reads the mappings, if they may have changed. Returns the number for unwind_input.space. */
uint64_t process_image_space(struct process_image *image);

/* NULL if nothing is mapped there. Valid until mappings change. */
const struct mapped *process_image_at(struct process_image *image, uint64_t address);

/* An unwind_find_mapping; context is the struct process_image. */
bool process_image_find(void *context, uint64_t address, struct unwind_mapping *mapping);

/* The file mapped there; "" if there is none. */
const char *process_image_path(struct process_image *image, uint64_t address);

/* Does the address lie in one of the file's .plt sections? */
bool process_image_is_plt(struct process_image *image, uint64_t address);

/* The writable mapping of the address; {0, 0} if there is none. */
struct shadow_bounds process_image_stack(struct process_image *image, uint64_t sp);

/* Call in the child before exec: disconnects it from this program's input and output. */
void process_image_silence(void);

#endif
