/*
 * file_header_add() prints where the sections lie, calls one add_...() function for each feature that is present, and
 * lists those that are missing. Most of these functions read the section's bytes; the others use the decoded features.
 */
#include "report/dump/file_header.h"

/* perf_header__fprintf_info() and the print functions of its features, tools/perf/util/header.c. */

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "format/perf_header.h"
#include "report/dump/dump_attr.h"
#include "text/safe_text.h"

struct printing {
	struct strbuf *out;
	const struct perf_file *file;
	const struct perf_features *features;
};

static void add_text(struct printing *printing, const char *label, const char *text)
{
	strbuf_addf(printing->out, "# %s : ", label);
	safe_text_add(printing->out, text ? text : "");
	strbuf_addc(printing->out, '\n');
}

/* A label, then a sized string. */
static void add_string(struct printing *printing, const char *label, struct byte_reader *r)
{
	const char *text = byte_reader_string(r, byte_reader_u32(r));

	if (text)
		add_text(printing, label, text);
}

/* --- features, one after the other ---------------------------------------------------------------------- */

static void add_cpu_count(struct printing *printing, struct byte_reader *r)
{
	(void)r;
	strbuf_addf(printing->out, "# nrcpus online : %" PRIu32 "\n# nrcpus avail : %" PRIu32 "\n",
		    printing->features->cpus_online, printing->features->cpus_available);
}

static void add_total_memory(struct printing *printing, struct byte_reader *r)
{
	(void)r;
	strbuf_addf(printing->out, "# total memory : %" PRIu64 " kB\n", printing->features->total_memory_kib);
}

/* As perf: a blank after each word, and a backslash before each single quote. */
static void add_command_line(struct printing *printing, struct byte_reader *r)
{
	struct strbuf quoted = STRBUF_INIT;

	(void)r;
	for (size_t i = 0; i < printing->features->command_line_count; i++) {
		for (const char *c = printing->features->command_line[i]; *c; c++) {
			if (*c == '\'')
				strbuf_addc(&quoted, '\\');
			strbuf_addc(&quoted, *c);
		}
		strbuf_addc(&quoted, ' ');
	}
	add_text(printing, "cmdline", quoted.bytes);
	strbuf_fini(&quoted);
}

static void add_events(struct printing *printing, struct byte_reader *r)
{
	struct strbuf *out = printing->out;

	(void)r;
	for (size_t i = 0; i < perf_file_event_count(printing->file); i++) {
		const struct event_desc *event = perf_file_event(printing->file, i);

		strbuf_adds(out, "# event : name = ");
		safe_text_add(out, event->name);
		strbuf_adds(out, ", ");
		for (size_t id = 0; id < event->id_count; id++)
			strbuf_addf(out, "%s %" PRIu64, id ? "," : ", id = {", event->ids[id]);
		if (event->id_count)
			strbuf_adds(out, " }");
		attr_text_add(out, &event->attr, " = ");
		strbuf_addc(out, '\n');
	}
}

static void add_siblings(struct printing *printing, const char *label, struct byte_reader *r)
{
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--)
		add_string(printing, label, r);
}

/* Sibling lists of cores and threads; core and socket of each CPU; then, if dies are known, their lists and numbers. */
static void add_cpu_topology(struct printing *printing, struct byte_reader *r)
{
	const uint32_t cpus = printing->features->cpus_available;
	struct byte_reader cores, dies, threads;

	add_siblings(printing, "sibling sockets", r);
	threads = *r;
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--)
		(void)byte_reader_string(r, byte_reader_u32(r));
	if (!byte_reader_ok(r) || byte_reader_left(r) / 8 < cpus) {
		add_siblings(printing, "sibling threads", &threads);
		strbuf_adds(printing->out, "# Core ID and Socket ID information is not available\n");
		return;
	}
	cores = byte_reader_sub(r, (size_t)cpus * 8);
	dies = *r;
	if (byte_reader_left(&dies))
		add_siblings(printing, "sibling dies   ", &dies);
	add_siblings(printing, "sibling threads", &threads);
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		const uint32_t core = byte_reader_u32(&cores), socket = byte_reader_u32(&cores);

		strbuf_addf(printing->out, "# CPU %" PRIu32 ": Core ID %" PRId32, cpu, (int32_t)core);
		if (byte_reader_left(&dies))
			strbuf_addf(printing->out, ", Die ID %" PRId32, (int32_t)byte_reader_u32(&dies));
		strbuf_addf(printing->out, ", Socket ID %" PRId32 "\n", (int32_t)socket);
	}
}

