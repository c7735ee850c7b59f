#!/usr/bin/env bash
# Compiles the followed programs in many ways, and prints their list for truth. Programs that cannot be built are left out and
# named after a '#'.
#
# usage: build.sh DIRECTORY short|long
set -u
cd "$(dirname "$0")" || exit
out=$1
length=$2

have() {
	command -v "$1" >/dev/null
}

# NAME FROM STEPS COMPILER... : the compiler's output is the program to run.
program() {
	local name=$1 from=$2 steps=$3
	shift 3
	if "$@" -o "$out/${name#\~}" 2>"$out/$name.log"; then
		echo "$name $from $steps $out/${name#\~}"
	else
		echo "# $name left out: $(head -n 1 "$out/$name.log")"
	fi
}

c_program() {
	local name=$1 from=$2 steps=$3 compiler=$4
	shift 4
	program "$name" "$from" "$steps" "$compiler" -w "$@" shapes.c -lm
}

# NAME STEPS PROGRAM [ARGUMENT...]: an installed program, not a script that stands in for it.
stock() {
	local name=$1 steps=$2 path
	path=$(PATH=/usr/bin:/bin:$PATH command -v "$3")
	shift 3
	if [ -n "$path" ]; then echo "$name entry $steps+ $path $*"; else echo "# $name left out: not installed"; fi
}

# Lazy binding: the resolver is part of the stacks.
lazy=-Wl,-z,lazy
if [ "$length" = short ]; then
	c_program c-O2 entry 40000 gcc -O2 $lazy
	c_program c-O0-static entry 30000 gcc -O0 -static
	program c++-O2 entry 60000 g++ -w -O2 $lazy throws.cc
	program assembly entry 6000 gcc assembly.S
	program thread-O2 thread 8000 gcc -w -O2 -pthread threads.c
	if have rustc; then program rust-O entry 30000 rustc -O panics.rs; else echo "# rust left out: no rustc"; fi
	c_program '~c-no-cfi-stripped' entry 15000 gcc -O2 -fno-asynchronous-unwind-tables -s
	if have musl-gcc; then c_program '~musl' entry 15000 musl-gcc -O2 -static; else
		echo "# musl left out: no musl-gcc"
	fi
	exit
fi

for level in O0 O1 O2 O3 Os; do
	c_program c-$level entry 400000 gcc -$level $lazy
	program c++-$level entry 400000 g++ -w -$level $lazy throws.cc
done
c_program c-O2-fp entry 400000 gcc -O2 -fno-omit-frame-pointer
c_program c-O2-no-pie entry 400000 gcc -O2 -no-pie $lazy
c_program c-O2-static entry 400000 gcc -O2 -static
c_program c-O2-static-pie entry 400000 gcc -O2 -static-pie
c_program c-O2-start start 300000 gcc -O2
c_program c-O3-native-plt entry 400000 gcc -O3 -fcf-protection=none $lazy
c_program c-O2-debug-frame entry 400000 gcc -O2 -g -fno-asynchronous-unwind-tables
program c++-static entry 400000 g++ -w -O2 -static throws.cc
program thread-O0 thread 100000 gcc -w -O0 -pthread threads.c
program thread-O2 thread 100000 gcc -w -O2 -pthread threads.c
program thread-static thread 100000 gcc -w -O2 -static -pthread threads.c
program assembly start 200000 gcc assembly.S
program assembly-no-pie entry 20000 gcc -no-pie assembly.S
# Without call frame information; also assembly, which does not say where functions end.
no_cfi=(-fno-asynchronous-unwind-tables -fno-unwind-tables)
c_program '~c-O2-no-cfi' entry 400000 gcc -O2 "${no_cfi[@]}"
c_program '~c-O0-no-cfi' entry 400000 gcc -O0 "${no_cfi[@]}"
c_program '~c-Os-no-cfi-stripped' entry 400000 gcc -Os "${no_cfi[@]}" -s
c_program '~c-O2-no-cfi-static-stripped' entry 400000 gcc -O2 "${no_cfi[@]}" -static -s
c_program '~c-O2-no-cfi-no-pie-stripped' entry 400000 gcc -O2 "${no_cfi[@]}" -no-pie -s
grep -v '\.cfi_' assembly.S >"$out/no_cfi.S"
program '~assembly-no-cfi' start 200000 gcc "$out/no_cfi.S"
if have clang; then
	c_program '~clang-O2-no-cfi' entry 400000 clang -O2 "${no_cfi[@]}"
	for level in O0 O2; do
		c_program clang-$level entry 400000 clang -$level $lazy
		program clang++-$level entry 400000 clang++ -w -$level $lazy throws.cc
	done
	program clang-lld entry 200000 clang -w -O2 -fuse-ld=lld shapes.c -lm
fi
if have rustc; then
	program rust-debug entry 300000 rustc panics.rs
	program rust-O entry 300000 rustc -O panics.rs
	program rust-fat entry 300000 rustc -O -C lto=fat -C panic=unwind panics.rs
	program rust-musl entry 300000 rustc -O --target x86_64-unknown-linux-musl panics.rs
else
	echo "# rust left out: no rustc"
