"""floppy: a driver for a removable disk as a state machine.

Takes the place of the SV-COMP driver `floppy` in context-guided search's evaluation; nothing but
the kind of program is taken over. Three requests (kind, function, position, length, and the status
the hardware will give) meet a drive of a certain type with a certain medium. Any int is allowed
everywhere: unknown requests are refused. The result is the sequence of completion codes.
"""

OPEN, CLOSE, READ, WRITE, CONTROL, POWER, PLUG = range(7)

# Functions of PLUG
START, QUERY_STOP, CANCEL_STOP, STOP, QUERY_REMOVE, CANCEL_REMOVE, REMOVE, SURPRISE = range(8)

# Functions of CONTROL
GET_GEOMETRY, GET_TYPES, FORMAT, CHECK_MEDIUM, EJECT, LOCK, UNLOCK = range(100, 107)

# Functions of POWER
QUERY_POWER, SET_POWER = 0, 1

# States of the device
NEW, WORKING, STOP_PENDING, STOPPED, REMOVE_PENDING, REMOVED = range(6)

# Completion codes
OK = 0
PENDING = 1
REFUSED = -1
NO_DEVICE = -2
NO_MEDIUM = -3
PROTECTED = -4
BAD_PARAMETER = -5
BUSY = -6
IO_ERROR = -7
CHANGED = -8
NOT_READY = -9

# What the hardware answers
DONE, WRONG_TRACK, BAD_SECTOR, LATE, LOST = range(5)

SECTOR = 512
RETRIES = 3


class Drive:
    """The drive and what the driver knows of it."""

    def __init__(self, kind: int, medium: int) -> None:
        self.state = NEW
        self.kind = kind
        self.medium = medium
        self.opened = 0
        self.locked = False
        self.motor = False
        self.track = 0
        self.errors = 0
        self.power = 0
        self.must_verify = False
        self.held: list[int] = []

    def tracks(self) -> int:
        """How many tracks the medium has in this drive, 0 if it cannot be read."""
        if self.kind == 1:
            if self.medium == 1:
                return 40
            return 0
        if self.kind == 2:
            if self.medium == 1 or self.medium == 2:
                return 80
            return 0
        if self.kind == 3:
            if self.medium >= 1 and self.medium <= 4:
                return 80
            return 0
        return 0

    def sectors(self) -> int:
        if self.medium == 1:
            return 9
        if self.medium == 2:
            return 15
        if self.medium == 3:
            return 18
        return 36

    def protected(self) -> bool:
        return self.medium == 4


def floppy(
    kind: int,
    medium: int,
    request1: int,
    function1: int,
    position1: int,
    length1: int,
    status1: int,
    request2: int,
    function2: int,
    position2: int,
    length2: int,
    status2: int,
    request3: int,
    function3: int,
    position3: int,
    length3: int,
    status3: int,
) -> list[int]:
    """The completion codes of three requests to a drive that has just been found."""
    drive = Drive(kind, medium)
    codes = [plug(drive, START, DONE)]
    codes.append(dispatch(drive, request1, function1, position1, length1, status1))
    codes.append(dispatch(drive, request2, function2, position2, length2, status2))
    codes.append(dispatch(drive, request3, function3, position3, length3, status3))
    return codes


def dispatch(
    drive: Drive, request: int, function: int, position: int, length: int, status: int
) -> int:
    """Hand a request to the routine for its kind."""
    if drive.state == REMOVED:
        return NO_DEVICE
    if request == OPEN:
        return open_drive(drive)
    if request == CLOSE:
        return close_drive(drive)
    if request == READ or request == WRITE:
        return transfer(drive, request, position, length, status)
    if request == CONTROL:
        return control(drive, function, position, length, status)
    if request == POWER:
        return power(drive, function, length)
    if request == PLUG:
        return plug(drive, function, status)
    return REFUSED


def open_drive(drive: Drive) -> int:
    if drive.state != WORKING:
        return NOT_READY
    if drive.opened > 0 and drive.locked:
        return BUSY
    drive.opened = drive.opened + 1
    return OK


def close_drive(drive: Drive) -> int:
    if drive.opened == 0:
        return REFUSED
    drive.opened = drive.opened - 1
    if drive.opened == 0:
        drive.motor = False
        if drive.locked:
            drive.locked = False
    return OK


def transfer(drive: Drive, request: int, position: int, length: int, status: int) -> int:
    """Read or write; while a stop is pending one request may wait."""
    if drive.state == STOP_PENDING or drive.state == REMOVE_PENDING:
        if drive.held:
            return BUSY
        drive.held.append(request)
        return PENDING
    if drive.state != WORKING:
        return NOT_READY
    if drive.power > 0:
        return NOT_READY
    tracks = drive.tracks()
    if tracks == 0:
        return NO_MEDIUM
    if length <= 0 or position < 0:
        return BAD_PARAMETER
    if position % SECTOR != 0 or length % SECTOR != 0:
        return BAD_PARAMETER
    if position + length > tracks * drive.sectors() * 2 * SECTOR:
        return BAD_PARAMETER
    if request == WRITE:
        if drive.protected():
            return PROTECTED
        if drive.must_verify:
            return CHANGED
    if not drive.motor:
        drive.motor = True
    seek(drive, position)
    return finish(drive, request, length, status)