static void add_numa_topology(struct printing *printing, struct byte_reader *r)
{
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--) {
		const uint32_t node = byte_reader_u32(r);
		const uint64_t total = byte_reader_u64(r), available = byte_reader_u64(r);
		const char *cpus = byte_reader_string(r, byte_reader_u32(r));

		if (!cpus)
			return;
		strbuf_addf(printing->out,
			    "# node%" PRIu32 " meminfo  : total = %" PRIu64 " kB, free = %" PRIu64
			    " kB\n# node%" PRIu32 " cpu list : ",
			    node, total, available, node);
		safe_text_add(printing->out, cpus);
		strbuf_addc(printing->out, '\n');
	}
}

static void add_pmu_mappings(struct printing *printing, struct byte_reader *r)
{
	const char *separator = "# pmu mappings: ";

	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--) {
		const uint32_t type = byte_reader_u32(r);
		const char *name = byte_reader_string(r, byte_reader_u32(r));

		if (!name)
			break;
		strbuf_adds(printing->out, separator);
		safe_text_add(printing->out, name);
		strbuf_addf(printing->out, " = %" PRIu32, type);
		separator = ", ";
	}
	strbuf_adds(printing->out, separator[0] == '#' ? "# pmu mappings: not available\n" : "\n");
}

/* For each group its name, the number of its first event, and the number of events. */
static void add_groups(struct printing *printing, struct byte_reader *r)
{
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--) {
		const char *name = byte_reader_string(r, byte_reader_u32(r));
		const uint32_t leader = byte_reader_u32(r), members = byte_reader_u32(r);

		if (!name || !byte_reader_ok(r) || members < 2)
			continue;
		strbuf_adds(printing->out, "# group: ");
		safe_text_add(printing->out, strcmp(name, "{anon_group}") ? name : "");
		for (uint32_t i = 0; i < members; i++) {
			const struct event_desc *event = perf_file_event(printing->file, (size_t)leader + i);

			if (!event)
				break;
			strbuf_addc(printing->out, i ? ',' : '{');
			safe_text_add(printing->out, event->name);
		}
		strbuf_adds(printing->out, "}\n");
	}
}

static void add_caches(struct printing *printing, struct byte_reader *r)
{
	byte_reader_skip(r, sizeof(uint32_t)); /* version */
	strbuf_adds(printing->out, "# CPU cache info:\n");
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--) {
		const uint32_t level = byte_reader_u32(r);
		const char *type, *size, *cpus;
		size_t start;

		byte_reader_skip(r, 3 * sizeof(uint32_t)); /* line size, sets, ways */
		type = byte_reader_string(r, byte_reader_u32(r));
		size = byte_reader_string(r, byte_reader_u32(r));
		cpus = byte_reader_string(r, byte_reader_u32(r));
		if (!type || !size || !cpus)
			return;
		start = printing->out->size;
		strbuf_addf(printing->out, "#  L%" PRIu32 " %-15s %8s [%s]", level, type, size, cpus);
		safe_text_clean(printing->out, start);
		strbuf_addc(printing->out, '\n');
	}
}

static void add_seconds(struct printing *printing, const char *label, uint64_t time_ns)
{
	strbuf_addf(printing->out, "# %s : %" PRIu64 ".%06" PRIu64 "\n", label, time_ns / 1000000000,
		    time_ns / 1000 % 1000000);
}

static void add_sample_time(struct printing *printing, struct byte_reader *r)
{
	const uint64_t first = byte_reader_u64(r), last = byte_reader_u64(r);

	add_seconds(printing, "time of first sample", first);
	add_seconds(printing, "time of last sample", last);
	strbuf_addf(printing->out, "# sample duration : %10.3f ms\n", (double)(last - first) / 1e6);
}

/* In the largest unit of which there is at least one. */
static void add_size(struct strbuf *out, uint64_t size_bytes)
{
	static const char units[] = "BKMG";
	size_t unit = 0;

	for (; size_bytes / 1024 && units[unit + 1]; unit++)
		size_bytes /= 1024;
	strbuf_addf(out, "%" PRIu64 "%c", size_bytes, units[unit]);
}

