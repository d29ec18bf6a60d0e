import SluiceDevices
import SluiceReadings
import SluiceRecording

/// The details that a verbose run prints before it begins: streams, kernel buffers, stages and outputs.
struct RecordingDetails {
  let input: PipelineInput
  let stages: PipelineStages
  let outputs: [RecordingOutput]
  let sync: SyncPolicy

  var lines: [String] {
    var lines = input.replay.map { streams($0.streams) } ?? []
    for source in input.devices {
      lines += streams(source.streams)
      if let fifo = source.fifo { lines.append(text(fifo)) }
    }
    for own in stages.ofSources {
      let names = input.devices[own.sources].flatMap(\.streams).map(\.name)
      lines.append("stages of \(listed(names)): \(text(own.stages))")
    }
    if !stages.shared.isEmpty { lines.append("stages: \(text(stages.shared))") }
    for (number, output) in outputs.enumerated() {
      let own = stages.ofOutputs.isEmpty ? [] : stages.ofOutputs[number]
      lines.append(text(output) + (own.isEmpty ? "" : ", stages: \(text(own))"))
    }
    return lines
  }

  /// `imu: accel_x (m/s^2), accel_y (m/s^2); /dev/iio:device0, bmi160, 1-0068`. The lines of a chip share a line.
  private func streams(_ streams: [StreamDescription]) -> [String] {
    var lines: [(names: [String], what: String)] = []
    for stream in streams {
      let what = Self.text(stream)
      if lines.last?.what == what {
        lines[lines.count - 1].names.append(stream.name)
      } else {
        lines.append(([stream.name], what))
      }
    }
    return lines.map { "\(listed($0.names)): \($0.what)" }
  }

  private static func text(_ stream: StreamDescription) -> String {
    let channels = stream.channels.map { $0.name + ($0.unit.map { " (\($0))" } ?? "") }
    let device = stream.device.map { [$0.path, $0.name, $0.label, $0.bus].compactMap { $0 } } ?? []
    return channels.joined(separator: ", ") + (device.isEmpty ? "" : "; \(device.joined(separator: ", "))")
  }

  private func text(_ fifo: FIFOLevel) -> String {
    "the kernel's buffer keeps \(grouped(fifo.capacity)) readings"
      + (fifo.watermark.map { ", the watermark is \(grouped($0))" } ?? "")
  }

  private func text(_ stages: [any RecordingStage]) -> String {
    stages.map { stage in
      type(of: stage).name + (stage.capacity > 0 ? " of \(grouped(stage.capacity)) readings per stream" : "")
    }.joined(separator: ", ")
  }

  private func text(_ output: RecordingOutput) -> String {
    "\(outputTitle(output.path)): \(type(of: output.format).name)"
      + (output.existing == .append ? ", appended" : "") + (sync == .never ? "" : ", sync \(sync)")
  }
}
