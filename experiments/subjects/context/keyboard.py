"""keyboard: a keyboard driver with its filter, as a state machine over scan codes.

Takes the place of the SV-COMP driver `kbfiltr` in context-guided search's evaluation; nothing but
the kind of program is taken over. Eight events come one after another: bytes from the keyboard
(0..255), and above 255 requests to the driver and timer ticks. Any int is allowed; unknown events
are counted. Prefixes, modifiers, repeated keys, the command protocol (acknowledge, resend) and
hot keys give nested conditions that only some sequences of events satisfy.
"""

# Bytes with a meaning of their own
EXTENDED = 0xE0
PAUSE_PREFIX = 0xE1
ACKNOWLEDGE = 0xFA
RESEND = 0xFE
SELF_TEST_OK = 0xAA
OVERRUN = 0xFF
RELEASED = 0x80  # added to a key's code when it is let go

# Keys
ESCAPE, BACKSPACE, TAB, ENTER, CONTROL, SHIFT, ALT, CAPS = 1, 14, 15, 28, 29, 42, 56, 58
NUM_LOCK, SCROLL_LOCK, DELETE = 69, 70, 83
FIRST_FUNCTION, LAST_FUNCTION = 59, 68
LAST_KEY = 88

# Requests to the driver
CONNECT, DISCONNECT, ENABLE, DISABLE, SET_LEDS, SET_REPEAT, READ_KEY, FLUSH, TICK = range(256, 265)
SUSPEND, RESUME, RESET = range(265, 268)

# States
DETACHED, IDLE, IN_EXTENDED, IN_PAUSE, AWAIT_ACKNOWLEDGE, AWAIT_DATA, ASLEEP = range(7)

QUEUE = 4
PATIENCE = 2
REBOOT = -99


class Keyboard:
    """The device, the keys held down and the queue of characters."""

    def __init__(self) -> None:
        self.state = DETACHED
        self.enabled = False
        self.shift = False
        self.control = False
        self.alt = False
        self.caps = False
        self.num = False
        self.leds = 0
        self.leds_wanted = 0
        self.last_key = 0
        self.repeats = 0
        self.repeat_limit = 2
        self.retries = 0
        self.waited = 0
        self.pause_bytes = 0
        self.unknown = 0
        self.lost = 0
        self.queue: list[int] = []


def keyboard(
    event1: int,
    event2: int,
    event3: int,
    event4: int,
    event5: int,
    event6: int,
    event7: int,
    event8: int,
) -> int:
    """What eight events after the driver was loaded lead to: a count of keys, or a reboot."""
    device = Keyboard()
    total = 0
    for event in (event1, event2, event3, event4, event5, event6, event7, event8):
        result = handle(device, event)
        if result == REBOOT:
            return REBOOT
        total = total + result
    return total


def handle(device: Keyboard, event: int) -> int:
    """One event; the number of characters it delivers."""
    if event < 0 or event > RESET:
        device.unknown = device.unknown + 1
        return 0
    if event >= CONNECT:
        return request(device, event)
    if device.state == DETACHED:
        return 0
    if device.state == ASLEEP:
        if event == ESCAPE or event == ENTER:
            device.state = IDLE
        return 0
    if device.state == AWAIT_ACKNOWLEDGE or device.state == AWAIT_DATA:
        return answer(device, event)
    return scan(device, event)


def request(device: Keyboard, event: int) -> int:
    """A request from above, or the timer."""
    if event == CONNECT:
        if device.state == DETACHED:
            device.state = IDLE
            device.enabled = True
        return 0
    if device.state == DETACHED:
        device.unknown = device.unknown + 1
        return 0
    if event == DISCONNECT:
        if device.queue:
            device.lost = device.lost + len(device.queue)
            device.queue.clear()
        device.state = DETACHED
    elif event == ENABLE:
        device.enabled = True
    elif event == DISABLE:
        if device.state == IDLE:
            device.enabled = False
    elif event == SET_LEDS:
        if device.state == IDLE and device.leds != device.leds_wanted:
            send(device)
    elif event == SET_REPEAT:
        if device.repeat_limit < 4:
            device.repeat_limit = device.repeat_limit + 1
        else:
            device.repeat_limit = 1
    elif event == READ_KEY:
        if device.queue:
            device.queue.pop(0)
            return 1
    elif event == FLUSH:
        device.queue.clear()
    elif event == TICK:
        tick(device)
    elif event == SUSPEND:
        if device.state == IDLE and not device.shift:
            device.state = ASLEEP
    elif event == RESUME:
        if device.state == ASLEEP:
            device.state = IDLE
            device.leds_wanted = device.leds
    else:
        reset(device)
    return 0


def reset(device: Keyboard) -> None:
    if device.state == ASLEEP:
        return
    device.shift = False
    device.control = False
    device.alt = False
    device.retries = 0
    device.state = AWAIT_DATA


