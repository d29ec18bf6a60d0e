// A DHT22: humidity and temperature from the bits on its data line.
//
// "ExampleDHT22 GPIO4" listens at a line while another program or a microcontroller asks the sensor. Without a line it
// replays a trace of a logic analyser. No recording is made: the edges are a stream, and the decoder is an operator in it.
// Look at the third answer: its checksum is wrong, so it has no values.
import Foundation
import Sluice
import SluiceDevices
import SluiceExtras
import SluiceReadings
import SluiceRecording
import SluiceStages

do {
  let edges: AnyPublisher<Reading, SluiceError>
  let lines: [StreamDescription]
  if let name = CommandLine.arguments.dropFirst().first {
    let gpio = try Publishers.GPIOEdges(GPIOLines.named([name])[0])
    (edges, lines) = (gpio.eraseToAnyPublisher(), gpio.streams)
  } else {
    let trace = try TraceReader(path: #filePath.replacing("main.swift", with: "dht22.vcd"))
    (edges, lines) = (Publishers.Replay(trace).eraseToAnyPublisher(), trace.streams)
  }

  let decoder = try LineProcessor(DHT(.dht22), inputs: InputStreams(lines))
  let cancellable = edges.process(by: decoder).sink { completion in
    print(completion)
    exit(0)
  } receiveValue: { answer in
    let (humidity, temperature) = (answer.values[0], answer.values[1])
    print(humidity.isMissing ? "a bit was lost" : "\(humidity) %RH, \(temperature) degC")
  }
  withExtendedLifetime(cancellable) { dispatchMain() }
} catch {
  print(error)
  exit(1)
}
