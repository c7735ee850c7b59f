#include "support/record_recipe.h"

#include <string.h>

#include "format/perf_abi.h"

/* clang-format off */
#define U8(number) { RECIPE_U8, number, NULL }
#define U16(number) { RECIPE_U16, number, NULL }
#define U32(number) { RECIPE_U32, number, NULL }
#define U64(number) { RECIPE_U64, number, NULL }
#define TEXT(characters) { RECIPE_TEXT, 0, characters }
#define FIELD(size, characters) { RECIPE_FIELD, size, characters }
#define SIZED(characters) { RECIPE_SIZED, 64, characters }
#define TRAILER { RECIPE_TRAILER, 0, NULL }
/* clang-format on */

const struct record_recipe kernel_recipes[] = {
	{ PERF_RECORD_MMAP,
	  PERF_RECORD_MISC_USER,
	  { U32(10), U32(11), U64(0x400000), U64(0x2000), U64(0x1000), TEXT("/bin/x"), TRAILER },
	  "MMAP  misc 0x2  mode user  pid 10  tid 11  start 0x400000  length 0x2000  pgoff 0x1000  path \"/bin/x\"" },
	{ PERF_RECORD_LOST, 0, { U64(7), U64(77), TRAILER }, "LOST  misc 0x0  id 7  lost 77" },
	{ PERF_RECORD_COMM,
	  RECORD_MISC_COMM_EXEC,
	  { U32(10), U32(11), TEXT("worker"), TRAILER },
	  "COMM  misc 0x2000  exec yes  pid 10  tid 11  comm \"worker\"" },
	{ PERF_RECORD_EXIT,
	  0,
	  { U32(10), U32(9), U32(11), U32(8), U64(3000000004), TRAILER },
	  "EXIT  misc 0x0  pid 10  ppid 9  tid 11  ptid 8  time 3.000000004" },
	{ PERF_RECORD_THROTTLE,
	  0,
	  { U64(5), U64(7), U64(6), TRAILER },
	  "THROTTLE  misc 0x0  time 0.000000005  id 7  stream_id 6" },
	{ PERF_RECORD_UNTHROTTLE,
	  0,
	  { U64(5), U64(7), U64(6), TRAILER },
	  "UNTHROTTLE  misc 0x0  time 0.000000005  id 7  stream_id 6" },
	{ PERF_RECORD_FORK,
	  0,
	  { U32(10), U32(9), U32(11), U32(8), U64(3000000004), TRAILER },
	  "FORK  misc 0x0  pid 10  ppid 9  tid 11  ptid 8  time 3.000000004" },
	{ PERF_RECORD_READ,
	  0,
	  { U32(10), U32(11), U64(2), U64(500), U64(7), U64(600), U64(8), TRAILER },
	  "READ  misc 0x0  pid 10  tid 11\n"
	  "    read:\n"
	  "        group_of 2\n"
	  "        value 500 id 7\n"
	  "        value 600 id 8" },
	{ PERF_RECORD_MMAP2,
	  PERF_RECORD_MISC_KERNEL,
	  { U32(10), U32(11), U64(0x400000), U64(0x2000), U64(0x1000), U32(8), U32(1), U64(99), U64(3),
	    U32(5), U32(2), TEXT("/bin/x"), TRAILER },
	  "MMAP2  misc 0x1  mode kernel  pid 10  tid 11  start 0x400000  length 0x2000  pgoff 0x1000  maj 0x8  "
	  "min 0x1  ino 99  ino_generation 3  prot 0x5  flags 0x2  path \"/bin/x\"" },
	{ PERF_RECORD_MMAP2,
	  PERF_RECORD_MISC_USER | RECORD_MISC_MMAP_BUILD_ID,
	  { U32(10), U32(11), U64(0x400000), U64(0x2000), U64(0x1000), U8(4), U8(0), U16(0),
	    FIELD(20, "abcd"), U32(5), U32(2), TEXT("/bin/x"), TRAILER },
	  "MMAP2  misc 0x4002  mode user  pid 10  tid 11  start 0x400000  length 0x2000  pgoff 0x1000  "
	  "build_id 61626364  prot 0x5  flags 0x2  path \"/bin/x\"" },
	{ PERF_RECORD_AUX,
	  0,
	  { U64(0x1000), U64(4096), U64(1), TRAILER },
	  "AUX  misc 0x0  aux_offset 0x1000  aux_size 4096  flags 0x1" },
	{ PERF_RECORD_ITRACE_START,
	  0,
	  { U32(10), U32(11), TRAILER },
	  "ITRACE_START  misc 0x0  pid 10  tid 11" },
	{ PERF_RECORD_LOST_SAMPLES, 0, { U64(12), TRAILER }, "LOST_SAMPLES  misc 0x0  lost 12" },
	{ PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, { TRAILER }, "SWITCH  misc 0x2000  direction out" },
	{ PERF_RECORD_SWITCH_CPU_WIDE,
	  0,
	  { U32(20), U32(21), TRAILER },
	  "SWITCH_CPU_WIDE  misc 0x0  direction in  next_prev_pid 20  next_prev_tid 21" },
	{ PERF_RECORD_NAMESPACES,
	  0,
	  { U32(10), U32(11), U64(2), U64(4), U64(0xf0000001), U64(4), U64(0xf0000002), TRAILER },
	  "NAMESPACES  misc 0x0  pid 10  tid 11\n"
	  "    namespaces:\n"
	  "        dev 4 inode 4026531841\n"
	  "        dev 4 inode 4026531842" },
	{ PERF_RECORD_KSYMBOL,
	  0,
	  { U64(0xffffffffc0001000), U32(64), U16(1), U16(0), TEXT("bpf_prog"), TRAILER },
	  "KSYMBOL  misc 0x0  addr 0xffffffffc0001000  len 64  ksym_type 1  flags 0  name \"bpf_prog\"" },
	{ PERF_RECORD_BPF_EVENT,
	  0,
	  { U16(1), U16(0), U32(33), FIELD(8, "tagbytes"), TRAILER },
	  "BPF_EVENT  misc 0x0  bpf_type 1  flags 0  id 33  tag 7461676279746573" },
	{ PERF_RECORD_CGROUP,
	  0,
	  { U64(44), TEXT("/sys"), TRAILER },
	  "CGROUP  misc 0x0  id 44  path \"/sys\"" },
	{ PERF_RECORD_TEXT_POKE,
	  0,
	  { U64(0xffffffff81000000), U16(2), U16(3), FIELD(2, "ab"), FIELD(3, "cde"), FIELD(7, ""), TRAILER },
	  "TEXT_POKE  misc 0x0  addr 0xffffffff81000000  old 6162  new 636465" },
	{ RECORD_AUX_OUTPUT_HW_ID, 0, { U64(5), TRAILER }, "AUX_OUTPUT_HW_ID  misc 0x0  hw_id 0x5" },
	{ RECORD_CALLCHAIN_DEFERRED,
	  0,
	  { U64(0xc00c1e), U64(2), U64(0x401000), U64(0x402000), TRAILER },
	  "CALLCHAIN_DEFERRED  misc 0x0  cookie 0xc00c1e\n"
	  "    callchain: 0x401000 0x402000" },
	{ 0 },
};