def tick(device: Keyboard) -> None:
    """The timer gives up on a keyboard that does not answer."""
    if device.state == AWAIT_ACKNOWLEDGE or device.state == AWAIT_DATA:
        device.waited = device.waited + 1
        if device.waited >= PATIENCE:
            device.waited = 0
            if device.retries > 1:
                device.state = DETACHED
            else:
                device.state = IDLE
    elif device.state == IN_EXTENDED or device.state == IN_PAUSE:
        device.state = IDLE


def send(device: Keyboard) -> None:
    """Begin to tell the keyboard which lights to show."""
    device.retries = 0
    device.waited = 0
    device.state = AWAIT_ACKNOWLEDGE


def answer(device: Keyboard, event: int) -> int:
    """The keyboard's answer to a command."""
    if event == ACKNOWLEDGE:
        if device.state == AWAIT_ACKNOWLEDGE:
            device.state = AWAIT_DATA
        else:
            device.leds = device.leds_wanted
            device.state = IDLE
        return 0
    if event == RESEND:
        device.retries = device.retries + 1
        if device.retries > 2:
            device.state = DETACHED
            device.lost = device.lost + 1
        return 0
    if event == SELF_TEST_OK and device.state == AWAIT_DATA:
        device.leds = 0
        device.state = IDLE
        return 0
    # A key in the middle of a command: it is not lost, the command is.
    device.state = IDLE
    return scan(device, event)


def scan(device: Keyboard, event: int) -> int:
    """A byte of a scan code."""
    if device.state == IN_PAUSE:
        device.pause_bytes = device.pause_bytes + 1
        if device.pause_bytes == 2:
            device.state = IDLE
            if device.control:
                device.queue.clear()
        return 0
    if event == EXTENDED:
        if device.state == IN_EXTENDED:
            device.unknown = device.unknown + 1
        device.state = IN_EXTENDED
        return 0
    if event == PAUSE_PREFIX:
        device.pause_bytes = 0
        device.state = IN_PAUSE
        return 0
    if event == OVERRUN or event == 0:
        device.lost = device.lost + 1
        device.state = IDLE
        return 0
    extended = device.state == IN_EXTENDED
    device.state = IDLE
    if not device.enabled:
        return 0
    if event >= RELEASED:
        return key_up(device, event - RELEASED)
    return key_down(device, event, extended)


def key_up(device: Keyboard, key: int) -> int:
    if key == SHIFT:
        device.shift = False
    elif key == CONTROL:
        device.control = False
    elif key == ALT:
        device.alt = False
    if key == device.last_key:
        device.last_key = 0
        device.repeats = 0
    return 0


def key_down(device: Keyboard, key: int, extended: bool) -> int:
    if key > LAST_KEY:
        device.unknown = device.unknown + 1
        return 0
    if key == SHIFT:
        if not extended:
            device.shift = True
        return 0
    if key == CONTROL:
        device.control = True
        return 0
    if key == ALT:
        device.alt = True
        return 0
    if key == CAPS or key == NUM_LOCK or key == SCROLL_LOCK:
        return lock_key(device, key)
    if key == DELETE and device.control and device.alt:
        if extended or not device.num:
            return REBOOT
        return put(device, ord("."))
    if key == device.last_key:
        device.repeats = device.repeats + 1
        if device.repeats > device.repeat_limit:
            return 0
    else:
        device.last_key = key
        device.repeats = 0
    if key >= FIRST_FUNCTION and key <= LAST_FUNCTION:
        return function_key(device, key)
    return put(device, character(device, key))


def lock_key(device: Keyboard, key: int) -> int:
    """The locks change the lights; while a lock is held it does not toggle again."""
    if key == device.last_key:
        return 0
    device.last_key = key
    if key == CAPS:
        device.caps = not device.caps
        if device.caps:
            device.leds_wanted = device.leds_wanted + 4
        else:
            device.leds_wanted = device.leds_wanted - 4
    elif key == NUM_LOCK:
        device.num = not device.num
        if device.num:
            device.leds_wanted = device.leds_wanted + 2
        else:
            device.leds_wanted = device.leds_wanted - 2
    elif device.control:
        device.enabled = False
        return 0
    send(device)
    return 0


def function_key(device: Keyboard, key: int) -> int:
    if device.alt and key == FIRST_FUNCTION + 3:
        device.queue.clear()
        return 0
    if device.control and device.shift:
        return put(device, 1000 + key)
    return put(device, 500 + key)


def character(device: Keyboard, key: int) -> int:
    """The character a key stands for: its code, changed by the modifiers."""
    if key == BACKSPACE or key == TAB or key == ENTER:
        return key
    if device.control:
        return key % 32
    if device.shift != device.caps:
        return key + 128
    return key


def put(device: Keyboard, code: int) -> int:
    """Queue a character; the queue drops what does not fit."""
    if len(device.queue) >= QUEUE:
        device.lost = device.lost + 1
        return 0
    device.queue.append(code)
    if code == ENTER and len(device.queue) == QUEUE:
        device.queue.clear()
        return QUEUE
    return 0
