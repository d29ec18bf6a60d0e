package import SluiceReadings

/// What an output needs for one of its stores, and keeps for itself: a file with its lock, or a connection.
///
/// It changes nothing before ``RecordStore/begin(_:)``, when everything that the recording will write is its own.
package protocol OutputClaim: AnyObject, Sendable {
  /// Its name in messages.
  var name: String { get }
  /// Excludes other recordings until it is closed.
  func lock() throws(SluiceError)
  /// Whether its store begins before those that change something that exists. If it cannot begin, nothing has been
  /// changed.
  var beginsFirst: Bool { get }
  /// Waits until the store can begin without further waiting.
  /// - Parameter isInterrupted: Asked again and again.
  func waitUntilReady(_ isInterrupted: () -> Bool) throws(SluiceError)
  /// Makes what the store has begun with safe.
  func sync() throws(SluiceError)
  /// Makes its name safe, after the beginnings of all stores.
  /// - Parameter folders: The folders that were synced for others.
  func syncName(_ folders: inout Set<ExactName>) throws(SluiceError)
  /// Closes the claim of a recording that could not begin, and removes what the claim has made.
  func discard()

  /// How written readings become safe.
  var safety: Safety { get }
  /// Whether a failed write should be tried again.
  func comesBack(from error: SluiceError) -> Bool

  /// Removes what the recording made or overwrote, after its end, unless it has earlier contents.
  /// - Parameter rows: Whether there are rows, which are removed as well.
  /// - Returns: The name of what was removed; nil if it stays.
  func remove(withRows rows: Bool) -> String?
}

extension OutputClaim {
  package func lock() throws(SluiceError) {}
  package var beginsFirst: Bool { true }
  package func waitUntilReady(_ isInterrupted: () -> Bool) throws(SluiceError) {}
  package func sync() throws(SluiceError) {}
  package func syncName(_ folders: inout Set<ExactName>) throws(SluiceError) {}
  package func remove(withRows rows: Bool) -> String? { nil }
}

/// How readings become safe that a store has written.
package enum Safety: Sendable {
  /// Nobody says whether they are.
  case never
  /// By ``RecordStore/sync()``.
  case sync
  /// The other side says it later: ``RecordStore/acknowledge(_:)``.
  case acknowledgement
}
