import Dispatch
import Measurement

#if OPENCOMBINE
  import OpenCombine
  import OpenCombineDispatch
#else
  import Sluice
  import SluiceDispatch
#endif

let timing: [Workload] = [
  // One value in a thousand goes through.
  Workload("throttle", library, timesAsFast: 5) { n, checksum in
    let (source, clock) = (HotSource(), VirtualClock())
    let sink = source.throttle(for: .milliseconds(10), scheduler: clock, latest: true).sink { checksum.add($0) }
    let line = source.line
    for value in 0..<n {
      line.send(value)
      if value % 100 == 99 { clock.advance(by: .milliseconds(1)) }
    }
    sink.cancel()
    line.finish()
  },
  Workload("receive(on:), virtual clock", library, timesAsFast: 5) { n, checksum in
    let (source, clock) = (HotSource(), VirtualClock())
    let sink = source.receive(on: clock).sink { checksum.add($0) }
    let line = source.line
    for value in 0..<n {
      line.send(value)
      if value % 100 == 99 { clock.advance(by: .milliseconds(1)) }
    }
    sink.cancel()
    line.finish()
  },
  // From this thread to a queue's, until the last value is there.
  Workload("receive(on:), DispatchQueue", library, values: 200_000, clock: .wall, timesAsFast: 5) { n, checksum in
    let source = HotSource()
    let done = DispatchSemaphore(value: 0)
    let sink = source.receive(on: DispatchQueue(label: "benchmark"))
      .sink(receiveCompletion: { _ in done.signal() }, receiveValue: { checksum.add($0) })
    let line = source.line
    for value in 0..<n { line.send(value) }
    line.finish()
    done.wait()
    sink.cancel()
  },
]
