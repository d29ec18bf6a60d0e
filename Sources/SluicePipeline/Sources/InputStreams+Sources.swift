import SluiceReadings
import SluiceRecording
package import SluiceStages

extension InputStreams {
  /// The streams of all sources. Only a single source may have streams that come later.
  package init(_ sources: [Source]) {
    self.init(sources.flatMap(\.streams), more: sources.lazy.compactMap(\.moreStreams).first)
    var first = 0
    for source in sources {
      restarts += source.restarts.map { restart in
        let streams = source.streams.indices.filter { restart.streams.contains(source.streams[$0].name) }
        return Restart(ended: restart.ended, began: restart.began, streams: Set(streams.map { first + $0 }))
      }
      first += source.streams.count
    }
  }
}