const struct record_recipe tool_recipes[] = {
	{ PERF_RECORD_HEADER_ATTR,
	  0,
	  { U32(1), U32(64), U64(4), U64(1000), U64(1), U64(0), FIELD(24, ""), U64(55) },
	  "HEADER_ATTR  misc 0x0  attr{type software size 64 config 0x4 sample_period 1000 sample_type IP}\n"
	  "    ids: 55" },
	{ PERF_RECORD_HEADER_EVENT_TYPE,
	  0,
	  { U64(5), FIELD(64, "cycles") },
	  "HEADER_EVENT_TYPE  misc 0x0  event_id 5  name \"cycles\"" },
	{ PERF_RECORD_HEADER_TRACING_DATA, 0, { U32(0) }, "HEADER_TRACING_DATA  misc 0x0  payload_size 0" },
	{ PERF_RECORD_HEADER_BUILD_ID,
	  PERF_RECORD_MISC_KERNEL,
	  { U32(UINT32_MAX), FIELD(24, "01234567890123456789"), TEXT("vmlinux") },
	  "HEADER_BUILD_ID  misc 0x1  mode kernel  pid -1  "
	  "build_id 3031323334353637383930313233343536373839  path \"vmlinux\"" },
	{ PERF_RECORD_FINISHED_ROUND, 0, { { 0 } }, "FINISHED_ROUND  misc 0x0" },
	{ PERF_RECORD_ID_INDEX,
	  0,
	  { U64(1), U64(7), U64(0), U64(3), U64(UINT64_MAX) },
	  "ID_INDEX  misc 0x0\n"
	  "    entries:\n"
	  "        id 7 idx 0 cpu 3 tid -1" },
	{ PERF_RECORD_AUXTRACE_INFO,
	  0,
	  { U32(1), U32(0), U64(0x10), U64(0x20) },
	  "AUXTRACE_INFO  misc 0x0  auxtrace_type 1\n"
	  "    private: 0x10 0x20" },
	{ PERF_RECORD_AUXTRACE,
	  0,
	  { U64(0), U64(0x1000), U64(0xabc), U32(2), U32(11), U32(3), U32(0) },
	  "AUXTRACE  misc 0x0  payload_size 0  offset 0x1000  reference 0xabc  idx 2  tid 11  cpu 3" },
	{ PERF_RECORD_AUXTRACE_ERROR,
	  0,
	  { U32(1), U32(5), U32(3), U32(10), U32(11), U32(1), U64(0x401000), U64(9),
	    FIELD(64, "lost track") },
	  "AUXTRACE_ERROR  misc 0x0  error_type 1  code 5  cpu 3  pid 10  tid 11  fmt 1  ip 0x401000  "
	  "time 0.000000009  message \"lost track\"" },
	{ PERF_RECORD_THREAD_MAP,
	  0,
	  { U64(2), U64(10), FIELD(16, "one"), U64(11), FIELD(16, "sixteen letters!") },
	  "THREAD_MAP  misc 0x0\n"
	  "    threads:\n"
	  "        pid 10 comm \"one\"\n"
	  "        pid 11 comm \"sixteen letters!\"" },
	{ PERF_RECORD_CPU_MAP,
	  0,
	  { U16(0), U16(2), U16(1), U16(65535) },
	  "CPU_MAP  misc 0x0  map_type 0\n"
	  "    cpus:\n"
	  "        cpu 1\n"
	  "        cpu 65535" },
	/* of a 64-bit machine, as perf before and since 6.1 lays it out, and of a 32-bit one */
	{ PERF_RECORD_CPU_MAP,
	  0,
	  { U16(1), U16(1), U16(8), U16(0), U64(0xf0) },
	  "CPU_MAP  misc 0x0  map_type 1\n"
	  "    mask: 0xf0" },
	{ PERF_RECORD_CPU_MAP,
	  0,
	  { U16(1), U16(2), U16(8), U16(0), U64(0xf0), U64(1) },
	  "CPU_MAP  misc 0x0  map_type 1\n"
	  "    mask: 0xf0 0x1" },
	{ PERF_RECORD_CPU_MAP,
	  0,
	  { U16(1), U16(2), U16(4), U32(0xf0), U32(0x1), U16(0) },
	  "CPU_MAP  misc 0x0  map_type 1\n"
	  "    mask: 0xf0 0x1" },
	{ PERF_RECORD_CPU_MAP,
	  0,
	  { U16(2), U8(0), U8(0), U16(4), U16(7) },
	  "CPU_MAP  misc 0x0  map_type 2  any_cpu 0  start_cpu 4  end_cpu 7" },
	{ PERF_RECORD_STAT_CONFIG,
	  0,
	  { U64(2), U64(0), U64(1), U64(1), U64(1000) },
	  "STAT_CONFIG  misc 0x0\n"
	  "    config:\n"
	  "        tag 0 val 1\n"
	  "        tag 1 val 1000" },
	{ PERF_RECORD_STAT,
	  0,
	  { U64(7), U32(2), U32(0), U64(100), U64(200), U64(150) },
	  "STAT  misc 0x0  id 7  cpu 2  thread 0  val 100  ena 200  run 150" },
	{ PERF_RECORD_STAT_ROUND,
	  0,
	  { U64(1), U64(2000000000) },
	  "STAT_ROUND  misc 0x0  round_type 1  time 2.000000000" },
	{ PERF_RECORD_EVENT_UPDATE,
	  0,
	  { U64(2), U64(7), TEXT("branches") },
	  "EVENT_UPDATE  misc 0x0  update_type 2  id 7  name \"branches\"" },
	{ PERF_RECORD_TIME_CONV,
	  0,
	  { U64(10), U64(1000), U64(5) },
	  "TIME_CONV  misc 0x0  time_shift 10  time_mult 1000  time_zero 5" },
	{ PERF_RECORD_HEADER_FEATURE,
	  0,
	  { U64(HEADER_TOTAL_MEM), U64(4096) },
	  "HEADER_FEATURE  misc 0x0  feature 10  name TOTAL_MEM  bytes 8" },
	{ PERF_RECORD_FINISHED_INIT, 0, { { 0 } }, "FINISHED_INIT  misc 0x0" },
	{ PERF_RECORD_BPF_METADATA,
	  0,
	  { FIELD(16, "prog"), U64(1), FIELD(64, "version"), FIELD(256, "1.2") },
	  "BPF_METADATA  misc 0x0  prog_name \"prog\"\n"
	  "    entries:\n"
	  "        key \"version\" value \"1.2\"" },
	{ PERF_RECORD_SCHEDSTAT_CPU,
	  0,
	  { U64(4294892296), U32(3), U16(17), U16(0), U32(1), U32(2) },
	  "SCHEDSTAT_CPU  misc 0x0  timestamp 4294892296  cpu 3  version 17" },
	{ PERF_RECORD_SCHEDSTAT_DOMAIN,
	  0,
	  { U64(4294892296), U32(3), U16(17), U16(1), U32(1), U32(2) },
	  "SCHEDSTAT_DOMAIN  misc 0x0  timestamp 4294892296  cpu 3  version 17  domain 1" },
	{ 99, 0, { U64(1) }, "UNKNOWN_99  misc 0x0" }, /* a type unknown to perf */
	{ 0 },
};

