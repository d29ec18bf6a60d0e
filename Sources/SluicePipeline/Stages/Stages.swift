/// The registry of all stages.
package enum Stages {
  package static let all: [any PipelineStage.Type] = [
    BufferStage.self,
    SelectStage.self,
    SettleStage.self,
    PulseWidthStage.self,
    FrequencyStage.self,
    PulseCountStage.self,
    QuadratureStage.self,
    DHTStage.self,
    OneWireStage.self,
    ScaleStage.self,
    WhereStage.self,
    DedupeStage.self,
    OnChangeStage.self,
    ResampleStage.self,
    ReduceStage.self,
    EveryStage.self,
    ThrottleStage.self,
    CollectStage.self,
  ]

  package static var names: [String] { all.map { $0.name } }

  package static func named(_ name: String) -> (any PipelineStage.Type)? { all.first { $0.name == name } }
}
