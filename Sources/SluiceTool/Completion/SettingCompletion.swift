import SluiceDevices
import SluicePipeline

/// The values that a setting of a source may have.
struct SettingCompletion {
  let roots: DeviceRoots

  /// - Parameter key: The name of the setting.
  func values(_ key: String) -> [String] {
    switch SourceSettings.Key(named: key) {
    case .edges?: GPIOOptions.Edges.allCases.map(\.rawValue)
    case .bias?: GPIOOptions.Bias.allCases.map(\.rawValue)
    case .eventClock?: GPIOOptions.Clock.allCases.map(\.rawValue)
    case .trigger?: triggers
    case let key? where key.isFlag: ["true", "false"]
    default: []
    }
  }

  var triggers: [String] { IIOTriggers.names(roots: roots) + ["hrtimer:"] }
}
