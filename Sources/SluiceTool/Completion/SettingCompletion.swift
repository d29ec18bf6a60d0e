import SluiceDevices
import SluicePipeline

/// The values that a setting of a source may have.
struct SettingCompletion {
  let roots: DeviceRoots

  /// - Parameter key: The name of the setting.
  func values(_ key: String) -> [String] {
    switch SourceSettings.Key(named: key) {
    case .trigger?: triggers
    case let key?: key.choices
    case nil: []
    }
  }

  var triggers: [String] { IIOTriggers.names(roots: roots) + ["hrtimer:"] }
}
