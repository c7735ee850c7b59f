/*
 * Two lists of names decide, one for user space and one for the kernel: add functions of other C libraries or kernels
 * there. stack_beginning_end() turns the beginning into what reports show.
 */
#include "report/names/stack_beginning.h"

#include <string.h>

/* Functions without a caller, as named by the symbol tables of common C libraries and kernels. */
static const char *const user_roots[] = {
	"__libc_start_call_main",
	"__libc_start_main",
	"__libc_start_main_impl",
	"_start",
	"__start",
	"_start_c",
	"_dl_start_user",
	"clone",
	"__clone",
	"clone3",
	"__clone3",
	"start_thread",
	"runtime.goexit",
	"_rt0_amd64",
	"runtime.mstart",
	"thread_start",
	"runtime.goexit.abi0",
	"__start_thread", /* bionic: threads; first function of programs; first function of its linker, renamed */
	"__libc_init",
	"__dl__start",
};

static const char *const kernel_roots[] = {
	"ret_from_fork",        "ret_from_fork_asm",    "kthread",
	"secondary_startup_64", "common_startup_64",    "secondary_startup_64_no_verify",
	"start_secondary",      "x86_64_start_kernel",  "start_kernel",
	"__primary_switched",   "__secondary_switched", "secondary_start_kernel",
};

bool stack_beginning_is_root(const char *function, enum frame_mode mode)
{
	const char *const *roots = mode == FRAME_KERNEL ? kernel_roots : user_roots;
	const size_t count = mode == FRAME_KERNEL ? sizeof(kernel_roots) / sizeof(*kernel_roots) :
						    sizeof(user_roots) / sizeof(*user_roots);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(function, roots[i]))
			return true;
	return false;
}

bool stack_beginning_is_c_library(const char *dso_name)
{
	static const char *const names[] = { "libc.so",  "libc-",   "libpthread",
					     "ld-linux", "ld-musl", "libc.musl" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(dso_name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

enum stack_beginning stack_beginning_of(const struct profile *profile, uint32_t node)
{
	const struct profile_location *location =
		profile_location_at(profile, profile_stack_at(profile, node)->location);
	const char *name;

	if (location->dso == PROFILE_NONE)
		return STACK_BEGINNING_UNKNOWN;
	if (!profile_location_is_named(profile, location)) {
		name = profile_text(profile, profile_dso_at(profile, location->dso)->name);
		return stack_beginning_is_c_library(name) ? STACK_BEGINNING_UNNAMED : STACK_BEGINNING_OTHER;
	}
	name = profile_text(profile, profile_function_at(profile, location->function)->name);
	return stack_beginning_is_root(name, location->mode) ? STACK_BEGINNING_ROOT : STACK_BEGINNING_OTHER;
}

enum stack_end stack_beginning_end(enum stack_beginning beginning, enum stack_end end)
{
	switch (end) {
	case STACK_END_CHAIN:
		return beginning == STACK_BEGINNING_ROOT    ? STACK_END_ROOT :
		       beginning == STACK_BEGINNING_UNNAMED ? STACK_END_UNNAMED :
							      end;
	case STACK_END_DEPTH:
	case STACK_END_DUMP: /* continued by frame pointers */
	case STACK_END_NO_CFI: /* some functions in assembly, as ld.so's first one, have no unwind information */
		return beginning == STACK_BEGINNING_ROOT ? STACK_END_ROOT : end;
	default: return end;
	}
}
