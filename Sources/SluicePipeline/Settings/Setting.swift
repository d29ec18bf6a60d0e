import SluiceReadings

/// A setting with a default: a row that says all of it. From the row follow how it is read from a plan, what is written into one, the
/// schema of station files, and the option of the command with its help, its completion and its man page.
///
/// ```swift
/// .optional("step", \.step, .count(1...))
/// ```
public struct Setting<Whole>: Sendable {
  let key: PlanKey
  let form: ValueForm
  /// What the command line says of a text that it refuses.
  let reasons: FormReasons
  /// What it is, as a sentence, for the schema and for a list of settings; nil if its option says it, or if nothing does.
  private(set) var words: String?
  /// The options of the command that give it.
  private(set) var options: [SettingOption] = []
  private(set) var rules: [SettingRule] = []
  /// Takes what a plan has.
  let set: @Sendable (PlanNode, inout Whole) throws(Fault) -> Void
  /// What is written, if it is not the value of `plain`.
  let json: @Sendable (_ whole: Whole, _ plain: Whole) -> JSON?
  /// Takes the value of another whole.
  let copy: @Sendable (_ other: Whole, _ whole: inout Whole) -> Void

  /// - Parameters:
  ///   - name: The name of the setting in a plan.
  ///   - path: The property.
  ///   - form: How the value is written.
  public static func optional<Value: Equatable>(
    _ name: String, _ path: any WritableKeyPath<Whole, Value> & Sendable,
    _ form: Form<Value>
  ) -> Setting {
    Setting(key: PlanKey(name), form: form.form, reasons: form.reasons) { node, whole throws(Fault) in
      whole[keyPath: path] = try form.parse(node)
    } json: { whole, plain in
      let value = whole[keyPath: path]
      return value == plain[keyPath: path] ? nil : form.json(value)
    } copy: { other, whole in
      whole[keyPath: path] = other[keyPath: path]
    }
  }

  /// - Parameters:
  ///   - name: The name of the setting in a plan.
  ///   - path: The property.
  ///   - form: How the value is written.
  public static func optional<Value: Equatable>(
    _ name: String, _ path: any WritableKeyPath<Whole, Value?> & Sendable,
    _ form: Form<Value>
  ) -> Setting {
    Setting(key: PlanKey(name), form: form.form, reasons: form.reasons) { node, whole throws(Fault) in
      whole[keyPath: path] = try form.parse(node)
    } json: { whole, _ in
      whole[keyPath: path].map { form.json($0) }
    } copy: { other, whole in
      whole[keyPath: path] = other[keyPath: path]
    }
  }

  /// What it is, for the schema of station files.
  var sentence: String? { words ?? options.first?.sentence }

  // MARK: Options

  /// Says what it is, if no option does.
  func says(_ words: String) -> Setting { with { $0.words = words } }

  /// Makes it an option with a value.
  /// - Parameters:
  ///   - form: What stands for the value: `T`, `FILE`.
  ///   - sentence: What it does.
  ///   - name: The name of the option, if it is not that of the setting.
  ///   - short: The letter of the short name.
  ///   - list: How the option gives a list; nil if it gives one value.
  ///   - completion: What a shell offers for it.
  ///   - json: What a plan has for a text, or for an element of the list; nil for a text of another form.
  func option(
    _ form: String, _ sentence: @autoclosure @escaping @Sendable () -> String, named name: String? = nil,
    short: Character? = nil,
    list: SettingOption.List? = nil, completion: SettingOption.Completion = .words([]),
    json: @escaping @Sendable (String) -> JSON? = { .string($0) }
  ) -> Setting {
    with {
      $0.options.append(
        SettingOption(
          name: name ?? key.text, short: short, form: form, words: sentence, value: "", list: list,
          completion: completion, json: json))
    }
  }

  /// Makes it an option whose value is one of the choices of its form, or a flag if it is true or false.
  /// - Parameters:
  ///   - sentence: What it does.
  ///   - short: The letter of the short name.
  ///   - value: The choice that a flag of this name stands for.
  func option(
    _ sentence: @autoclosure @escaping @Sendable () -> String, named name: String? = nil, short: Character? = nil,
    for value: String? = nil
  ) -> Setting {
    let choices: [String] = if value == nil, case .choice(let names) = form { names } else { [] }
    return with {
      $0.options.append(
        SettingOption(
          name: name ?? key.text, short: short, form: choices.isEmpty ? nil : choices.joined(separator: "|"),
          words: sentence, value: value ?? "true", list: nil, completion: .words(choices), json: { .string($0) }))
    }
  }

  // MARK: Rules

  /// It is not given together with others.
  /// - Parameter sentence: What is said if it is, behind the name of this setting, from the key of the other.
  func excludes(_ keys: String..., says sentence: (_ other: String) -> RuleSentence) -> Setting {
    excludes(keys, says: sentence)
  }

  /// The same for a list of others.
  func excludes(_ keys: [String], says sentence: (_ other: String) -> RuleSentence) -> Setting {
    with { $0.rules += keys.map { SettingRule(other: PlanKey($0), isNeeded: false, sentence: sentence($0)) } }
  }

  /// It is not given without another.
  func needs(_ other: String, says sentence: RuleSentence) -> Setting {
    with { $0.rules.append(SettingRule(other: PlanKey(other), isNeeded: true, sentence: sentence)) }
  }

  private func with(_ change: (inout Setting) -> Void) -> Setting {
    var setting = self
    change(&setting)
    return setting
  }
}

/// An option of the command that gives a setting.
package struct SettingOption: Sendable {
  /// How the values of a list are given.
  package enum List: Sendable {
    /// All in one text, with commas.
    case commas
    /// By an option each.
    case repeated
  }

  /// What a shell offers for the value.
  package enum Completion: Sendable {
    case words([String])
    /// - Parameter endings: Empty for all files.
    case files(endings: [String])
    case folders
  }

  /// Without dashes.
  package let name: String
  package let short: Character?
  /// What stands for the value; nil for a flag.
  package let form: String?
  fileprivate let words: @Sendable () -> String
  /// What a plan has for a flag.
  let value: String
  let list: List?
  package let completion: Completion
  /// What a plan has for a text, or for an element of a list; nil for a text of another form.
  fileprivate let json: @Sendable (String) -> JSON?

  package var isRepeated: Bool { list == .repeated }

  /// What it does.
  package var sentence: String { words() }

  /// What a plan has for the text of the option; nil if the text does not have its form.
  /// - Parameter before: What it has already.
  func json(of text: String, after before: JSON?) -> JSON? {
    switch list {
    case nil: return json(form == nil ? value : text)
    case .commas:
      let texts = text.split(separator: ",", omittingEmptySubsequences: false)
      let elements = texts.compactMap { $0.isEmpty ? nil : json(String($0)) }
      return elements.count == texts.count ? .array(elements) : nil
    case .repeated:
      let others: [JSON] = if case .array(let elements)? = before { elements } else { [] }
      return json(text).map { .array(others + [$0]) }
    }
  }
}

/// A rule about two settings of one table.
struct SettingRule: Sendable {
  let other: PlanKey
  /// Whether the other must be given too, instead of not.
  let isNeeded: Bool
  let sentence: RuleSentence
}
