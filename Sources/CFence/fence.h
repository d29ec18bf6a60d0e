/* A fence for the compiler: it moves no call, and no access to memory, from before it to behind it. It is no instruction.
   Swift's atomicMemoryFence(ordering:) is one for the processor, too: dmb ish on arm64. */
static inline void cfence_release(void) { __atomic_signal_fence(__ATOMIC_RELEASE); }
