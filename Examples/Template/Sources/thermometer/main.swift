// The command sluice with the kind "thermometer" added: swift run thermometer record thermometer:FILE -o room.csv
@_spi(Preview) import SluiceTool

SluiceCommand.main(adding: ThermometerKind.self)
