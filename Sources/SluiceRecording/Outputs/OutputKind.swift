public import SluiceReadings

/// A kind of output, with an address: a file, a folder, or something that is no file.
///
/// To add a kind, write a type of this protocol and one of ``OutputClaim``, and add the kind to `OutputKinds`. Its store
/// is the ``RecordStore`` that ``claim(_:number:for:_:)`` makes.
public protocol OutputKind: Sendable {
  /// The kind for an address as it was given; nil if it is the address of another kind.
  init?(_ address: String)
  /// The address as it was given.
  var address: String { get }
  /// Claims what the output needs. It changes nothing that exists.
  /// - Parameters:
  ///   - number: The number of the output.
  ///   - claims: What was claimed so far. Each claim is added as soon as it is there, and discarded after an error.
  /// - Returns: One store for all streams, or one for each.
  func claim(
    _ output: RecordingOutput, number: Int, for streams: [StreamDescription], _ claims: inout OutputClaims
  ) throws(SluiceError) -> [ClaimedStore]
  /// Whether its addresses may have ``Secrets``, which it fills in when it connects. False by default.
  static var hasSecrets: Bool { get }
  /// The number of bytes that may wait for it before upstream must wait.
  var capacity: Int { get }
  /// The first and the longest pause before a failed write is tried again, in nanoseconds. The pauses double.
  var retryPauses: ClosedRange<Int64> { get }

  /// The name of the format that it always has; nil if it can have others.
  var format: String? { get }
  /// - Throws: If its address cannot be right, for which nothing has to be opened.
  func check() throws(SluiceError)

  /// Whether its address is a path, so that the ending and the free space of the disk are looked at.
  var hasFiles: Bool { get }
  /// The folder of its files; nil for any other kind.
  var folder: String? { get }
  /// Its files; none for a kind without files.
  func files(of format: any RecordingFormat, for streams: [StreamDescription]) -> [OutputFile]
}

extension OutputKind {
  public static var hasSecrets: Bool { false }
  public var capacity: Int { EncodedRows.mostWaiting }
  public var retryPauses: ClosedRange<Int64> { 100_000_000...5_000_000_000 }
  public var format: String? { nil }
  public func check() throws(SluiceError) {}
  public var hasFiles: Bool { false }
  public var folder: String? { nil }
  public func files(of format: any RecordingFormat, for streams: [StreamDescription]) -> [OutputFile] { [] }
}

/// A store, and what it has claimed.
public struct ClaimedStore: Sendable {
  /// The store.
  public let store: any RecordStore
  /// What the store has claimed.
  public let claim: any OutputClaim

  /// Makes a pair.
  public init(_ store: any RecordStore, _ claim: any OutputClaim) { (self.store, self.claim) = (store, claim) }
}
