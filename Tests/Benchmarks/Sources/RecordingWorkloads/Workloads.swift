import Dispatch
import Glibc
import Measurement
import Sluice
import SluiceExtras
import SluiceReadings
import SluiceRecording

/// A value is a row of a time and four integer channels; 100 ns are ten million rows per second.
public let workloads: [Workload] = recordingWorkloads + stageWorkloads

private let recordingWorkloads: [Workload] = [
  Workload("CSV encode", .sluice) { n, checksum in
    let readings = (0..<1_024).map(reading)
    write(Deferred { (0..<n).publisher }.map { readings[$0 & 1_023] }, ahead: 1, checksum)
  },
  Workload("CSV encode, in runs", .sluice) { n, checksum in write(Runs(count: n, reading), checksum) },
  Workload("CSV decode", .sluice) { n, checksum in
    withTrace(rows: n) { trace in
      let done = DispatchSemaphore(value: 0)
      let sink = Publishers.Replay(trace).sink(
        receiveCompletion: { _ in done.signal() }, receiveValue: { checksum.add(Int($0.values[0].significand)) })
      done.wait()
      sink.cancel()
    }
  },
  Workload("CSV to CSV, one by one", .sluice) { n, checksum in
    withTrace(rows: n) { trace in write(Publishers.Replay(trace).assertNoFailure(), ahead: 1, checksum) }
  },
  Workload("CSV to CSV", .sluice) { n, checksum in
    withTrace(rows: n) { trace in write(Publishers.Replay(trace).assertNoFailure(), checksum) }
  },
  Workload("CSV to CSV, buffer, throttle, collect", .sluice) { n, checksum in
    withTrace(rows: n) { trace in
      let readings = Publishers.Replay(trace).assertNoFailure()
        .buffer(size: 1_000, by: Stamps(), prefetch: .keepFull, whenFull: .dropOldest)
        .throttle(for: 1_000, latest: true, by: Stamps())
        .collect(for: nil, count: 50, by: Stamps()).joined()
      write(readings, checksum)
    }
  },
]

private struct Stamps: ElementStamps {
  func key(of reading: Reading) -> StreamID? { reading.stream }
  func time(of reading: Reading) -> Int64 { reading.time }
}

/// The same 512 readings over and over, together.
struct Runs: Publisher {
  typealias Output = Reading
  typealias Failure = Never

  let count: Int
  let reading: (Int) -> Reading

  init(count: Int, _ reading: @escaping (Int) -> Reading) { (self.count, self.reading) = (count, reading) }

  private struct Source: Operators.Pull {
    typealias Output = Reading
    let run: ArraySlice<Reading>
    var left: Int

    mutating func next() throws(Never) -> ArraySlice<Reading>? {
      guard left > 0 else { return nil }
      left -= run.count
      return run
    }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
    Operators.PullConduit.attach(
      "Runs", Source(run: (0..<512).map(reading)[...], left: count), to: AnySubscriber(subscriber))
  }
}

let description = StreamDescription(
  name: "adc", channels: (0..<4).map { StreamDescription.Channel(name: "in\($0)") })

func reading(_ number: Int) -> Reading {
  let value = Int64(number)
  return Reading(
    time: 1_700_000_000_000_000_000 + value * 1_000_000, stream: StreamID(0),
    values: [value & 4_095, -value, 1_000_000 + value, 7])
}

/// To nowhere, so that no disk is measured.
private func write<P: Publisher>(_ readings: P, ahead: Int = 1_024, _ checksum: Checksum)
where P.Output == Reading, P.Failure == Never {
  let done = DispatchSemaphore(value: 0)
  do {
    let sink = try RecordingSink(
      [.csv("/dev/null", layout: .wide, existing: .overwrite)], streams: [description], ahead: ahead,
      receiveCompletion: { error in
        if let error { fatalError("\(error)") }
        done.signal()
      })
    readings.subscribe(sink)
    done.wait()
    checksum.add(sink.written[0])
  } catch {
    fatalError("\(error)")
  }
}

/// A trace of the same thousand rows over and over, so that making it takes next to nothing.
private func withTrace(rows: Int, _ body: (TraceReader) -> Void) {
  let block = (0..<1_000).map { number in
    let reading = reading(number)
    return "\(reading.time)," + reading.values.map { "\($0.significand)" }.joined(separator: ",") + "\n"
  }.joined()
  let path = "/tmp/sluice-benchmark-\(getpid()).csv"
  guard let file = fopen(path, "w") else { fatalError("cannot write \(path)") }
  defer { unlink(path) }
  fputs("time_ns,in0,in1,in2,in3\n", file)
  for _ in 0..<rows / 1_000 { fputs(block, file) }
  fclose(file)
  do { body(try TraceReader(path: path)) } catch { fatalError("\(error)") }
}
