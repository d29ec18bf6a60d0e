import ArgumentParser

/// `--select imu,METER.level`, `--columns a,3`: names of streams, channels or columns. A stream with a comma in its name
/// can be given in a plan, and such a column by its number.
struct NameList: ExpressibleByArgument {
  let names: [String]

  init?(argument: String) {
    names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if names.contains("") { return nil }
  }
}
