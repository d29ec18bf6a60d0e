import Sluice
import SluiceReadings

/// Readings that are kept as the bytes of a format.
package final class EncodedStore<Encoder: RecordingEncoder>: RecordStore, @unchecked Sendable {
  // The lock of the sink protects `rows` and the encoder.

  package var file: ClaimedFile { bytes.file }
  private let encoder: Encoder
  private let bytes: any ByteStore
  @exclusivity(unchecked) private var rows = EncodedRows.spare()

  package init(_ encoder: Encoder, _ bytes: any ByteStore) {
    self.encoder = encoder
    self.bytes = bytes
  }

  package func check() throws(SluiceError) { try bytes.check { encoder.fault(inFileThatBegins: $0) } }
  package func begin() throws(SluiceError) { try bytes.begin(header: encoder.header) }

  package func append(_ readings: UnsafeBufferPointer<Reading>) -> Int {
    encoder.encode(readings, into: rows, until: EncodedRows.batch)
  }

  package var isFull: Bool { rows.text.count >= EncodedRows.batch }
  package var isEmpty: Bool { rows.text.count == 0 && rows.leftOut.isEmpty && !encoder.hasOpenRow }
  package var hasOpenRow: Bool { encoder.hasOpenRow }
  package func endRow() { encoder.endRow(into: rows) }

  package func batch() -> (any RecordBatch)? {
    guard rows.text.count > 0 || !rows.leftOut.isEmpty else { return nil }
    let batch = Batch(rows, of: self)
    rows = .spare()
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

    deinit { rows.recycle() }

    func write() throws(SluiceError) {
      let result = rows.text.withBytes { bytes in
        store.bytes.write(bytes) { rows.wholeReadings(in: $0) }
      }
      kept = result.kept
      if let error = result.error { throw error }
    }

    // Nobody changes the rows of a batch.
    var readings: [Int: Int] { rows.readings(behind: 0) }
    var unwritten: [Int: Int] { kept == byteCount && kept > 0 ? [:] : rows.readings(behind: kept) }
    var leftOut: [Int: Int] { rows.leftOut }
  }
}
