/*
 * feature_layouts[] has a row per feature: the layout of its fixed fields, and a function for what no layout can say. A feature
 * without a layout is shown by its size alone. A new feature needs a row.
 */
#include "report/dump/dump_feature.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "format/perf_abi.h"
#include "report/dump/dump_fields.h"

typedef void dump_rest(struct dump_out *out, struct byte_reader *r, const struct perf_features *decoded);

static void dump_build_ids(struct dump_out *out, struct byte_reader *r, const struct perf_features *decoded)
{
	byte_reader_skip(r, byte_reader_left(r));
	dump_rows(out, "build_ids");
	for (size_t i = 0; i < decoded->build_id_count; i++) {
		const struct build_id_entry *entry = &decoded->build_ids[i];

		dump_row(out);
		dump_signed(out, "pid", (int32_t)entry->pid);
		dump_bytes(out, "build_id", entry->build_id, entry->build_id_size);
		dump_string(out, "path", entry->path);
		dump_row_end(out);
	}
	dump_rows_end(out);
}

static void dump_command_line(struct dump_out *out, struct byte_reader *r,
			      const struct perf_features *decoded)
{
	(void)decoded;
	dump_list(out, "arguments");
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--) {
		const char *word = byte_reader_string(r, byte_reader_u32(r));

		if (word)
			dump_string(out, NULL, word);
	}
	dump_list_end(out);
}

/* u32 nr, attr_size, then attr, u32 nr_ids, name, u64 ids[]. The attrs themselves are shown as events. */
static void dump_event_desc(struct dump_out *out, struct byte_reader *r, const struct perf_features *decoded)
{
	uint32_t count = byte_reader_u32(r), attr_size = byte_reader_u32(r);

	(void)decoded;
	dump_unsigned(out, "attr_size", attr_size);
	dump_rows(out, "events");
	while (count-- && byte_reader_left(r) && byte_reader_ok(r)) {
		uint32_t id_count;
		const char *name;

		byte_reader_skip(r, attr_size);
		id_count = byte_reader_u32(r);
		name = byte_reader_string(r, byte_reader_u32(r));
		byte_reader_skip(r, id_count * sizeof(uint64_t));
		if (!byte_reader_ok(r))
			break;
		dump_row(out);
		dump_string(out, "name", name);
		dump_unsigned(out, "ids", id_count);
		dump_row_end(out);
	}
	dump_rows_end(out);
}

/* Sibling lists of cores and threads; then, since Linux 4.x, the core and socket of each available CPU; then dies. */
static void dump_cpu_topology(struct dump_out *out, struct byte_reader *r,
			      const struct perf_features *decoded)
{
	dump_fields(out, r, "rows32 sibling_cores: string value");
	dump_fields(out, r, "rows32 sibling_threads: string value");
	if (byte_reader_left(r) >= decoded->cpus_available * 2 * sizeof(uint32_t))
		dump_field_rows(out, "cpus", r, decoded->cpus_available, "u32 core, u32 socket");
	if (byte_reader_left(r))
		dump_fields(out, r, "rows32 sibling_dies: string value");
}

static void skip_strings(struct byte_reader *r, uint64_t count)
{
	while (count-- && byte_reader_ok(r))
		byte_reader_skip(r, byte_reader_u32(r));
}

/* u32 nr_pmu; for each u32 nr_caps, the caps, then the PMU's name, which is shown first */
static void dump_pmu_caps(struct dump_out *out, struct byte_reader *r, const struct perf_features *decoded)
{
	uint32_t count = byte_reader_u32(r);

	(void)decoded;
	dump_rows(out, "pmus");
	while (count-- && byte_reader_left(r) && byte_reader_ok(r)) {
		struct byte_reader caps = *r;

		skip_strings(r, (uint64_t)byte_reader_u32(r) * 2);
		dump_row(out);
		dump_fields(out, r, "string pmu");
		dump_fields(out, &caps, "rows32 caps: string name, string value");
		dump_row_end(out);
	}
	dump_rows_end(out);
}