/* SPLIT and SPLIT_END are missing, since the reader joins them. */
const struct record_recipe simpleperf_recipes[] = {
	{ SIMPLEPERF_RECORD_KERNEL_SYMBOL,
	  0,
	  { U32(4), FIELD(4, "text") },
	  "SIMPLE_PERF_KERNEL_SYMBOL  misc 0x0  payload_size 4" },
	{ SIMPLEPERF_RECORD_DSO,
	  0,
	  { U64(2), U64(5), U64(0x1000), TEXT("/lib/y.so") },
	  "SIMPLE_PERF_DSO  misc 0x0  dso_type 2  dso_id 5  min_vaddr 0x1000  path \"/lib/y.so\"" },
	{ SIMPLEPERF_RECORD_SYMBOL,
	  0,
	  { U64(0x1040), U64(16), U64(5), TEXT("main") },
	  "SIMPLE_PERF_SYMBOL  misc 0x0  addr 0x1040  len 16  dso_id 5  name \"main\"" },
	{ SIMPLEPERF_RECORD_EVENT_ID,
	  0,
	  { U64(1), U64(0), U64(1234) },
	  "SIMPLE_PERF_EVENT_ID  misc 0x0\n"
	  "    ids:\n"
	  "        event 0 id 1234" },
	{ SIMPLEPERF_RECORD_CALLCHAIN,
	  0,
	  { U32(10), U32(11), U64(2), U64(9), U64(2), U64(0x401000), U64(0x402000), U64(0x7ffc10),
	    U64(0x7ffc20) },
	  "SIMPLE_PERF_CALLCHAIN  misc 0x0  pid 10  tid 11  chain_type 2  time 0.000000009\n"
	  "    callchain: 0x401000 0x402000\n"
	  "    stack_pointers: 0x7ffc10 0x7ffc20" },
	{ SIMPLEPERF_RECORD_UNWINDING_RESULT,
	  0,
	  { U64(9), U64(1500), U64(3), U64(0xbad), U64(0x7ffc10), U64(0x7ffd10) },
	  "SIMPLE_PERF_UNWINDING_RESULT  misc 0x0  time 0.000000009  used_ns 1500  stop_reason 3  "
	  "stop_info 0xbad  stack_start 0x7ffc10  stack_end 0x7ffd10" },
	{ SIMPLEPERF_RECORD_TRACING_DATA,
	  0,
	  { U32(4), FIELD(4, "data") },
	  "SIMPLE_PERF_TRACING_DATA  misc 0x0  payload_size 4" },
	{ SIMPLEPERF_RECORD_DEBUG,
	  0,
	  { U64(9), TEXT("hello") },
	  "SIMPLE_PERF_DEBUG  misc 0x0  time 0.000000009  text \"hello\"" },
	{ 40000, 0, { U64(1) }, "UNKNOWN_40000  misc 0x0" },
	{ 0 },
};

