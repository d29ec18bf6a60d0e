package import SluiceReadings
import SluiceSystem

/// Standard input, a FIFO, a terminal or another file.
package final class FileWire: LineWire {
  private let path: String
  private var descriptor: Int32 = -1

  /// - Parameter path: The path; `-` is standard input.
  package init(_ path: String) { self.path = path }

  package var title: String { path == "-" ? "standard input" : path }
  package var descriptors: [Int32] { descriptor < 0 ? [] : [descriptor] }
  /// Nothing is lost: a file has all its lines, and the writer of a pipe waits until they are read.
  package var coverage: LossReport { LossReport(coverage: .all) }

  /// Opens the file. It waits for the writer of a FIFO.
  package func open(isInterrupted: () -> Bool) throws(SluiceError) {
    do throws(SystemErrno) {
      if path == "-" {
        descriptor = try valueOrErrno { fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) }
      } else {
        guard let opened = try openWaiting(path, O_RDONLY, isInterrupted: isInterrupted) else {
          throw SystemErrno(EINTR)
        }
        descriptor = opened
      }
    } catch {
      if error.code == EINTR {
        throw SluiceError(.interrupted, "wait for the writer of", title, because: "a stop was requested")
      }
      throw SluiceError("open", title, errno: error.code, remedy: "give a file, a FIFO or - that this user may read")
    }
  }

  package func read(
    _ ready: [Bool], into bytes: UnsafeMutableRawBufferPointer
  ) throws(SluiceError) -> LineRead {
    // A descriptor that others share may block, so it is read only when something is there.
    guard ready.first == true else { return .nothing }
    do throws(SystemErrno) {
      guard let count = try readWithoutWaiting(descriptor, into: bytes) else { return .nothing }
      if count > 0 { return .bytes(count) }
    } catch {
      throw SluiceError("read", title, errno: error.code)
    }
    return .end
  }

  package func close() {
    if descriptor >= 0 { closeFile(descriptor) }
    descriptor = -1
  }
}