static void add_bit_ranges(struct strbuf *out, struct byte_reader bits, uint64_t count)
{
	const char *separator = "";
	uint64_t word = 0, first = UINT64_MAX;

	for (uint64_t bit = 0; bit <= count; bit++) {
		bool set = false;

		if (bit < count && bit % 64 == 0)
			word = byte_reader_u64(&bits);
		if (bit < count)
			set = word >> bit % 64 & 1;
		if (set && first == UINT64_MAX)
			first = bit;
		if (set || first == UINT64_MAX)
			continue;
		strbuf_addf(out, first + 1 == bit ? "%s%" PRIu64 : "%s%" PRIu64 "-%" PRIu64, separator, first,
			    bit - 1);
		separator = ",";
		first = UINT64_MAX;
	}
}

static uint64_t count_bits(struct byte_reader bits)
{
	uint64_t count = 0;

	while (byte_reader_left(&bits))
		count += (uint64_t)__builtin_popcountll(byte_reader_u64(&bits));
	return count;
}

/* Version, size of a block, number of nodes; for each node its number, its size, and a bit for each of its blocks. */
static void add_memory_topology(struct printing *printing, struct byte_reader *r)
{
	uint64_t block_size, count;

	byte_reader_skip(r, sizeof(uint64_t));
	block_size = byte_reader_u64(r);
	count = byte_reader_u64(r);
	strbuf_addf(printing->out, "# memory nodes (nr %" PRIu64 ", block size 0x%" PRIx64 "):\n", count,
		    block_size);
	for (; count && byte_reader_ok(r); count--) {
		const uint64_t node = byte_reader_u64(r);
		uint64_t bit_count;
		struct byte_reader bits;

		byte_reader_skip(r, sizeof(uint64_t));
		bit_count = byte_reader_u64(r);
		if (bit_count / 8 > byte_reader_left(r))
			return;
		bits = byte_reader_sub(r, (bit_count + 63) / 64 * 8);
		if (!byte_reader_ok(r))
			return;
		strbuf_addf(printing->out, "#  %3" PRIu64 " [", node);
		add_size(printing->out, block_size * count_bits(bits));
		strbuf_adds(printing->out, "]: ");
		add_bit_ranges(printing->out, bits, bit_count);
		strbuf_addc(printing->out, '\n');
	}
}

static void add_clock_id(struct printing *printing, struct byte_reader *r)
{
	strbuf_addf(printing->out, "# clockid frequency: %" PRIu64 " MHz\n", byte_reader_u64(r) * 1000);
}

static void add_directory_version(struct printing *printing, struct byte_reader *r)
{
	strbuf_addf(printing->out, "# directory data version : %" PRIu64 "\n", byte_reader_u64(r));
}

static void add_compression(struct printing *printing, struct byte_reader *r)
{
	uint32_t algorithm;

	byte_reader_skip(r, sizeof(uint32_t)); /* version */
	algorithm = byte_reader_u32(r);
	strbuf_addf(printing->out, "# compressed : %s, level = %" PRIu32 ", ratio = %" PRIu32 "\n",
		    algorithm == 1 ? "Zstd" : "Unknown", printing->features->compression_level,
		    printing->features->compression_ratio);
}

static void add_capabilities(struct printing *printing, const char *pmu, struct byte_reader *r)
{
	const char *separator = " ";

	strbuf_adds(printing->out, "# ");
	safe_text_add(printing->out, pmu);
	strbuf_adds(printing->out, " pmu capabilities:");
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--) {
		const char *name = byte_reader_string(r, byte_reader_u32(r));
		const char *value = byte_reader_string(r, byte_reader_u32(r));

		if (!name || !value)
			break;
		strbuf_adds(printing->out, separator);
		safe_text_add(printing->out, name);
		strbuf_addc(printing->out, '=');
		safe_text_add(printing->out, value);
		separator = ", ";
	}
	strbuf_addc(printing->out, '\n');
}

static void add_cpu_capabilities(struct printing *printing, struct byte_reader *r)
{
	add_capabilities(printing, "cpu", r);
}

static void add_local_time(struct strbuf *out, uint64_t time_ns)
{
	const time_t seconds = (time_t)(time_ns / 1000000000);
	struct tm broken_down;
	char text[64];

	if (!localtime_r(&seconds, &broken_down) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &broken_down))
		text[0] = '\0';
	strbuf_addf(out, "%s.%06" PRIu64, text, time_ns / 1000 % 1000000);
}

