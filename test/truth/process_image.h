#ifndef XPROF_TEST_TRUTH_PROCESS_IMAGE_H
#define XPROF_TEST_TRUTH_PROCESS_IMAGE_H

/* The memory of a program that is followed, and what it has mapped, as the unwinder wants it. */

#include <sys/types.h>

#include "truth/module_cache.h"
#include "truth/shadow_stack.h"
#include "unwind/unwinder.h"

struct mapped {
	struct unwind_mapping mapping;
	bool readable, writable, executable; /* as the kernel says */
	uint64_t file_offset;
	char *path; /* "" when no file is mapped */
};

struct process_image {
	pid_t pid;
	struct module_cache *cache;
	/* Says what the unwinder needs of a mapping beside its addresses: module, bias, executable. */
	void (*describe)(void *process, struct mapped *mapped);
	void *process;
	bool stale; /* something may have been mapped since */
	/* Its own: */
	struct mapped *maps;
	size_t count, capacity;
	uint64_t space;
};

void process_image_fini(struct process_image *image);

/* Returns how many bytes could be read. */
size_t process_image_read(const struct process_image *image, uint64_t address, void *to, size_t size);

/* Looks at what is mapped, if that may have changed since. Returns the number for unwind_input.space. */
uint64_t process_image_space(struct process_image *image);

/* NULL when nothing is mapped there. Valid until something is mapped. */
const struct mapped *process_image_at(struct process_image *image, uint64_t address);

/* An unwind_find_mapping; context is the struct process_image. */
bool process_image_find(void *context, uint64_t address, struct unwind_mapping *mapping);

/* The file mapped there; "" when there is none. */
const char *process_image_path(struct process_image *image, uint64_t address);

/* Does the address lie in one of the file's .plt sections? */
bool process_image_is_plt(struct process_image *image, uint64_t address);

/* The writable mapping that the address lies in; {0, 0} when there is none. */
struct shadow_bounds process_image_stack(struct process_image *image, uint64_t sp);

/* In a child before it becomes the program: nothing is read from or written to where this program does. */
void process_image_silence(void);

#endif
