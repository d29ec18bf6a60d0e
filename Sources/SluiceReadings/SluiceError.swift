#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What went wrong with a device or a file, as one sentence: what was tried, on what, what the system said, what to do.
///
/// ```swift
/// SluiceError(.permissionDenied, "open", "/dev/gpiochip0", because: "permission denied",
///   remedy: "add yourself to the group gpio and log in again").description
/// // cannot open /dev/gpiochip0: permission denied; add yourself to the group gpio and log in again
/// ```
public struct SluiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of error it is.
  public enum Code: Hashable, Sendable {
    case notFound, alreadyExists, busy, permissionDenied, disconnected
    /// This kernel, library or device cannot do it.
    case unsupported
    /// A file or a device says something that cannot be right.
    case malformed
    /// The caller asked for something that makes no sense.
    case usage
    case failed
    /// It was asked to stop.
    case interrupted
  }

  /// What kind of error it is.
  public var code: Code
  /// What was tried: `open`.
  public var action: String
  /// What it was tried on: `/dev/gpiochip0`.
  public var object: String
  /// Why it failed: `permission denied`.
  public var cause: String
  /// What may help; nil if nothing is known.
  public var remedy: String?
  /// The system's own number, where there was one.
  public var errno: Int32?

  /// Makes an error.
  public init(
    _ code: Code, _ action: String, _ object: String, because cause: String, remedy: String? = nil, errno: Int32? = nil
  ) {
    self.code = code
    self.action = action
    self.object = object
    self.cause = cause
    self.remedy = remedy
    self.errno = errno
  }

  /// From a failed system call, with the code that belongs to its `errno`.
  public init(_ action: String, _ object: String, errno: Int32, remedy: String? = nil) {
    self.init(Code(errno: errno), action, object, because: Self.text(errno), remedy: remedy, errno: errno)
  }

  /// The error as one sentence.
  public var description: String {
    "cannot \(action) \(object): \(cause)" + (remedy.map { "; \($0)" } ?? "")
  }

  private static func text(_ errno: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    _ = strerror_r(errno, &buffer, buffer.count)
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? "error \(errno)" : text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension SluiceError {
  /// A pipe could not be written because its reader has closed it, as `head` does.
  package var isOfReaderThatHasGone: Bool { errno == EPIPE }
}

extension SluiceError.Code {
  /// The code that belongs to an `errno`.
  public init(errno: Int32) {
    switch errno {
    case ENOENT, ENXIO, ENOTDIR: self = .notFound
    case EINTR: self = .interrupted
    case EEXIST: self = .alreadyExists
    case EBUSY: self = .busy
    case EACCES, EPERM, EROFS: self = .permissionDenied
    case ENODEV: self = .disconnected
    case EOPNOTSUPP, ENOTTY, ENOSYS, ENOTSUP: self = .unsupported
    default: self = .failed
    }
  }
}
