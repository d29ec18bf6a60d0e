import DequeModule
import SluiceReadings

/// Sorts the readings of another decoder by their times, within a window (``TimeOrder``).
final class ReorderedDecoder: TraceDecoder {
  private let decoder: any TraceDecoder
  private var order: TimeOrder
  private var block = [Reading](repeating: .empty, count: 128)
  private var hasEnded = false
  private var failure: SluiceError?

  init(_ decoder: any TraceDecoder, window: Int64, counts: ReorderCounts) {
    self.decoder = decoder
    order = TimeOrder(window: window, counts: counts)
  }

  var list: StreamList { decoder.list }
  var mayWait: Bool { decoder.mayWait }
  var hasNext: Bool { !order.ready.isEmpty || hasEnded || decoder.hasNext }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    var count = 0
    while true {
      while count < target.count, let reading = order.ready.popFirst() {
        target[count] = reading
        count += 1
      }
      if count == target.count || count > 0 && !hasNext { return count }
      if hasEnded {
        if count == 0, let failure { throw failure }
        return count
      }
      fill()
    }
  }

  /// Good readings come before the failure.
  private func fill() {
    let decoder = decoder
    let result = block.withUnsafeMutableBufferPointer { block in
      Result { () throws(SluiceError) in try decoder.read(into: block) }
    }
    switch result {
    case .success(let count) where count > 0:
      for reading in block[..<count] { order.add(reading) }
      return
    case .success: break
    case .failure(let error): failure = error
    }
    hasEnded = true
    order.finish()
  }
}
