package import SluiceDevices
package import SluiceReadings

/// The edges of lines that are found by their names on any chip: `gpio-name:METER,DOOR`.
package struct GPIONameSource: SourceKind {
  package static let name = "gpio-name"
  package static let form = "NAME[,NAME...]"
  package static let example = "METER,DOOR"
  package static let isOfEvents = true
  package static let keys = GPIOSource.keys

  package let names: [String]

  package init?(_ what: String) {
    names = what.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if names.contains(where: \.isEmpty) { return nil }
  }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    GPIOSource.forecast(names, settings)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) throws(SluiceError) -> [any ReadingSource] {
    var sources: [any ReadingSource] = []
    for lines in try GPIOLines.named(names, root: context.roots.dev) {
      sources.append(try GPIOSource.edges(of: lines, settings, context))
    }
    return sources
  }
}
