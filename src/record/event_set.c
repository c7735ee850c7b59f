/*
 * Opens the sideband event in all its cells (thread × CPU), maps the rings, then opens each sampler and lets
 * it write into those rings. event_set_cells.c opens and reads a cell, event_set_rings.c sizes the rings,
 * event_set_follow.c follows CPUs that come and go.
 */
#include "record/event_set.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "record/descriptor_limit.h"
#include "record/event_set_state.h"
#include "record/machine/attr_feature.h"
#include "record/machine/cgroup_mount.h"

enum {
	COPIED_DUMP_BYTES = 8, /* the minimum: the sample must have the field, and BPF copies the stack */
};

static size_t cell_count(const struct event_set *set)
{
	return set->target->thread_count * set->slot_count;
}

/* It is no error if the thread has ended meanwhile. */
static int open_first_cell(struct event_set *set, struct opened_event *event, size_t thread, size_t slot,
			   struct error *err)
{
	if (event_set_open_cell(set, event, thread, slot, &event->ids[event->id_count], err) < 0)
		return -1;
	event->id_count += event->fds[thread * set->slot_count + slot] >= 0;
	return 0;
}

static int open_event(struct event_set *set, struct opened_event *event, struct error *err)
{
	const struct target *target = set->target;

	for (size_t thread = 0; thread < target->thread_count; thread++)
		for (size_t cpu = 0; cpu < target->cpu_count; cpu++)
			if (open_first_cell(set, event, thread, cpu, err) < 0)
				return -1;
	if (event->id_count == 0 && event->cpus)
		return error_set(err, "cannot open %s: its PMU is on CPUs %.*s, none of which is recorded",
				 event->asked.name, (int)strcspn(event->cpus, "\n"), event->cpus);
	if (event->id_count == 0)
		return error_set(err, "%d: no such process: it has ended", (int)target->threads[0].pid);
	return 0;
}

/* A member counts while its leader does; only the leader is started, pinned or exclusive. */
static void join_group(struct opened_event *event, size_t leader)
{
	event->leader = leader;
	event->asked.attr.disabled = 0;
	event->asked.attr.enable_on_exec = 0;
	event->asked.attr.pinned = 0;
	event->asked.attr.exclusive = 0;
}

/*
 * Modifier S: only the leader samples, and its samples have the counts of all members. The kernel does not inherit such groups
 * into new threads.
 */
static void read_with_samples(struct event_set *set, size_t leader, size_t size)
{
	for (size_t i = leader; i < leader + (size ? size : 1); i++) {
		struct perf_event_attr *attr = &set->events[i].asked.attr;

		attr->sample_type |= PERF_SAMPLE_READ | PERF_SAMPLE_IDENTIFIER;
		if (size) {
			attr->read_format |= PERF_FORMAT_GROUP;
			attr->inherit = 0;
		}
		if (i == leader)
			continue;
		attr->freq = 0;
		attr->sample_period = 0;
		attr->sample_type = set->events[leader].asked.attr.sample_type;
	}
	if (size && !set->target->any_thread && !set->options->sampling.no_inherit)
		strbuf_addf(set->notices,
			    "%s: new threads and processes are not followed, as their counts could not "
			    "be told apart\n",
			    set->events[leader].asked.name);
}

static void prepare_groups(struct event_set *set, const struct event_specs *specs)
{
	for (size_t i = 0; i < set->event_count; i++)
		set->events[i].leader = i;
	for (size_t i = 0; i < specs->count; i++) {
		const size_t size = specs->items[i].group_size;

		set->events[i + 1].group_size = size;
		for (size_t member = 1; member < size; member++) {
			join_group(&set->events[i + 1 + member], i + 1);
			set->events[i + 1 + member].weak_group = specs->items[i].weak;
		}
		if (specs->items[i].sample_read && set->events[i + 1].leader == i + 1)
			read_with_samples(set, i + 1, size);
	}
}

