/* Names a frame without a name after its DSO; one like "[vdso]" gets no second pair of brackets. */
#include "report/rows/frame_text.h"

#include <inttypes.h>
#include <string.h>

#include "text/safe_text.h"

static void add_unknown(struct strbuf *buf, const struct profile *profile, const struct frame *frame,
			bool addresses)
{
	const char *name =
		frame->dso_name == PROFILE_NONE ? "unknown" : profile_text(profile, frame->dso_name);
	const char *end = strchr(name, ']');
	bool bracketed = name[0] == '[' && (!end || !end[1]); /* "[vdso]", not "[JIT] tid 7" */

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
