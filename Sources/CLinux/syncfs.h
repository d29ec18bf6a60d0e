/* What Swift's own modules of the C library leave out: syncfs(2). It is declared here, because a header of the C library would
   make this module the owner of other declarations. */
int syncfs(int descriptor);

static inline int csyncfs(int descriptor) { return syncfs(descriptor); }
