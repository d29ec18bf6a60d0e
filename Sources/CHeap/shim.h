/* What Swift's own modules of the C library leave out: mallopt(3). It is declared here, because a header of the C library
   would make this module the owner of other declarations. Other C libraries have one heap. */
#if __has_include(<gnu/libc-version.h>)
int mallopt(int parameter, int value);
#define CHEAP_ARENA_MAX -8 /* M_ARENA_MAX */
#endif

static inline void cheap_share(void) {
#ifdef CHEAP_ARENA_MAX
	mallopt(CHEAP_ARENA_MAX, 1);
#endif
}
