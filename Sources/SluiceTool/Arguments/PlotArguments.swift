import ArgumentParser
package import SluicePipeline

extension PlotClock: ExpressibleByArgument {}
extension PlotTheme: ExpressibleByArgument {}

extension PlotInstant: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

/// `--panels`: what shares an axis.
enum PlotPanels: String, CaseIterable, ExpressibleByArgument {
  case unit, channel
}
