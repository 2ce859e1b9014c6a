"""diskperf: a filter that measures what a disk does, as a state machine.

Takes the place of the SV-COMP driver `cdaudio` in context-guided search's evaluation (with a filter
driver instead, of the kind of its neighbour `diskperf`); nothing but the kind of program is taken
over. Four requests (kind, function, length, the time they take, and the lower driver's status) pass
the filter one after another. Any int is allowed. The result is the sequence of completion codes.
"""

CREATE, READ, WRITE, CONTROL, FLUSH, SHUTDOWN, PNP, POWER = range(8)

# Functions of CONTROL
COUNT_ON, COUNT_OFF, QUERY, QUERY_NAME, RESET_COUNTERS, PASS_THROUGH = range(40, 46)

# Functions of PNP
START, REMOVE, USAGE_PAGING, USAGE_DUMP, CAPABILITIES, EJECTION = range(6)

# Completion codes
OK = 0
PENDING = 259
TOO_SMALL = -1
UNSUPPORTED = -2
OFF = -3
GONE = -4
FAILED = -5
LOWER_FAILED = -6

# The lower driver's status
LOWER_OK, LOWER_PENDING, LOWER_RETRY, LOWER_VERIFY = range(4)

RECORD = 88
HEADER = 8
SLOW = 1000


class Filter:
    """The filter above one disk."""

    def __init__(self, removable: int, version: int) -> None:
        self.started = False
        self.removed = False
        self.removable = removable == 1
        self.version = version
        self.counting = 0
        self.reads = 0
        self.writes = 0
        self.bytes_read = 0
        self.bytes_written = 0
        self.busy = 0
        self.idle_since = 0
        self.clock = 0
        self.queue = 0
        self.deepest = 0
        self.paging = 0
        self.slow = 0
        self.verify = False
        self.power = 0


def diskperf(
    removable: int,
    version: int,
    request1: int,
    function1: int,
    length1: int,
    time1: int,
    status1: int,
    request2: int,
    function2: int,
    length2: int,
    time2: int,
    status2: int,
    request3: int,
    function3: int,
    length3: int,
    time3: int,
    status3: int,
    request4: int,
    function4: int,
    length4: int,
    time4: int,
    status4: int,
) -> list[int]:
    """The completion codes of four requests to a disk that was just attached."""
    disk = Filter(removable, version)
    codes = []
    codes.append(dispatch(disk, request1, function1, length1, time1, status1))
    codes.append(dispatch(disk, request2, function2, length2, time2, status2))
    codes.append(dispatch(disk, request3, function3, length3, time3, status3))
    codes.append(dispatch(disk, request4, function4, length4, time4, status4))
    return codes


def dispatch(disk: Filter, request: int, function: int, length: int, time: int, status: int) -> int:
    if disk.removed:
        return GONE
    if time < 0:
        return FAILED
    if request == PNP:
        return pnp(disk, function, status)
    if not disk.started:
        return UNSUPPORTED
    if request == CREATE:
        return OK
    if request == READ or request == WRITE:
        return transfer(disk, request, length, time, status)
    if request == CONTROL:
        return control(disk, function, length, status)
    if request == FLUSH or request == SHUTDOWN:
        return flush(disk, request, time, status)
    if request == POWER:
        return set_power(disk, function, status)
    return UNSUPPORTED


def pnp(disk: Filter, function: int, status: int) -> int:
    """Arrival and removal; a start is finished in a completion routine."""
    if function == START:
        if disk.started:
            return FAILED
        return start_completed(disk, status)
    if function == REMOVE:
        if disk.paging > 0:
            return FAILED
        if disk.counting > 0:
            disk.counting = 0
        disk.removed = True
        return forward(status)
    if function == USAGE_PAGING:
        return usage(disk, status)
    if function == USAGE_DUMP:
        if not disk.started:
            return UNSUPPORTED
        return forward(status)
    if function == CAPABILITIES:
        if disk.removable:
            return OK
        return forward(status)
    if function == EJECTION:
        if not disk.removable or disk.paging > 0:
            return UNSUPPORTED
        disk.verify = True
        return OK
    return forward(status)


def start_completed(disk: Filter, status: int) -> int:
    if status == LOWER_PENDING:
        # Waited for: the lower driver finishes with success.
        status = LOWER_OK
    if status != LOWER_OK:
        return LOWER_FAILED
    disk.started = True
    if disk.version >= 5 and not disk.removable:
        disk.counting = 1
    return OK


def usage(disk: Filter, status: int) -> int:
    """The disk comes to hold a paging file, unless the lower driver objects."""
    if not disk.started:
        return UNSUPPORTED
    if disk.removable:
        return UNSUPPORTED
    code = forward(status)
    if code == OK:
        disk.paging = disk.paging + 1
    elif code == PENDING:
        if disk.paging > 0:
            return OK
        disk.paging = 1
    return code


