/*
 * flame_groups_text() writes the text of one sample's group. The names of processes are found once, by name_processes().
 */
#include "report/flame/flame_groups.h"

#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "text/web_text.h"

const char *const flame_group_words[FLAME_GROUP_COUNT] = {
	[FLAME_BY_COMM] = "comm", [FLAME_BY_PID] = "pid",       [FLAME_BY_TID] = "tid",
	[FLAME_BY_CPU] = "cpu",   [FLAME_BY_CGROUP] = "cgroup", [FLAME_BY_EVENT] = "event",
};

static bool is_main_thread_of(const void *profile, uint32_t number, const void *pid)
{
	return profile_thread_at(profile, number)->pid == *(const uint32_t *)pid;
}

static uint32_t thread_name(const struct view_input *input, uint32_t thread)
{
	return input->facts && input->facts->thread_names ? input->facts->thread_names[thread] :
							    profile_thread_at(input->profile, thread)->comm;
}

/* A process gets the last name of its main thread. */
static void name_processes(struct flame_groups *groups)
{
	const struct profile *profile = groups->input->profile;
	uint32_t count = profile_thread_count(profile), i, found;
	struct hash_table mains = { 0 };

	for (i = 0; i < count; i++) {
		const struct profile_thread *thread = profile_thread_at(profile, i);

		if (thread->pid == thread->tid &&
		    hash_table_find(&mains, hash_u64(thread->pid), is_main_thread_of, profile,
				    &thread->pid) == HASH_TABLE_NONE)
			hash_table_insert(&mains, hash_u64(thread->pid), i);
	}
	for (i = 0; i < count; i++) {
		const struct profile_thread *thread = profile_thread_at(profile, i);

		found = hash_table_find(&mains, hash_u64(thread->pid), is_main_thread_of, profile,
					&thread->pid);
		groups->process_names[i] = found == HASH_TABLE_NONE ? 0 : thread_name(groups->input, found);
	}
	hash_table_fini(&mains);
}

void flame_groups_init(struct flame_groups *groups, const struct view_input *input)
{
	size_t count = profile_thread_count(input->profile);

	*groups =
		(struct flame_groups){ .input = input,
				       .process_names = xcalloc(count + 1, sizeof(*groups->process_names)) };
	strbuf_init(&groups->scratch);
	name_processes(groups);
}

void flame_groups_fini(struct flame_groups *groups)
{
	free(groups->process_names);
	strbuf_fini(&groups->scratch);
}

static void add_string(struct flame_groups *groups, uint32_t string)
{
	web_text_clean(&groups->scratch, profile_text(groups->input->profile, string));
}

static void add_numbered(struct flame_groups *groups, const char *what, uint32_t number, uint32_t name)
{
	strbuf_addf(&groups->scratch, "%s %u", what, number);
	if (!name)
		return;
	strbuf_addc(&groups->scratch, ' ');
	add_string(groups, name);
}

static void add_cpu(struct flame_groups *groups, uint32_t cpu)
{
	if (cpu == PROFILE_NONE)
		strbuf_adds(&groups->scratch, "CPU unknown");
	else
		add_numbered(groups, "CPU", cpu, 0);
}

static void add_cgroup(struct flame_groups *groups, uint32_t cgroup)
{
	if (cgroup)
		add_string(groups, cgroup);
	else
		strbuf_adds(&groups->scratch, "cgroup unknown");
}

uint32_t flame_groups_text(struct flame_groups *groups, const struct profile_sample *sample,
			   enum flame_group group, struct str_pool *texts)
{
	const struct profile *profile = groups->input->profile;
	const struct profile_thread *thread = profile_thread_at(profile, sample->thread);

	strbuf_reset(&groups->scratch);
	switch (group) {
	case FLAME_BY_COMM:
		if (*profile_text(profile, thread->comm))
			add_string(groups, thread->comm);
		else
			strbuf_adds(&groups->scratch, "command unknown");
		break;
	case FLAME_BY_PID:
		add_numbered(groups, "process", thread->pid, groups->process_names[sample->thread]);
		break;
	case FLAME_BY_TID:
		add_numbered(groups, "thread", thread->tid, thread_name(groups->input, sample->thread));
		break;
	case FLAME_BY_CPU: add_cpu(groups, sample->cpu); break;
	case FLAME_BY_CGROUP: add_cgroup(groups, sample->cgroup); break;
	case FLAME_BY_EVENT:
	case FLAME_GROUP_COUNT: add_string(groups, profile_event_at(profile, sample->event)->name);
	}
	strbuf_addc(&groups->scratch, '\0');
	return str_pool_add_n(texts, groups->scratch.bytes, groups->scratch.size);
}
