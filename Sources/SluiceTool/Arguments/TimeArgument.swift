package import SluiceArguments
package import SluicePipeline

/// A value with a time in it: `5ms`, `door=50ms`, `1s:mean`.
package protocol TimeArgument: ArgumentValue {}

extension TimeArgument {
  package static func why(_ argument: String) -> String? { TimeReason.why(argument) }
}

extension TimeSpan: TimeArgument {}
