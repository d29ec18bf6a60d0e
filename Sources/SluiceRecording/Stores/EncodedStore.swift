import Sluice
package import SluiceReadings

/// Stores readings as the bytes of a format.
package final class EncodedStore<Encoder: RecordingEncoder>: RecordStore, @unchecked Sendable {
  // The lock of the sink protects the gathered readings. After the beginning, only the queue of the output uses
  // `bytes`.

  private let makeEncoder: () -> Encoder
  @exclusivity(unchecked) private var encoder: Encoder
  private let bytes: any ByteStore
  @exclusivity(unchecked) private var rows = EncodedRows.spare(after: 0)
  /// All streams, if some were added since the beginning.
  private var described: [StreamDescription]?
  /// The cut of parts, for a recording in parts.
  @exclusivity(unchecked) private var cut: PartCut?
  /// Set if the gathered readings begin a part.
  private var start: PartStart?
  /// Whether the gathered readings are the last of their part.
  @exclusivity(unchecked) private var endsPart = false
  /// The bytes of a batch.
  @exclusivity(unchecked) private let length: Int
  /// Whether a batch waits for its bytes, like an open row, because each one costs something in the file.
  private let isChunked: Bool
  /// Whether the gathered readings are a batch, though they have fewer bytes.
  private var endsChunk = false

  /// The only stream, if there is one. Then counting its readings does not need the readings.
  private var only: Int?

  /// A store of a file.
  /// - Parameter makeEncoder: Makes an encoder for each part.
  package convenience init(_ file: ClaimedFile, _ streams: EncoderStreams, _ makeEncoder: @escaping () -> Encoder) {
    self.init(byteStore(for: file), streams, file.series?.rotation, makeEncoder)
  }

  /// - Parameters:
  ///   - rotation: The rotation into parts; nil for a store without parts.
  ///   - chunk: The bytes of a batch that waits for them as an open row waits; nil for batches that do not wait.
  ///   - makeEncoder: Makes an encoder for each part.
  package init(
    _ bytes: any ByteStore, _ streams: EncoderStreams, _ rotation: Rotation? = nil, chunk: Int? = nil,
    _ makeEncoder: @escaping () -> Encoder
  ) {
    (length, isChunked) = (chunk ?? EncodedRows.batch, chunk != nil)
    only = streams.streams.count == 1 ? streams.base : nil
    self.makeEncoder = makeEncoder
    encoder = makeEncoder()
    self.bytes = bytes
    cut = rotation.map { PartCut($0) }
  }

  package func check() throws(SluiceError) {
    try bytes.check(header: encoder.header) { encoder.fault(inFileThatBegins: $0) }
  }

  package func begin(_ found: (OutputEvent) -> Void) throws(SluiceError) {
    try bytes.begin(header: encoder.header, found)
  }

  package func append(_ readings: UnsafeBufferPointer<Reading>) -> Int {
    guard cut == nil else { return appendInParts(readings) }
    return encoder.encode(readings, into: rows, until: length)
  }

  private func appendInParts(_ readings: UnsafeBufferPointer<Reading>) -> Int {
    guard var cut, let first = readings.first else { return 0 }
    defer { self.cut = cut }
    if cut.isDue(first.time, hasOpenRow: encoder.hasOpenRow) {
      if cut.isOpen { encoder.endRow(into: rows) }
      // A batch has readings of one part only.
      guard rows.text.count == 0, rows.leftOut.isEmpty else {
        endsPart = true
        return 0
      }
      encoder = makeEncoder()
      if let described { encoder.describe(described) }
      start = PartStart(time: first.time, header: encoder.header, keep: cut.keep)
      cut.begin(at: first.time, header: encoder.header.count)
    }
    let before = rows.text.count
    let count = encoder.encode(
      UnsafeBufferPointer(rebasing: readings[..<cut.prefix(of: readings)]), into: rows,
      until: min(length, before + max(1, cut.room)))
    cut.add(rows.text.count - before)
    if count > 0 { cut.take(readings[count - 1]) }
    return count
  }

  package var isFull: Bool { endsPart || rows.text.count >= length }
  package var isEmpty: Bool { rows.text.count == 0 && rows.leftOut.isEmpty && !encoder.hasOpenRow }
  package var hasOpenRow: Bool { encoder.hasOpenRow || isChunked && rows.text.count > 0 && !endsChunk }

  package func endRow() {
    endsChunk = isChunked
    // The end of the encoded text needs an open part.
    guard cut?.isOpen ?? true else { return }
    let before = rows.text.count
    encoder.endRow(into: rows)
    cut?.add(rows.text.count - before)
  }

  package func endPart() -> Bool {
    cut?.endPart()
    return cut != nil
  }

  package func rotate(by rotation: Rotation) -> Bool {
    cut?.change(rotation)
    return cut != nil
  }

  package func batch() -> (any RecordBatch)? {
    guard !isChunked || endsChunk || isFull else { return nil }
    (endsPart, endsChunk) = (false, false)
    guard rows.text.count > 0 || !rows.leftOut.isEmpty else { return nil }
    let batch = Batch(rows, of: bytes, from: start, only: only)
    rows = .spare(after: batch.byteCount)
    start = nil
    return batch
  }

  package func describe(_ streams: [StreamDescription]) {
    described = streams
    only = nil
    encoder.describe(streams)
  }

  package var file: FileExtent? { bytes.extent }
  package func sync() throws(SluiceError) { try bytes.sync() }
  package func close() throws(SluiceError) { try bytes.close() }
  package func discard() { bytes.discard() }

  private final class Batch: RecordBatch {
    private let rows: EncodedRows
    private let bytes: any ByteStore
    /// The start of the part; nil when the part has begun.
    private var start: PartStart?
    private var kept = 0
    private let only: Int?
    let byteCount: Int

    init(_ rows: EncodedRows, of bytes: any ByteStore, from start: PartStart?, only: Int?) {
      self.only = only
      self.rows = rows
      self.bytes = bytes
      self.start = start
      byteCount = rows.text.count
    }

    deinit { rows.recycle() }

    func write() throws(SluiceError) {
      if let start { try bytes.begin(part: start) }
      start = nil
      let before = kept
      let result = rows.text.withBytes { text in
        bytes.write(UnsafeBufferPointer(rebasing: text[before...])) { rows.wholeReadings(in: before + $0) - before }
      }
      kept += result.kept
      bytes.written(rows, from: before, to: kept)
      if let error = result.error { throw error }
    }

    // No lock, because the rows of a batch do not change.
    func count(into counts: inout [Int]) {
      guard let only else { return rows.count(into: &counts) }
      while counts.count <= only { counts.append(0) }
      counts[only] += rows.count
    }

    var unwritten: [Int: Int] { kept == byteCount && kept > 0 ? [:] : rows.readings(behind: kept) }
    var leftOut: [Int: Int] { rows.leftOut }
  }
}
