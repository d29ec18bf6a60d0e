// A disk that fails, and that loses its power: loaded before the C library (LD_PRELOAD), it stands between a program
// and its files in one folder.
//
//   DISK_FOLDER   the folder; nothing else is touched. The files of SQLite (-wal, -journal, -shm) have no journal here
//   DISK_SEED     of everything that is random
//   DISK_CUT      calls:N or ms:N: the power goes at the Nth call that changes the folder, or N ms after the start
//   DISK_LOG      told, at a cut, what was on the disk for sure: "synced LENGTH NAME" for each file
//   DISK_FAULTS   CALL:ERROR:AFTER_MS:FOR_MS[:NAME], with commas between them: CALL (write, fdatasync, close, open,
//                 rename, ftruncate) fails so, from AFTER_MS after the first write of a file whose name ends with NAME
//                 (or of any), for FOR_MS (0: for good)
//
// When the power goes, any part of what was not synced is lost: names (creations, renames, removals) from a random one
// on, lengths of files from a random one on, and of the bytes any sectors, which then read as NUL or as they were
// before. Then the process is killed.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { SECTOR = 512, DESCRIPTORS = 1024 };

// A change of bytes that is not synced: `old` is what was there, `before` how long the file was.
struct change {
	bool isTruncation;
	off_t at, length, before, oldLength;
	char *old;
};

// A file, whatever its names.
struct file {
	dev_t device;
	ino_t number;
	int descriptor;  // of our own, for reading and writing
	char name[NAME_MAX + 1];
	struct change *changes;
	int count, room;
	off_t synced;
	struct file *next;
};

// A change of names that is not synced: `kept` is a further name of what was there.
struct naming {
	enum { CREATED, RENAMED, REMOVED } kind;
	char from[PATH_MAX], to[PATH_MAX], kept[PATH_MAX];
};

struct fault {
	char call[16], name[64];
	int error;
	int64_t after, length;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static struct file *files;
static struct file *opened[DESCRIPTORS];
static bool isFolder[DESCRIPTORS];
static struct naming *namings;
static int namingCount, namingRoom, keptNumber;
static uint64_t seed = 1;
static long callsLeft = -1;
static struct fault faults[16];
static int faultCount;
static int64_t firstWrite[16];

static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fdatasync)(int);
static int (*real_fsync)(int);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);
static int (*real_close)(int);

static uint64_t roll(uint64_t bound) {
	seed += 0x9E3779B97F4A7C15;
	uint64_t z = seed;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
	return (z ^ (z >> 31)) % (bound ? bound : 1);
}

static int64_t now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void die(const char *what) {
	dprintf(2, "disk.so: %s: %s\n", what, strerror(errno));
	_exit(99);
}

