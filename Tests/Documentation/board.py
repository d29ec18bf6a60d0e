"""The devices of the documentation, on the virtual board: the lines of a Raspberry Pi, which are simulated, an IIO device
of the kernel's module iio_dummy, and files as the kernel's drivers of thermometers and of a power sensor make them."""
import glob
import os
import re
import shutil
import subprocess
import threading
import time

CONFIGURATION = "/sys/kernel/config"
CHIP = f"{CONFIGURATION}/gpio-sim/pi"
# Written once, and then as they are: what a driver would measure does not change.
FILES = {
    "class/thermal/thermal_zone0": {"type": "cpu-thermal", "temp": "48312"},
    "class/hwmon/hwmon1": {"name": "ina219", "in1_input": "11980", "curr1_input": "417", "power1_input": "5000000"},
    "bus/w1/devices/28-000000009c89": {"temperature": "25500"},
    "bus/w1/devices/28-000000009d12": {"temperature": "18062"},
    "bus/w1/devices/w1_bus_master1": {},
}
HYGROMETER = {"name": "dht11@4", "in_temp_input": "24500", "in_humidityrelative_input": "46400"}
# Closing a contact too late by this part of its time makes another recording of it.
TOLERANCE = 0.2
TRIES = 5


def read(path):
    with open(path) as file:
        return file.read().strip()


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def begin():
    """Makes the devices. The board is thrown away afterwards."""
    # gpiochip0 has a line METER (Tests/Board/init), and gets a line DOOR.
    small = f"{CONFIGURATION}/gpio-sim/sim8"
    write(f"{small}/live", "0")
    os.mkdir(f"{small}/bank0/line4")
    write(f"{small}/bank0/line4/name", "DOOR")
    write(f"{small}/live", "1")
    os.makedirs(f"{CHIP}/bank0")
    write(f"{CHIP}/bank0/num_lines", "28")
    write(f"{CHIP}/bank0/label", "pinctrl-rp1")
    for line in range(28):
        os.mkdir(f"{CHIP}/bank0/line{line}")
        write(f"{CHIP}/bank0/line{line}/name", f"GPIO{line}")
    write(f"{CHIP}/live", "1")
    for line in range(28):
        write(pull(f"GPIO{line}"), "pull-up")
    for name in ("bmi160", HYGROMETER["name"]):
        os.mkdir(f"{CONFIGURATION}/iio/devices/dummy/{name}")
    for folder in ("class", "bus"):
        extend(f"/sys/{folder}")
    # A device of iio_dummy has neither temperature nor humidity: other files take the place of its own.
    (device,) = (
        os.path.dirname(path) for path in glob.glob("/sys/bus/iio/devices/iio:device*/name") if read(path) == HYGROMETER["name"])
    subprocess.run(["mount", "-t", "tmpfs", "fixture", device], check=True)
    for folder, files in {**{f"/sys/{folder}": files for folder, files in FILES.items()}, device: HYGROMETER}.items():
        os.makedirs(folder, exist_ok=True)
        for name, text in files.items():
            write(f"{folder}/{name}", text + "\n")


def extend(folder):
    """Makes a folder of sysfs one in which folders can be made."""
    names, kept = os.listdir(folder), f"/run/before{folder.replace('/', '-')}"
    os.makedirs(kept)
    subprocess.run(["mount", "--bind", folder, kept], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "fixture", folder], check=True)
    for name in names:
        if os.path.isdir(f"{kept}/{name}"):
            os.mkdir(f"{folder}/{name}")
            subprocess.run(["mount", "--bind", f"{kept}/{name}", f"{folder}/{name}"], check=True)


def pull(line):
    """The file that drives a line: a contact to ground, with a pull-up resistor."""
    device, chip = (read(f"{CHIP}/{name}") for name in ("dev_name", "bank0/chip_name"))
    return f"/sys/devices/platform/{device}/{chip}/sim_gpio{line.removeprefix('GPIO')}/pull"


def contacts(text):
    """`GPIO17 closes 3 times for 25 ms every 100 ms from 10 ms; ...`: each change in ms, its line, and what drives it."""
    changes = []
    for part in text.split(";"):
        form = r"\s*(GPIO\d+) closes (?:(\d+) times )?for (\d+) ms(?: every (\d+) ms)?(?: from (\d+) ms)?\s*"
        found = re.fullmatch(form, part)
        if not found:
            raise SystemExit(f"no contact is closed by {part!r}")
        line, times, length, period, first = found[1], *(int(number or 0) for number in found.groups()[1:])
        for number in range(times or 1):
            start = first + number * (period or 2 * length)
            changes += [(start, line, "pull-down"), (start + length, line, "pull-up")]
    return sorted(changes, key=lambda change: change[0])


def requested():
    """How many lines `sluice` reads: the kernel lists the interrupt of each."""
    return sum(row.split()[-1] == "sluice" and "irq_sim" in row for row in open("/proc/interrupts") if row.strip())


def drive(changes, ended):
    """Closes the contacts once their lines are requested.

    Returns the longest time by which a change was late, in ms.
    """
    files = {line: os.open(pull(line), os.O_WRONLY) for _, line, _ in changes}
    while requested() < len(files) and not ended.wait(0.01):
        pass
    begin, latest = time.monotonic() + 0.1, 0
    for at, line, level in changes:
        time.sleep(max(0, begin + at / 1000 - time.monotonic()))
        os.pwrite(files[line], level.encode(), 0)
        latest = max(latest, time.monotonic() - begin - at / 1000)
    for file in files.values():
        os.close(file)
    return latest * 1000


def while_driven(changes, folder, run):
    """Runs something while contacts are closed; again, with the folder as it was, if the host held up the board."""
    if not changes:
        return run()
    before = f"{folder}.before"
    shutil.copytree(folder, before)
    times = [at for at, _, _ in changes]
    allowed = max(1, TOLERANCE * min(b - a for a, b in zip(times, times[1:]) if b > a))
    for attempt in range(TRIES):
        late, ended = [], threading.Event()
        driver = threading.Thread(target=lambda: late.append(drive(changes, ended)))
        driver.start()
        wrong = run()
        ended.set()
        driver.join()
        if not wrong or late and late[0] <= allowed or attempt == TRIES - 1:
            break
        print(f"the host held up the board: a contact closed {late[0] if late else 0:.1f} ms late; again")
        shutil.rmtree(folder)
        shutil.copytree(before, folder)
    shutil.rmtree(before)
    return wrong