fi
if have musl-gcc; then
	c_program '~musl-O2' start 400000 musl-gcc -O2
	c_program '~musl-O2-static' entry 400000 musl-gcc -O2 -static
	c_program '~musl-O0' start 400000 musl-gcc -O0
	c_program '~musl-O0-static' entry 400000 musl-gcc -O0 -static
	c_program '~musl-Os-stripped' start 400000 musl-gcc -Os "${no_cfi[@]}" -s
	c_program '~musl-O2-static-stripped' entry 400000 musl-gcc -O2 -static "${no_cfi[@]}" -s
	program '~musl-thread' thread 100000 musl-gcc -w -O2 -static -pthread threads.c
else
	echo "# musl left out: no musl-gcc"
fi
# NAME OPTION...: without -FU and -o Free Pascal's compiler puts its output beside the source.
pascal_program() {
	local name=$1
	shift
	if fpc "$@" -FU"$out" -o"$out/${name#\~}" objects.pas >"$out/$name.log" 2>&1; then
		echo "$name entry 400000 $out/${name#\~}"
	else
		echo "# $name left out: $(tail -n 1 "$out/$name.log")"
	fi
}
if have fpc; then
	pascal_program '~pascal-O2' -O2
	pascal_program '~pascal-O2-symbols' -O2 -Xs-
	pascal_program '~pascal-O0' -O-
else
	echo "# Pascal left out: no fpc"
fi
# NAME STEPS PROGRAM EMULATOR-OPTIONS COMPILER...: for aarch64, run by QEMU.
emulated() {
	local name=$1 steps=$2 options=$3
	shift 3
	if "$@" -w -o "$out/$name" 2>"$out/$name.log"; then
		echo "$name emulator $steps qemu-aarch64 $options -L /usr/aarch64-linux-gnu $out/$name"
	else
		echo "# $name left out: $(head -n 1 "$out/$name.log")"
	fi
}
if have qemu-aarch64 && have aarch64-linux-gnu-gcc; then
	arm=aarch64-linux-gnu-gcc
	emulated arm64-O2 60000 "" $arm -O2 $lazy shapes.c -lm
	emulated arm64-O0-no-pie 60000 "" $arm -O0 -no-pie $lazy shapes.c -lm
	emulated arm64-O2-static 60000 "" $arm -O2 -static shapes.c -lm
	emulated arm64-O2-no-fp 60000 "" $arm -O2 -fomit-frame-pointer shapes.c -lm
	emulated arm64-O2-no-cfi 60000 "" $arm -O2 "${no_cfi[@]}" shapes.c -lm
	emulated arm64-no-cfi-no-fp-stripped 60000 "" $arm -O2 -fomit-frame-pointer -s "${no_cfi[@]}" shapes.c -lm
	emulated arm64-pac-bti 60000 "-cpu max" $arm -O2 -mbranch-protection=standard $lazy shapes.c -lm
	emulated arm64-pac-leaf 60000 "-cpu max" $arm -O2 -march=armv8.3-a -mbranch-protection=pac-ret+leaf shapes.c -lm
	have aarch64-linux-gnu-g++ && emulated arm64-c++ 150000 "" aarch64-linux-gnu-g++ -O2 $lazy throws.cc
else
	echo "# aarch64 left out: no qemu-aarch64 or no aarch64-linux-gnu-gcc"
fi
# NAME ARCHITECTURE BUILD-OPTION...: puts the program into the directory, or says why not.
go_program() {
	local name=$1 architecture=$2
	shift 2
	CGO_ENABLED=0 GOARCH=$architecture GOCACHE="$out/gocache" GO111MODULE=off \
		go build -o "$out/$name" "$@" goroutines.go 2>"$out/$name.log" && return
	echo "# $name left out: $(head -n 1 "$out/$name.log")"
	return 1
}
if have go; then
	go_program go amd64 && echo "go go 700000 $out/go"
	go_program go-stripped amd64 -ldflags='-s -w' && echo "go-stripped go 700000 $out/go-stripped"
	go_program go-pie amd64 -buildmode=pie && echo "go-pie go 700000 $out/go-pie"
	if have qemu-aarch64; then
		go_program go-arm64 arm64 && echo "go-arm64 emulator 60000 qemu-aarch64 $out/go-arm64"
		go_program go-arm64-stripped arm64 -ldflags='-s -w' &&
			echo "go-arm64-stripped emulator 60000 qemu-aarch64 $out/go-arm64-stripped"
	fi
else
	echo "# Go left out: no go"
fi
stock node 300000 node -e 1
stock cc1plus 200000 "$(gcc -print-prog-name=cc1plus)" -quiet -O2 throws.cc -o /dev/null
stock openssl-genrsa 200000 openssl genrsa 1024
stock ls 300000 ls -l /usr
stock xz 400000 xz -3 -k -c shapes.c
stock git 300000 git --version
stock python3 600000 python3 -c 'print(1)'
stock perl 300000 perl -e 'print(1)'
stock openssl 400000 openssl version
stock bash 300000 bash --version
stock gcc 300000 gcc -dumpversion
stock sort 200000 sort build.sh
stock awk 200000 awk 1 build.sh
# Assembly that nothing describes: libjpeg-turbo's.
{ printf 'P6\n64 64\n255\n' && head -c 12288 build.sh; head -c 12288 build.sh; head -c 12288 build.sh; } | head -c 12301 >"$out/picture.ppm"
stock cjpeg 250000 cjpeg -outfile /dev/null "$out/picture.ppm"
