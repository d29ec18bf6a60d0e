/// The registry of all kinds of sources.
package enum SourceKinds {
  package static let all: [any SourceKind.Type] = [
    GPIOSource.self, GPIONameSource.self, GPIOValuesSource.self, IIOSource.self, IIOEventsSource.self,
    PolledSource.self, TimerSource.self, SimulatedSource.self,
  ]

  package static var names: [String] { all.map { $0.name } }

  package static func named(_ name: String) -> (any SourceKind.Type)? { all.first { $0.name == name } }
}
