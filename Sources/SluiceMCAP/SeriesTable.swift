import Sluice
import SluiceCDR
import SluiceReadings
import SluiceRecording

/// The streams of a file, shared by the encoder, which learns of new ones under the lock of the sink, and the store, which
/// writes on the queue of the output.
final class SeriesTable: Sendable {
  let isRaw: Bool
  /// The encoding with which a stream begins.
  let encoding: MessageEncoding
  private let state: Locked<[StreamDescription]>

  init(_ streams: EncoderStreams, _ encoding: MessageEncoding) {
    self.encoding = encoding
    isRaw = streams.raw
    state = Locked(streams.streams)
  }

  func describe(_ streams: [StreamDescription]) { state.withLock { $0 = streams } }

  /// The numbers of the streams, with their channels.
  var all: [(stream: Int, channels: Int)] { state.withLock { $0.enumerated().map { ($0, $1.channels.count) } } }

  /// The series of a stream with its first channels; nil for a stream that is not known.
  func series(_ number: Int, channels: Int, _ encoding: MessageEncoding) -> StreamSeries? {
    guard var stream = state.withLock({ number < $0.count ? $0[number] : nil }) else { return nil }
    stream.channels = Array(stream.channels.prefix(channels))
    return StreamSeries(stream: stream, encoding: encoding, isRaw: isRaw)
  }
}
