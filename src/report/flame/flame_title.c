/*
 * Derives the title from the command line of the recorder. Those of perf, simpleperf and xprof are alike:
 * options, some of which take the next word, then the command.
 */
#include "report/flame/flame_title.h"

#include <ctype.h>
#include <string.h>

#include "text/safe_text.h"

enum { MOST_COLUMNS = 90 }; /* of the recorded command: a title is one line */

/* The parsed options. Values are words of the command line; NULL: not given. */
struct recorded {
	bool everything;
	const char *pids, *tids, *cpus, *app, *user;
	const char *const *command;
	size_t command_count;
};

/* Options whose value is the next word, unless it is attached; of perf 6.1, simpleperf and xprof. */
static const char short_with_value[] = "eFcoptCumGrkDj";
static const char *const long_with_value[] = {
	"--event",
	"--freq",
	"--count",
	"--output",
	"--pid",
	"--tid",
	"--cpu",
	"--uid",
	"--user",
	"--mmap-pages",
	"--cgroup",
	"--realtime",
	"--clockid",
	"--delay",
	"--branch-filter",
	"--call-graph",
	"--filter",
	"--duration",
	"--evidence",
	"--affinity",
	"--control",
	"--max-size",
	"--mmap-flush",
	"--vmlinux",
	"--num-thread-synthesize",
	"--proc-map-timeout",
	"--switch-max-files",
	"--switch-output-event",
	"--synth",
	"--app",
	"--size-limit",
	"--add-counter",
	"--add-meta-info",
	"--tracepoint-events",
	"--group",
	"--out-fd",
	"--stop-signal-fd",
	"--symfs",
	"--cpu-percent",
};

static bool takes_value(const char *option)
{
	for (size_t i = 0; i < sizeof(long_with_value) / sizeof(*long_with_value); i++)
		if (!strcmp(option, long_with_value[i]))
			return true;
	return false;
}

static void take_short_value(struct recorded *recorded, char letter, const char *value)
{
	switch (letter) {
	case 'p': recorded->pids = value; break;
	case 't': recorded->tids = value; break;
	case 'C': recorded->cpus = value; break;
	case 'u': recorded->user = value; break;
	default: break;
	}
}

/* "-agF", "99" or "-agF99". Returns true when the next word is a value. */
static bool take_short(struct recorded *recorded, const char *letters, const char *next)
{
	if (!strcmp(letters, "f")) /* simpleperf's frequency; old perf's --force has no value */
		return next && isdigit((unsigned char)*next);
	for (; *letters; letters++) {
		recorded->everything = recorded->everything || *letters == 'a';
		if (!strchr(short_with_value, *letters))
			continue;
		take_short_value(recorded, *letters, letters[1] ? letters + 1 : next);
		return !letters[1];
	}
	return false;
}

/* "--pid", "7" or "--pid=7". Returns true when the next word is a value. */
static bool take_long(struct recorded *recorded, const char *option, const char *next)
{
	static const struct {
		const char *name;
		char letter;
	} targets[] = {
		{ "--pid", 'p' }, { "--tid", 't' }, { "--cpu", 'C' }, { "--uid", 'u' }, { "--user", 'u' }
	};
	const size_t length = strcspn(option, "=");
	const char *value = option[length] ? option + length + 1 : next;

	recorded->everything = recorded->everything || !strcmp(option, "--all-cpus");
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		if (strlen(targets[i].name) == length && !strncmp(option, targets[i].name, length))
			take_short_value(recorded, targets[i].letter, value);
	if (length == 5 && !strncmp(option, "--app", length))
		recorded->app = value;
	return !option[length] && takes_value(option);
}

/* False if the words are not a recorder's. */
static bool understand(struct recorded *recorded, const char *const *words, size_t count)
{
	size_t i = 1;

	*recorded = (struct recorded){ .command = NULL };
	while (i < count && words[i][0] == '-')
		i++;
	if (i >= count || strcmp(words[i], "record") != 0)
		return false;
	for (i++; i < count && words[i][0] == '-' && words[i][1]; i++) {
		const char *next = i + 1 < count ? words[i + 1] : NULL;

		if (!strcmp(words[i], "--")) {
			i++;
			break;
		}
		if (words[i][1] == '-')
			i += take_long(recorded, words[i], next);
		else
			i += take_short(recorded, words[i] + 1, next);
	}
	if (i < count) {
		recorded->command = words + i;
		recorded->command_count = count - i;
	}
	return true;
}

static void add_command(struct strbuf *out, const struct recorded *recorded)
{
	for (size_t i = 0; i < recorded->command_count; i++)
		strbuf_addf(out, "%s%s", i ? " " : "", recorded->command[i]);
}

static void add_target(struct strbuf *out, const char *one, const char *several, const char *numbers)
{
	strbuf_addf(out, "%s %s", strchr(numbers, ',') || strchr(numbers, '-') ? several : one, numbers);
}

static void add_recorded(struct strbuf *out, const struct recorded *recorded)
{
	const bool alone = !recorded->command_count;

	if (recorded->pids)
		add_target(out, "process", "processes", recorded->pids);
	else if (recorded->tids)
		add_target(out, "thread", "threads", recorded->tids);
	else if (recorded->app)
		strbuf_adds(out, recorded->app);
	else if (recorded->user)
		strbuf_addf(out, "user %s", recorded->user);
	else if (recorded->cpus && (recorded->everything || alone))
		add_target(out, "CPU", "CPUs", recorded->cpus);
	else if (recorded->everything || alone)
		strbuf_adds(out, "whole system");
	if (alone)
		return;
	if (!out->size) {
		add_command(out, recorded);
		return;
	}
	strbuf_adds(out, " ("); /* the command only determined how long */
	add_command(out, recorded);
	strbuf_addc(out, ')');
}

void flame_title_add(struct strbuf *out, const struct profile_facts *facts, const char *event,
		     const char *path)
{
	const char *host = facts->hostname ? facts->hostname : "";
	struct recorded recorded;
	struct strbuf what = STRBUF_INIT;

	if (understand(&recorded, facts->command_line, facts->command_line_count))
		add_recorded(&what, &recorded);
	safe_text_add_cut(out, what.bytes, MOST_COLUMNS);
	if (what.size)
		strbuf_addf(out, *host ? " on %s: " : ": ", host);
	strbuf_addf(out, "%s%s%s", event, *event ? ", " : "", path);
	if (!what.size && *host)
		strbuf_addf(out, " of %s", host);
	strbuf_fini(&what);
}
