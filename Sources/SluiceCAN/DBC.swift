package import SluiceReadings
import SluiceSystem

/// The messages and signals of a DBC file, which describes the frames of a bus.
package struct DBC: Equatable, Sendable {
  /// The messages in the order of the file. Those without a frame of their own are left out: `VECTOR__INDEPENDENT_SIG_MSG`,
  /// which holds signals of no message, and messages of more than 64 bytes, which a transport protocol cuts into frames.
  package var messages: [CANMessage] = []

  package init(messages: [CANMessage] = []) { self.messages = messages }

  /// The size of the largest file that is read. Those of whole cars have 1 to 5 MB.
  package static let largest = 16 << 20

  /// Reads a file.
  /// - Throws: An error with the line and the cause.
  package init(path: String) throws(SluiceError) {
    let bytes = try Self.read(path)
    do throws(DBCFault) { try self.init(bytes) } catch { throw error.error(of: path) }
  }

  /// Parses the text of a file.
  package init(_ bytes: [UInt8]) throws(DBCFault) {
    var parser = DBCParser(bytes)
    messages = try parser.messages()
  }

  private static func read(_ path: String) throws(SluiceError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(SystemErrno) {
      // So that a FIFO without a writer does not block it.
      let descriptor = try openFile(path, O_RDONLY | O_NONBLOCK)
      defer { closeFile(descriptor) }
      var chunk = [UInt8](repeating: 0, count: 256 << 10)
      while bytes.count <= largest, case let count = try readBytes(descriptor, into: &chunk), count > 0 {
        bytes += chunk[..<count]
      }
    } catch {
      throw SluiceError("read", path, errno: error.code, remedy: "give the path of a DBC file that this user may read")
    }
    guard bytes.count <= largest else {
      throw SluiceError(
        .unsupported, "read", path, because: "it is larger than \(largest >> 20) MiB",
        remedy: "give a DBC file that has only the messages to record")
    }
    return bytes
  }
}

/// A fault of a DBC file.
package struct DBCFault: Error, Equatable {
  package var line: Int
  package var cause: String
  package var remedy: String?

  func error(of path: String) -> SluiceError {
    SluiceError(
      .malformed, "read", path, because: "line \(line): \(cause)", remedy: remedy ?? "correct the file, or give another"
    )
  }
}