static void add_clock_data(struct printing *printing, struct byte_reader *r)
{
	static const char *const clocks[] = {
		[0] = "realtime", [1] = "monotonic", [4] = "monotonic_raw", [7] = "boottime", [11] = "tai"
	};
	const struct perf_features *features = printing->features;
	const size_t id = (size_t)features->clock_id;
	const char *name = id < sizeof(clocks) / sizeof(clocks[0]) && clocks[id] ? clocks[id] : "unknown";

	(void)r;
	strbuf_addf(printing->out, "# clockid: %s (%zu)\n# reference time: ", name, id);
	add_local_time(printing->out, features->clock_wall_ns);
	strbuf_addf(printing->out, " = %" PRIu64 ".%06" PRIu64 " (TOD) = %" PRIu64 ".%09" PRIu64 " (%s)\n",
		    features->clock_wall_ns / 1000000000, features->clock_wall_ns / 1000 % 1000000,
		    features->clock_clockid_ns / 1000000000, features->clock_clockid_ns % 1000000000, name);
}

static void add_hybrid_topology(struct printing *printing, struct byte_reader *r)
{
	strbuf_adds(printing->out, "# hybrid cpu system:\n");
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--) {
		const char *pmu = byte_reader_string(r, byte_reader_u32(r));
		const char *cpus = byte_reader_string(r, byte_reader_u32(r));

		if (!pmu || !cpus)
			continue;
		strbuf_adds(printing->out, "# ");
		safe_text_add(printing->out, pmu);
		strbuf_adds(printing->out, " cpu list : ");
		safe_text_add(printing->out, cpus);
		strbuf_addc(printing->out, '\n');
	}
}

/* For each PMU its capabilities, then its name. */
static void add_pmu_capabilities(struct printing *printing, struct byte_reader *r)
{
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--) {
		struct byte_reader capabilities = *r;
		const char *name;

		for (uint64_t words = (uint64_t)byte_reader_u32(r) * 2; words && byte_reader_ok(r); words--)
			byte_reader_skip(r, byte_reader_u32(r));
		name = byte_reader_string(r, byte_reader_u32(r));
		if (name)
			add_capabilities(printing, name, &capabilities);
	}
}

/* --- all features ------------------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	/* One of these; none: perf prints nothing, either. */
	const char *label;    /* of the only field, a text */
	const char *sentence; /* all that is printed */
	void (*add)(struct printing *printing, struct byte_reader *r);
	bool long_only;
} features[HEADER_FEATURE_COUNT_KNOWN] = {
	[HEADER_TRACING_DATA] = { .name = "TRACING_DATA" },
	[HEADER_BUILD_ID] = { .name = "BUILD_ID" },
	[HEADER_HOSTNAME] = { .name = "HOSTNAME", .label = "hostname" },
	[HEADER_OSRELEASE] = { .name = "OSRELEASE", .label = "os release" },
	[HEADER_VERSION] = { .name = "VERSION", .label = "perf version" },
	[HEADER_ARCH] = { .name = "ARCH", .label = "arch" },
	[HEADER_NRCPUS] = { .name = "NRCPUS", .add = add_cpu_count },
	[HEADER_CPUDESC] = { .name = "CPUDESC", .label = "cpudesc" },
	[HEADER_CPUID] = { .name = "CPUID", .label = "cpuid" },
	[HEADER_TOTAL_MEM] = { .name = "TOTAL_MEM", .add = add_total_memory },
	[HEADER_CMDLINE] = { .name = "CMDLINE", .add = add_command_line },
	[HEADER_EVENT_DESC] = { .name = "EVENT_DESC", .add = add_events },
	[HEADER_CPU_TOPOLOGY] = { .name = "CPU_TOPOLOGY", .add = add_cpu_topology, .long_only = true },
	[HEADER_NUMA_TOPOLOGY] = { .name = "NUMA_TOPOLOGY", .add = add_numa_topology, .long_only = true },
	[HEADER_BRANCH_STACK] = { .name = "BRANCH_STACK", .sentence = "contains samples with branch stack" },
	[HEADER_PMU_MAPPINGS] = { .name = "PMU_MAPPINGS", .add = add_pmu_mappings },
	[HEADER_GROUP_DESC] = { .name = "GROUP_DESC", .add = add_groups },
	[HEADER_AUXTRACE] = { .name = "AUXTRACE",
			      .sentence = "contains AUX area data (e.g. instruction trace)" },
	[HEADER_STAT] = { .name = "STAT", .sentence = "contains stat data" },
	[HEADER_CACHE] = { .name = "CACHE", .add = add_caches, .long_only = true },
	[HEADER_SAMPLE_TIME] = { .name = "SAMPLE_TIME", .add = add_sample_time },
	[HEADER_MEM_TOPOLOGY] = { .name = "MEM_TOPOLOGY", .add = add_memory_topology, .long_only = true },
	[HEADER_CLOCKID] = { .name = "CLOCKID", .add = add_clock_id },
	[HEADER_DIR_FORMAT] = { .name = "DIR_FORMAT", .add = add_directory_version },
	[HEADER_BPF_PROG_INFO] = { .name = "BPF_PROG_INFO" },
	[HEADER_BPF_BTF] = { .name = "BPF_BTF" },
	[HEADER_COMPRESSED] = { .name = "COMPRESSED", .add = add_compression },
	[HEADER_CPU_PMU_CAPS] = { .name = "CPU_PMU_CAPS", .add = add_cpu_capabilities },
	[HEADER_CLOCK_DATA] = { .name = "CLOCK_DATA", .add = add_clock_data },
	[HEADER_HYBRID_TOPOLOGY] = { .name = "HYBRID_TOPOLOGY",
				     .add = add_hybrid_topology,
				     .long_only = true },
	[HEADER_PMU_CAPS] = { .name = "PMU_CAPS", .add = add_pmu_capabilities },
};

