import Measurement
import Sluice
import SluiceExtras

/// An element of one of several streams, a tick after the one before it.
private struct Tick {
  let time: Int64
  let stream: UInt16
}

private func ticks(_ count: Int, of streams: Int) -> some Publisher<Tick, Never> {
  Deferred { (0..<count).publisher }.map { Tick(time: Int64($0), stream: UInt16($0 % streams)) }
}

/// What SluiceExtras does for each element: OpenCombine has no such operators.
public let workloads = keyed + runs

private let keyed: [Workload] = [
  // One value in a thousand goes through.
  throttle("throttle by time and key", of: 1, for: 1_000),
  throttle("throttle by time and key, 4 keys", of: 4, for: 4_000),
  throttle("throttle by time and key, 100 keys", of: 100, for: 100_000),
  // Each one does.
  throttle("throttle by time and key, all pass", of: 4, for: 4),
  Workload("collect by time and key, joined", .sluice) { n, checksum in
    let sink = ticks(n, of: 4).collect(for: 1_000, time: { $0.time }, key: { $0.stream }).joined()
      .sink { checksum.add(Int($0.time)) }
    sink.cancel()
  },
  Workload("buffer by key", .sluice) { n, checksum in
    let sink = ticks(n, of: 4).buffer(size: 100, key: { $0.stream }, prefetch: .keepFull, whenFull: .dropOldest)
      .sink { checksum.add(Int($0.time)) }
    sink.cancel()
  },
  // A hundred of each key are kept, of a thousand that nobody wants.
  Workload("buffer by key dropOldest, bursts", .sluice) { n, checksum in
    let source = PassthroughSubject<Tick, Never>()
    let sink = Subscribers.PausableSink<Tick, Never>(receiveCompletion: { _ in }) { tick in
      checksum.add(Int(tick.time))
      return tick.time % 1_000 < 999
    }
    source.buffer(size: 100, key: { $0.stream }, prefetch: .byRequest, whenFull: .dropOldest).subscribe(sink)
    for time in 0..<n {
      source.send(Tick(time: Int64(time), stream: UInt16(time % 4)))
      if time % 1_000 == 999 { sink.resume() }
    }
    sink.cancel()
  },
]

private func throttle(_ name: String, of streams: Int, for interval: Int) -> Workload {
  Workload(name, .sluice) { n, checksum in
    let sink = ticks(n, of: streams).throttle(for: interval, latest: true, time: { $0.time }, key: { $0.stream })
      .sink { checksum.add(Int($0.time)) }
    sink.cancel()
  }
}
