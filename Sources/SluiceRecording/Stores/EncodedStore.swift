import Sluice
import SluiceReadings

/// Readings that are kept as the bytes of a format.
package final class EncodedStore: RecordStore, @unchecked Sendable {
  // The lock of the sink protects `rows` and the encoder.

  /// Bytes of a batch.
  static var batch: Int { 64 << 10 }
  /// A batch and the row that makes it one.
  static var capacity: Int { 80 << 10 }
  /// Buffers for the next batches, of all stores: as many as may be on their way, for freed ones stay with the process.
  private static let spares = Locked<[EncodedRows]>([])
  private static var spareCount: Int { RecordingSink.limit / batch }

  package var file: ClaimedFile { bytes.file }
  private let encoder: any RecordingEncoder
  private let bytes: any ByteStore
  private var rows = EncodedRows(capacity: EncodedStore.capacity)

  package init(_ encoder: any RecordingEncoder, _ bytes: any ByteStore) {
    self.encoder = encoder
    self.bytes = bytes
  }

  package func begin() throws(SluiceError) { try bytes.begin(header: encoder.header) }

  package func append(_ readings: UnsafeBufferPointer<Reading>) -> Int {
    encoder.encode(readings, into: rows, until: Self.batch)
  }

  package var isFull: Bool { rows.text.count >= Self.batch }
  package var isEmpty: Bool { rows.text.count == 0 && rows.leftOut.isEmpty && !encoder.hasOpenRow }
  package var hasOpenRow: Bool { encoder.hasOpenRow }
  package func endRow() { encoder.endRow(into: rows) }

  package func batch() -> (any RecordBatch)? {
    guard rows.text.count > 0 || !rows.leftOut.isEmpty else { return nil }
    let batch = Batch(rows, of: self)
    rows = Self.spares.withLock { $0.popLast() } ?? EncodedRows(capacity: Self.capacity)
    return batch
  }

  package func channels(of stream: Int) -> Int { encoder.channels(of: stream) }
  package func describe(_ streams: [StreamDescription]) { encoder.describe(streams) }
  package func close() throws(SluiceError) { try bytes.file.close() }

  private final class Batch: RecordBatch {
    private let rows: EncodedRows
    private let store: EncodedStore
    private var kept = 0
    let byteCount: Int

    init(_ rows: EncodedRows, of store: EncodedStore) {
      self.rows = rows
      self.store = store
      byteCount = rows.text.count
    }

    /// They are filled again.
    deinit {
      rows.removeAll()
      let rows = rows
      EncodedStore.spares.withLock { if $0.count < EncodedStore.spareCount { $0.append(rows) } }
    }

    func write() throws(SluiceError) {
      let result = rows.text.withBytes { bytes in
        store.bytes.write(bytes) { rows.wholeReadings(in: $0) }
      }
      kept = result.kept
      if let error = result.error { throw error }
    }

    var unwritten: [Int: Int] { kept == byteCount && kept > 0 ? [:] : rows.readings(behind: kept) }
    var leftOut: [Int: Int] { rows.leftOut }
  }
}