/* BPF copies the stack, so the kernel dumps the minimum, for the sample to have the field. */
static void copy_stacks(struct opened_event *event)
{
	event->copied = event->asked.attr.sample_type & PERF_SAMPLE_STACK_USER;
	if (event->copied)
		event->asked.attr.sample_stack_user = COPIED_DUMP_BYTES;
}

/* The sideband event is inherited if any sampler is, and delivers the call chains that samplers defer. */
static void copy_asked_features(struct perf_event_attr *sideband, const struct perf_event_attr *sampler)
{
	sideband->inherit |= sampler->inherit;
	if (attr_feature_is_asked(sampler, ATTR_FEATURE_DEFER_CALLCHAIN))
		attr_feature_ask(sideband, ATTR_FEATURE_DEFER_CALLCHAIN);
}

/* The open sideband event shows which features the kernel has, so a later refusal is about the event itself. */
static void drop_refused_features(struct event_set *set)
{
	const struct perf_event_attr *sideband = &set->events[SIDEBAND].asked.attr;
	bool defers = false;

	for (size_t i = 1; i < set->event_count; i++) {
		struct perf_event_attr *attr = &set->events[i].asked.attr;

		if (!attr_feature_is_asked(sideband, ATTR_FEATURE_LOST))
			attr_feature_drop(attr, ATTR_FEATURE_LOST);
		if (attr_feature_is_asked(sideband, ATTR_FEATURE_DEFER_CALLCHAIN))
			continue;
		defers |= attr_feature_is_asked(attr, ATTR_FEATURE_DEFER_CALLCHAIN);
		attr_feature_drop(attr, ATTR_FEATURE_DEFER_CALLCHAIN);
	}
	if (defers)
		strbuf_addf(
			set->notices,
			"this kernel cannot defer call chains (Linux %s): user stacks are taken with each "
			"sample\n",
			attr_feature_since(ATTR_FEATURE_DEFER_CALLCHAIN));
}

static void prepare_events(struct event_set *set, const struct event_specs *specs)
{
	const size_t started_cells = set->target->thread_count * set->target->cpu_count;
	size_t cells;

	set->slot_count = set->target->cpu_count + set->target->away_count;
	cells = cell_count(set);
	set->event_count = specs->count + 1;
	set->events = xcalloc(set->event_count, sizeof(*set->events));
	set->rings = xcalloc(set->slot_count, sizeof(*set->rings));
	set->backward = xcalloc(set->slot_count, sizeof(*set->backward));
	set->watched = xcalloc(set->slot_count, sizeof(*set->watched));
	set->slots = xcalloc(set->slot_count, sizeof(*set->slots));
	for (size_t slot = 0; slot < set->slot_count; slot++) {
		set->rings[slot].calls = set->calls;
		set->slots[slot].ring_fd = set->slots[slot].backward_fd = -1;
		set->slots[slot].is_away = slot >= set->target->cpu_count;
		set->slots[slot].has_ids = !set->slots[slot].is_away;
	}
	for (size_t i = 1; i < set->event_count; i++) {
		const struct event_spec *spec = &specs->items[i - 1];

		set->events[i].asked.attr = event_attr_sampler(spec, &set->options->sampling,
							       set->target->any_thread, specs->count > 1);
		set->events[i].asked.attr.enable_on_exec = set->options->enable_on_exec;
		set->events[i].asked.attr.write_backward = set->options->overwrite;
		set->events[i].asked.name = xstrdup(spec->name);
		set->events[i].asked.precise_max = spec->precise_max;
		set->events[i].filter = spec->filter;
		set->events[i].cgroup = spec->cgroup;
		set->events[i].cpus = spec->cpus;
		if (set->options->copier && spec->type != PERF_TYPE_TRACEPOINT && !spec->call_graph_given &&
		    !spec->stack_dump_bytes)
			copy_stacks(&set->events[i]);
	}
	prepare_groups(set, specs);
	set->events[SIDEBAND].asked.attr = event_attr_sideband(&set->events[1].asked.attr);
	event_attr_extend_sideband(&set->events[SIDEBAND].asked.attr, &set->options->sampling);
	if (set->target->any_thread) /* event_set_follow_cpus() sees from it whether the event still counts */
		set->events[SIDEBAND].asked.attr.read_format |= PERF_FORMAT_TOTAL_TIME_RUNNING;
	for (size_t i = 1; i < set->event_count; i++)
		copy_asked_features(&set->events[SIDEBAND].asked.attr, &set->events[i].asked.attr);
	/* Messages about the sideband event name the sampler that it is opened for. */
	set->events[SIDEBAND].asked.name = xstrdup(set->events[1].asked.name);
	for (size_t i = 0; i < set->event_count; i++) {
		set->events[i].cgroup_fd = -1;
		set->events[i].fds = xmalloc(cells * sizeof(int));
		memset(set->events[i].fds, 0xff, cells * sizeof(int)); /* -1 */
		set->events[i].counted = xcalloc(set->slot_count, sizeof(uint64_t));
		set->events[i].ids = xcalloc(started_cells, sizeof(uint64_t));
	}
}

