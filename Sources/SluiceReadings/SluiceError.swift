import SluiceSystem

/// An error of a device or a file, in one sentence: the action, the object, the cause and the remedy.
///
/// ```swift
/// SluiceError(.permissionDenied, "open", "/dev/gpiochip0", because: "permission denied",
///   remedy: "add yourself to the group gpio and log in again").description
/// // cannot open /dev/gpiochip0: permission denied; add yourself to the group gpio and log in again
/// ```
public struct SluiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error.
  public enum Code: Hashable, Sendable {
    case notFound, alreadyExists, busy, permissionDenied, disconnected
    /// This kernel, library or device does not support it.
    case unsupported
    /// The content of a file or the answer of a device is invalid.
    case malformed
    /// The request makes no sense.
    case usage
    case failed
    /// A stop was requested.
    case interrupted
  }

  /// The kind of the error.
  public var code: Code
  /// The action that failed: `open`.
  public var action: String
  /// The object of the action: `/dev/gpiochip0`.
  public var object: String
  /// The cause: `permission denied`.
  public var cause: String
  /// The remedy; nil if none is known.
  public var remedy: String?
  /// The error number of the system, if there was one.
  public var errno: Int32?
  /// More sentences, if the object has several faults. A terminal shows each in a line of its own.
  package var lines: [String] = []

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

  /// A library that is loaded when it is first needed, and is not there.
  /// - Parameters:
  ///   - failure: What dlerror(3) says.
  ///   - package: Its package in Debian.
  package init(loading library: String, because failure: UnsafePointer<CChar>, package: String) {
    self.init(
      .notFound, "load", library, because: String(cString: failure), remedy: "install it with apt install \(package)")
  }

  /// Makes the error of a failed system call, with the code for its `errno`.
  public init(_ action: String, _ object: String, errno: Int32, remedy: String? = nil) {
    self.init(Code(errno: errno), action, object, because: Self.text(errno), remedy: remedy, errno: errno)
  }

  /// The error as one sentence.
  public var description: String { ([sentence] + lines).joined(separator: "; ") }

  /// The error without its ``lines``.
  package var sentence: String { "cannot \(action) \(object): \(cause)" + (remedy.map { "; \($0)" } ?? "") }

  private static func text(_ errno: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    _ = strerror_r(errno, &buffer, buffer.count)
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? "error \(errno)" : text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension SluiceError {
  /// Whether it is the error of a pipe without a reader. A reader such as `head` closes the pipe early.
  package var isOfReaderThatHasGone: Bool { errno == EPIPE }
}

extension SluiceError.Code {
  /// The code for an `errno`.
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
