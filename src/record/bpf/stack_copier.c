/* Loads and attaches the BPF program that copies stacks, see stack_copier.h. */

#include "record/bpf/stack_copier.h"

#ifdef HAVE_LIBBPF

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/xalloc.h"
#include "record/bpf/bpf_objects.h"
#include "record/bpf/libbpf.h"

static const char *const programs[] = { "copy_whole", "copy_classes" };

/* In the order in which they are tried: each needs a newer kernel than the next. */
static const struct way {
	const char *program;
	bool by_clock;
} ways[] = {
	{ "copy_whole", false }, { "copy_classes", false }, { "copy_whole", true }, { "copy_classes", true }
};
enum { PROGRAMS = sizeof(programs) / sizeof(*programs), WAYS = sizeof(ways) / sizeof(*ways) };

struct stack_copier {
	struct libbpf libbpf;
	struct bpf_object *object;
	const char *program;
	bool by_clock;
	int program_fd, copies_fd, counts_fd;
	struct copy_ring ring;
	struct stack_copies *copies;
};

static int explain(int load_errno, struct error *err)
{
	switch (load_errno) {
	case EPERM:
	case EACCES:
		return error_set_errno(
			err, load_errno,
			"BPF programs may not be loaded: run as root, or with CAP_BPF and CAP_PERFMON");
	case ENOENT:
	case EINVAL:
	case ESRCH:
	case ENOTSUP:
		return error_set_errno(
			err, load_errno,
			"this kernel cannot copy stacks by BPF: that takes Linux 5.17 (with -k other than monotonic, 6.3), with its types in "
			"/sys/kernel/btf/vmlinux (CONFIG_DEBUG_INFO_BTF)");
	default:
		return error_set_errno(err, load_errno,
				       "the BPF program that copies stacks cannot be loaded");
	}
}

static struct bpf_map *find_map(const struct stack_copier *copier, const char *name)
{
	return copier->libbpf.bpf_object__find_map_by_name(copier->object, name);
}

/* Maps and constants are set between opening and loading. */
static int configure(struct stack_copier *copier, const struct stack_copier_plan *plan)
{
	const struct libbpf *libbpf = &copier->libbpf;
	const struct stack_copy_settings settings = {
		.wake_at_bytes = (uint32_t)(plan->ring_bytes / 4),
		.pressed_at_bytes = (uint32_t)(plan->ring_bytes / 2),
		.max_bytes = plan->max_bytes < STACK_COPY_MAX ? plan->max_bytes : STACK_COPY_MAX,
		.by_clock = copier->by_clock,
	};

	for (size_t i = 0; i < PROGRAMS; i++)
		if (libbpf->bpf_program__set_autoload(libbpf->bpf_object__find_program_by_name(copier->object,
											       programs[i]),
						      strcmp(programs[i], copier->program) == 0) < 0)
			return -1;
	if (libbpf->bpf_map__set_max_entries(find_map(copier, "copies"), (uint32_t)plan->ring_bytes) < 0 ||
	    libbpf->bpf_map__set_initial_value(find_map(copier, ".rodata"), &settings, sizeof(settings)) < 0)
		return -1;
	return 0;
}

/* 0, or -1 with errno set. */
static int load(struct stack_copier *copier, const struct way *way, const struct stack_copier_plan *plan)
{
	const struct libbpf *libbpf = &copier->libbpf;
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "xprof_stack");

	copier->program = way->program;
	copier->by_clock = way->by_clock;
	copier->object = libbpf->bpf_object__open_mem(bpf_stack_copy, bpf_stack_copy_size, &options);
	if (copier->object && configure(copier, plan) == 0 && libbpf->bpf_object__load(copier->object) == 0)
		return 0;
	if (copier->object) {
		int load_errno = errno;

		libbpf->bpf_object__close(copier->object);
		copier->object = NULL;
		errno = load_errno;
	}
	return -1;
}

static int load_first_possible(struct stack_copier *copier, const struct stack_copier_plan *plan,
			       struct error *err)
{
	copier->libbpf.libbpf_set_print(NULL); /* it would write to standard error */
	for (size_t i = 0; i < WAYS; i++) {
		if (ways[i].by_clock ? !plan->may_use_clock : plan->must_use_clock)
			continue;
		if (load(copier, &ways[i], plan) == 0)
			return 0;
		if (errno == EPERM || errno == ENOMEM)
			break;
	}
	return explain(errno, err);
}

