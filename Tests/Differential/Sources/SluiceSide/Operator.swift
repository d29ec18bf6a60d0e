import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

typealias Upstream = AnyPublisher<Int, Fault>

/// What the closures of an operator hold, to see whether they are let go of.
final class Token {}

/// Where an operator stands: what it needs from the run.
struct Place {
  let world: World
  let token: Token
  /// In a chain every operator takes other parameters.
  let position: Int

  func parameter(_ index: Int, below bound: Int) -> Int {
    world.schedule.parameter(index, at: position) % bound
  }

  func source(_ index: Int) -> Upstream { AnyPublisher(Source(world: world, index: index, position: position)) }

  var clock: VirtualClock { world.clock }

  func effect(_ text: String) {
    let goesUp = text.contains("request") || text.contains("cancel")
    world.record(.effect(text, lane: world.isChain ? 2 * position + (goesUp ? 1 : 0) : 0))
  }

  /// The same value: calling it from a closure makes the closure hold the token.
  func callAsFunction<T>(_ value: T) -> T { value }

  func subscribe<P: Publisher>(_ probe: Int, to publisher: P) {
    let probe = Probe<P.Output, P.Failure>(world, probe)
    world.add(probe)
    publisher.subscribe(probe)
  }
}

/// A row of the table: an operator on source 0, or whatever else can be subscribed to.
struct Operator {
  let name: String
  let shape: Schedule.Shape
  /// Sets the run up.
  let prepare: (Place) -> Void
  /// The operator in a chain.
  let link: ((Upstream, Place) -> Upstream)?
}

/// A row with an operator.
func row<P: Publisher>(
  _ name: String, _ configure: (inout Schedule.Shape) -> Void = { _ in }, _ make: @escaping (Upstream, Place) -> P
) -> Operator {
  var shape = Schedule.Shape()
  configure(&shape)
  let prepare = { (place: Place) in
    let publisher = make(place.source(0), place)
    place.world.subscribe = { place.subscribe($0, to: publisher) }
  }
  // In a chain there is one downstream, and some operator before may fail.
  let links = shape.probes == 1 && shape.fails
  return Operator(name: name, shape: shape, prepare: prepare, link: links ? { linked(make($0, $1)) } : nil)
}

/// A row with something that has no upstream, or needs more than that.
func source(_ name: String, _ configure: (inout Schedule.Shape) -> Void, _ prepare: @escaping (Place) -> Void)
  -> Operator
{
  var shape = Schedule.Shape()
  configure(&shape)
  return Operator(name: name, shape: shape, prepare: prepare, link: nil)
}

private func linked<P: Publisher>(_ publisher: P) -> Upstream {
  if let same = AnyPublisher<P.Output, P.Failure>(publisher) as? Upstream { return same }
  return publisher.map { number($0) }.mapError { $0 as? Fault ?? Fault(code: 9) }.eraseToAnyPublisher()
}

/// A small number that stands for any value.
private func number(_ value: Any) -> Int {
  var hash = 5381
  for byte in describe(value).utf8 { hash = (hash &* 33) ^ Int(byte) }
  return (hash & 0xFFFF) % 6
}

private func run(_ rows: [Operator], _ schedule: Schedule, _ seams: Seams) -> History {
  let world = World(schedule)
  world.isChain = rows.count > 1
  world.seams = seams
  let token = prepare(rows, world)
  let history = world.play(token)
  world.clock.clear()
  return history
}

/// A function of its own, so that nothing in it holds the token any longer.
@inline(never) private func prepare(_ rows: [Operator], _ world: World) -> WeakBox {
  let token = Token()
  if rows.count == 1 {
    rows[0].prepare(Place(world: world, token: token, position: 0))
  } else {
    let first = Place(world: world, token: token, position: 0)
    var publisher = first.source(0)
    for (position, row) in rows.enumerated() {
      if position > 0, world.seams != .none {
        publisher = AnyPublisher(Seam(world: world, position: position, upstream: publisher))
      }
      if let link = row.link { publisher = link(publisher, Place(world: world, token: token, position: position)) }
    }
    let chain = publisher
    world.subscribe = { first.subscribe($0, to: chain) }
  }
  return WeakBox(token)
}

public let library: Library = {
  let rows = transforming + selecting + reducing + joining + timing + buffering + sources + sharing
  #if OPENCOMBINE
    let name = "OpenCombine"
  #else
    let name = "Sluice"
  #endif
  let table = rows.map { Row(name: $0.name, shape: $0.shape, links: $0.link != nil) }
  return Library(name: name, rows: table) { indices, schedule, seams in
    run(indices.map { rows[$0] }, schedule, seams)
  }
}()