const struct feature_recipe feature_recipes[] = {
	{ HEADER_BUILD_ID,
	  { U32(PERF_RECORD_HEADER_BUILD_ID), U16(2), U16(44), U32(UINT32_MAX),
	    FIELD(24, "01234567890123456789"), FIELD(8, "/bin/x") },
	  "BUILD_ID  bytes 44\n"
	  "    build_ids:\n"
	  "        pid -1 build_id 3031323334353637383930313233343536373839 path \"/bin/x\"" },
	{ HEADER_HOSTNAME, { SIZED("host") }, "HOSTNAME  bytes 68  value \"host\"" },
	{ HEADER_OSRELEASE, { SIZED("6.1") }, "OSRELEASE  bytes 68  value \"6.1\"" },
	{ HEADER_VERSION, { SIZED("6.1.1") }, "VERSION  bytes 68  value \"6.1.1\"" },
	{ HEADER_ARCH, { SIZED("x86_64") }, "ARCH  bytes 68  value \"x86_64\"" },
	{ HEADER_NRCPUS, { U32(2), U32(1) }, "NRCPUS  bytes 8  available 2  online 1" },
	{ HEADER_CPUDESC, { SIZED("A CPU") }, "CPUDESC  bytes 68  value \"A CPU\"" },
	{ HEADER_CPUID, { SIZED("A,6,1") }, "CPUID  bytes 68  value \"A,6,1\"" },
	{ HEADER_TOTAL_MEM, { U64(4096) }, "TOTAL_MEM  bytes 8  kib 4096" },
	{ HEADER_CMDLINE,
	  { U32(2), SIZED("perf"), SIZED("record") },
	  "CMDLINE  bytes 140\n"
	  "    arguments: \"perf\" \"record\"" },
	{ HEADER_EVENT_DESC,
	  { U32(1), U32(64), FIELD(64, ""), U32(1), SIZED("cycles"), U64(7) },
	  "EVENT_DESC  bytes 152  attr_size 64\n"
	  "    events:\n"
	  "        name \"cycles\" ids 1" },
	{ HEADER_CPU_TOPOLOGY,
	  { U32(1), SIZED("0-1"), U32(2), SIZED("0"), SIZED("1"), U32(0), U32(0), U32(1), U32(0), U32(1),
	    SIZED("0-1") },
	  "CPU_TOPOLOGY  bytes 300\n"
	  "    sibling_cores:\n"
	  "        value \"0-1\"\n"
	  "    sibling_threads:\n"
	  "        value \"0\"\n"
	  "        value \"1\"\n"
	  "    cpus:\n"
	  "        core 0 socket 0\n"
	  "        core 1 socket 0\n"
	  "    sibling_dies:\n"
	  "        value \"0-1\"" },
	{ HEADER_NUMA_TOPOLOGY,
	  { U32(1), U32(0), U64(1000), U64(500), SIZED("0-1") },
	  "NUMA_TOPOLOGY  bytes 92\n"
	  "    nodes:\n"
	  "        node 0 total_kib 1000 free_kib 500 cpus \"0-1\"" },
	{ HEADER_PMU_MAPPINGS,
	  { U32(2), U32(1), SIZED("software"), U32(4), SIZED("cpu") },
	  "PMU_MAPPINGS  bytes 148\n"
	  "    pmus:\n"
	  "        type 1 name \"software\"\n"
	  "        type 4 name \"cpu\"" },
	{ HEADER_GROUP_DESC,
	  { U32(1), SIZED("{a,b}"), U32(0), U32(2) },
	  "GROUP_DESC  bytes 80\n"
	  "    groups:\n"
	  "        name \"{a,b}\" leader 0 members 2" },
	{ HEADER_CACHE,
	  { U32(1), U32(1), U32(1), U32(64), U32(128), U32(8), SIZED("Data"), SIZED("64K"), SIZED("0-1") },
	  "CACHE  bytes 228  version 1\n"
	  "    caches:\n"
	  "        level 1 line_size 64 sets 128 ways 8 type \"Data\" size \"64K\" cpus \"0-1\"" },
	{ HEADER_SAMPLE_TIME,
	  { U64(1000000001), U64(2000000002) },
	  "SAMPLE_TIME  bytes 16  first 1.000000001  last 2.000000002" },
	{ HEADER_MEM_TOPOLOGY,
	  { U64(1), U64(0x8000000), U64(1), U64(0), U64(4), U64(40), U64(0xf0) },
	  "MEM_TOPOLOGY  bytes 56  version 1  block_size 0x8000000\n"
	  "    nodes:\n"
	  "        node 0 blocks 4" },
	{ HEADER_CLOCKID, { U64(1) }, "CLOCKID  bytes 8  resolution_ns 1" },
	{ HEADER_DIR_FORMAT, { U64(1) }, "DIR_FORMAT  bytes 8  version 1" },
	{ HEADER_BPF_PROG_INFO, { U32(0) }, "BPF_PROG_INFO  bytes 4  count 0" },
	{ HEADER_BPF_BTF, { U32(0) }, "BPF_BTF  bytes 4  count 0" },
	{ HEADER_COMPRESSED,
	  { U32(1), U32(1), U32(3), U32(9), U32(524288) },
	  "COMPRESSED  bytes 20  version 1  algorithm 1  level 3  ratio 9  mmap_length 524288" },
	{ HEADER_CPU_PMU_CAPS,
	  { U32(1), SIZED("branches"), SIZED("32") },
	  "CPU_PMU_CAPS  bytes 140\n"
	  "    caps:\n"
	  "        name \"branches\" value \"32\"" },
	{ HEADER_CLOCK_DATA,
	  { U32(1), U32(4), U64(1700000000000000000), U64(5000000000) },
	  "CLOCK_DATA  bytes 24  version 1  clockid 4  wall_clock 1700000000.000000000  clockid_time 5.000000000" },
	{ HEADER_HYBRID_TOPOLOGY,
	  { U32(1), SIZED("cpu_core"), SIZED("0-7") },
	  "HYBRID_TOPOLOGY  bytes 140\n"
	  "    pmus:\n"
	  "        pmu \"cpu_core\" cpus \"0-7\"" },
	{ HEADER_PMU_CAPS,
	  { U32(1), U32(1), SIZED("branches"), SIZED("32"), SIZED("cpu_core") },
	  "PMU_CAPS  bytes 212\n"
	  "    pmus:\n"
	  "        pmu \"cpu_core\"\n"
	  "            caps:\n"
	  "                name \"branches\" value \"32\"" },
	{ 33, { U32(62), U32(1) }, "E_MACHINE  bytes 8  e_machine 62  e_flags 0x1" },
	{ 34, { U32(64) }, "CLN_SIZE  bytes 4  cacheline_size 64" },
	{ 0 },
};

