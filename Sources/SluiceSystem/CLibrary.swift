// The C library of the platform. All modules import it from here.
#if canImport(Glibc)
  // Headers that Glibc's module leaves out. It is exported with it, because both have the declarations of common headers,
  // such as `timespec`, and which of the two the compiler takes as their owner depends on the order of the build.
  @_exported public import CLinux
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import CLinux
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
