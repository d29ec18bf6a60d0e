package import SluiceAnalysis
import SluiceArguments
import SluicePipeline

extension PlotClock: NamedChoice {}
extension PlotTheme: NamedChoice {}

extension PlotInstant: TimeArgument {
  package init?(argument: String) { self.init(argument) }
}

/// `--panels`: the curves that share an axis.
enum PlotPanels: String, NamedChoice {
  case unit, channel
}
