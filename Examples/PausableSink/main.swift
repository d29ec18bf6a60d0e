// A sink that pauses from within, and is resumed from outside.
//
// Look at the lines between "pause" and "resume": there are none. Nothing is delivered meanwhile, and nothing is lost,
// since the source makes a value only when it is asked to.
import Dispatch
import Sluice
import SluiceDispatch
import SluiceExtras

let queue = DispatchQueue(label: "resume")
let done = DispatchSemaphore(value: 0)

let sink = (1...6).publisher.pausableSink(
  receiveCompletion: {
    print($0)
    done.signal()
  },
  receiveValue: { value in
    let goOn = value % 2 == 0
    print("value \(value)\(goOn ? "" : ", pause")")
    return goOn
  })

let timer = Publishers.timer(queue: queue, interval: .milliseconds(20)).sink { _ in
  guard sink.paused else { return }
  print("resume")
  sink.resume()
}
done.wait()
timer.cancel()
print("paused at the end: \(sink.paused)")
