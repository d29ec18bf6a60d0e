/// What the keys of a running recording mean: a value that takes keys, and says what to do.
struct LiveKeys: Equatable {
  enum Action: Equatable {
    /// Pauses, or resumes.
    case pause
    /// Delivers one reading of a paced replay that is paused.
    case step
    case stop
    case mark(String)
  }

  /// The bytes of the text of a mark.
  static let longestText = 1_024

  /// Whether streams are shown, so that one can be selected.
  let hasView: Bool
  /// Whether it is a replay, which has the marks of its trace.
  let isReplay: Bool
  /// The text of a mark, while it is typed.
  private(set) var entry: String?
  private(set) var selection = 0
  /// Whether the selected stream is shown as a chart.
  private(set) var isOpen = false
  /// The number of streams that can be selected. It only grows.
  private var count = 0

  init(hasView: Bool, isReplay: Bool) { (self.hasView, self.isReplay) = (hasView, isReplay) }

  mutating func setCount(_ count: Int) { self.count = max(self.count, count) }

  /// - Parameter keys: The keys that came at once.
  mutating func press(_ keys: [TerminalKey]) -> [Action] {
    var actions: [Action] = []
    let isTyping = entry != nil
    for key in keys {
      if let action = press(key) { actions.append(action) }
      // What follows in a text that was pasted is no command.
      if isTyping, entry == nil { break }
    }
    return actions
  }

  private mutating func press(_ key: TerminalKey) -> Action? {
    if let text = entry { return press(key, text) }
    switch key {
    case .character(" "): return .pause
    case .character("q"), .character("Q"), .interrupt: return .stop
    case .right: return isReplay ? .step : nil
    case .character("m"), .character("M"): if !isReplay { entry = "" }
    case .up, .character("k"): select(selection - 1)
    case .down, .character("j"): select(selection + 1)
    case .enter: isOpen = hasView && count > 0 && !isOpen
    case .escape, .left: isOpen = false
    case .backspace, .character: break
    }
    return nil
  }

  private mutating func select(_ number: Int) {
    if hasView { selection = max(0, min(number, count - 1)) }
  }

  private mutating func press(_ key: TerminalKey, _ text: String) -> Action? {
    switch key {
    case .character(let scalar):
      let longer = text + String(scalar)
      if longer.utf8.count <= Self.longestText { entry = longer }
    case .backspace: entry = String(text.dropLast())
    case .escape: entry = nil
    case .enter:
      entry = nil
      return text.isEmpty ? nil : .mark(text)
    case .interrupt:
      entry = nil
      return .stop
    case .up, .down, .left, .right: break
    }
    return nil
  }

  /// What the keys do now, for the last line.
  /// - Parameter isPaused: Whether the recording is paused.
  func text(isPaused: Bool) -> String {
    var words = [isPaused ? "space: resume" : "space: pause"]
    if isReplay {
      if isPaused { words.append("right: one reading") }
    } else {
      words.append("m: mark")
    }
    if hasView { words.append(isOpen ? "esc: streams" : "enter: chart") }
    return (words + ["q: end"]).joined(separator: ", ")
  }
}
