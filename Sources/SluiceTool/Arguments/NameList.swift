import ArgumentParser

/// `--select imu,METER.level`: names of streams and channels. A name with a comma can be given in a plan.
struct NameList: ExpressibleByArgument {
  let names: [String]

  init?(argument: String) {
    names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if names.contains("") { return nil }
  }
}
