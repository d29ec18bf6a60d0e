// A sensor that is faster than what takes its readings: 1,000 readings per second for a file that is to have 20.
//
// Each of the strategies against too much input has its place: throttle drops what is not needed, collect makes few
// large writes of many small ones, buffer holds what comes while the sink is paused, and the sink asks only for what it
// can write. Look at the gap in the file, and at the sum: every reading is accounted for.
//
// The buffer stands behind the throttle, which asks upstream for everything: in front of it, it would never fill.
import Foundation
import Sluice
import SluiceExtras
import SluiceReadings
import SluiceRecording

let time = VirtualTimeScheduler()
let sensor = PassthroughSubject<Reading, Never>()
var (made, leftOut, dropped) = (0, 0, 0)

let description = StreamDescription(
  name: "sensor", channels: [.init(name: "voltage", unit: "V", scale: ExactDecimal(significand: 1, exponent: -3))])
let written = DispatchSemaphore(value: 0)
let sink: RecordingSink
do {
  sink = try RecordingSink([.csv("-", layout: .wide)], streams: [description]) { error in
    if let error { print(error) }
    written.signal()
  }
} catch {
  print(error)
  exit(1)
}

sensor
  .throttle(for: .milliseconds(50), scheduler: time, latest: true) { _ in leftOut += 1 }
  .buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest) { _ in dropped += 1 }
  .collect(2)
  .joined()
  .subscribe(sink)

// The sensor: a sawtooth, one sample a millisecond.
let samples = time.schedule(after: time.now, interval: .milliseconds(1)) {
  let reading = Reading(time: time.now.nanoseconds, stream: StreamID(0), values: [Int64(made % 100)])
  made += 1
  sensor.send(reading)
}
// The disk is busy for a while.
time.schedule(after: time.now.advanced(by: .milliseconds(300))) { sink.pause() }
time.schedule(after: time.now.advanced(by: .milliseconds(700))) { sink.resume() }

time.advance(by: .milliseconds(999))
samples.cancel()
sensor.send(completion: .finished)
time.run()
written.wait()
let count = sink.written[0]
print("\(made) made = \(leftOut) left out by throttle + \(dropped) dropped by buffer + \(count) written")
