public import SluiceReadings

/// What an output needs for one of its stores, and keeps for itself: a file with its lock, or a connection.
///
/// It changes nothing before ``RecordStore/begin(_:)``, when everything that the recording will write is its own.
public protocol OutputClaim: AnyObject, Sendable {
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
  /// The folder in which the claim has created a file; nil if it has created none.
  var folderOfNewName: String? { get }
  /// Syncs this folder, so that a power cut does not lose the new file. It is called after all stores have begun, once
  /// per folder.
  func syncName() throws(SluiceError)
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
  public func lock() throws(SluiceError) {}
  public var beginsFirst: Bool { true }
  public func waitUntilReady(_ isInterrupted: () -> Bool) throws(SluiceError) {}
  public func sync() throws(SluiceError) {}
  public var folderOfNewName: String? { nil }
  public func syncName() throws(SluiceError) {}
  public func remove(withRows rows: Bool) -> String? { nil }
}

/// How readings become safe that a store has written.
public enum Safety: Sendable {
  /// Nobody says whether they are.
  case never
  /// By ``RecordStore/sync()``.
  case sync
  /// The other side says it later: ``RecordStore/acknowledge(_:)``.
  case acknowledgement
}
