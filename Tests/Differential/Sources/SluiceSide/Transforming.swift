import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

private struct Coder: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> String {
    let text = "\(value)"
    if text == "5" { throw Fault(code: 5) }
    return text
  }

  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    guard let value = Int(text) as? T else { throw Fault(code: 5) }
    return value
  }
}

/// Operators that make values of values.
let transforming: [Operator] = [
  row("map") { up, it in up.map { it($0 + 1) } },
  row("map.map") { up, it in up.map { it($0 + 1) }.map { it($0 * 2) } },
  row("tryMap") { up, it in
    up.tryMap { value -> Int in
      if value == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return value * 2
    }
  },
  row("map(keyPath)") { up, _ in up.map(\.description) },
  row("scan") { up, it in up.scan(0) { it($0 + $1) } },
  row("tryScan") { up, it in
    up.tryScan(0) {
      if $1 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 + $1
    }
  },
  row("filter") { up, it in up.filter { $0 >= it.parameter(0, below: 5) } },
  row("filter.filter") { up, it in up.filter { $0 >= it.parameter(0, below: 3) }.filter { $0 % 2 == 0 } },
  row("tryFilter") { up, it in
    up.tryFilter {
      if $0 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 % 2 == 0
    }
  },
  row("compactMap") { up, it in up.compactMap { $0 >= it.parameter(0, below: 5) ? $0 * 3 : nil } },
  row("tryCompactMap") { up, it in
    up.tryCompactMap { value -> Int? in
      if value == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return value % 2 == 0 ? value : nil
    }
  },
  row("replaceNil") { up, it in up.map { $0 >= it.parameter(0, below: 5) ? $0 : nil }.replaceNil(with: 42) },
  row("removeDuplicates") { up, _ in up.removeDuplicates() },
  row("removeDuplicates(by:)") { up, it in up.removeDuplicates { it($0 / 2 == $1 / 2) } },
  row("tryRemoveDuplicates") { up, it in
    up.tryRemoveDuplicates {
      if $1 == it.parameter(0, below: 6) { throw Fault(code: 7) }
      return $0 == $1
    }
  },
  row("mapError") { up, it in up.mapError { Fault(code: it($0.code + 10)) } },
  row("collect") { up, _ in up.collect() },
  row("collect(n)") { up, it in up.collect(1 + it.parameter(0, below: 4)) },
  row("ignoreOutput") { up, _ in up.ignoreOutput() },
  row("encode") { up, _ in up.encode(encoder: Coder()) },
  row("decode") { up, it in up.map { it($0 == 3 ? "three" : "\($0)") }.decode(type: Int.self, decoder: Coder()) },
  row("measureInterval", { $0.timed = true }) { up, it in up.measureInterval(using: it.clock) },
  row("assertNoFailure", { $0.fails = false }) { up, _ in up.assertNoFailure() },
  row("setFailureType", { $0.fails = false }) { up, _ in up.assertNoFailure().setFailureType(to: Fault.self) },
  row("handleEvents") { up, it in
    up.handleEvents(
      receiveSubscription: { _ in it.effect("handles a subscription") },
      receiveOutput: { it.effect("handles \($0)") },
      receiveCompletion: { it.effect("handles \($0)") },
      receiveCancel: { it.effect("handles a cancel") },
      receiveRequest: { it.effect("handles a request of \($0)") })
  },
  row("print") { up, it in up.print("p", to: Paper(place: it)) },
]

private struct Paper: TextOutputStream {
  let place: Place
  func write(_ string: String) {
    var line = string.filter { $0 != "\n" }
    // OpenCombine names some of its subscriptions by type and address.
    if line.hasPrefix("p: receive subscription") { line = "p: receive subscription" }
    // OpenCombine prints the demand of an answer even where there is none, which is noise for each value.
    if line == "p: request max: (0) (synchronous)" { return }
    if !line.isEmpty { place.effect(line) }
  }
}
