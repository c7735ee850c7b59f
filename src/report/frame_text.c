#include "report/frame_text.h"

#include <inttypes.h>
#include <string.h>

#include "report/safe_text.h"
#include "symbol/jitdump.h"

static void add_unknown(struct strbuf *buf, const struct profile *profile, const struct frame *frame,
			bool addresses)
{
	const char *name =
		frame->dso_name == PROFILE_NONE ? "unknown" : profile_text(profile, frame->dso_name);
	bool bracketed = name[0] == '[';

	strbuf_adds(buf, bracketed ? "" : "[");
	safe_text_add(buf, name);
	if (bracketed && buf->bytes[buf->size - 1] == ']')
		strbuf_cut(buf, buf->size - 1);
	if (addresses)
		strbuf_addf(buf, " <%" PRIx64 ">", frame->address);
	strbuf_addc(buf, ']');
}

void frame_text_add(struct strbuf *buf, const struct profile *profile, const struct frame *frame,
		    bool addresses)
{
	if (frame->name == PROFILE_NONE)
		add_unknown(buf, profile, frame, addresses);
	else
		safe_text_add(buf, profile_text(profile, frame->name));
	if (frame->guessed)
		strbuf_adds(buf, FRAME_GUESSED_MARK);
}

/*
 * perf's maps of JIT compilers name their DSO after themselves: /tmp/perf-PID.map, and [JIT] tid PID; jitdump files and
 * what perf inject --jit makes of them are called jit-PID.dump and jitted-PID-NUMBER.so wherever they lie.
 */
static bool is_path_of_jit_code(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strncmp(path, "/tmp/perf-", 10) || !strncmp(path, "[JIT]", 5) || jitdump_is_path(path) ||
	       (slash && !strncmp(slash, "/jitted-", 8));
}

bool frame_is_jit(const struct profile *profile, const struct profile_stack *node, const struct frame *frame)
{
	if (node->origin == FRAME_JIT)
		return true;
	return frame->dso != PROFILE_NONE &&
	       is_path_of_jit_code(profile_text(profile, profile_dso_at(profile, frame->dso)->path));
}

const char *frame_mode_mark(enum frame_mode mode)
{
	switch (mode) {
	case FRAME_KERNEL: return "[k] ";
	case FRAME_HYPERVISOR: return "[H] ";
	case FRAME_GUEST_KERNEL: return "[g] ";
	case FRAME_GUEST_USER: return "[u] ";
	case FRAME_USER: break;
	}
	return "[.] ";
}

const char *frame_mode_name(enum frame_mode mode)
{
	static const char *const names[] = {
		[FRAME_USER] = "user",
		[FRAME_KERNEL] = "kernel",
		[FRAME_HYPERVISOR] = "hypervisor",
		[FRAME_GUEST_KERNEL] = "guest_kernel",
		[FRAME_GUEST_USER] = "guest_user",
	};

	return names[mode];
}
