package import Sluice
import SluiceExtras
package import SluiceReadings
package import SluiceStages
import Synchronization

/// A stage that is a ``ReadingProcessor`` of the library, with what it is set to.
package protocol ProcessingStage: PipelineStage {
  associatedtype Processor: ReadingProcessor
  func processor(for inputs: InputStreams) throws(SluiceError) -> Processor
}

extension ProcessingStage {
  package func prepared(for inputs: InputStreams) throws(SluiceError) -> PreparedStage {
    let processor = try processor(for: inputs)
    // What could be wrong with the streams that come later is asked when their readings come.
    let more = inputs.more.map { more in
      { @Sendable in
        let known = more()
        return (try? self.processor(for: InputStreams(known, more: more)).streams) ?? known
      }
    }
    return PreparedStage(streams: InputStreams(processor.streams, more: more)) { readings, context in
      readings.process(by: CountedProcessor(processor, context)).eraseToAnyPublisher()
    }
  }

  package func act(
    on readings: AnyPublisher<Reading, Never>, in context: StageContext
  ) -> AnyPublisher<Reading, Never> { readings }
}

/// Counts what a processor takes and gives, by stream.
package struct CountedProcessor<Processor: ReadingProcessor>: ReadingProcessor {
  private var processor: Processor
  private let ledgers: [StreamLedger]
  private let number: Int
  /// By stream, whether its ledger knows that its readings are made here.
  private var isTold: [Bool] = []

  package init(_ processor: Processor, _ context: StageContext) {
    self.processor = processor
    (ledgers, number) = (context.ledgers, context.number)
    for stream in processor.streams.indices { _ = isMade(StreamID(UInt16(truncatingIfNeeded: stream))) }
  }

  package var streams: [StreamDescription] { processor.streams }

  /// Whether its readings are made here, which the ledger of the stream is told.
  private mutating func isMade(_ stream: StreamID) -> Bool {
    guard processor.makes(stream) else { return false }
    let index = Int(stream.index)
    while isTold.count <= index { isTold.append(false) }
    if !isTold[index] {
      isTold[index] = true
      ledgers[index].isMade(byStage: number)
    }
    return true
  }

  package mutating func receive(_ reading: Reading) {
    let stream = reading.stream
    processor.receive(reading)
    guard stream != .none else { return }
    let ledger = ledgers[Int(stream.index)]
    if isMade(stream) {
      ledger.used.add(1, ordering: .relaxed)
    } else {
      // It is taken off again if it comes out.
      ledger.suppressed.add(1, ordering: .relaxed)
    }
  }

  package mutating func finish() { processor.finish() }

  package mutating func next() -> Reading? {
    guard let reading = processor.next() else { return nil }
    let stream = reading.stream
    guard stream != .none else { return reading }
    let ledger = ledgers[Int(stream.index)]
    if isMade(stream) {
      ledger.made.add(1, ordering: .relaxed)
      if !reading.flags.isEmpty { ledger.add(made: reading, byStage: number) }
    } else {
      ledger.suppressed.subtract(1, ordering: .relaxed)
    }
    return reading
  }

  package func makes(_ stream: StreamID) -> Bool { processor.makes(stream) }
}
