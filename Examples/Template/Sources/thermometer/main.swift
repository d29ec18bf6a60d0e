// The command sluice with the kind "thermometer" added: swift run thermometer record thermometer:FILE -o room.csv
import SluiceTool

SluiceCommand.main(adding: ThermometerKind.self)
