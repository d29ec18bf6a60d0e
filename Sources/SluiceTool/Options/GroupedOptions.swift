import ArgumentParser

/// A command with so many options that its help shows the first of them, and names the rest in groups.
protocol GroupedOptions: ParsableCommand {
  /// The options that the help explains at once, in this order, without their dashes.
  static var firstOptions: [String] { get }
}