static const char *last(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool endsWith(const char *name, const char *end) {
	size_t length = strlen(name), tail = strlen(end);
	return length >= tail && strcmp(name + length - tail, end) == 0;
}

// Whether a path is one of a file in the folder; answers with its full path.
static bool isOurs(int at, const char *path, char *full) {
	if (!*folder) return false;
	if (*path == '/') {
		snprintf(full, PATH_MAX, "%s", path);
	} else if (at == AT_FDCWD) {
		char current[PATH_MAX];
		if (!getcwd(current, sizeof current)) return false;
		if (snprintf(full, PATH_MAX, "%s/%s", current, path) >= PATH_MAX) return false;
	} else {
		return false;
	}
	size_t length = strlen(folder);
	if (strncmp(full, folder, length) != 0 || full[length] != '/' || strchr(full + length + 1, '/')) return false;
	for (const char *const *end = (const char *const[]){ "-wal", "-journal", "-shm", ".db", NULL }; *end; end++)
		if (endsWith(full, *end)) return false;
	const char *name = full + length + 1;
	return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

// MARK: The power goes

static void undo(struct file *file, struct change *change) {
	if (change->oldLength && pwrite(file->descriptor, change->old, change->oldLength, change->at) != change->oldLength)
		die("cannot put bytes back");
	if (real_ftruncate(file->descriptor, change->before) != 0) die("cannot put a length back");
}

// The length is on the disk, but not each sector.
static void loseSectors(struct file *file, struct change *change) {
	if (change->isTruncation) return;
	static const char zeros[SECTOR];
	uint64_t share = roll(3) == 0 ? 0 : 1 + roll(99);
	for (off_t at = change->at; at < change->at + change->length;) {
		off_t end = (at / SECTOR + 1) * SECTOR;
		if (end > change->at + change->length) end = change->at + change->length;
		if (roll(100) < share) {
			off_t known = change->at + change->oldLength;
			if (at < known) {
				off_t part = (end < known ? end : known) - at;
				if (pwrite(file->descriptor, change->old + (at - change->at), part, at) != part) die("cannot lose bytes");
			}
			off_t from = at > known ? at : known;
			struct stat status;
			if (from < end && fstat(file->descriptor, &status) == 0 && from < status.st_size) {
				off_t to = end < status.st_size ? end : status.st_size;
				if (pwrite(file->descriptor, zeros, to - from, from) != to - from) die("cannot lose bytes");
			}
		}
		at = end;
	}
}

static void undoNaming(struct naming *naming) {
	switch (naming->kind) {
	case CREATED: real_unlink(naming->to); break;
	case RENAMED:
		real_rename(naming->to, naming->from);
		if (*naming->kept) real_rename(naming->kept, naming->to);
		break;
	case REMOVED:
		if (*naming->kept) real_rename(naming->kept, naming->from);
		break;
	}
	*naming->kept = 0;
}

static void forgetNaming(struct naming *naming) {
	if (*naming->kept) real_unlink(naming->kept);
	*naming->kept = 0;
}

// With the lock, which no other call gets any more.
static void cutPower(void) {
	const char *log = getenv("DISK_LOG");
	int told = log ? real_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
	long lost = 0, changes = 0;
	int keptNames = (int)roll(namingCount + 1);
	for (struct file *file = files; file; file = file->next) {
		changes += file->count;
		int kept = roll(4) == 0 ? file->count : (int)roll(file->count + 1);
		for (int number = file->count - 1; number >= 0; number--) {
			if (number >= kept) {
				undo(file, &file->changes[number]);
				lost++;
			} else {
				loseSectors(file, &file->changes[number]);
			}
		}
		// Without its name nobody finds it.
		bool isNamed = true;
		for (int number = 0; number < namingCount; number++)
			if (namings[number].kind == CREATED && strcmp(last(namings[number].to), file->name) == 0) isNamed = false;
		if (told >= 0) dprintf(told, "synced %lld %s\n", isNamed ? (long long)file->synced : 0, file->name);
	}
	for (int number = namingCount - 1; number >= 0; number--) {
		if (number >= keptNames) undoNaming(&namings[number]);
		else forgetNaming(&namings[number]);
	}
	if (told >= 0) dprintf(told, "cut %ld of %ld changes, %d of %d names\n", lost, changes,
		namingCount - keptNames, namingCount);
	kill(getpid(), SIGKILL);
	for (;;) pause();
}

static void count(void) {
	if (callsLeft > 0 && --callsLeft == 0) cutPower();
}

static void *cutLater(void *milliseconds) {
	int64_t left = (int64_t)(intptr_t)milliseconds;
	struct timespec time = { left / 1000, left % 1000 * 1000000 };
	while (nanosleep(&time, &time) != 0) {
	}
	pthread_mutex_lock(&lock);
	cutPower();
	return NULL;
}

// MARK: What is not synced

static struct change *note(struct file *file) {
	if (file->count == file->room) {
		file->room = file->room ? 2 * file->room : 16;
		file->changes = realloc(file->changes, file->room * sizeof *file->changes);
		if (!file->changes) die("no memory");
	}
	struct change *change = &file->changes[file->count++];
	memset(change, 0, sizeof *change);
	return change;
}

static off_t lengthOf(struct file *file) {
	struct stat status;
	return fstat(file->descriptor, &status) == 0 ? status.st_size : 0;
}

static void keepOld(struct file *file, struct change *change, off_t at, off_t end) {
	if (end > change->before) end = change->before;
	if (at >= end) return;
	change->old = malloc(end - at);
	if (!change->old) die("no memory");
	change->oldLength = pread(file->descriptor, change->old, end - at, at);
	if (change->oldLength < 0) die("cannot read what is there");
}

static void synced(struct file *file, int number, off_t length) {
	for (int index = 0; index < number; index++) free(file->changes[index].old);
	file->count -= number;
	memmove(file->changes, file->changes + number, file->count * sizeof *file->changes);
	file->synced = length;
}

static struct naming *noteNaming(void) {
	if (namingCount == namingRoom) {
		namingRoom = namingRoom ? 2 * namingRoom : 16;
		namings = realloc(namings, namingRoom * sizeof *namings);
		if (!namings) die("no memory");
	}
	struct naming *naming = &namings[namingCount++];
	memset(naming, 0, sizeof *naming);
	return naming;
}

// Beside the folder, so that nobody finds it there.
static void keepName(struct naming *naming, const char *path) {
	snprintf(naming->kept, PATH_MAX, "%.*s.kept.%d.%d", PATH_MAX - 64, folder, getpid(), keptNumber++);
	if (link(path, naming->kept) != 0) *naming->kept = 0;
}

static struct file *track(int descriptor, const char *path) {
	struct stat status;
	if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
	for (struct file *file = files; file; file = file->next)
		if (file->device == status.st_dev && file->number == status.st_ino) return file;
	struct file *file = calloc(1, sizeof *file);
	if (!file) die("no memory");
	file->device = status.st_dev;
	file->number = status.st_ino;
	// Up and away from the numbers that the program gets.
	int own = real_open(path, O_RDWR | O_CLOEXEC);
	if (own < 0) die(path);
	file->descriptor = fcntl(own, F_DUPFD_CLOEXEC, 500);
	real_close(own);
	if (file->descriptor < 0) die(path);
	strncpy(file->name, last(path), sizeof file->name - 1);
	file->next = files;
	return files = file;
}

// MARK: Faults

static bool fails(const char *call, const char *name) {
	int64_t time = now();
	for (int number = 0; number < faultCount; number++) {
		struct fault *fault = &faults[number];
		if (*fault->name && !endsWith(name, fault->name)) continue;
		// Metadata is meant only where it is named.
		if (!*fault->name && (strstr(name, "-metadata.json") || strstr(name, "-runs.jsonl") || strstr(name, "-parts.jsonl")))
			continue;
		if (!firstWrite[number]) {
			if (strcmp(call, "write") != 0) continue;
			firstWrite[number] = time;
		}
		int64_t since = time - firstWrite[number];
		if (strcmp(call, fault->call) != 0 || since < fault->after) continue;
		if (fault->length && since >= fault->after + fault->length) continue;
		errno = fault->error;
		return true;
	}
	return false;
}

static int errorNamed(const char *name) {
	static const struct { const char *name; int code; } all[] = {
		{ "EIO", EIO }, { "ENOSPC", ENOSPC }, { "EDQUOT", EDQUOT }, { "EROFS", EROFS }, { "EBADF", EBADF },
	};
	for (size_t number = 0; number < sizeof all / sizeof *all; number++)
		if (strcmp(name, all[number].name) == 0) return all[number].code;
	errno = EINVAL;
	die("DISK_FAULTS");
	return 0;
}

__attribute__((constructor)) static void begin(void) {
#define REAL(name) real_##name = dlsym(RTLD_NEXT, #name)
	REAL(open);
	REAL(openat);
	REAL(write);
	REAL(pwrite);
	REAL(ftruncate);
	REAL(fdatasync);
	REAL(fsync);
	REAL(rename);
	REAL(unlink);
	REAL(close);
	const char *text = getenv("DISK_FOLDER");
	if (text && !realpath(text, folder)) die("DISK_FOLDER");
	if ((text = getenv("DISK_SEED"))) seed = strtoull(text, NULL, 10);
	if ((text = getenv("DISK_FAULTS"))) {
		char *copy = strdup(text), *rest = NULL;
		for (char *one = strtok_r(copy, ",", &rest); one && faultCount < 16; one = strtok_r(NULL, ",", &rest)) {
			struct fault *fault = &faults[faultCount++];
			char error[16] = "";
			long long after = 0, length = 0;
			if (sscanf(one, "%15[^:]:%15[^:]:%lld:%lld:%63s", fault->call, error, &after, &length, fault->name) < 4) {
				errno = EINVAL;
				die("DISK_FAULTS");
			}
			fault->error = errorNamed(error);
			fault->after = after;
			fault->length = length;
		}
		free(copy);
	}
	if ((text = getenv("DISK_CUT"))) {
		if (strncmp(text, "calls:", 6) == 0) callsLeft = atol(text + 6);
		pthread_t thread;
		if (strncmp(text, "ms:", 3) == 0) pthread_create(&thread, NULL, cutLater, (void *)(intptr_t)atol(text + 3));
	}
}

// MARK: The calls

static int opening(int at, const char *path, int flags, mode_t mode) {
	char full[PATH_MAX];
	if (!isOurs(at, path, full)) {
		int descriptor = real_openat(at, path, flags, mode);
		if (descriptor >= 0 && descriptor < DESCRIPTORS && *folder) {
			char resolved[PATH_MAX];
			isFolder[descriptor] = (flags & O_DIRECTORY) && realpath(path, resolved) && strcmp(resolved, folder) == 0;
		}
		return descriptor;
	}
	bool writes = (flags & O_ACCMODE) != O_RDONLY;
	pthread_mutex_lock(&lock);
	if (writes) count();
	struct stat status;
	bool isThere = lstat(full, &status) == 0;
	if (writes && fails("open", full)) {
		pthread_mutex_unlock(&lock);
		return -1;
	}
	// Not without what was there.
	if (isThere && writes && (flags & O_TRUNC)) {
		errno = ENOTSUP;
		die("O_TRUNC");
	}
	int descriptor = real_openat(at, path, flags, mode);
	int error = errno;
	if (descriptor >= DESCRIPTORS) die("too many descriptors");
	if (descriptor >= 0) {
		isFolder[descriptor] = false;
		opened[descriptor] = writes ? track(descriptor, full) : NULL;
		if (writes && !isThere && opened[descriptor]) {
			struct naming *naming = noteNaming();
			naming->kind = CREATED;
			strcpy(naming->to, full);
		}
	}
	pthread_mutex_unlock(&lock);
	errno = error;
	return descriptor;
}

static mode_t modeOf(int flags, va_list list) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; }

#define OPEN(name, arguments, at) \
	int name arguments { \
		va_list list; \
		va_start(list, flags); \
		mode_t mode = modeOf(flags, list); \
		va_end(list); \
		return opening(at, path, flags, mode); \
	}
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int at, const char *path, int flags, ...), at)
OPEN(openat64, (int at, const char *path, int flags, ...), at)

