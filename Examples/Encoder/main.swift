// A rotary encoder: its position and speed at each click, which is four steps.
//
// "ExampleEncoder GPIO5 GPIO6" reads the lines A and B of an encoder with contacts to ground. Without lines it replays a
// trace. The edges are a stream, and the decoder is an operator in it. Look at the sign of the speed.
import Foundation
import Sluice
import SluiceDevices
import SluiceExtras
import SluiceReadings
import SluiceRecording
import SluiceStages

do {
  let names = CommandLine.arguments.dropFirst()
  let edges: AnyPublisher<Reading, SluiceError>
  let lines: [StreamDescription]
  if names.isEmpty {
    let trace = try TraceReader(path: #filePath.replacing("main.swift", with: "encoder.vcd"))
    (edges, lines) = (Publishers.Replay(trace).eraseToAnyPublisher(), trace.streams)
  } else {
    var options = GPIOOptions()
    (options.bias, options.hasInitialLevel) = (.pullUp, true)
    let gpio = try Publishers.GPIOEdges(GPIOLines.named(Array(names))[0], options: options)
    (edges, lines) = (gpio.eraseToAnyPublisher(), gpio.streams)
  }
  let knob = try Quadrature(a: lines.first?.name ?? "", b: lines.last?.name ?? "", inputs: InputStreams(lines))
  let cancellable = edges.process(by: knob)
    .filter { $0.values[0].significand % 4 == 0 }
    .sink { completion in
      print(completion)
      exit(0)
    } receiveValue: { step in
      print("position \(step.values[0]), \(step.values[1]) steps per second")
    }
  withExtendedLifetime(cancellable) { dispatchMain() }
} catch {
  print(error)
  exit(1)
}