struct perf_event_attr record_recipe_attr(void)
{
	return (struct perf_event_attr){ .size = sizeof(struct perf_event_attr),
					 .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID |
							PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
							PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_ID,
					 .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
					 .sample_id_all = 1 };
}

static void put_padded(struct perf_data_builder *b, const struct recipe_field *field)
{
	perf_data_builder_bytes(b, field->text, strlen(field->text));
	for (uint64_t size = strlen(field->text); size < field->value; size++)
		perf_data_builder_bytes(b, "", 1);
}

static void put_field(struct perf_data_builder *b, const struct recipe_field *field)
{
	const uint8_t byte = (uint8_t)field->value;

	switch (field->kind) {
	case RECIPE_U8: perf_data_builder_bytes(b, &byte, 1); break;
	case RECIPE_U16: perf_data_builder_u16(b, (uint16_t)field->value); break;
	case RECIPE_U32: perf_data_builder_u32(b, (uint32_t)field->value); break;
	case RECIPE_U64: perf_data_builder_u64(b, field->value); break;
	case RECIPE_TEXT: perf_data_builder_text(b, field->text); break;
	case RECIPE_TRAILER: perf_data_builder_trailer(b, 10, 11, 12); break;
	case RECIPE_FIELD: put_padded(b, field); break;
	case RECIPE_SIZED:
		perf_data_builder_u32(b, (uint32_t)field->value);
		put_padded(b, field);
		break;
	default: break;
	}
}

