/* What Swift's own modules of the C library leave out: mallopt(3), malloc_trim(3), and where the program is. They are declared here, because a header of the C library
   would make this module the owner of other declarations. Other C libraries have one heap. */
#if __has_include(<gnu/libc-version.h>)
#include <stddef.h>
int mallopt(int parameter, int value);
int malloc_trim(size_t pad);
int madvise(void *address, size_t length, int advice);
enum { CHEAP_TRIM_THRESHOLD = -1, CHEAP_MMAP_THRESHOLD = -3, CHEAP_ARENA_MAX = -8 }; /* M_... in malloc.h */
#endif

static inline void cheap_limit(void) {
#if __has_include(<gnu/libc-version.h>)
	mallopt(CHEAP_ARENA_MAX, 1);
	mallopt(CHEAP_MMAP_THRESHOLD, 256 * 1024);
	mallopt(CHEAP_TRIM_THRESHOLD, 256 * 1024);
#endif
}

static inline void cheap_trim(void) {
#if __has_include(<gnu/libc-version.h>)
	malloc_trim(0);
#endif
}

/* The linker defines both, but perhaps not every linker. */
extern char __executable_start[] __attribute__((weak));
extern char etext[] __attribute__((weak));

/* The whole pages of the instructions; 0 if they are not known. */
static inline void cheap_program(size_t *first, size_t *end) {
	enum { PAGE = 64 * 1024 }; /* the largest page of any machine */
	*first = ((size_t)__executable_start + PAGE - 1) & ~(size_t)(PAGE - 1);
	*end = (size_t)etext & ~(size_t)(PAGE - 1);
	if (!__executable_start || !etext || *first >= *end) *first = *end = 0;
}

static inline void cheap_unmap(size_t first, size_t end) {
#if __has_include(<gnu/libc-version.h>)
	enum { CHEAP_DONTNEED = 4 }; /* MADV_DONTNEED */
	madvise((void *)first, end - first, CHEAP_DONTNEED);
#endif
}
