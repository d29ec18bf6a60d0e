import Sluice
package import SluiceReadings

/// The kinds that a program has added to those of this package: of sources, stages, formats, outputs or traces.
///
/// A program adds them before the first plan or command is parsed. All functions may be called on any thread.
package struct AddedKinds<Kind: Sendable>: Sendable {
  /// A kind in words: `kind of source`.
  private let what: String
  private let kinds = Locked<[(name: String, kind: Kind)]>([])

  package init(_ what: String) { self.what = what }

  // Not by key paths: each start of a command asks for these lists 40 times.
  package var all: [Kind] { kinds.withLock { $0.map { $0.kind } } }
  package var names: [String] { kinds.withLock { $0.map { $0.name } } }

  /// - Parameter own: The names of this package's kinds.
  /// - Throws: A `SluiceError` if there is such a kind already, or if its name has other characters than small letters,
  ///   digits and hyphens.
  package func add(_ kind: Kind, _ name: String, besides own: [String]) throws(SluiceError) {
    let isPlain = name.utf8.allSatisfy {
      (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
    }
    if name.isEmpty || !isPlain { throw refusal(name, "a name has small letters, digits and hyphens") }
    if own.contains(name) { throw refusal(name, "sluice has a \(what) of this name") }
    let isNew = kinds.withLock { kinds in
      guard !kinds.contains(where: { $0.name == name }) else { return false }
      kinds.append((name, kind))
      return true
    }
    if !isNew { throw refusal(name, "it was added before") }
  }

  private func refusal(_ name: String, _ cause: String) -> SluiceError {
    SluiceError(.usage, "add", "the \(what) \"\(name)\"", because: cause, remedy: "give it another name")
  }

  /// Removes a kind. For tests, which share one process.
  package func remove(_ name: String) { kinds.withLock { $0.removeAll { $0.name == name } } }
}
