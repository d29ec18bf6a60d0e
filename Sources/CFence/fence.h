/* A fence for the compiler: the compiler moves no call and no access to memory from before the fence to behind it. The
   fence is no instruction. Swift's atomicMemoryFence(ordering:) is also a fence for the processor: dmb ish on arm64. */
static inline void cfence_release(void) { __atomic_signal_fence(__ATOMIC_RELEASE); }
