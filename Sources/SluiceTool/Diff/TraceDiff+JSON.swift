import SluiceAnalysis
import SluicePipeline
import SluiceReadings

extension TraceDiff {
  /// The output of `sluice diff --json`; see docs/Diff.md.
  var json: JSON {
    .object([
      ("a", .string(paths.a)), ("b", .string(paths.b)), ("same", .bool(isSame)), ("differences", JSON(count)),
      ("streams", .array(streams.map(Self.json))),
    ])
  }

  private static func json(_ stream: StreamDifferences) -> JSON {
    let isInBoth = stream.isInA && stream.isInB
    let shift = stream.greatestTimeDifference
    return object([
      ("name", .string(stream.name)), ("name_in_b", stream.nameInB.map { .string($0) }),
      ("only_in", isInBoth ? nil : .string(stream.isInA ? "a" : "b")), ("differences", JSON(stream.count)),
      ("readings_in_a", JSON(stream.readingsInA)), ("readings_in_b", JSON(stream.readingsInB)),
      ("readings_only_in_a", isInBoth ? json(stream.onlyInA) : nil),
      ("readings_only_in_b", isInBoth ? json(stream.onlyInB) : nil),
      ("channels_only_in_a", names(stream.channelsOnlyInA)), ("channels_only_in_b", names(stream.channelsOnlyInB)),
      ("values", isInBoth ? JSON(stream.values) : nil), ("first_value", stream.firstValue.map(json)),
      ("greatest_time_difference_ns", shift > 0 ? .number("\(shift)") : nil),
    ])
  }

  private static func json(_ only: StreamDifferences.Unmatched) -> JSON {
    let first: [(String, JSON?)] = [("first", JSON(only.number)), ("first_ns", .number("\(only.time)"))]
    return object([("count", JSON(only.count))] + (only.count > 0 ? first : []))
  }

  private static func json(_ value: StreamDifferences.Value) -> JSON {
    object([
      ("channel", .string(value.channel)), ("reading_in_a", JSON(value.numberInA)),
      ("reading_in_b", JSON(value.numberInB)), ("time_in_a_ns", .number("\(value.timeInA)")),
      ("time_in_b_ns", .number("\(value.timeInB)")), ("a", value.a.map { .number($0) } ?? .null),
      ("b", value.b.map { .number($0) } ?? .null),
    ])
  }

  private static func names(_ names: [String]) -> JSON? {
    names.isEmpty ? nil : .array(names.map { .string($0) })
  }

  /// An unknown value has no member.
  private static func object(_ members: [(String, JSON?)]) -> JSON {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }
}