static void describe_samplers(struct event_set *set)
{
	const struct opened_event *sideband = &set->events[SIDEBAND], *first = &set->events[1];

	set->written_attrs = xcalloc(set->event_count - 1, sizeof(*set->written_attrs));
	set->first_ids = xcalloc(first->id_count + sideband->id_count, sizeof(uint64_t));
	memcpy(set->first_ids, first->ids, first->id_count * sizeof(uint64_t));
	memcpy(set->first_ids + first->id_count, sideband->ids, sideband->id_count * sizeof(uint64_t));
	set->samplers = xcalloc(set->event_count - 1, sizeof(*set->samplers));
	for (size_t i = 1; i < set->event_count; i++) {
		struct perf_event_attr *attr = &set->written_attrs[i - 1];

		*attr = i == 1 ? event_attr_with_sideband(&first->asked.attr, &sideband->asked.attr) :
				 set->events[i].asked.attr;
		if (set->events[i].copied) {
			attr->sample_stack_user = STACK_DUMP_MAX_BYTES;
			attr->sample_max_stack = UINT16_MAX; /* no chain is cut because of its length */
		}
		set->samplers[i - 1] = (struct written_event){
			.attr = attr,
			.name = set->events[i].asked.name,
			.group_size = set->events[i].group_size,
			.ids = i == 1 ? set->first_ids : set->events[i].ids,
			.id_count = set->events[i].id_count + (i == 1 ? sideband->id_count : 0),
		};
	}
}

/* The sideband event has no cgroup: a process that moves into a cgroup made its mappings elsewhere, and they would be missing. */
static int open_cgroups(struct event_set *set, struct error *err)
{
	struct cgroup_mount mount = { .version = 0 };

	for (size_t i = 1; i < set->event_count; i++) {
		struct opened_event *event = &set->events[i];

		if (!event->cgroup)
			continue;
		if (!mount.version && !cgroup_mount_find(&mount, target_roots_system.proc))
			return error_set(
				err,
				"-G %s: no cgroup hierarchy that perf events use is mounted; 'mount -t "
				"cgroup2 none /sys/fs/cgroup' mounts one",
				event->cgroup);
		event->cgroup_fd = cgroup_mount_open(&mount, event->cgroup, err);
		if (event->cgroup_fd < 0)
			return -1;
	}
	return 0;
}

/*
 * Thousands of threads times many CPUs may need more events than this user may open. Then one sideband event per CPU serves all
 * threads, which halves the number. The price: it also records processes that are not the target. See also
 * event_set_options.only_sideband.
 */
static void choose_width(struct event_set *set)
{
	const size_t wanted =
		set->target->thread_count *
		(set->target->cpu_count + target_sampled_count(set->target) * (set->event_count - 1));
	const bool are_too_many = descriptor_limit_raise(wanted) < wanted && set->target->thread_count > 1;

	set->samplers_are_wide = set->options->only_sideband && !set->target->any_thread;
	set->sideband_is_wide = set->samplers_are_wide || (are_too_many && !set->target->any_thread);
}

