#include "report/frame_text.h"

#include <inttypes.h>
#include <string.h>

#include "report/safe_text.h"

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

/* perf's maps of JIT compilers name their DSO after themselves: /tmp/perf-PID.map, and [JIT] tid PID. */
bool frame_is_jit(const struct profile *profile, const struct profile_stack *node, const struct frame *frame)
{
	const char *path;

	if (node->origin == FRAME_JIT)
		return true;
	if (frame->dso == PROFILE_NONE)
		return false;
	path = profile_text(profile, profile_dso_at(profile, frame->dso)->path);
	return !strncmp(path, "/tmp/perf-", 10) || !strncmp(path, "[JIT]", 5);
}
