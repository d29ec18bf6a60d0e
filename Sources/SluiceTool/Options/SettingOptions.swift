import SluiceArguments
import SluiceDevices
package import SluicePipeline
import SluiceReadings

extension ByteSize: ArgumentValue {
  /// A number without a unit is refused, because it could be bytes or megabytes.
  package init?(argument: String) {
    guard argument.last.map({ !$0.isNumber }) ?? false else { return nil }
    self.init(argument)
  }

  package static func why(_ argument: String) -> String? { refusal(of: argument) }
}

/// The settings of sources as options. Each is the default of all sources that have this setting.
struct SettingOptions: ArgumentGroup {
  var settings = SourceSettings()
  var root: String?

  /// Each setting is a key behind a source. The options for all sources are an old form.
  static var rows: [ArgumentRow<Self>] {
    var rows: [ArgumentRow<Self>] = []
    for key in SourceSettings.Key.all {
      let row = ArgumentRow<Self>.setting(key.name, short: shorts[key.name], of: SourceSettings.table, \.settings)
      rows.append(
        row.written { value in
          "\(key.isFlag ? key.name : "\(key.name)=\(value)") after each source that needs it: SOURCE,\(key.isFlag ? key.name : "\(key.name)=\(value)")"
        })
      let known = ArgumentRow<Self>.key(key.name, SourceSettings.table.option(key.name)?.form, key.words)
      switch key {
      case .trigger: rows.append(known.named("-t", in: "iio_readdev"))
      case .length: rows.append(known.named("--buffer-size", in: "iio_readdev"))
      default: rows.append(known)
      }
    }
    rows.append(
      .option(
        "root", "DIR", "Where sys and dev are, to record from a fixture instead of devices.", \.root,
        completion: .folders))
    return rows
  }

  private static let shorts: [String: Character] = [
    "edges": "e", "bias": "b", "active-low": "l", "debounce": "p", "consumer": "C",
  ]

  var roots: DeviceRoots { DeviceRoots(root: root ?? "") }

  func validate() throws { try SourceSettings.table.check(settings) }

  /// Checks that each option applies to at least one of the sources.
  func check(for sources: [SourceSpec]) throws {
    for key in settings.keys where !sources.contains(where: { $0.kind.keys.contains(key) }) {
      let kinds = SourceKinds.all.filter { $0.keys.contains(key) }.map { $0.name }
      throw Fault(
        "--\(key.name) is for \(kinds.joined(separator: ", ")), and there is no such source; leave it out")
    }
    if let root, !root.isEmpty, sources.allSatisfy({ !$0.kind.hasRoot }) {
      throw Fault("--root is for devices and files, and there is no such source; leave it out")
    }
  }
}
