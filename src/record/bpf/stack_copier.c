/* Loads and attaches the BPF program that copies stacks, see stack_copier.h. */

#include "record/bpf/stack_copier.h"

#ifdef HAVE_BPF

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "record/bpf/loader_program.h"

#define bpf_load_and_run run_in_kernel
#include <bpf/skel_internal.h>
#undef bpf_load_and_run

/* Skeletons call this to run their loader. */
static int bpf_load_and_run(struct bpf_load_and_run_opts *opts)
{
	const size_t count = opts->insns_sz / sizeof(struct bpf_insn);
	void *data;
	int result;

	if (!loader_program_is_known(opts->insns, count))
		return run_in_kernel(opts);
	data = xmalloc(opts->data_sz);
	memcpy(data, opts->data, opts->data_sz);
	result = loader_program_run(opts->insns, data, opts->ctx);
	free(data);
	return result;
}

/*
 * The programs, each with the loader that bpftool generated (a "light skeleton"). The loader lets the kernel look up the kernel's
 * types; libbpf would read all of them here, 5 MB, which took 30 ms.
 */
#include <stack_copy_classes.skeleton.h>
#include <stack_copy_whole.skeleton.h>

/* Includes the ring's header and the padding between the parts. */
enum {
	RECORD_MAX_BYTES = 16 + sizeof(struct stack_copy_record) + STACK_COPY_MAX + STACK_COPY_PAGE +
			   STACK_COPY_MAX_OUTER
};

/* Threads per CPU whose stack bounds are remembered. The kernel allocates all entries at once. */
enum { BOUNDS_OF_CPU = 1024, BOUNDS_MAX = 16 * 1024 };

/* A loaded program and its maps. */
struct loaded {
	int program_fd, copies_fd, larger_fd, counts_fd;
};

static __u32 bounds_entries(void)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return cpus > 0 && cpus < BOUNDS_MAX / BOUNDS_OF_CPU ? (__u32)cpus * BOUNDS_OF_CPU : BOUNDS_MAX;
}

/* load_NAME() returns 0 or a negated errno. Before it destroys the skeleton, it takes the descriptors that are kept. */
#define LOADER(skeleton_name, program_name)                                                                  \
	static int load_##program_name(const struct stack_copy_settings *settings, size_t ring_bytes,        \
				       struct loaded *loaded)                                                \
	{                                                                                                    \
		struct skeleton_name *skeleton = skeleton_name##__open();                                    \
		int result;                                                                                  \
                                                                                                             \
		if (!skeleton)                                                                               \
			return -ENOMEM;                                                                      \
		skeleton->maps.copies.max_entries = (__u32)ring_bytes;                                       \
		skeleton->maps.bounds.max_entries = bounds_entries();                                        \
		skeleton->rodata->settings = *settings;                                                      \
		result = skeleton_name##__load(skeleton);                                                    \
		if (result == 0) {                                                                           \
			*loaded =                                                                            \
				(struct loaded){ skeleton->progs.program_name.prog_fd,                       \
						 skeleton->maps.copies.map_fd, skeleton->maps.larger.map_fd, \
						 skeleton->maps.bss.map_fd };                                \
			skeleton->progs.program_name.prog_fd = skeleton->maps.copies.map_fd = 0;             \
			skeleton->maps.larger.map_fd = skeleton->maps.bss.map_fd = 0;                        \
		}                                                                                            \
		skeleton_name##__destroy(skeleton);                                                          \
		return result;                                                                               \
	}

LOADER(stack_copy_whole, copy_whole)
LOADER(stack_copy_classes, copy_classes)

/* In the order in which they are tried: each needs a newer kernel than the next. */
static const struct way {
	const char *program;
	int (*load)(const struct stack_copy_settings *settings, size_t ring_bytes, struct loaded *loaded);
	bool by_clock;
} ways[] = {
	{ "copy_whole", load_copy_whole, false },
	{ "copy_whole", load_copy_whole, true },
	{ "copy_classes", load_copy_classes, true },
};
enum { WAYS = sizeof(ways) / sizeof(*ways) };

