public import SluiceReadings

/// A format whose files are the bytes of one encoder.
///
/// Write a type of this protocol for a format of your own. Appending, parts, compression, retries, syncs and the account
/// come with it.
///
/// ```swift
/// struct TabFormat: EncodedFormat {
///   static let name = "tab"
///   static let extensions = ["tsv"]
///   init(_ options: FormatOptions) {}
///   func encoder(_ streams: EncoderStreams) -> TabEncoder { TabEncoder(streams) }
/// }
///
/// final class TabEncoder: RowEncoder {
///   let header: [UInt8] = Array("time_ns\tstream\tvalues\n".utf8)
///   private var streams: EncoderStreams
///   init(_ streams: EncoderStreams) { self.streams = streams }
///   var base: Int { streams.base }
///   var streamCount: Int { streams.streams.count }
///   func describe(_ streams: [StreamDescription]) { self.streams.streams = streams }
///
///   func encode(_ reading: UnsafePointer<Reading>, of stream: Int, into text: TextBuffer) -> Bool {
///     let values = reading.pointee.values.enumerated().map { streams.text(of: $1, channel: $0, stream: stream) ?? "" }
///     let cells = ["\(reading.pointee.time)", streams.streams[stream].name] + values
///     text.append(cells.joined(separator: "\t") + "\n")
///     return true
///   }
/// }
/// ```
public protocol EncodedFormat: RecordingFormat {
  associatedtype Encoder: RecordingEncoder
  /// Makes an encoder for one file. Each part gets a new one.
  func encoder(_ streams: EncoderStreams) -> Encoder
}

extension EncodedFormat {
  /// A store of the bytes of the encoder.
  public func store(_ file: ClaimedFile, _ streams: EncoderStreams) throws(SluiceError) -> any RecordStore {
    EncodedStore(file, streams) { encoder(streams) }
  }
}