static void put_fields(struct perf_data_builder *b, const struct recipe_field *fields)
{
	for (; fields->kind != RECIPE_END; fields++)
		put_field(b, fields);
}

bool record_recipes_have(const struct record_recipe *recipes, uint32_t type)
{
	for (; recipes->type; recipes++)
		if (recipes->type == type)
			return true;
	return false;
}

void record_recipe_build(struct perf_data_builder *b, const struct record_recipe *recipe)
{
	perf_data_builder_begin(b, recipe->type, recipe->misc);
	put_fields(b, recipe->fields);
	perf_data_builder_end(b);
}

/* Built as a record in a separate builder, without its header. */
void feature_recipe_build(struct perf_data_builder *b, const struct feature_recipe *recipe)
{
	struct perf_data_builder *aside = perf_data_builder_create(b->swap ? BUILD_SWAPPED : BUILD_NATIVE);

	perf_data_builder_begin(aside, PERF_RECORD_HEADER_FEATURE, 0);
	put_fields(aside, recipe->fields);
	perf_data_builder_end(aside);
	perf_data_builder_feature(b, recipe->feature, aside->records.bytes + PERF_RECORD_HEADER_SIZE,
				  aside->records.size - PERF_RECORD_HEADER_SIZE);
	perf_data_builder_destroy(aside);
}
