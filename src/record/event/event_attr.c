/*
 * event_attr_sampler() builds an attr from nothing; terms of the event override options of the whole
 * recording. The functions below it are small edits of a finished attr. None of them opens an event.
 */
#include "record/event/event_attr.h"

#include "format/perf_abi.h"
#include "record/machine/attr_feature.h"

/* The fields that sample_id_all adds after other records, see perf_event__header_size() in linux/kernel/events/core.c. */
static const uint64_t trailer_fields = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				       PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

static struct perf_event_attr common_attr(void)
{
	/*
	 * Every reader of the file accepts PERF_ATTR_SIZE_VER7. An older kernel with a shorter struct only checks that the rest
	 * is zero.
	 */
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr) < PERF_ATTR_SIZE_VER7 ?
				sizeof(struct perf_event_attr) :
				PERF_ATTR_SIZE_VER7,
		.sample_id_all = 1,
		.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST,
		.exclude_guest = 1,
	};
}

static void set_rate(struct perf_event_attr *attr, const struct event_spec *spec,
		     const struct sampling_options *options)
{
	bool every_hit = (spec->type == PERF_TYPE_TRACEPOINT || spec->type == PERF_TYPE_BREAKPOINT) &&
			 !options->rate_given;

	if (options->no_samples) {
		attr->sample_period = 0;
	} else if (spec->period) {
		attr->sample_period = spec->period;
	} else if (spec->frequency) {
		attr->freq = 1;
		attr->sample_freq = spec->frequency;
	} else if (every_hit) {
		attr->sample_period = 1;
	} else if (options->period) {
		attr->sample_period = options->period;
	} else {
		attr->freq = 1;
		attr->sample_freq = options->frequency;
	}
	if (attr->freq || options->sample_period || spec->type == PERF_TYPE_TRACEPOINT)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
}

/* The event's own method, from its terms, or that of --call-graph. */
static struct call_graph call_graph_of(const struct event_spec *spec, const struct sampling_options *options)
{
	struct call_graph call_graph = spec->call_graph_given ? spec->call_graph : options->call_graph;

	if (spec->max_stack && !spec->call_graph_given)
		call_graph = (struct call_graph){ .mode = CALL_GRAPH_FP };
	if (spec->stack_dump_bytes && call_graph.stack_dump_bytes)
		call_graph.stack_dump_bytes = spec->stack_dump_bytes;
	return call_graph;
}

static void set_call_graph(struct perf_event_attr *attr, const struct event_spec *spec,
			   const struct sampling_options *options)
{
	const struct call_graph own = call_graph_of(spec, options), *call_graph = &own;

	if (call_graph->mode == CALL_GRAPH_NONE)
		return;
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr->sample_max_stack = spec->max_stack;
	attr->exclude_callchain_kernel = options->user_callchains;
	attr->exclude_callchain_user = options->kernel_callchains;
	if (call_graph->defer && !options->kernel_callchains)
		attr_feature_ask(attr, ATTR_FEATURE_DEFER_CALLCHAIN);
	if (call_graph->stack_dump_bytes == 0 || options->kernel_callchains)
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = call_graph_user_regs();
	attr->sample_stack_user = call_graph->stack_dump_bytes;
	/* The chain and the unwound dump both have the user's part, and perf would show it twice, so only one is written. */
	attr->exclude_callchain_user = call_graph->mode == CALL_GRAPH_DWARF;
}

/* BRANCH_HW_INDEX tells which entries of two samples are the same branch. */
static uint64_t branch_filter_of(const struct event_spec *spec, const struct sampling_options *options)
{
	if (call_graph_of(spec, options).mode == CALL_GRAPH_LBR)
		return PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
		       PERF_SAMPLE_BRANCH_NO_CYCLES | PERF_SAMPLE_BRANCH_NO_FLAGS | BRANCH_HW_INDEX;
	return spec->branch_filter ? spec->branch_filter : options->branch_filter;
}

static void set_branch_stack(struct perf_event_attr *attr, uint64_t filter)
{
	if (!filter)
		return;
	attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
	attr->branch_sample_type = filter;
}

int event_attr_check_branches(const struct event_spec *spec, const struct sampling_options *options,
			      struct error *err)
{
	if (call_graph_of(spec, options).mode != CALL_GRAPH_LBR)
		return 0;
	if (spec->branch_filter || options->branch_filter)
		return error_set(
			err,
			"%s: --call-graph lbr and -b or -j use the same records of the CPU; leave one of "
			"them out",
			spec->name);
	if (spec->exclude_user || options->kernel_callchains)
		return error_set(
			err,
			"%s: --call-graph lbr records user space only, which this event leaves out; use "
			"--call-graph fp",
			spec->name);
	return 0;
}