def forward(status: int) -> int:
    """Send a request down and report what comes back."""
    if status == LOWER_OK:
        return OK
    if status == LOWER_PENDING:
        return PENDING
    return LOWER_FAILED


def transfer(disk: Filter, request: int, length: int, time: int, status: int) -> int:
    if length < 0:
        return FAILED
    if disk.power > 0:
        return OFF
    if disk.verify:
        if request == WRITE:
            return FAILED
        if status == LOWER_VERIFY:
            disk.verify = False
            return LOWER_FAILED
    if disk.counting == 0:
        return forward(status)
    started = disk.clock
    if disk.queue == 0 and disk.clock > disk.idle_since:
        disk.busy = disk.busy + disk.clock - disk.idle_since
    disk.queue = disk.queue + 1
    if disk.queue > disk.deepest:
        disk.deepest = disk.queue
    disk.clock = disk.clock + time
    return transfer_completed(disk, request, length, started, status)


def transfer_completed(disk: Filter, request: int, length: int, started: int, status: int) -> int:
    """The completion routine: count what was moved and how long it took."""
    if status == LOWER_RETRY:
        if disk.clock - started > SLOW:
            disk.slow = disk.slow + 1
            disk.queue = disk.queue - 1
            return LOWER_FAILED
        disk.clock = disk.clock + 1
        status = LOWER_OK
    if status == LOWER_PENDING:
        return PENDING
    disk.queue = disk.queue - 1
    if disk.queue == 0:
        disk.idle_since = disk.clock
    if status == LOWER_VERIFY:
        if disk.removable:
            disk.verify = True
            return FAILED
        return LOWER_FAILED
    if status != LOWER_OK:
        return LOWER_FAILED
    if request == READ:
        disk.reads = disk.reads + 1
        disk.bytes_read = disk.bytes_read + length
    else:
        disk.writes = disk.writes + 1
        disk.bytes_written = disk.bytes_written + length
        if disk.bytes_written > 2 * disk.bytes_read and disk.reads > 0:
            disk.slow = disk.slow + 1
    if disk.clock - started > SLOW:
        disk.slow = disk.slow + 1
        if disk.slow > 1:
            return PENDING
    return OK


def control(disk: Filter, function: int, length: int, status: int) -> int:
    if function == COUNT_ON:
        if disk.counting >= 3:
            return FAILED
        disk.counting = disk.counting + 1
        if disk.counting == 1:
            disk.idle_since = disk.clock
        return OK
    if function == COUNT_OFF:
        if disk.counting == 0:
            return OFF
        disk.counting = disk.counting - 1
        if disk.counting == 0 and disk.queue > 0:
            disk.queue = 0
            return PENDING
        return OK
    if function == QUERY:
        return query(disk, length)
    if function == QUERY_NAME:
        if length < HEADER:
            return TOO_SMALL
        if disk.version < 5:
            return UNSUPPORTED
        if length < HEADER + 20:
            return PENDING
        return OK
    if function == RESET_COUNTERS:
        if disk.counting == 0:
            return OFF
        disk.reads = 0
        disk.writes = 0
        disk.bytes_read = 0
        disk.bytes_written = 0
        return OK
    if function == PASS_THROUGH:
        if disk.paging > 0 and status == LOWER_RETRY:
            return OK
        return forward(status)
    return UNSUPPORTED


def query(disk: Filter, length: int) -> int:
    """Hand out the counters; the larger record of newer versions needs a larger buffer."""
    if length < RECORD:
        return TOO_SMALL
    if disk.counting == 0:
        return OFF
    if disk.version >= 6:
        if length < RECORD + 16:
            return TOO_SMALL
    if disk.reads + disk.writes == 0:
        return OK
    average = (disk.bytes_read + disk.bytes_written) // (disk.reads + disk.writes)
    if average > 65536:
        return OK + 2
    return OK + 1


def flush(disk: Filter, request: int, time: int, status: int) -> int:
    disk.clock = disk.clock + time
    if disk.queue > 0:
        if request == SHUTDOWN:
            disk.queue = 0
            return PENDING
        return FAILED
    if request == SHUTDOWN and disk.writes > 0:
        disk.counting = 0
    return forward(status)


def set_power(disk: Filter, level: int, status: int) -> int:
    if level < 0 or level > 3:
        return FAILED
    if level > 0 and disk.queue > 0:
        return FAILED
    if level > 0 and disk.paging > 0:
        return UNSUPPORTED
    if status == LOWER_RETRY and level < disk.power:
        return PENDING
    disk.power = level
    return forward(status)
