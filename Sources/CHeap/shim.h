/* What Swift's own modules of the C library leave out: mallopt(3). It is declared here, because a header of the C library
   would make this module the owner of other declarations. Other C libraries have one heap. */
#if __has_include(<gnu/libc-version.h>)
int mallopt(int parameter, int value);
enum { CHEAP_TRIM_THRESHOLD = -1, CHEAP_MMAP_THRESHOLD = -3, CHEAP_ARENA_MAX = -8 }; /* M_... in malloc.h */
#endif

static inline void cheap_limit(void) {
#if __has_include(<gnu/libc-version.h>)
	mallopt(CHEAP_ARENA_MAX, 1);
	mallopt(CHEAP_MMAP_THRESHOLD, 256 * 1024);
	mallopt(CHEAP_TRIM_THRESHOLD, 256 * 1024);
#endif
}
