/*
 * Commands to a running recording. With --control the recorder watches one epoll descriptor, which stands for
 * the descriptors of signals and of commands.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "record/recording_state.h"

static int watch(int epoll_fd, int fd, struct error *err)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0)
		return error_set_errno(err, errno, "descriptor %d cannot be watched for commands%s", fd,
				       errno == EPERM ? " (a regular file?)" : "");
	return 0;
}

int recording_open_control(struct recording *recording, struct error *err)
{
	if (!recording->plan.control)
		return 0;
	recording->control = control_channel_open(recording->plan.control, err);
	if (!recording->control)
		return -1;
	recording->watch_fd = epoll_create1(EPOLL_CLOEXEC);
	if (recording->watch_fd < 0)
		return error_set_errno(err, errno, "cannot watch for commands");
	if (watch(recording->watch_fd, recording->signals.fd, err) < 0)
		return -1;
	return watch(recording->watch_fd, control_channel_fd(recording->control), err);
}

void recording_close_control(struct recording *recording)
{
	control_channel_close(recording->control);
	if (recording->watch_fd >= 0)
		close(recording->watch_fd);
}

int recording_watch_fd(const struct recording *recording)
{
	return recording->watch_fd >= 0 ? recording->watch_fd : recording->signals.fd;
}

static void add_attr(struct strbuf *text, const struct written_event *event, bool is_verbose)
{
	const struct perf_event_attr *attr = event->attr;

	if (is_verbose) {
		strbuf_addf(text, "%s: type: %" PRIu32 ", size: %" PRIu32, event->name, attr->type,
			    attr->size);
		if (attr->config)
			strbuf_addf(text, ", config: 0x%" PRIx64, (uint64_t)attr->config);
		strbuf_addf(text, ", { sample_period, sample_freq }: %" PRIu64 "\n",
			    (uint64_t)attr->sample_period);
	} else {
		strbuf_addf(text, "%s: sample_%s=%" PRIu64 "\n", event->name, attr->freq ? "freq" : "period",
			    (uint64_t)attr->sample_period);
	}
}

/* Adds "{cycles,instructions}", or the event alone. Returns the number of events. */
static size_t add_group(struct strbuf *text, const struct written_event *events)
{
	const size_t size = events[0].group_size ? events[0].group_size : 1;

	for (size_t i = 0; i < size; i++)
		strbuf_addf(text, "%s%s", i ? "," : size > 1 ? "{" : "", events[i].name);
	strbuf_adds(text, size > 1 ? "}\n" : "\n");
	return size;
}

static void list_events(const struct recording *recording, const char *how)
{
	const struct written_event *events = event_set_samplers(recording->events);
	const size_t count = event_set_sampler_count(recording->events);
	const bool groups = strcmp(how, "-g") == 0, verbose = strcmp(how, "-v") == 0;
	struct strbuf text = STRBUF_INIT;

	if (!groups && !verbose && *how && strcmp(how, "-F") != 0)
		strbuf_adds(&text, "evlist takes -v, -F or -g\n");
	else
		for (size_t i = 0; i < count;) {
			if (groups) {
				i += add_group(&text, &events[i]);
				continue;
			}
			if (*how)
				add_attr(&text, &events[i], verbose);
			else
				strbuf_addf(&text, "%s\n", events[i].name);
			i++;
		}
	if (recording->plan.say)
		recording->plan.say(text.bytes, true);
	strbuf_fini(&text);
}

static void remark(const struct recording *recording, const char *format, const char *name)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, format, name);
	if (recording->plan.say)
		recording->plan.say(text.bytes, false);
	strbuf_fini(&text);
}

static int switch_samplers(struct recording *recording, const char *name, bool on, struct error *err)
{
	if (*name) {
		if (event_set_switch_named(recording->events, name, on))
			remark(recording, on ? "event %s enabled" : "event %s disabled", name);
		else
			remark(recording, "no event '%s' is recorded", name);
		return 0;
	}
	if (on && recording_start_samplers(recording, err) < 0)
		return -1;
	if (!on)
		event_set_disable(recording->events);
	remark(recording, "events %s", on ? "enabled" : "disabled");
	return 0;
}

/* Sets *over if the command stops the recording. */
static int obey(struct recording *recording, const struct control_command *command, bool *over,
		struct error *err)
{
	int result = 0;

	switch (command->kind) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
		result = switch_samplers(recording, command->argument, command->kind == CONTROL_ENABLE, err);
		break;
	case CONTROL_SNAPSHOT:
		if (recording->plan.switches.given)
			result = recording_switch_file(recording, err);
		break;
	case CONTROL_STOP: *over = true; break;
	case CONTROL_EVLIST: list_events(recording, command->argument); break;
	case CONTROL_PING: break;
	case CONTROL_UNKNOWN: return 0;
	}
	if (result == 0)
		control_channel_ack(recording->control);
	return result;
}

int recording_obey(struct recording *recording, bool *over, struct error *err)
{
	struct control_command command;

	if (!recording->control)
		return 0;
	if (!control_channel_read(recording->control))
		(void)epoll_ctl(recording->watch_fd, EPOLL_CTL_DEL, control_channel_fd(recording->control),
				NULL);
	while (!*over && control_channel_next(recording->control, &command))
		if (obey(recording, &command, over, err) < 0)
			return -1;
	return 0;
}