struct stack_copier {
	const struct way *way;
	struct loaded loaded;      /* a descriptor of 0: not loaded */
	int wake_fd;               /* an epoll of the rings, edge-triggered; 0 if none */
	struct copy_ring rings[2]; /* one is written; the other is read to its end, or not mapped */
	unsigned int current;      /* index of the one that is written */
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
	case E2BIG: /* the kernel does not know everything that is asked of it */
	case ESRCH:
	case ENOTSUP:
		return error_set_errno(
			err, load_errno,
			"this kernel cannot copy stacks by BPF: that needs Linux 5.17 (with -k other than "
			"monotonic, 6.3) and the kernel's types in /sys/kernel/btf/vmlinux "
			"(CONFIG_DEBUG_INFO_BTF)");
	default:
		return error_set_errno(err, load_errno,
				       "the BPF program that copies stacks cannot be loaded");
	}
}

static int load_first_possible(struct stack_copier *copier, const struct stack_copier_plan *plan,
			       struct error *err)
{
	struct stack_copy_settings settings = {
		.max_bytes = plan->max_bytes < STACK_COPY_MAX ? plan->max_bytes : STACK_COPY_MAX,
	};
	int result = -ENOTSUP;

	for (size_t i = 0; i < WAYS; i++) {
		if (ways[i].by_clock ? !plan->may_use_clock : plan->must_use_clock)
			continue;
		settings.by_clock = ways[i].by_clock;
		copier->way = &ways[i];
		result = ways[i].load(&settings, plan->ring_bytes, &copier->loaded);
		if (result == 0)
			return 0;
		if (result == -EPERM || result == -ENOMEM)
			break;
	}
	return explain(-result, err);
}

/*
 * The ring itself is readable as long as it holds anything. Copies may wait in it for their samples, so poll() would return at
 * once, round after round.
 */
static int watch_ring(struct stack_copier *copier, int map_fd, struct error *err)
{
	struct epoll_event woken = { .events = EPOLLIN | EPOLLET };

	if (epoll_ctl(copier->wake_fd, EPOLL_CTL_ADD, map_fd, &woken) < 0)
		return error_set_errno(err, errno, "cannot wait for the ring of stack copies");
	return 0;
}

/* Takes ownership of the descriptor. */
static int open_ring(struct stack_copier *copier, struct copy_ring *ring, int map_fd, size_t ring_bytes,
		     struct error *err)
{
	ring->map_fd = map_fd;
	return watch_ring(copier, map_fd, err) < 0 ?
		       -1 :
		       copy_ring_map(ring, map_fd, ring_bytes, RECORD_MAX_BYTES, err);
}

struct stack_copier *stack_copier_open(const struct stack_copier_plan *plan, struct error *err)
{
	struct stack_copier *copier = xcalloc(1, sizeof(*copier));

	copier->wake_fd = epoll_create1(EPOLL_CLOEXEC);
	if (copier->wake_fd < 0)
		error_set_errno(err, errno, "cannot wait for the ring of stack copies");
	if (copier->wake_fd < 0 || load_first_possible(copier, plan, err) < 0 ||
	    open_ring(copier, &copier->rings[0], copier->loaded.copies_fd, plan->ring_bytes, err) < 0) {
		stack_copier_close(copier);
		return NULL;
	}
	copier->copies = stack_copies_create(&copier->rings[0]);
	return copier;
}

static void close_descriptor(int fd)
{
	if (fd > 0)
		close(fd);
}

static void close_ring(struct copy_ring *ring)
{
	copy_ring_unmap(ring);
	close_descriptor(ring->map_fd);
	ring->map_fd = 0;
}

void stack_copier_close(struct stack_copier *copier)
{
	if (!copier)
		return;
	stack_copies_destroy(copier->copies);
	close_ring(&copier->rings[0]);
	close_ring(&copier->rings[1]);
	close_descriptor(copier->wake_fd);
	close_descriptor(copier->loaded.program_fd);
	close_descriptor(copier->loaded.larger_fd);
	close_descriptor(copier->loaded.counts_fd);
	free(copier);
}

