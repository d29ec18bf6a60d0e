import CHeap

/// Keeps the heap small. To be called before there are several threads.
///
/// All threads allocate from one heap. The C library otherwise gives threads heaps of their own, up to eight per core, and
/// what was freed in one is no room for another: a recorder of three sources had 1.4 MB more resident with them, and grew by
/// another 3 MB in its first minutes. Small allocations come from a cache of each thread, so threads hardly wait for each
/// other. Large allocations, such as a buffer that was full, go back to the system when they are freed. The C library
/// otherwise stops to do so after the first of them.
/// Source: mallopt(3), `M_ARENA_MAX`, `M_MMAP_THRESHOLD`, `M_TRIM_THRESHOLD`.
package func limitHeap() { cheap_limit() }
