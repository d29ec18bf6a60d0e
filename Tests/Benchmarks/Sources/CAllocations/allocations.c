#include "allocations.h"

#include <stdatomic.h>
#include <stddef.h>

// A program's own definitions take the place of the C library's, whose functions are also known by these names.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long count;

long allocations(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

static void counted(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) {
	counted();
	return __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
	counted();
	return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size) {
	counted();
	return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
	counted();
	return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
	counted();
	*out = __libc_memalign(alignment, size);
	return *out ? 0 : 12;
}