/* A user who may not observe the whole system gets events for each thread instead, and the limit's error message. */
static int open_sideband(struct event_set *set, struct error *err)
{
	struct opened_event *sideband = &set->events[SIDEBAND];

	if (open_event(set, sideband, err) == 0)
		return 0;
	if (!set->sideband_is_wide || (err->errno_value != EACCES && err->errno_value != EPERM))
		return -1;
	set->sideband_is_wide = set->samplers_are_wide = false;
	return open_event(set, sideband, err);
}

static int open_all(struct event_set *set, struct error *err)
{
	const struct ring_demand demand = event_set_ring_demand(set);

	if (open_cgroups(set, err) < 0 || open_sideband(set, err) < 0 ||
	    event_set_map_rings(set, &demand, err) < 0 ||
	    event_set_redirect(set, &set->events[SIDEBAND], err) < 0)
		return -1;
	event_set_fit_samplers(set, demand);
	drop_refused_features(set);
	for (size_t i = 1; i < set->event_count; i++) {
		event_set_drop_counters(set, &set->events[i]);
		if (open_event(set, &set->events[i], err) < 0 ||
		    (i == 1 && set->options->overwrite && event_set_map_backward(set, err) < 0) ||
		    event_set_redirect(set, &set->events[i], err) < 0)
			return -1;
	}
	return 0;
}

struct event_set *event_set_open(const struct event_specs *specs, const struct target *target,
				 const struct event_set_options *options, struct strbuf *notices,
				 struct error *err)
{
	struct event_set *set = xcalloc(1, sizeof(*set));

	set->target = target;
	set->options = options;
	set->calls = options->calls ? options->calls : &perf_calls_system;
	set->notices = notices;
	prepare_events(set, specs);
	choose_width(set);
	if (open_all(set, err) < 0) {
		event_set_close(set);
		return NULL;
	}
	describe_samplers(set);
	return set;
}

void event_set_close(struct event_set *set)
{
	if (!set)
		return;
	event_set_unmap_rings(set);
	event_set_unmap_backward(set);
	for (size_t i = 0; i < set->event_count; i++) {
		struct opened_event *event = &set->events[i];

		for (size_t cell = 0; cell < cell_count(set); cell++)
			if (event->fds[cell] >= 0)
				close(event->fds[cell]);
		if (event->cgroup_fd >= 0)
			close(event->cgroup_fd);
		free(event->fds);
		free(event->ids);
		free(event->counted);
		free(event->asked.name);
	}
	for (size_t slot = 0; slot < set->slot_count; slot++)
		if (set->slots[slot].ring_fd_is_spare)
			close(set->slots[slot].ring_fd);
	for (size_t slot = 0; slot < set->slot_count; slot++)
		if (set->slots[slot].backward_fd_is_spare)
			close(set->slots[slot].backward_fd);
	id_aliases_fini(&set->aliases);
	free(set->slots);
	free(set->events);
	free(set->samplers);
	free(set->written_attrs);
	free(set->first_ids);
	free(set->rings);
	free(set->backward);
	free(set->watched);
	free(set);
}

int event_set_enable(struct event_set *set, struct error *err)
{
	for (size_t i = 1; i < set->event_count; i++)
		for (size_t cell = 0; cell < cell_count(set); cell++) {
			int fd = set->events[i].fds[cell];

			if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) < 0)
				return error_set_errno(err, errno, "cannot start %s",
						       set->events[i].asked.name);
		}
	set->is_enabled = true;
	set->is_disabled = false;
	return 0;
}

void event_set_disable(struct event_set *set)
{
	for (size_t i = 1; i < set->event_count; i++)
		for (size_t cell = 0; cell < cell_count(set); cell++)
			if (set->events[i].fds[cell] >= 0)
				ioctl(set->events[i].fds[cell], PERF_EVENT_IOC_DISABLE, 0);
	set->is_enabled = false;
	set->is_disabled = true;
}

