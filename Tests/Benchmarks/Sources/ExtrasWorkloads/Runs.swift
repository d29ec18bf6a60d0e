import Measurement
import Sluice

/// A user's values of 24 bytes, from a publisher of the user's own: one by one, and in runs.
let runs: [Workload] = [
  Workload("own publisher of 24 bytes", .sluice) { n, checksum in
    chain(Points(count: n, atOnce: 1), checksum)
  },
  Workload("own publisher of 24 bytes, in runs", .sluice) { n, checksum in
    chain(Points(count: n, atOnce: 256), checksum)
  },
]

private func chain(_ points: Points, _ checksum: Checksum) {
  let sink = points.map { Point(x: $0.x &+ 1, y: $0.y, z: $0.z) }.filter { $0.x & 7 != 0 }
    .buffer(size: 1_000, prefetch: .keepFull, whenFull: .dropOldest)
    .sink { checksum.add($0.x) }
  sink.cancel()
}

private struct Point { var x, y, z: Int }

private struct Points: Publisher {
  typealias Output = Point
  typealias Failure = Never
  let count, atOnce: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Point, S.Failure == Never {
    subscriber.receive(subscription: PointsSubscription(subscriber, self))
  }
}

private final class PointsSubscription<S: Subscriber>: Subscription where S.Input == Point {
  private var subscriber: S?
  private var next = 0
  private let points: Points
  private var run: [Point] = []
  private var demand = Subscribers.Demand.none
  private var isSending = false

  init(_ subscriber: S, _ points: Points) {
    self.subscriber = subscriber
    self.points = points
  }

  func request(_ demand: Subscribers.Demand) {
    self.demand += demand
    guard !isSending else { return }
    isSending = true
    while self.demand > 0, next < points.count, let subscriber {
      let count = min(points.atOnce, points.count - next, self.demand.max ?? .max)
      self.demand -= count
      if count == 1 {
        self.demand += subscriber.receive(Point(x: next, y: 1, z: 2))
        next += 1
        continue
      }
      run.removeAll(keepingCapacity: true)
      for x in next..<next + count { run.append(Point(x: x, y: 1, z: 2)) }
      let taken = subscriber._receive(run: run[...]) { self.subscriber != nil }
      next += taken.count
      self.demand += taken.demand
    }
    isSending = false
    guard next == points.count, let subscriber else { return }
    self.subscriber = nil
    subscriber.receive(completion: .finished)
  }

  func cancel() { subscriber = nil }
}