struct stack_copier *stack_copier_open(const struct stack_copier_plan *plan, struct error *err)
{
	struct stack_copier *copier = xcalloc(1, sizeof(*copier));
	const struct libbpf *libbpf = &copier->libbpf;

	if (libbpf_load(&copier->libbpf, err) < 0 || load_first_possible(copier, plan, err) < 0)
		goto failed;
	copier->program_fd = libbpf->bpf_program__fd(
		libbpf->bpf_object__find_program_by_name(copier->object, copier->program));
	copier->copies_fd = libbpf->bpf_map__fd(find_map(copier, "copies"));
	copier->counts_fd = libbpf->bpf_map__fd(find_map(copier, "counts"));
	if (copy_ring_map(&copier->ring, copier->copies_fd, plan->ring_bytes, err) < 0)
		goto failed;
	copier->copies = stack_copies_create(&copier->ring);
	return copier;
failed:
	stack_copier_close(copier);
	return NULL;
}

void stack_copier_close(struct stack_copier *copier)
{
	if (!copier)
		return;
	stack_copies_destroy(copier->copies);
	copy_ring_unmap(&copier->ring);
	if (copier->object)
		copier->libbpf.bpf_object__close(copier->object);
	free(copier);
}

int stack_copier_attach(struct stack_copier *copier, int event_fd, struct error *err)
{
	if (ioctl(event_fd, PERF_EVENT_IOC_SET_BPF, copier->program_fd) < 0)
		return error_set_errno(err, errno, "the BPF program that copies stacks cannot be attached");
	return 0;
}

int stack_copier_fd(const struct stack_copier *copier)
{
	return copier->copies_fd;
}

struct stack_copies *stack_copier_copies(struct stack_copier *copier)
{
	return copier->copies;
}

/* The sum over all CPUs of one of the program's counts. */
static uint64_t read_count(const struct stack_copier *copier, uint32_t what)
{
	const int cpus = copier->libbpf.libbpf_num_possible_cpus();
	uint64_t *values = xcalloc(cpus > 0 ? (size_t)cpus : 1, sizeof(*values)), sum = 0;

	if (cpus > 0 && copier->libbpf.bpf_map_lookup_elem(copier->counts_fd, &what, values) == 0)
		for (int i = 0; i < cpus; i++)
			sum += values[i];
	free(values);
	return sum;
}

struct stack_copier_counts stack_copier_counts(const struct stack_copier *copier)
{
	return (struct stack_copier_counts){
		.copied = read_count(copier, STACK_COPY_DONE),
		.no_room = read_count(copier, STACK_COPY_NO_ROOM),
		.no_end = read_count(copier, STACK_COPY_NO_END),
	};
}

bool stack_copier_uses_clock(const struct stack_copier *copier)
{
	return copier->by_clock;
}

const char *stack_copier_program(const struct stack_copier *copier)
{
	return copier->program;
}

#else /* no libbpf */

#include "record/bpf/libbpf.h"

struct stack_copier *stack_copier_open(const struct stack_copier_plan *plan, struct error *err)
{
	(void)plan;
	libbpf_load(NULL, err);
	return NULL;
}

void stack_copier_close(struct stack_copier *copier)
{
	(void)copier;
}

int stack_copier_attach(struct stack_copier *copier, int event_fd, struct error *err)
{
	(void)copier;
	(void)event_fd;
	return libbpf_load(NULL, err);
}

int stack_copier_fd(const struct stack_copier *copier)
{
	(void)copier;
	return -1;
}

struct stack_copies *stack_copier_copies(struct stack_copier *copier)
{
	(void)copier;
	return NULL;
}

struct stack_copier_counts stack_copier_counts(const struct stack_copier *copier)
{
	(void)copier;
	return (struct stack_copier_counts){ .copied = 0 };
}

bool stack_copier_uses_clock(const struct stack_copier *copier)
{
	(void)copier;
	return false;
}

const char *stack_copier_program(const struct stack_copier *copier)
{
	(void)copier;
	return "";
}

#endif