bool event_set_switch_named(struct event_set *set, const char *name, bool on)
{
	bool found = false;

	for (size_t i = 1; i < set->event_count; i++) {
		if (strcmp(set->events[i].asked.name, name) != 0)
			continue;
		found = true;
		for (size_t cell = 0; cell < cell_count(set); cell++)
			if (set->events[i].fds[cell] >= 0)
				ioctl(set->events[i].fds[cell],
				      on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
	}
	return found;
}

size_t event_set_ring_count(const struct event_set *set)
{
	return set->slot_count;
}

struct ring_buffer *event_set_ring(struct event_set *set, size_t number)
{
	return &set->rings[number];
}

static int watched_fd(const struct event_set *set, size_t ring)
{
	size_t thread = set->watched[ring];

	/* A sideband event for all threads outlives them, so watch a sampler instead. */
	return thread < set->target->thread_count ?
		       set->events[set->sideband_is_wide ? 1 : SIDEBAND].fds[thread * set->slot_count + ring] :
		       -1;
}

void event_set_poll_entries(const struct event_set *set, struct pollfd *entries)
{
	for (size_t ring = 0; ring < event_set_ring_count(set); ring++)
		entries[ring] = (struct pollfd){ .fd = watched_fd(set, ring), .events = POLLIN };
}

/* The kernel wakes all events of a ring together, so watch any event whose thread lives. */
static void watch_next_thread(struct event_set *set, size_t ring, struct pollfd *entry)
{
	while (set->watched[ring] < set->target->thread_count) {
		set->watched[ring]++;
		*entry = (struct pollfd){ .fd = watched_fd(set, ring), .events = POLLIN };
		if (entry->fd >= 0 && poll(entry, 1, 0) >= 0 && !(entry->revents & (POLLHUP | POLLERR)))
			return;
	}
}

bool event_set_after_poll(struct event_set *set, struct pollfd *entries)
{
	bool alive = false;

	for (size_t ring = 0; ring < event_set_ring_count(set); ring++) {
		if (entries[ring].revents & (POLLHUP | POLLERR) || entries[ring].fd < 0)
			watch_next_thread(set, ring, &entries[ring]);
		alive |= entries[ring].fd >= 0;
	}
	return alive;
}

size_t event_set_sampler_count(const struct event_set *set)
{
	return set->event_count - 1;
}

const struct written_event *event_set_samplers(const struct event_set *set)
{
	return set->samplers;
}

const struct perf_event_attr *event_set_sideband_attr(const struct event_set *set)
{
	return &set->events[SIDEBAND].asked.attr;
}

/* Each event counts its own lost records and those of the threads that inherited it. */
static uint64_t read_lost(const struct event_set *set, size_t number)
{
	const struct opened_event *event = &set->events[number];
	uint64_t lost = event->lost;
	struct event_counts counts;

	for (size_t cell = 0; cell < cell_count(set); cell++)
		if (event->fds[cell] >= 0 && event_set_read_counts(set, number, event->fds[cell], &counts))
			lost += counts.lost;
	return lost;
}

uint64_t event_set_read_lost(const struct event_set *set, size_t sampler, uint64_t *first_id)
{
	*first_id = set->events[1 + sampler].ids[0];
	return read_lost(set, 1 + sampler);
}

uint64_t event_set_read_lost_others(const struct event_set *set)
{
	return read_lost(set, SIDEBAND);
}

bool event_set_samples_kernel(const struct event_set *set)
{
	for (size_t i = 1; i < set->event_count; i++)
		if (!set->events[i].asked.attr.exclude_kernel)
			return true;
	return false;
}

size_t event_set_ring_bytes(const struct event_set *set)
{
	return set->ring_bytes;
}

size_t event_set_open_count(const struct event_set *set)
{
	return set->open_count;
}
