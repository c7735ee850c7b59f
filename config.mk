OPTION_CPPFLAGS := -DHAVE_LIBELF  -DHAVE_LIBDW  -DHAVE_LIBLZMA  -DHAVE_ZLIB  -DHAVE_LIBZSTD  -DHAVE_LIBDEFLATE  -DHAVE_LIBARCHIVE  -DHAVE_LIBTRACEEVENT -I/usr/include/traceevent  -DHAVE_LIBUNWIND_GENERIC -I/usr/include/x86_64-linux-gnu  -DHAVE_LIBIBERTY '-DLIBIBERTY_DEMANGLE_H=<libiberty/demangle.h>' -DHAVE_LIBZYDIS -DHAVE_BPF -isystem build/bpf
OPTION_LIBS := -lelf  -ldw -lelf  -llzma  -lz  -lzstd  -ldeflate  -ltraceevent  -lunwind-generic -lunwind  -liberty -lZydis
MISSING_LIBRARIES :=
HAVE_BPF := 1
BPF_CPPFLAGS := -I/usr/include/x86_64-linux-gnu -D__TARGET_ARCH_x86
BPFTOOL := /usr/sbin/bpftool
