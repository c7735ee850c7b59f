#!/usr/bin/env bash
# xprof export over all available recordings: those of the corpus and of test/recordings, and random stacks with recursion,
# names of all kinds, one frame, no sample. In each format each function has the self and total of xprof report: by readers of our
# own, and by those that viewers ship (export_viewers.js).
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
command -v python3 >/dev/null || skip_all "python3 is not installed"
readers=$source_root/test/tools/export_readers.py
viewers=$source_root/test/tools/export_viewers.js
corpus=${CORPUS:-$source_root/../shared/corpus}
export NODE_PATH=$source_root/build/npm/node_modules
has_viewers=false
if command -v node >/dev/null && [ -d "$NODE_PATH/speedscope" ] && [ -d "$NODE_PATH/pprof-format" ]; then
	has_viewers=true
else
	diag "the viewers' own readers are left out: scripts/setup.sh --for=test installs them"
fi
for program in go callgrind_annotate protoc; do
	command -v $program >/dev/null || diag "$program is not installed, so is left out"
done

# NUMBER: collapsed stacks that depend only on the number.
make_stacks() {
	python3 - "$1" <<'END'
import random
import sys

seed = int(sys.argv[1])
choose = random.Random(seed)
names = ["main", "f", "g", "recursive", "operator()(int, char const*)", "std::map<a, b>::~map()", "λ", "名前", "a'b",
         "(anonymous namespace)::run", "\"quoted\"", "back\\slash", "<script>", "&amp;", "a, b", "[brackets", "tab\there",
         "\u202eevil", "e\u0301", "%s%n", "name (inlined)", "calls=1", "fn=(1)", "0 1", "two  blanks", "-", "#", "𝔘"]
kind = seed % 5
if kind == 1:
    print("alone 1")
elif kind:
    for _ in range(choose.randint(1, 60)):
        depth = 1 if kind == 2 else choose.randint(1, 40)
        some = names[:4] if kind == 3 else names
        print(";".join(choose.choice(some) for _ in range(depth)), choose.randint(1, 10 ** choose.randint(1, 12)))
END
}

# FILE: what differs if protoc, which knows nothing but the schema, reads a pprof file and writes it again.
schema=/usr/share/gocode/src/github.com/google/pprof/proto
rewritten_differently() {
	local by_schema=(protoc -I "$schema" "$schema/profile.proto")
	gzip -dc "$1" | "${by_schema[@]}" --decode=perftools.profiles.Profile >"$tmp/decoded" || return
	grep -E '^ *[0-9]+[: ]' "$tmp/decoded" # fields that the schema does not have
	mkdir -p "$tmp/again"
	"${by_schema[@]}" --encode=perftools.profiles.Profile <"$tmp/decoded" >"$tmp/again/${1##*/}"
	diff <(cd "$(dirname "$1")" && "$xprof" report --json -i "${1##*/}" 2>&1) \
		<(cd "$tmp/again" && "$xprof" report --json -i "${1##*/}" 2>&1)
}

mapfile -d '' recordings < <(find "$corpus" "$source_root/test/recordings" -type f \( -name '*.data*' -o -name '*.perfdata*' \
	-o -name '*.lbr' -o -name '*.tar.zst' \) ! -path '*/oracle/*' -size -60M -print0 2>/dev/null | sort -z)
for ((seed = 0; seed < 140; seed++)); do
	make_stacks $seed >"$tmp/generated-$seed.collapsed"
	[ -s "$tmp/generated-$seed.collapsed" ] && recordings+=("$tmp/generated-$seed.collapsed")
done

compared=0
for recording in "${recordings[@]}"; do
	"$xprof" report --json -i "$recording" >"$tmp/report.json" 2>/dev/null || continue
	files=()
	for pair in pprof=pprof firefox=firefox otlp=otlp speedscope=speedscope chrome=chrome callgrind=callgrind \
		annotate=callgrind "$(case $recording in *.collapsed) echo bare ;; *) echo collapsed ;; esac)=collapsed"; do
		format=${pair#*=}
		[ "${pair%=*}" = annotate ] || "$xprof" export -q --format="$format" -i "$recording" -o "$tmp/out.$format" \
			2>"$tmp/errors" || diag "$(cat "$tmp/errors")"
		if [ "${pair%=*}" != annotate ] || { command -v callgrind_annotate >/dev/null && [ $((compared % 8)) -eq 0 ]; }; then
			files+=("${pair%=*}=$tmp/out.$format")
		fi
	done
	if command -v go >/dev/null; then
		files+=("go=$tmp/out.pprof")
	fi
	if $has_viewers; then
		files+=("pprof_format=$tmp/out.pprof")
		# speedscope exceeds the size of a script's stack with the thousands of frames of deep.tar.zst. It knows neither an
		# empty file nor an empty list of events.
		[ "${recording##*/}" = deep.tar.zst ] || files+=("scope=$tmp/out.speedscope" "scope_pprof=$tmp/out.pprof")
		[ "${recording##*/}" != deep.tar.zst ] && [ -s "$tmp/out.collapsed" ] &&
			files+=("scope_chrome=$tmp/out.chrome" "scope_collapsed=$tmp/out.collapsed")
		# The Firefox Profiler's program takes a second for each thread.
		[ $((compared % 8)) -eq 0 ] && [ "$(gzip -dc "$tmp/out.firefox" | grep -o '"tid":' | wc -l)" -le 12 ] &&
			files+=("profiler_cli=$tmp/out.firefox")
		is "$(node "$viewers" schema "$tmp/out.speedscope" 2>&1)" "valid" "schema of speedscope: ${recording#"$corpus/"}"
	fi
	event=$(python3 -c 'import json, sys
events = [e for e in json.load(open(sys.argv[1], errors="replace"))["events"] if e["total"]["samples"]]
print(max(events, key=lambda e: e["total"]["samples"])["name"] if events else "")' "$tmp/report.json")
	for format in csv perf-script; do
		"$xprof" export -q --format=$format ${event:+--event "$event"} -i "$recording" -o "$tmp/out.$format" 2>/dev/null &&
			files+=("${format/-/_}=$tmp/out.$format")
	done
	is "$(python3 "$readers" compare "$tmp/report.json" "${files[@]}")" "" "${recording#"$corpus/"}"
	if command -v protoc >/dev/null && [ -e "$schema/profile.proto" ]; then
		is "$(rewritten_differently "$tmp/out.pprof" 2>&1)" "" "by protoc: ${recording#"$corpus/"}"
	fi
	compared=$((compared + 1))
done
diag "$compared recordings"
ok "there are at least 100 recordings, and 200 with the corpus" test "$compared" -ge "$([ -d "$corpus" ] && echo 200 || echo 100)"
done_testing
