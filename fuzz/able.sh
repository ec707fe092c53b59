#!/bin/sh
# Whether this machine can fuzz; if not, says why.
if [ -z "$FUZZ_CC" ]; then
	echo 'fuzzing is left out: there is no clang'
	exit 1
fi
if ! echo 'int LLVMFuzzerTestOneInput(const char *p, unsigned long n); int LLVMFuzzerTestOneInput(const char *p, unsigned long n)
	{ return n && *p == 1; }' | "$FUZZ_CC" -fsanitize=fuzzer,address -x c -o /dev/null - 2>/dev/null; then
	echo "fuzzing is left out: $FUZZ_CC has no libFuzzer runtime (Debian: apt install libclang-rt-14-dev)"
	exit 1
fi