static struct file *fileOf(int descriptor) {
	return descriptor >= 0 && descriptor < DESCRIPTORS ? opened[descriptor] : NULL;
}

// Which file it is in is known by its descriptor, which the program does not close meanwhile.
static ssize_t writing(int descriptor, const void *bytes, size_t length, off_t at) {
	struct file *file = fileOf(descriptor);
	pthread_mutex_lock(&lock);
	count();
	ssize_t written = -1;
	if (!fails("write", file->name)) {
		struct change change = { .before = lengthOf(file) };
		if (at < 0)
			at = fcntl(descriptor, F_GETFL) & O_APPEND ? change.before : lseek(descriptor, 0, SEEK_CUR);
		change.at = at;
		keepOld(file, &change, at, at + (off_t)length);
		// Not all of it, now and then.
		size_t some = length > 1 && roll(20) == 0 ? 1 + roll(length - 1) : length;
		written = fcntl(descriptor, F_GETFL) & O_APPEND ? real_write(descriptor, bytes, some)
			: real_pwrite(descriptor, bytes, some, at);
		int error = errno;
		if (written > 0) {
			if (!(fcntl(descriptor, F_GETFL) & O_APPEND)) lseek(descriptor, at + written, SEEK_SET);
			change.length = written;
			if (change.oldLength > written) change.oldLength = written;
			*note(file) = change;
		} else {
			free(change.old);
		}
		errno = error;
	}
	int error = errno;
	pthread_mutex_unlock(&lock);
	errno = error;
	return written;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
	return fileOf(descriptor) ? writing(descriptor, bytes, length, -1) : real_write(descriptor, bytes, length);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t at) {
	return fileOf(descriptor) ? writing(descriptor, bytes, length, at) : real_pwrite(descriptor, bytes, length, at);
}
ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));

