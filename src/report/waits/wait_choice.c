/*
 * add_name() turns one name into bits: it sets every state and every kind that has the name, so that "disk" means the state and
 * the kind of wait.
 */
#include "report/waits/wait_choice.h"

#include <ctype.h>
#include <string.h>

#include "report/waits/sample_wait.h"

const char *const wait_choice_names[] = {
	"sleeping", "disk",        "preempted", "runqueue", "stopped", "cpu",        "futex",
	"pipe",     "socket",      "poll",      "epoll",    "timer",   "page-fault", "child",
	"signal",   "kernel-lock", "other",     "unknown",  "running", NULL,
};

const struct wait_choice wait_choice_off_cpu = { .states = (1U << OFF_CPU_STATES) - 1 };

static bool is_separator(char c)
{
	return c == ' ' || c == '-' || c == '_';
}

static bool is_called(const char *name, const char *text, size_t length)
{
	const char *const end = text + length;

	for (;;) {
		while (is_separator(*name))
			name++;
		while (text < end && is_separator(*text))
			text++;
		if (!*name || text == end)
			return !*name && text == end;
		if (tolower((unsigned char)*name++) != tolower((unsigned char)*text++))
			return false;
	}
}

/* False if nothing has that name. */
static bool add_name(struct wait_choice *choice, const char *text, size_t length)
{
	struct wait_choice named = { 0 };

	for (unsigned int state = 0; state < OFF_CPU_STATES; state++)
		if (is_called(off_cpu_state_name(state), text, length))
			named.states |= 1U << state;
	for (unsigned int kind = 0; kind < OFF_CPU_KINDS; kind++)
		if (is_called(off_cpu_kind_name(kind), text, length))
			named.kinds |= 1U << kind;
	named.has_running = is_called("running", text, length) || is_called("on-cpu", text, length);
	choice->states |= named.states;
	choice->kinds |= named.kinds;
	choice->has_running |= named.has_running;
	return wait_choice_is_made(&named);
}

static int refuse(const char *text, size_t length, struct error *err)
{
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; wait_choice_names[i]; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", wait_choice_names[i]);
	error_set(err, "'%.*s' is not a kind of wait: use one of %s", (int)length, text, names.bytes);
	strbuf_fini(&names);
	return -1;
}

int wait_choice_parse(struct wait_choice *choice, const char *text, struct error *err)
{
	struct wait_choice made = { 0 };

	for (size_t length; *text; text += length + (text[length] == ',')) {
		length = strcspn(text, ",");
		if (length && !add_name(&made, text, length))
			return refuse(text, length, err);
	}
	if (!wait_choice_is_made(&made))
		return refuse("", 0, err);
	*choice = made;
	return 0;
}

bool wait_choice_keeps(const struct wait_choice *choice, const char *event_name, const struct sample *sample)
{
	struct off_cpu_wait wait;

	if (!wait_choice_is_made(choice))
		return true;
	if (!sample_wait_read(&wait, event_name, sample))
		return choice->has_running && !sample_wait_is_event(event_name);
	return choice->states & 1U << wait.state || choice->kinds & 1U << wait.kind;
}

void wait_choice_add_text(struct strbuf *out, const struct wait_choice *choice)
{
	const size_t start = out->size;

	for (size_t i = 0; wait_choice_names[i]; i++) {
		const char *name = wait_choice_names[i];
		struct wait_choice one = { 0 };

		(void)add_name(&one, name, strlen(name));
		if ((one.states & ~choice->states) || (one.kinds & ~choice->kinds) ||
		    (one.has_running && !choice->has_running))
			continue;
		strbuf_addf(out, "%s%s", out->size > start ? "," : "", name);
	}
}
