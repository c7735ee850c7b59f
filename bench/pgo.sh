#!/usr/bin/env bash
# Closes the loop: builds a real program (Lua, from Debian's source package) with clang, records it at work, gives the compiler
# the profile, and measures both programs in pairs, in turn, on other work of the same kind. Prints the ratio of their user
# times with its 95% interval: faster only if the interval lies below 1.
#
# To show the possible gain, a build with the compiler's own counters (-fprofile-generate) is in the comparison, and, if
# llvm-bolt is installed, the plain build laid out anew by BOLT from the same recording.
#
# PGO_EVENT=EVENT records another event instead of cpu-clock:u; with PGO_BRANCHES=1 it records branches (-b).
#
# usage: pgo.sh        RUNS=40 pairs of each (default: 20), CLANG=clang-16, LLVM_BOLT=llvm-bolt-16
set -eu
cd "$(dirname "$0")/.."
xprof=$(realpath "${XPROF:-${BUILD:-build}/xprof}")
runs=${RUNS:-20}
clang=${CLANG:-clang}
work=$(realpath "${BUILD:-build}")/bench/pgo
bolt=${LLVM_BOLT:-$(command -v llvm-bolt || command -v llvm-bolt-19 || command -v llvm-bolt-16 || true)}
version=$("$clang" --version | sed -nE '1s/.*version ([0-9]+).*/\1/p')
profdata=$(command -v "llvm-profdata-$version" || command -v llvm-profdata || true)
mkdir -p "$work"
cd "$work"
export CCACHE_DISABLE=1

# --- the program -------------------------------------------------------------------------------------------------

# Source packages come from the same lists as packages.
fetch() {
	mkdir -p apt/lists/partial apt/parts
	for list in /etc/apt/sources.list.d/debian*.sources; do
		sed 's/^Types: deb$/Types: deb-src/' "$list" >"apt/parts/${list##*/}"
	done
	! grep -hE '^deb ' /etc/apt/sources.list 2>/dev/null | sed 's/^deb /deb-src /' | grep . >apt/parts/debian.list ||
		[ -s apt/parts/debian.list ]
	[ -s apt/parts/debian.list ] || rm -f apt/parts/debian.list
	local options=(-o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/apt/parts" -o "Dir::State::lists=$work/apt/lists")
	apt-get "${options[@]}" -qq update 2>/dev/null
	apt-get "${options[@]}" -qq source --download-only lua5.4 2>/dev/null
	mkdir -p lua
	tar -xf lua5.4_*.orig.tar.* -C lua --strip-components=1
}
[ -f lua/src/lvm.c ] || fetch

# NAME OPTION...: build it under that name.
compile() {
	local name=$1
	shift
	local sources=()
	for source in lua/src/*.c; do
		[ "$source" = lua/src/luac.c ] || sources+=("$source")
	done
	"$clang" -O2 -std=gnu99 -DLUA_USE_POSIX -fno-pie -no-pie -g -fdebug-info-for-profiling "$@" -Wl,--emit-relocs -o "$name" \
		"${sources[@]}" -lm 2>"$name.err" || { cat "$name.err" >&2; exit 1; }
}

# --- work to learn from, and to measure ---------------------------------------------------------------------------

# SIZE SEED: different numbers, so that the measured input is not the training input.
write_program() {
	cat <<END
math.randomseed($2)
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local function sieve(n)
	local composite, count = {}, 0
	for i = 2, n do
		if not composite[i] then
			count = count + 1
			for j = i * i, n, i do composite[j] = true end
		end
	end
	return count
end
local function words(n)
	local seen, out = {}, {}
	for i = 1, n do
		local word = string.format("w%d", math.random(1, n // 4))
		seen[word] = (seen[word] or 0) + 1
	end
	for word, times in pairs(seen) do out[#out + 1] = { word = word, times = times } end
	table.sort(out, function(a, b) if a.times ~= b.times then return a.times > b.times end return a.word < b.word end)
	return out[1].word
end
local point = {}
point.__index = point
function point.new(x, y) return setmetatable({ x = x, y = y }, point) end
function point:add(other) return point.new(self.x + other.x, self.y + other.y) end
local function objects(n)
	local p = point.new(0, 0)
	for i = 1, n do p = p:add(point.new(i, -i)) end
	return p.x
end
local function text(n)
	local parts = {}
	for i = 1, n do parts[#parts + 1] = ("%d:%s"):format(i, ("x"):rep(i % 7)) end
	local s = table.concat(parts, ",")
	return #s:gsub("(%d+):", "<%1>")
end
for _ = 1, $1 do
	fib($((21 + $2 % 2))); sieve($((30000 + $2))); words($((9000 + $2))); objects($((40000 + $2))); text($((5000 + $2)))
end
END
}
write_program 40 1 >train.lua
write_program 20 2 >measure.lua

# --- the loop --------------------------------------------------------------------------------------------------------

compile plain
record=(-e "${PGO_EVENT:-cpu-clock:u}" -c 200000)
[ -z "${PGO_BRANCHES-}" ] || record=(-e "${PGO_EVENT:-cycles:u}" -b)
"$xprof" record -q "${record[@]}" -o plain.data -- ./plain train.lua
echo "recorded $("$xprof" report --stats -i plain.data | awk '$1 == "SAMPLE" { print $3; exit }') samples"
"$xprof" export -q --format=llvm-sample -i plain.data -o plain.prof
compile sampled -fprofile-sample-use=plain.prof
if [ -n "$profdata" ]; then
	compile counting -fprofile-generate
	LLVM_PROFILE_FILE=counted.profraw ./counting train.lua
	"$profdata" merge -o counted.profdata counted.profraw
	compile counted -fprofile-use=counted.profdata
fi
if [ -n "$bolt" ]; then
	"$xprof" export -q --format=bolt -i plain.data -o plain.fdata
	"$bolt" plain -data plain.fdata -o bolted -reorder-blocks=ext-tsp -reorder-functions=hfsort -split-functions >bolt.out 2>&1 ||
		{ cat bolt.out >&2; exit 1; }
fi

# --- measure -----------------------------------------------------------------------------------------------------------

# NAME...: user seconds of each against plain, in turn; each pair begins with another one.
TIMEFORMAT=%U
compare() {
	local name=$1 i
	for ((i = 0; i < runs; i++)); do
		if ((i % 2)); then
			first=$({ time "./$name" measure.lua >/dev/null; } 2>&1)
			second=$({ time ./plain measure.lua >/dev/null; } 2>&1)
			echo "$second $first"
		else
			first=$({ time ./plain measure.lua >/dev/null; } 2>&1)
			second=$({ time "./$name" measure.lua >/dev/null; } 2>&1)
			echo "$first $second"
		fi
	done >"$name.times"
	awk -v name="$name" '
		{ r = log($2 / $1); sum += r; squares += r * r; n++; plain += $1; other += $2 }
		END {
			mean = sum / n
			# t of 95% for 19 degrees of freedom is 2.09; for more it is less.
			half = 2.09 * sqrt((squares - n * mean * mean) / (n - 1) / n)
			printf "%-8s %.3f s, plain %.3f s: ratio %.3f [%.3f, %.3f]: %s\n", name, other / n, plain / n, exp(mean),
				exp(mean - half), exp(mean + half), (mean + half < 0 ? "faster" : mean - half > 0 ? "slower" : "no difference is shown")
		}' "$name.times"
}
compare plain # against itself: shows the effect of chance
compare sampled
[ ! -x counted ] || compare counted
[ ! -x bolted ] || compare bolted