int ftruncate(int descriptor, off_t length) {
	struct file *file = fileOf(descriptor);
	if (!file) return real_ftruncate(descriptor, length);
	pthread_mutex_lock(&lock);
	count();
	int result = -1;
	if (!fails("ftruncate", file->name)) {
		struct change change = { .isTruncation = true, .at = length, .before = lengthOf(file) };
		keepOld(file, &change, length, change.before);
		result = real_ftruncate(descriptor, length);
		if (result == 0) *note(file) = change;
		else free(change.old);
	}
	int error = errno;
	pthread_mutex_unlock(&lock);
	errno = error;
	return result;
}
int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));

static int syncing(int descriptor, int (*real)(int), const char *call) {
	if (descriptor >= 0 && descriptor < DESCRIPTORS && isFolder[descriptor]) {
		pthread_mutex_lock(&lock);
		count();
		int result = real(descriptor), error = errno;
		if (result == 0) {
			for (int number = 0; number < namingCount; number++) forgetNaming(&namings[number]);
			namingCount = 0;
		}
		pthread_mutex_unlock(&lock);
		errno = error;
		return result;
	}
	struct file *file = fileOf(descriptor);
	if (!file) return real(descriptor);
	pthread_mutex_lock(&lock);
	count();
	int result = -1;
	if (!fails(call, file->name)) {
		int number = file->count;
		off_t length = lengthOf(file);
		// The disk itself need not have it, as nothing cuts its power.
		result = 0;
		synced(file, number, length);
	}
	int error = errno;
	pthread_mutex_unlock(&lock);
	errno = error;
	return result;
}