def seek(drive: Drive, position: int) -> None:
    """Move the heads; far moves recalibrate first."""
    track = position // (SECTOR * 2 * drive.sectors())
    if track > drive.track + 40 or track < drive.track - 40:
        drive.track = 0
    drive.track = track


def finish(drive: Drive, request: int, length: int, status: int) -> int:
    """The completion routine: look at what the hardware answered, and try again if it may help."""
    attempt = 0
    while attempt < RETRIES:
        if status == DONE:
            if drive.errors > 0:
                drive.errors = drive.errors - 1
            return OK
        if status == WRONG_TRACK:
            drive.track = 0
            status = DONE
        elif status == BAD_SECTOR:
            if request == READ and length == SECTOR:
                drive.errors = drive.errors + 1
                return IO_ERROR
            length = length - SECTOR
            if length <= 0:
                status = DONE
        elif status == LATE:
            if not drive.motor:
                return NOT_READY
            drive.errors = drive.errors + 1
            if drive.errors > 1:
                drive.motor = False
        elif status == LOST:
            drive.medium = 0
            drive.must_verify = True
            return NO_MEDIUM
        else:
            return IO_ERROR
        attempt = attempt + 1
    return IO_ERROR


def control(drive: Drive, function: int, position: int, length: int, status: int) -> int:
    if drive.state != WORKING:
        return NOT_READY
    if function == GET_GEOMETRY:
        if drive.tracks() == 0:
            return NO_MEDIUM
        if length < 24:
            return BAD_PARAMETER
        return OK
    if function == GET_TYPES:
        return get_types(drive, length)
    if function == FORMAT:
        return format_tracks(drive, position, length, status)
    if function == CHECK_MEDIUM:
        if status == LOST:
            drive.medium = 0
            return NO_MEDIUM
        if drive.must_verify:
            drive.must_verify = False
            return CHANGED
        return OK
    if function == EJECT:
        if drive.locked:
            return BUSY
        if drive.opened > 1:
            return BUSY
        drive.medium = 0
        drive.must_verify = True
        return OK
    if function == LOCK:
        if drive.opened != 1:
            return REFUSED
        drive.locked = True
        return OK
    if function == UNLOCK:
        if not drive.locked:
            return REFUSED
        drive.locked = False
        return OK
    return REFUSED


def get_types(drive: Drive, length: int) -> int:
    """Tell the media types the drive supports, as far as the caller's buffer goes."""
    if length < 24:
        return BAD_PARAMETER
    if drive.kind == 1:
        types = 1
    elif drive.kind == 2:
        types = 2
    else:
        types = 4
    if length < types * 24:
        return types * 24 - length
    return OK


def format_tracks(drive: Drive, first: int, last: int, status: int) -> int:
    if drive.opened != 1:
        return BUSY
    if drive.protected():
        return PROTECTED
    if first < 0 or last < first:
        return BAD_PARAMETER
    if last >= drive.tracks():
        return BAD_PARAMETER
    if last - first > 10:
        return PENDING
    track = first
    while track <= last:
        if status == BAD_SECTOR and track == 0:
            return IO_ERROR
        if status == LATE:
            return NOT_READY
        track = track + 1
    drive.track = last
    return OK


def power(drive: Drive, function: int, level: int) -> int:
    if level < 0 or level > 4:
        return BAD_PARAMETER
    if function == QUERY_POWER:
        if level > 2 and drive.motor:
            return BUSY
        return OK
    if function == SET_POWER:
        if level == 0 and drive.power > 0:
            drive.must_verify = True
        if level > 2:
            drive.motor = False
        drive.power = level
        return OK
    return REFUSED


def plug(drive: Drive, function: int, status: int) -> int:
    """Arrival, stop and removal of the device."""
    if function == START:
        if drive.state != NEW and drive.state != STOPPED:
            return REFUSED
        if status != DONE:
            drive.state = REMOVED
            return NO_DEVICE
        drive.state = WORKING
        return OK
    if function == QUERY_STOP:
        if drive.state != WORKING or drive.locked:
            return REFUSED
        drive.state = STOP_PENDING
        return OK
    if function == CANCEL_STOP:
        if drive.state == STOP_PENDING:
            drive.state = WORKING
            return release(drive)
        return OK
    if function == STOP:
        if drive.state != STOP_PENDING:
            return REFUSED
        drive.state = STOPPED
        return OK
    if function == QUERY_REMOVE:
        if drive.opened > 0:
            return BUSY
        drive.state = REMOVE_PENDING
        return OK
    if function == CANCEL_REMOVE:
        if drive.state == REMOVE_PENDING:
            drive.state = WORKING
            return release(drive)
        return OK
    if function == REMOVE or function == SURPRISE:
        drive.held.clear()
        if function == SURPRISE and drive.opened > 0:
            drive.state = STOPPED
            return PENDING
        drive.state = REMOVED
        return OK
    return REFUSED


def release(drive: Drive) -> int:
    """Take up the requests that were held."""
    while drive.held:
        request = drive.held.pop(0)
        if drive.tracks() == 0:
            return NO_MEDIUM
        if request == WRITE and drive.protected():
            return PROTECTED
    return OK
