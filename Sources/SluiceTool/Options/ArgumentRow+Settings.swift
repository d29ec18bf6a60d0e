import SluiceArguments
import SluicePipeline
import SluiceReadings

extension ArgumentRow {
  /// The option of a setting. All about it is in the row of the setting.
  /// - Parameters:
  ///   - name: The name of the option.
  ///   - short: The letter of its short name, if the row of the setting has none.
  ///   - place: The part of a plan that it fills.
  static func setting<Whole>(
    _ name: String, short: Character? = nil, of settings: Settings<Whole>,
    _ place: @autoclosure @escaping () -> WritableKeyPath<Owner, Whole>
  ) -> Self {
    guard let option = settings.option(name) else { preconditionFailure("no setting has the option \(name)") }
    return setting(option, short ?? option.short, of: settings, place)
  }

  private static func setting<Whole>(
    _ option: SettingOption, _ short: Character?, of settings: Settings<Whole>,
    _ place: @escaping () -> WritableKeyPath<Owner, Whole>
  ) -> Self {
    self.option(
      option.name, short: short, option.form, option.sentence, isRepeated: option.isRepeated,
      completion: ArgumentCompletion(option.completion)
    ) { owner, text throws(Fault) in
      try settings.set(option, of: &owner[keyPath: place()], to: text)
      return true
    }
  }
}

extension Array {
  /// The options of several settings.
  static func settings<Owner, Whole>(
    _ names: String..., of settings: Settings<Whole>,
    _ place: @autoclosure @escaping () -> WritableKeyPath<Owner, Whole>
  ) -> [ArgumentRow<Owner>] where Element == ArgumentRow<Owner> {
    names.map { .setting($0, of: settings, place()) }
  }
}

extension ArgumentCompletion {
  fileprivate init(_ completion: SettingOption.Completion) {
    switch completion {
    case .words(let words): self = .list(words)
    case .files(let endings): self = .files(endings: endings)
    case .folders: self = .folders
    }
  }
}
