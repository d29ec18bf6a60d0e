import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

private func cold<P: Publisher>(_ name: String, _ make: @escaping (Place) -> P) -> Operator {
  source(name, { $0.probes = 2 }) { it in
    let publisher = make(it)
    it.world.subscribe = { it.subscribe($0, to: publisher) }
  }
}

/// Publishers without upstream.
let sources: [Operator] = [
  cold("Just") { _ in Just(1) },
  cold("Empty") { it in Empty<Int, Fault>(completeImmediately: it.parameter(0, below: 2) == 0) },
  cold("Fail") { _ in Fail<Int, Fault>(error: Fault(code: 1)) },
  cold("Sequence") { it in (0..<it.parameter(0, below: 8)).publisher },
  cold("Sequence.map.filter") { it in (0..<it.parameter(0, below: 8)).publisher.map { $0 * 2 }.filter { $0 != 4 } },
  cold("Optional") { it in (it.parameter(0, below: 2) == 0 ? nil : 1).publisher },
  cold("Result") { it in
    (it.parameter(0, below: 2) == 0 ? Result.success(1) : .failure(Fault(code: 1))).publisher
  },
  cold("Record") { it in
    Record(
      output: Array(0..<it.parameter(0, below: 6)),
      completion: it.parameter(1, below: 2) == 0 ? .finished : .failure(Fault(code: 1)))
  },
  cold("Deferred") { it in
    Deferred { () -> Upstream in
      it.effect("makes a publisher")
      return it.source(0)
    }
  },
  source("Future", { $0.probes = 3 }) { it in
    var promise: ((Result<Int, Fault>) -> Void)?
    let future = Future<Int, Fault> { promise = $0 }
    it.world.subscribe = { it.subscribe($0, to: future) }
    it.world.input = { act in
      switch act {
      case .send(_, let values): for value in values { promise?(.success(value)) }
      case .fail(_, let code): promise?(.failure(Fault(code: code)))
      default: break
      }
    }
  },
]
