import Sluice
import SluiceLog
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Sends batches as line protocol, one request at a time: the answer to a request is the acknowledgement of its readings.
final class HTTPTransport: BatchTransport, @unchecked Sendable {
  // The lock protects `state`. Only the queue uses `client` and `text`.

  private struct State {
    var encoder: InfluxEncoder
    /// A client that may have to be ended.
    var client: HTTPClient?
    var isClosed = false
  }

  private let address: HTTPServerAddress
  private let settings: ServerSettings
  private let described: EncoderStreams
  private let queue: any WorkQueue
  private let compressor: (any Compressor)?
  private let state: Locked<State>
  private let text = TextBuffer(capacity: 1 << 16)

  let window = 1
  let most: Int

  /// The readings of the largest batch. InfluxDB's own programs send as many.
  static let mostReadings = 5_000
  /// About so many bytes of a batch. InfluxDB and Telegraf take 25 and 32 MB.
  static let mostBytes = 4 << 20

  init(
    _ address: HTTPServerAddress, _ settings: ServerSettings, _ streams: EncoderStreams, board: String,
    compressor: (any Compressor)?, _ queue: any WorkQueue
  ) {
    var streams = streams
    if !board.isEmpty { streams.style.tags.insert(RowTag(name: Self.boardTag, value: board), at: 0) }
    (self.address, self.settings, described) = (address, settings, streams)
    (self.queue, self.compressor) = (queue, compressor)
    let longest = streams.streams.map { $0.channels.count }.max() ?? 1
    most = max(1, min(Self.mostReadings, Self.mostBytes / (100 + 40 * longest)))
    state = Locked(State(encoder: InfluxEncoder(streams)))
  }

  /// The tag with the name of the board.
  static let boardTag = "board"

  func describe(_ streams: [StreamDescription]) {
    var described = described
    described.streams = streams
    let encoder = InfluxEncoder(described)
    state.withLock { $0.encoder = encoder }
  }

  func send(_ batch: SendBatch, _ answered: @escaping @Sendable (SendAnswer) -> Void) {
    queue.perform { [self] in
      guard !state.withLock({ $0.isClosed }) else { return }
      let answer = answer(batch)
      // Under the lock, so that none comes after `close`. It only goes to the queue of the sender.
      state.withLock { if !$0.isClosed { answered(answer) } }
    }
  }

  func close() {
    let client = state.withLock { state in
      state.isClosed = true
      return state.client
    }
    client?.cancel()
  }

  // MARK: On the queue

  private func answer(_ batch: SendBatch) -> SendAnswer {
    let leftOut = encode(batch)
    guard text.count > 0 else { return .acknowledged(leftOut: leftOut) }
    do throws(SluiceError) {
      let meaning = try post().meaning(for: address)
      if case .acknowledged = meaning { return .acknowledged(leftOut: leftOut) }
      return meaning
    } catch {
      return error.code == .unsupported ? .stop(error) : .wait(error)
    }
  }

  /// - Returns: The places of the readings that have no line, because they have neither values nor flags.
  private func encode(_ batch: SendBatch) -> [Int] {
    let encoder = state.withLock { $0.encoder }
    text.removeAll()
    var leftOut: [Int] = []
    var ordinals = batch.ordinals.places[...]
    batch.readings.withUnsafeBufferPointer { readings in
      guard let first = readings.baseAddress else { return }
      for place in readings.indices {
        var ordinal: UInt32 = 0
        if let next = ordinals.first, next.place == place {
          ordinal = next.ordinal
          ordinals.removeFirst()
        }
        let stream = Int(first[place].stream.index) - encoder.base
        let isEncoded =
          stream >= 0 && stream < encoder.streamCount
          && encoder.encode(first + place, of: stream, ordinal: ordinal, into: text)
        if !isEncoded { leftOut.append(place) }
      }
    }
    return leftOut
  }

  private func post() throws(SluiceError) -> HTTPAnswer {
    let client = try client()
    var headers = ["Content-Type: text/plain; charset=utf-8"]
    let member = text.withBytes { compressor?.member(UnsafeRawBufferPointer($0)) }
    if let member {
      headers.append("Content-Encoding: gzip")
      let result = member.withUnsafeBytes { bytes in
        Result { () throws(SluiceError) in try client.answer(address.url, bytes, headers: headers) }
      }
      return try result.get()
    }
    let result = text.withBytes { bytes in
      Result { () throws(SluiceError) in
        try client.answer(address.url, UnsafeRawBufferPointer(bytes), headers: headers)
      }
    }
    return try result.get()
  }

  private func client() throws(SluiceError) -> HTTPClient {
    if let client = state.withLock({ $0.client }) { return client }
    let client = try HTTPClient(address, settings)
    let isClosed = state.withLock { state in
      state.client = client
      return state.isClosed
    }
    if isClosed { client.cancel() }
    return client
  }
}
