import SluiceReadings
import SluiceSystem

/// Compresses each batch into its own member, and writes it to another store.
///
/// Every program that reads these formats accepts several members in a file. A failed write leaves no part of its
/// member. So after each write the file can be decompressed to its end, and has whole readings.
final class CompressedStore: ByteStore, @unchecked Sendable {
  // One thread at a time uses `compressor`: first the thread that begins, and then the queue of the output.

  private let store: any ByteStore
  private let file: ClaimedFile
  private let compression: any Compression.Type
  private let compressor: any Compressor

  init(_ store: any ByteStore, of file: ClaimedFile, _ compression: any Compression.Type) {
    self.store = store
    self.file = file
    (self.compression, compressor) = (compression, compression.compressor())
  }

  func check(header: [UInt8], _ fault: (_ beginning: [UInt8]) -> String?) throws(SluiceError) {
    // Only decompressing the whole file would show where its last member is torn.
    guard file.isContinued else { return }
    throw SluiceError(
      .usage, "append to", file.path, because: "it is compressed",
      remedy: "write each recording to a file of its own")
  }

  func begin(header: [UInt8], _ found: (OutputEvent) -> Void) throws(SluiceError) {
    try compression.load()
    guard !header.isEmpty else { return try store.begin(header: [], found) }
    guard let member = header.withUnsafeBytes({ compressor.member($0) }) else { throw noMemory }
    try store.begin(header: member, found)
  }

  func write(
    _ bytes: UnsafeBufferPointer<UInt8>, wholeUpTo end: (Int) -> Int
  ) -> (kept: Int, error: SluiceError?) {
    guard !bytes.isEmpty else { return (0, nil) }
    guard let member = compressor.member(UnsafeRawBufferPointer(bytes)) else { return (0, noMemory) }
    let (kept, error) = member.withUnsafeBufferPointer { member in
      store.write(member) { $0 == member.count ? $0 : 0 }
    }
    return (kept == member.count ? bytes.count : 0, error)
  }

  var extent: FileExtent? { store.extent }
  func sync() throws(SluiceError) { try store.sync() }
  func close() throws(SluiceError) { try store.close() }
  func discard() { store.discard() }

  private var noMemory: SluiceError { SluiceError("compress", file.name, errno: ENOMEM) }
}