int fdatasync(int descriptor) { return syncing(descriptor, real_fdatasync, "fdatasync"); }
int fsync(int descriptor) { return syncing(descriptor, real_fsync, "fsync"); }

int rename(const char *from, const char *to) {
	char old[PATH_MAX], new[PATH_MAX];
	if (!isOurs(AT_FDCWD, from, old) || !isOurs(AT_FDCWD, to, new)) return real_rename(from, to);
	pthread_mutex_lock(&lock);
	count();
	int result = -1, error = 0;
	if (!fails("rename", new)) {
		struct naming naming = { .kind = RENAMED };
		strcpy(naming.from, old);
		strcpy(naming.to, new);
		keepName(&naming, new);
		result = real_rename(from, to);
		error = errno;
		if (result == 0) *noteNaming() = naming;
		else forgetNaming(&naming);
	} else {
		error = errno;
	}
	pthread_mutex_unlock(&lock);
	errno = error;
	return result;
}

int unlink(const char *path) {
	char full[PATH_MAX];
	if (!isOurs(AT_FDCWD, path, full)) return real_unlink(path);
	pthread_mutex_lock(&lock);
	count();
	struct naming naming = { .kind = REMOVED };
	strcpy(naming.from, full);
	keepName(&naming, full);
	int result = real_unlink(path), error = errno;
	if (result == 0) *noteNaming() = naming;
	else forgetNaming(&naming);
	pthread_mutex_unlock(&lock);
	errno = error;
	return result;
}

int close(int descriptor) {
	struct file *file = fileOf(descriptor);
	if (!file) {
		if (descriptor >= 0 && descriptor < DESCRIPTORS) isFolder[descriptor] = false;
		return real_close(descriptor);
	}
	pthread_mutex_lock(&lock);
	count();
	bool hasFailed = fails("close", file->name);
	int error = errno;
	opened[descriptor] = NULL;
	// Linux closes the descriptor in any case.
	int result = real_close(descriptor);
	if (hasFailed) {
		result = -1;
		errno = error;
	}
	error = errno;
	pthread_mutex_unlock(&lock);
	errno = error;
	return result;
}