/* u64 version, block_size, nr; for each node u64 node, size, number of bits, then the bits in words of eight bytes */
static void dump_mem_topology(struct dump_out *out, struct byte_reader *r,
			      const struct perf_features *decoded)
{
	uint64_t count;

	(void)decoded;
	dump_fields(out, r, "u64 version");
	dump_hex(out, "block_size", byte_reader_u64(r));
	count = byte_reader_u64(r);
	dump_rows(out, "nodes");
	while (count-- && byte_reader_left(r) && byte_reader_ok(r)) {
		uint64_t node = byte_reader_u64(r), blocks = 0, bits;

		byte_reader_skip(r, sizeof(uint64_t));
		bits = byte_reader_u64(r);
		for (uint64_t bit = 0; bit < bits && byte_reader_ok(r); bit += 64)
			blocks += (uint64_t)__builtin_popcountll(byte_reader_u64(r));
		dump_row(out);
		dump_unsigned(out, "node", node);
		dump_unsigned(out, "blocks", blocks);
		dump_row_end(out);
	}
	dump_rows_end(out);
}

static void dump_bpf_count(struct dump_out *out, struct byte_reader *r, const struct perf_features *decoded)
{
	(void)decoded;
	dump_unsigned(out, "count", byte_reader_u32(r));
}

struct feature_layout {
	const char *name;
	const char *fields; /* NULL: only its size is shown */
	dump_rest *rest;
};

static const struct feature_layout feature_layouts[] = {
	[HEADER_TRACING_DATA] = { "TRACING_DATA", NULL, NULL },
	[HEADER_BUILD_ID] = { "BUILD_ID", "", dump_build_ids },
	[HEADER_HOSTNAME] = { "HOSTNAME", "string value", NULL },
	[HEADER_OSRELEASE] = { "OSRELEASE", "string value", NULL },
	[HEADER_VERSION] = { "VERSION", "string value", NULL },
	[HEADER_ARCH] = { "ARCH", "string value", NULL },
	[HEADER_NRCPUS] = { "NRCPUS", "u32 available, u32 online", NULL },
	[HEADER_CPUDESC] = { "CPUDESC", "string value", NULL },
	[HEADER_CPUID] = { "CPUID", "string value", NULL },
	[HEADER_TOTAL_MEM] = { "TOTAL_MEM", "u64 kib", NULL },
	[HEADER_CMDLINE] = { "CMDLINE", "", dump_command_line },
	[HEADER_EVENT_DESC] = { "EVENT_DESC", "", dump_event_desc },
	[HEADER_CPU_TOPOLOGY] = { "CPU_TOPOLOGY", "", dump_cpu_topology },
	[HEADER_NUMA_TOPOLOGY] = { "NUMA_TOPOLOGY",
				   "rows32 nodes: u32 node, u64 total_kib, u64 free_kib, string cpus", NULL },
	[HEADER_BRANCH_STACK] = { "BRANCH_STACK", NULL, NULL },
	[HEADER_PMU_MAPPINGS] = { "PMU_MAPPINGS", "rows32 pmus: u32 type, string name", NULL },
	[HEADER_GROUP_DESC] = { "GROUP_DESC", "rows32 groups: string name, u32 leader, u32 members", NULL },
	[HEADER_AUXTRACE] = { "AUXTRACE", NULL, NULL },
	[HEADER_STAT] = { "STAT", NULL, NULL },
	[HEADER_CACHE] = { "CACHE",
			   "u32 version, rows32 caches: u32 level, u32 line_size, u32 sets, u32 ways, "
			   "string type, string size, string cpus",
			   NULL },
	[HEADER_SAMPLE_TIME] = { "SAMPLE_TIME", "time first, time last", NULL },
	[HEADER_MEM_TOPOLOGY] = { "MEM_TOPOLOGY", "", dump_mem_topology },
	[HEADER_CLOCKID] = { "CLOCKID", "u64 resolution_ns", NULL },
	[HEADER_DIR_FORMAT] = { "DIR_FORMAT", "u64 version", NULL },
	[HEADER_BPF_PROG_INFO] = { "BPF_PROG_INFO", "", dump_bpf_count },
	[HEADER_BPF_BTF] = { "BPF_BTF", "", dump_bpf_count },
	[HEADER_COMPRESSED] = { "COMPRESSED",
				"u32 version, u32 algorithm, u32 level, u32 ratio, u32 mmap_length", NULL },
	[HEADER_CPU_PMU_CAPS] = { "CPU_PMU_CAPS", "rows32 caps: string name, string value", NULL },
	[HEADER_CLOCK_DATA] = { "CLOCK_DATA", "u32 version, u32 clockid, time wall_clock, time clockid_time",
				NULL },
	[HEADER_HYBRID_TOPOLOGY] = { "HYBRID_TOPOLOGY", "rows32 pmus: string pmu, string cpus", NULL },
	[HEADER_PMU_CAPS] = { "PMU_CAPS", "", dump_pmu_caps },
	[32] = { "CPU_DOMAIN_INFO", NULL, NULL },
	[33] = { "E_MACHINE", "u32 e_machine, x32 e_flags", NULL },
	[34] = { "CLN_SIZE", "u32 cacheline_size", NULL },
	[HEADER_SIMPLEPERF_FILE] = { "SIMPLEPERF_FILE", NULL, NULL },
	[HEADER_SIMPLEPERF_META_INFO] = { "SIMPLEPERF_META_INFO", NULL, NULL },
	[HEADER_SIMPLEPERF_DEBUG_UNWIND] = { "SIMPLEPERF_DEBUG_UNWIND", NULL, NULL },
	[HEADER_SIMPLEPERF_DEBUG_UNWIND_FILE] = { "SIMPLEPERF_DEBUG_UNWIND_FILE", NULL, NULL },
	[HEADER_SIMPLEPERF_FILE2] = { "SIMPLEPERF_FILE2", NULL, NULL },
	[HEADER_SIMPLEPERF_ETM_BRANCH_LIST] = { "SIMPLEPERF_ETM_BRANCH_LIST", NULL, NULL },
	[HEADER_SIMPLEPERF_INIT_MAP] = { "SIMPLEPERF_INIT_MAP", NULL, NULL },
};

