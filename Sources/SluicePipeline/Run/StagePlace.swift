import Sluice
import SluiceReadings
import SluiceStages

/// Stages of a pipeline that can be exchanged for others: those between two that stay.
struct StagePlace {
  /// What the stages are told.
  struct Context {
    var ledgers: [StreamLedger]
    var ahead: Int
    /// The output that alone has them; nil for stages of several.
    var output: String?
  }

  let exchange: StageExchange
  /// The streams in front of them, and behind them.
  let inputs: InputStreams
  let outputs: InputStreams
  /// The number of the first of them in the ledgers.
  let number: Int
  let context: Context

  /// Prepares others.
  /// - Returns: Nil if other streams would come out of them.
  func prepared(_ stages: [any RecordingStage]) throws(SluiceError) -> [PreparedStage]? {
    let prepared = try PreparedStage.all(stages, for: inputs)
    return (prepared.last?.streams ?? inputs).known == outputs.known ? prepared : nil
  }
}

extension Pipeline {
  /// Readings behind stages of which those between two that stay can be exchanged.
  func changing(
    _ place: PlanDifference.Place, _ stages: [any RecordingStage], _ prepared: [PreparedStage], _ inputs: InputStreams,
    _ context: StagePlace.Context, on readings: AnyPublisher<Reading, Never>
  ) -> AnyPublisher<Reading, Never> {
    let regions = StageRegions(stages)
    var (readings, inputs, rest) = (readings, inputs, prepared[...])
    var places: [StagePlace] = []
    for (index, region) in regions.regions.enumerated() {
      let own = Array(rest.prefix(region.count))
      rest = rest.dropFirst(region.count)
      var outputs = inputs
      if let last = own.last?.streams { (outputs.known, outputs.more) = (last.known, last.more) }
      let number = place.firstNumber + 2 * index * Self.numbersOfPlace
      let exchange = StageExchange(making(region, own, number, context))
      places.append(
        StagePlace(exchange: exchange, inputs: inputs, outputs: outputs, number: number, context: context))
      readings = exchange.publisher(readings).eraseToAnyPublisher()
      inputs = outputs
      guard index < regions.fixed.count, let stays = rest.popFirst() else { continue }
      readings = stays.act(
        readings,
        stageContext(number + Self.numbersOfPlace, context.ledgers, context.ahead, context.output))
      (inputs.known, inputs.more) = (stays.streams.known, stays.streams.more)
    }
    state.withLock { $0.exchanges[place] = places }
    return readings
  }

  /// The stages of a place have fewer.
  private static var numbersOfPlace: Int { 1 << 12 }

  /// Puts stages behind readings. The number of one that makes readings is its place among those, so that it is the same
  /// after an exchange, and its flags are counted on.
  func making(
    _ stages: [any RecordingStage], _ prepared: [PreparedStage], _ number: Int, _ context: StagePlace.Context
  ) -> StageExchange.Make {
    { [weak self] readings, exchanged in
      guard let self else { return readings }
      var (readings, made) = (readings, number)
      for (stage, own) in zip(stages, prepared) {
        readings = own.act(
          readings, stageContext(made, context.ledgers, context.ahead, context.output, exchanged: exchanged))
        if type(of: stage).makes { made += 1 }
      }
      return readings
    }
  }
}

extension PlanDifference.Place {
  /// The stages of all readings come behind those of sources.
  fileprivate var firstNumber: Int { if case .shared = self { 1 << 24 } else { 0 } }
}