int stack_copier_attach(struct stack_copier *copier, int event_fd, struct error *err)
{
	if (ioctl(event_fd, PERF_EVENT_IOC_SET_BPF, copier->loaded.program_fd) < 0)
		return error_set_errno(err, errno, "the BPF program that copies stacks cannot be attached");
	return 0;
}

/* Makes the program write into the ring of this map. Returns less than 0 on failure. */
static int replace_ring(const struct stack_copier *copier, int map_fd)
{
	const uint32_t key = 0, value = (uint32_t)map_fd;
	union bpf_attr attr = { .map_fd = (__u32)copier->loaded.larger_fd,
				.key = (uintptr_t)&key,
				.value = (uintptr_t)&value };

	return skel_sys_bpf(BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr));
}

void stack_copier_make_room(struct stack_copier *copier, size_t ring_bytes, uint64_t now_ns)
{
	struct copy_ring *old = &copier->rings[copier->current], *ring = &copier->rings[!copier->current];
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_RINGBUF, .max_entries = (__u32)ring_bytes };
	struct error no_memory;
	int map_fd;

	if (!stack_copies_use(copier->copies, ring))
		close_ring(ring);
	if (ring_bytes <= old->size_bytes || ring->map_fd)
		return;
	map_fd = skel_sys_bpf(BPF_MAP_CREATE, &attr, sizeof(attr));
	if (map_fd < 0)
		return;
	/* The kernel completes the replacement only when all earlier runs of the program have ended. */
	if (open_ring(copier, ring, map_fd, ring_bytes, &no_memory) < 0 || replace_ring(copier, map_fd) < 0) {
		close_ring(ring);
		return;
	}
	stack_copies_change_ring(copier->copies, ring, now_ns);
	copier->current = !copier->current;
}

int stack_copier_fd(const struct stack_copier *copier)
{
	return copier->wake_fd;
}

void stack_copier_note_wake(int fd)
{
	struct epoll_event woken;

	(void)epoll_wait(fd, &woken, 1, 0);
}

struct stack_copies *stack_copier_copies(struct stack_copier *copier)
{
	return copier->copies;
}

struct stack_copier_counts stack_copier_counts(const struct stack_copier *copier)
{
	uint64_t counts[STACK_COPY_COUNTS] = { 0 };
	const uint32_t key = 0; /* all variables of the program are one map value */
	union bpf_attr attr = { .map_fd = (__u32)copier->loaded.counts_fd,
				.key = (uintptr_t)&key,
				.value = (uintptr_t)counts };

	if (skel_sys_bpf(BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr)) < 0)
		return (struct stack_copier_counts){ .copied = 0 };
	return (struct stack_copier_counts){
		.copied = counts[STACK_COPY_DONE],
		.no_room = counts[STACK_COPY_NO_ROOM],
		.no_end = counts[STACK_COPY_NO_END],
	};
}

bool stack_copier_uses_clock(const struct stack_copier *copier)
{
	return copier->way->by_clock;
}

const char *stack_copier_program(const struct stack_copier *copier)
{
	return copier->way->program;
}

#else /* built without the tools that BPF programs need */

static int say_what_is_missing(struct error *err)
{
	return error_set(err,
			 "this xprof was built without BPF programs, see 'xprof version --build-options'");
}

struct stack_copier *stack_copier_open(const struct stack_copier_plan *plan, struct error *err)
{
	(void)plan;
	(void)say_what_is_missing(err);
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
	return say_what_is_missing(err);
}

void stack_copier_make_room(struct stack_copier *copier, size_t ring_bytes, uint64_t now_ns)
{
	(void)copier;
	(void)ring_bytes;
	(void)now_ns;
}

int stack_copier_fd(const struct stack_copier *copier)
{
	(void)copier;
	return -1;
}

void stack_copier_note_wake(int fd)
{
	(void)fd;
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
