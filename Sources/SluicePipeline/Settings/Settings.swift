package import SluiceReadings

/// A setting that a stage, or another part of a plan, cannot be without.
public struct RequiredSetting<Whole, Value: Sendable>: Sendable {
  let key: PlanKey
  let path: any KeyPath<Whole, Value> & Sendable
  let form: Form<Value>

  /// - Parameters:
  ///   - key: The name of the setting in a plan.
  ///   - path: The property.
  ///   - form: How the value is written.
  public static func required(
    _ key: String, _ path: any KeyPath<Whole, Value> & Sendable, _ form: Form<Value>
  ) -> RequiredSetting {
    RequiredSetting(key: PlanKey(key), path: path, form: form)
  }

  func decode(_ object: PlanObject) throws(Fault) -> Value {
    try object.required(key, object.value(key, form))
  }

  func member(_ whole: Whole) -> (String, JSON) { (key.text, form.json(whole[keyPath: path])) }
}

/// The settings of a stage, or of another part of a plan, in their order there. It is read and written by them.
///
/// It is made from its required settings alone, so the defaults of the others are those of its properties.
public struct Settings<Whole>: Sendable {
  let keys: [PlanKey]
  /// By key, how its value is written.
  let forms: [ValueForm]
  /// The keys that it cannot be without. They come first.
  let requiredCount: Int
  /// Those with a default.
  let optional: [Setting<Whole>]
  /// Decodes the required settings.
  private let decodeRequired: @Sendable (PlanObject) throws(Fault) -> Whole
  /// What is written of the required settings, and what they make.
  private let required: @Sendable (Whole) -> (members: [(String, JSON)], plain: Whole)

  /// Makes the table.
  /// - Parameter make: Makes the whole from its required settings.
  public init(_ optional: Setting<Whole>..., make: @escaping @Sendable () -> Whole) { self.init(optional, make: make) }

  init(_ optional: [Setting<Whole>], make: @escaping @Sendable () -> Whole) {
    keys = optional.map(\.key)
    forms = optional.map(\.form)
    requiredCount = 0
    self.optional = optional
    decodeRequired = { _ in make() }
    required = { @Sendable _ in ([], make()) }
  }

  /// Makes the table.
  /// - Parameter make: Makes the whole from its required settings.
  public init<A>(
    _ a: RequiredSetting<Whole, A>, _ optional: Setting<Whole>..., make: @escaping @Sendable (A) -> Whole
  ) {
    keys = [a.key] + optional.map(\.key)
    forms = [a.form.form] + optional.map(\.form)
    requiredCount = 1
    self.optional = optional
    decodeRequired = { object throws(Fault) in make(try a.decode(object)) }
    required = { @Sendable whole in ([a.member(whole)], make(whole[keyPath: a.path])) }
  }

  /// Makes the table.
  /// - Parameter make: Makes the whole from its required settings.
  public init<A, B>(
    _ a: RequiredSetting<Whole, A>, _ b: RequiredSetting<Whole, B>, _ optional: Setting<Whole>...,
    make: @escaping @Sendable (A, B) -> Whole
  ) {
    keys = [a.key, b.key] + optional.map(\.key)
    forms = [a.form.form, b.form.form] + optional.map(\.form)
    requiredCount = 2
    self.optional = optional
    decodeRequired = { object throws(Fault) in make(try a.decode(object), try b.decode(object)) }
    required = { @Sendable whole in
      ([a.member(whole), b.member(whole)], make(whole[keyPath: a.path], whole[keyPath: b.path]))
    }
  }

  /// Decodes an object, whose keys were checked. ``check(_:)`` is up to the caller.
  func decode(_ object: PlanObject) throws(Fault) -> Whole {
    var whole = try decodeRequired(object)
    for setting in optional {
      if let node = object.member(setting.key) { try setting.set(node, &whole) }
    }
    return whole
  }

  /// - Throws: The first broken rule about two settings of the table.
  package func check(_ whole: Whole) throws(Fault) {
    let ruled = optional.filter { !$0.rules.isEmpty }
    guard !ruled.isEmpty else { return }
    let plain = required(whole).plain
    func isGiven(_ key: PlanKey) -> Bool { optional.contains { $0.key == key && $0.json(whole, plain) != nil } }
    for setting in ruled where setting.json(whole, plain) != nil {
      for rule in setting.rules where isGiven(rule.other) != rule.isNeeded {
        throw Fault(rule: setting.key, says: rule.sentence)
      }
    }
  }

  /// Sets a setting with a default.
  func set(_ key: PlanKey, of whole: inout Whole, to node: PlanNode) throws(Fault) {
    for setting in optional where setting.key == key { try setting.set(node, &whole) }
  }

  /// What is written of a part. The defaults are left out.
  func members(_ whole: Whole) -> [(String, JSON)] {
    let (members, plain) = required(whole)
    return members + optional.compactMap { setting in setting.json(whole, plain).map { (setting.key.text, $0) } }
  }

  /// The keys of the settings with a default that two parts do not have in common.
  func different(_ a: Whole, _ b: Whole) -> [String] {
    let (ofA, ofB) = (required(a).plain, required(b).plain)
    return optional.filter { $0.json(a, ofA)?.text != $0.json(b, ofB)?.text }.map(\.key.text)
  }

  // MARK: Options

  /// An option by its name; nil if no setting has it.
  package func option(_ name: String) -> SettingOption? {
    for setting in optional {
      for option in setting.options where option.name == name { return option }
    }
    return nil
  }

  /// Gives the setting of an option the text of the command line.
  package func set(_ option: SettingOption, of whole: inout Whole, to text: String) throws(Fault) {
    for setting in optional where setting.options.contains(where: { $0.name == option.name }) {
      let before = setting.json(whole, required(whole).plain)
      func unfit(_ reason: String?) -> Fault {
        let shown = text.isEmpty ? "an empty text" : text.contains(" ") ? quoted(text, atMost: 64) : text
        let form = (option.form ?? "no value").split(separator: "|").joined(separator: " or ")
        return Fault(" takes \(form), not \(shown)\(reason.map { ": \($0)" } ?? "")")
      }
      guard let json = option.json(of: text, after: before) else { throw unfit(nil) }
      // Two flags for one setting.
      if option.form == nil, let before, before.text != json.text,
        let other = setting.options.first(where: { $0.form == nil && $0.json(of: "", after: nil)?.text == before.text })
      {
        throw Fault(" and --\(other.name) exclude each other: give one of them")
      }
      if let reason = setting.reasons.refusal(text) { throw unfit(reason) }
      do throws(Fault) { try setting.set(PlanNode(json: json), &whole) } catch {
        // The form of a choice says it all.
        if case .choice = setting.form { throw unfit(nil) }
        guard let words = setting.reasons.words else { throw error }
        // `N is a whole number`, but not `N|forever is`.
        let isWord = option.form?.allSatisfy(\.isLetter) ?? false
        throw unfit(setting.reasons.reason(text) ?? (isWord ? "\(option.form ?? "") is \(words)" : words))
      }
    }
  }
}

/// A part of a plan that has settings and nothing else.
protocol SettingsPart: PlanPart {
  static var settings: Settings<Self> { get }
}

extension SettingsPart {
  init(plan node: PlanNode) throws(Fault) {
    let object = try PlanObject(node, keys: Self.settings.keys)
    try object.checkKeys()
    self = try Self.settings.decode(object)
    do throws(Fault) { try Self.settings.check(self) } catch { throw error.inside(node.path) }
  }

  var json: JSON { .object(Self.settings.members(self)) }
}