static void add_feature(struct printing *printing, unsigned int feature, bool at_length)
{
	struct byte_reader bytes = perf_file_feature_bytes(printing->file, feature);

	if (features[feature].label)
		add_string(printing, features[feature].label, &bytes);
	else if (features[feature].sentence)
		strbuf_addf(printing->out, "# %s\n", features[feature].sentence);
	else if (features[feature].long_only && !at_length)
		strbuf_addf(printing->out, "# %s info available, use -I to display\n",
			    features[feature].name);
	else if (features[feature].add)
		features[feature].add(printing, &bytes);
}

/* Opens the recording, or the "data" of a directory. -1 if it was read from no file, or is in an archive. */
static int open_data(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), data;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISDIR(st.st_mode))
		return fd;
	data = openat(fd, "data", O_RDONLY | O_CLOEXEC);
	close(fd);
	return data;
}

bool file_header_read_layout(const struct perf_file *file, struct file_layout *layout)
{
	uint8_t bytes[PERF_FILE_HEADER_SIZE];
	struct perf_header header;
	int fd = perf_file_mode(file) == PERF_FILE_PIPE ? -1 : open_data(perf_file_path(file));
	struct stat st;
	bool known;

	if (fd < 0)
		return false;
	known = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		pread(fd, bytes, sizeof(bytes), 0) == (ssize_t)sizeof(bytes) &&
		perf_header_decode(&header, bytes, sizeof(bytes), NULL) == 0 && !header.pipe;
	close(fd);
	if (known)
		*layout = (struct file_layout){ .captured_s = st.st_mtime,
						.version = memcmp(bytes, "PERFFILE", 8) != 0,
						.data = header.data };
	return known;
}

static void add_layout(struct strbuf *out, const struct perf_file *file)
{
	struct file_layout layout;
	char when[32];

	if (!file_header_read_layout(file, &layout))
		return;
	strbuf_addf(out, "# captured on    : %s", ctime_r(&layout.captured_s, when) ? when : "\n");
	strbuf_addf(out,
		    "# header version : %u\n# data offset    : %" PRIu64 "\n# data size      : %" PRIu64
		    "\n# feat offset    : %" PRIu64 "\n",
		    layout.version, layout.data.offset, layout.data.size,
		    layout.data.offset + layout.data.size);
}

void file_header_add(struct strbuf *out, const struct perf_file *file, bool at_length)
{
	struct printing printing = { .out = out, .file = file, .features = perf_file_features(file) };
	const uint64_t present = printing.features->present[0];

	strbuf_adds(out, "# ========\n");
	add_layout(out, file);
	for (unsigned int i = HEADER_TRACING_DATA; i < HEADER_FEATURE_COUNT_KNOWN; i++)
		if (present >> i & 1)
			add_feature(&printing, i, at_length);
	strbuf_adds(out, "# missing features: ");
	for (unsigned int i = HEADER_TRACING_DATA; i < HEADER_FEATURE_COUNT_KNOWN; i++)
		if (!(present >> i & 1))
			strbuf_addf(out, "%s ", features[i].name);
	strbuf_adds(out, "\n# ========\n#\n");
}
