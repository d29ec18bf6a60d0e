/* What Swift's own modules of the C library leave out: the time at which a file was made, of statx(2) (Linux 4.11). It
   is declared here, because a header of the C library would make this module the owner of other declarations. */
struct statx;
int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *status);

/* The beginning of struct statx in linux/stat.h, which has 256 bytes. */
struct cstatx {
	unsigned int mask, block_size;
	unsigned long long attributes;
	unsigned int links, owner, group;
	unsigned short mode, spare;
	unsigned long long inode, size, blocks, attributes_mask;
	struct cstatx_time {
		long long seconds;
		unsigned int nanoseconds;
		int reserved;
	} access, birth;
	unsigned long long rest[20];
};

/* Gives the nanoseconds of the second, or -1 if the file system does not know the time. The numbers are AT_FDCWD,
   AT_SYMLINK_NOFOLLOW, and STATX_BTIME. */
static inline long cstatx_birth(const char *path, long long *seconds) {
	struct cstatx status;
	if (statx(-100, path, 0x100, 0x800, (struct statx *)&status) || !(status.mask & 0x800)) return -1;
	*seconds = status.birth.seconds;
	return (long)status.birth.nanoseconds;
}
