import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

private let many = { (shape: inout Schedule.Shape) in shape.probes = 3 }
private let connectable = { (shape: inout Schedule.Shape) in
  shape.probes = 3
  shape.connects = true
}

/// A row with a subject that the schedule feeds.
private func subject<S: Subject>(_ name: String, _ make: @escaping (Place) -> S) -> Operator
where S.Output == Int, S.Failure == Fault {
  source(name, many) { it in
    let subject = make(it)
    var taps = 0
    it.world.subscribe = { it.subscribe($0, to: subject) }
    it.world.input = { act in
      switch act {
      case .send(_, let values): for value in values { subject.send(value) }
      case .finish: subject.send(completion: .finished)
      case .fail(_, let code): subject.send(completion: .failure(Fault(code: code)))
      default:
        subject.send(subscription: Watch(it.world, taps))
        taps += 1
      }
    }
  }
}

/// A row with a subject that subscribes to source 0 at its first subscriber.
private func relay<S: Subject>(_ name: String, _ make: @escaping (Place) -> S) -> Operator
where S.Output == Int, S.Failure == Fault {
  source(name, connectable) { it in
    let subject = make(it)
    let upstream = it.source(0)
    it.world.subscribe = { it.subscribe($0, to: subject) }
    it.world.connect = { upstream.subscribe(subject) }
  }
}

private func connected<P: ConnectablePublisher>(
  _ name: String, _ configure: @escaping (inout Schedule.Shape) -> Void = connectable,
  _ make: @escaping (Upstream, Place) -> P
) -> Operator {
  source(name, configure) { it in
    let publisher = make(it.source(0), it)
    it.world.subscribe = { it.subscribe($0, to: publisher) }
    it.world.connect = { publisher.connect() }
  }
}

/// Subjects, and what has several downstreams.
let sharing: [Operator] = [
  subject("PassthroughSubject") { _ in PassthroughSubject<Int, Fault>() },
  subject("CurrentValueSubject") { _ in CurrentValueSubject<Int, Fault>(9) },
  relay("PassthroughSubject, subscribed") { _ in PassthroughSubject<Int, Fault>() },
  relay("CurrentValueSubject, subscribed") { _ in CurrentValueSubject<Int, Fault>(9) },
  row("share", many) { up, _ in up.share() },
  connected("multicast(subject:)") { up, _ in up.multicast(subject: PassthroughSubject<Int, Fault>()) },
  connected("multicast(createSubject)") { up, it in
    up.multicast {
      it.effect("makes a subject")
      return CurrentValueSubject<Int, Fault>(9)
    }
  },
  connected(
    "makeConnectable",
    {
      connectable(&$0)
      $0.fails = false
    }
  ) { up, _ in up.assertNoFailure().makeConnectable() },
  row("autoconnect", many) { up, _ in up.multicast(subject: PassthroughSubject<Int, Fault>()).autoconnect() },
]

/// A subscription that only writes down what happens to it.
private final class Watch: Subscription {
  let world: World
  let number: Int

  init(_ world: World, _ number: Int) {
    self.world = world
    self.number = number
  }

  func request(_ demand: Subscribers.Demand) { world.record(.requested(source: 0, 200 + number, demand.act)) }
  func cancel() { world.record(.cancelled(source: 0, 200 + number)) }
}
