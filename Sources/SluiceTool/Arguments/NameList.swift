import SluiceArguments

/// `--select imu,METER.level`, `--columns a,3`: names of streams, channels or columns. A comma in a name would end it:
/// such a stream can only be given in a plan, and such a column only by its number.
struct NameList: ArgumentValue {
  let names: [String]

  init?(argument: String) {
    names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if names.contains("") { return nil }
  }
}
