/* What Swift's own modules of the C library leave out: fallocate(2), with a mode that keeps the length of the file. It is
   declared here, because a header of the C library would make this module the owner of other declarations. */
#if __SIZEOF_LONG__ == 8
int fallocate(int descriptor, int mode, long offset, long length);
#else
int fallocate64(int descriptor, int mode, long long offset, long long length);
#define fallocate fallocate64
#endif

/* FALLOC_FL_KEEP_SIZE in linux/falloc.h */
static inline int cfallocate_keeping_size(int descriptor, long long length) {
	return fallocate(descriptor, 1, 0, length);
}
