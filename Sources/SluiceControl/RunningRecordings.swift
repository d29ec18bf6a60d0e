package import SluiceReadings
import SluiceSystem

/// The recordings of this machine that can be asked: those of the user, and those of services.
package struct RunningRecordings {
  /// A socket that is there. Whether somebody listens is known when it is asked.
  package struct Entry: Hashable, Sendable {
    package let name: String
    package let path: String
  }

  /// By name; those of the user first.
  package let entries: [Entry]

  package init(_ surroundings: ControlPlace.Surroundings) {
    entries = ControlPlace.all(surroundings).flatMap { folder in
      ((try? SystemFiles().names(in: folder)) ?? []).filter { $0.hasSuffix(ControlSocket.ending) }.sorted()
        .map { Entry(name: String($0.dropLast(ControlSocket.ending.count)), path: "\(folder)/\($0)") }
    }
  }

  /// Those of a name.
  package func named(_ name: ControlName) -> [Entry] {
    entries.filter { $0.name.utf8.elementsEqual(name.description.utf8) }
  }

  /// What an entry says of itself in a list.
  package enum Standing {
    /// Its process, and a line.
    case running(process: Int32?, String)
    /// It does not answer, or not to this user.
    case silent(SluiceError)
  }

  /// Asks an entry.
  /// - Returns: Nil if nobody listens: a killed recording has left the socket.
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