static const struct feature_layout *layout_of(uint64_t feature)
{
	if (feature >= sizeof(feature_layouts) / sizeof(feature_layouts[0]) || !feature_layouts[feature].name)
		return NULL;
	return &feature_layouts[feature];
}

const char *dump_feature_name(uint64_t feature, char buffer[static 24])
{
	const struct feature_layout *layout = layout_of(feature);

	if (layout)
		return layout->name;
	snprintf(buffer, 24, "FEATURE_%" PRIu32, (uint32_t)feature);
	return buffer;
}

int dump_feature(struct dump_out *out, unsigned int feature, struct byte_reader bytes,
		 const struct perf_features *decoded, struct error *err)
{
	const struct feature_layout *layout = layout_of(feature);
	const size_t size = byte_reader_left(&bytes);
	char name[24];

	dump_entry(out, "feature", out->json ? NULL : dump_feature_name(feature, name));
	if (out->json) {
		dump_word(out, "name", dump_feature_name(feature, name));
		dump_unsigned(out, "feature", feature);
	}
	dump_unsigned(out, "bytes", size);
	if (layout && layout->fields) {
		dump_fields(out, &bytes, layout->fields);
		if (byte_reader_ok(&bytes) && layout->rest)
			layout->rest(out, &bytes, decoded);
	}
	if (!byte_reader_ok(&bytes)) {
		error_set(err, "feature %u: its %zu bytes end too early", feature, size);
		dump_lead_word(out, "damaged", err->message, COLOR_WARNING);
	}
	dump_entry_end(out);
	return byte_reader_ok(&bytes) ? 0 : -1;
}