struct perf_event_attr event_attr_sampler(const struct event_spec *spec,
					  const struct sampling_options *options, bool any_thread,
					  bool several)
{
	struct perf_event_attr attr = common_attr();
	bool tracepoint = spec->type == PERF_TYPE_TRACEPOINT;

	attr.type = spec->type;
	attr.config = spec->config;
	attr.config1 = spec->config1;
	attr.config2 = spec->config2;
	attr.disabled = 1;
	attr.inherit = !any_thread && (spec->inherit_given ? spec->inherit : !options->no_inherit);
	attr.bp_type = spec->breakpoint_type;
	attr.pinned = spec->pinned;
	attr.exclusive = spec->exclusive;
	attr.precise_ip = spec->precise_max ? 3 : spec->precise & 3;
	attr.exclude_user = spec->exclude_user;
	attr.exclude_kernel = spec->exclude_kernel;
	attr.exclude_hv = spec->exclude_hypervisor;
	attr.exclude_host = spec->exclude_host;
	attr.exclude_guest = spec->exclude_guest;
	attr.exclude_idle = spec->exclude_idle || (event_spec_is_cpu_clock(spec) && !options->idle);
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	if (any_thread || options->sample_cpu || tracepoint)
		attr.sample_type |= PERF_SAMPLE_CPU;
	if (tracepoint || (spec->type == PERF_TYPE_SOFTWARE && spec->config == PERF_COUNT_SW_BPF_OUTPUT))
		attr.sample_type |= PERF_SAMPLE_RAW;
	if (several)
		attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	attr.use_clockid = options->clock.given;
	attr.clockid = options->clock.id;
	attr.inherit_stat = options->thread_stats;
	if (options->thread_stats || options->times)
		attr.read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	set_rate(&attr, spec, options);
	set_call_graph(&attr, spec, options);
	set_branch_stack(&attr, branch_filter_of(spec, options));
	sample_extras_apply(&options->extras, &attr);
	return attr;
}

struct perf_event_attr event_attr_sideband(const struct perf_event_attr *sampler)
{
	struct perf_event_attr attr = common_attr();

	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.sample_period = 1;
	attr.sample_type = sampler->sample_type & trailer_fields;
	attr.inherit = sampler->inherit;
	attr.use_clockid = sampler->use_clockid; /* events with different clocks cannot share a ring */
	attr.clockid = sampler->clockid;
	attr.exclude_kernel = 1; /* it samples nothing, and so needs no permission */
	attr.mmap = 1;
	attr.mmap2 = 1;
	attr.comm = 1;
	attr.comm_exec = 1;
	attr.task = 1;
	attr.ksymbol = 1;
	attr.bpf_event = 1;
	attr.build_id = 1;
	/*
	 * When perf unwinds a dump, it takes a file's lowest mapping as its base, which is not executable. Three quarters of all
	 * mappings are recorded for this alone.
	 */
	attr.mmap_data = (sampler->sample_type & PERF_SAMPLE_STACK_USER) != 0;
	return attr;
}

void event_attr_extend_sideband(struct perf_event_attr *sideband, const struct sampling_options *options)
{
	sideband->mmap_data &= !options->stacks_are_chains;
	sideband->mmap_data |= options->data_mappings || options->extras.address;
	sideband->context_switch = options->context_switches;
	sideband->namespaces = options->namespaces;
	sideband->cgroup = options->cgroups;
}

struct perf_event_attr event_attr_with_sideband(const struct perf_event_attr *sampler,
						const struct perf_event_attr *sideband)
{
	struct perf_event_attr attr = *sampler;

	attr.mmap = sideband->mmap;
	attr.mmap2 = sideband->mmap2;
	attr.comm = sideband->comm;
	attr.comm_exec = sideband->comm_exec;
	attr.task = sideband->task;
	attr.ksymbol = sideband->ksymbol;
	attr.bpf_event = sideband->bpf_event;
	attr.build_id = sideband->build_id;
	attr.mmap_data = sideband->mmap_data;
	attr.context_switch = sideband->context_switch;
	attr.namespaces = sideband->namespaces;
	attr.cgroup = sideband->cgroup;
	return attr;
}

bool event_attr_fall_back_to_clock(struct perf_event_attr *attr, bool idle)
{
	if (attr->type != PERF_TYPE_HARDWARE || (uint32_t)attr->config != PERF_COUNT_HW_CPU_CYCLES)
		return false;
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		return false; /* only hardware records branches */
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->precise_ip = 0;
	attr->pinned = 0;
	attr->exclusive = 0;
	attr->exclude_idle = !idle;
	return true;
}

void event_attr_limit_dump(struct perf_event_attr *attr, uint32_t dump_bytes)
{
	if (attr->sample_stack_user > dump_bytes)
		attr->sample_stack_user = dump_bytes;
}

void event_attr_limit_stack(struct perf_event_attr *attr, unsigned int max_stack)
{
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN &&
	    (!attr->sample_max_stack || attr->sample_max_stack > max_stack))
		attr->sample_max_stack = (uint16_t)max_stack;
}

size_t event_attr_sample_time_offset(const struct perf_event_attr *attr)
{
	/* perf_output_sample(): IDENTIFIER, IP and TID come first, eight bytes each */
	return sizeof(struct perf_event_header) + (attr->sample_type & PERF_SAMPLE_IDENTIFIER ? 8 : 0) + 8 +
	       8;
}

size_t event_attr_sample_id_size(const struct perf_event_attr *attr)
{
	return 8 * (size_t)__builtin_popcountll(attr->sample_type & trailer_fields);
}
