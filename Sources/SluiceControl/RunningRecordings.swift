package import SluiceReadings
import SluiceSystem

/// The recordings of this machine that `sluice ctl` finds: the recordings of the user, and of services.
package struct RunningRecordings {
  /// A socket that exists. Only a request shows whether a recording listens.
  package struct Entry: Equatable, Sendable {
    package let name: String
    package let path: String
  }

  /// In the order of their names; the recordings of the user come first.
  package let entries: [Entry]

  package init(_ surroundings: ControlPlace.Surroundings) {
    entries = ControlPlace.all(surroundings).flatMap { folder in
      ((try? SystemFiles().names(in: folder)) ?? []).filter { $0.hasSuffix(ControlSocket.ending) }.sorted()
        .map { Entry(name: String($0.dropLast(ControlSocket.ending.count)), path: "\(folder)/\($0)") }
    }
  }

  /// The entries with a name.
  package func named(_ name: ControlName) -> [Entry] {
    entries.filter { $0.name.utf8.elementsEqual(name.description.utf8) }
  }

  /// The state of an entry in the list of `sluice ctl`.
  package enum Standing {
    /// The process of the recording, and a line about it.
    case running(process: Int32?, String)
    /// The recording does not answer, or not to this user.
    case silent(SluiceError)
  }

  /// Asks an entry.
  /// - Returns: Nil if no recording listens, because a killed recording has left the socket.
  package static func standing(_ entry: Entry, within milliseconds: Int = 2_000) -> Standing? {
    do throws(SluiceError) {
      let client = try ControlClient(entry.path, entry.name, within: milliseconds)
      try client.send(.status(follows: false))
      while let reply = try client.reply(within: milliseconds) {
        if reply.kind == "status" {
          let lines = (reply.text ?? "").split(separator: "\n")
          return .running(process: client.process, String(lines.dropFirst().first ?? ""))
        }
        throw SluiceError(.failed, "ask", entry.name, because: reply.content)
      }
      return nil
    } catch {
      return error.code == .notFound ? nil : .silent(error)
    }
  }
}
