import Sluice
import SluiceReadings
import SluiceRecording
import SluiceSystem

// What no server will get, and what is told of it.

extension Sender {
  func fullError(_ spool: any SendSpool) -> SluiceError {
    SluiceError(
      .failed, "keep readings for", address,
      because: spool.isLasting
        ? "its spool has its largest size" : "as many as memory keeps are not acknowledged",
      remedy: spool.isLasting ? "give --wait-on-disk DIR a larger SIZE" : "give --wait-on-disk DIR, which keeps more",
      errno: ENOSPC)
  }

  /// What is sent now. What stays of a batch that was held is a batch of its own, so that memory is free when this is settled.
  func take(_ numbers: Range<UInt64>, _ state: inout State) -> SendBatch? {
    guard let place = state.held.firstIndex(where: { $0.numbers.contains(numbers.lowerBound) }) else { return nil }
    let whole = state.held[place]
    if numbers.upperBound < whole.numbers.upperBound, state.machine.hasBatch(from: numbers.upperBound) {
      state.held[place] = whole[whole.first..<numbers.upperBound]
      state.held.insert(whole[numbers.upperBound..<whole.numbers.upperBound], at: place + 1)
    }
    return whole[numbers]
  }

  /// Counts readings that no server will get.
  func drop(_ batch: SendBatch, _ state: inout State, _ news: inout News) {
    guard let times = batch.times else { return }
    state.counts.dropped.add(batch.readings.count, times)
    news.lost.append(LostReadings(counts: batch.counts(from: own), times: times, isDropped: true))
  }

  /// Notes that readings were read.
  func read(_ batch: SendBatch, _ state: inout State, _ news: inout News) {
    state.lastTime = batch.readings.last?.time ?? state.lastTime
    for (stream, count) in batch.counts(from: own).enumerated() where stream < state.unread.count {
      state.unread[stream] -= count
    }
    countLost(&state, &news)
  }

  /// Counts readings of the spool that cannot be read.
  func lose(_ count: Int, from first: UInt64, _ state: inout State, _ news: inout News) {
    state.counts.lost += count
    let end = first + UInt64(count)
    let ofThisRun = end > own ? Int(end - max(first, own)) : 0
    state.lostCount += ofThisRun
    state.counts.lostOfEarlierRun += count - ofThisRun
    let isOne = state.counts.lost == 1
    report(
      .damaged,
      SluiceError(
        .malformed, "read the spool", state.spool.folder ?? address,
        because: isOne
          ? "one reading is damaged, and is lost" : "\(grouped(state.counts.lost)) readings are damaged, and are lost",
        remedy: "what is behind them is sent; see dmesg, or the disk may be failing"), &state, &news)
  }

  /// Counts readings that could not be read by their streams: when everything was read, they are what is left.
  func countLost(_ state: inout State, _ news: inout News) {
    guard state.lostCount > 0, state.unread.reduce(0, +) <= state.lostCount else { return }
    news.lost.append(
      LostReadings(counts: state.unread, times: state.lastTime...state.lastTime, isDropped: false))
    (state.lostCount, state.unread) = (0, [])
  }

  /// Tells a fault at once, and then once per minute.
  func report(_ fault: Fault, _ error: SluiceError, _ state: inout State, _ news: inout News) {
    if isToTell(fault, &state) { news.events.append(.spoolFault(error)) }
  }

  func isToTell(_ fault: Fault, _ state: inout State) -> Bool {
    let now = queue.now
    guard state.toldAt[fault].map({ now - $0 >= 60_000_000_000 }) ?? true else { return false }
    state.toldAt[fault] = now
    return true
  }
}
