import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

private let timed = { (shape: inout Schedule.Shape) in shape.timed = true }

/// Operators with a scheduler.
let timing: [Operator] = [
  row("debounce", timed) { up, it in
    up.debounce(for: .nanoseconds(1 + it.parameter(0, below: 10)), scheduler: it.clock)
  },
  row("throttle(latest: true)", timed) { up, it in
    up.throttle(for: .nanoseconds(1 + it.parameter(0, below: 10)), scheduler: it.clock, latest: true)
  },
  row("throttle(latest: false)", timed) { up, it in
    up.throttle(for: .nanoseconds(1 + it.parameter(0, below: 10)), scheduler: it.clock, latest: false)
  },
  row("delay", timed) { up, it in
    up.delay(for: .nanoseconds(it.parameter(0, below: 10)), tolerance: .nanoseconds(0), scheduler: it.clock)
  },
  row("timeout", timed) { up, it in
    up.timeout(.nanoseconds(1 + it.parameter(0, below: 10)), scheduler: it.clock)
  },
  row("timeout(customError:)", timed) { up, it in
    up.timeout(.nanoseconds(1 + it.parameter(0, below: 10)), scheduler: it.clock, customError: { it(Fault(code: 8)) })
  },
  row("receive(on:)", timed) { up, it in up.receive(on: it.clock) },
  row("receive(on: immediate)") { up, it in up.receive(on: ImmediateScheduler.shared) },
  row("subscribe(on:)", timed) { up, it in up.subscribe(on: it.clock) },
  row("subscribe(on: immediate)") { up, it in up.subscribe(on: ImmediateScheduler.shared) },
]
