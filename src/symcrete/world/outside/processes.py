"""Other processes: none is started; whether it can be, its exit code and output are inputs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from symcrete.inputs.draw.text import BytesShape, StrShape
from symcrete.inputs.shapes.shape import ChoiceShape, IntShape, Shape
from symcrete.world.files.opened import Opened
from symcrete.world.outside.answered import Calls, Parts, by_function, mocked
from symcrete.world.setting_roots import YES_OR_NO
from symcrete.world.source import (
    Answer,
    Asking,
    Instead,
    Setting,
    Source,
    StandIn,
    Targets,
    original,
)

_NAME = "processes"
_CODE = IntShape(-64, 255)  # a signal is negative
# What `os.system` gives: the exit code times 256, or the number of a signal.
_WAIT_STATUS = IntShape(0, 255 << 8)
_FAILED = ChoiceShape((IntShape(1, 255), IntShape(-64, -1)))
_ERRORS = {
    "missing": 'FileNotFoundError(2, "No such file or directory")',
    "gone": 'ProcessLookupError(3, "No such process")',
    "not ours": 'PermissionError(1, "Operation not permitted")',
    "failed": 'subprocess.CalledProcessError({code}, "", {stdout}, {stderr})',
    "late": 'subprocess.TimeoutExpired("", 1)',
}
_LATE = " takes longer"  # how the part ends that says so of a method of a process
_WAITING = ("communicate", "wait")  # methods of a process that take a time to wait
_AS_TEXT = ("text", "universal_newlines", "encoding", "errors")  # options that decode the output


def _raised(answer: Parts, **captured: Shape) -> BaseException:
    """The error that an answer is, with what the process had written to its streams until then."""
    if answer.error == "failed":
        code = answer.value("code", _FAILED)
        written = {name: answer.value(name, shape) for name, shape in captured.items()}
        return subprocess.CalledProcessError(code, "", written.get("stdout"), written.get("stderr"))
    made: BaseException = eval(_ERRORS[answer.error], {"subprocess": subprocess})
    return made


def _shape_of_output(options: Mapping[str, Any]) -> Shape:
    return StrShape() if any(options.get(each) for each in _AS_TEXT) else BytesShape()


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    for name, answer in _FUNCTIONS.items():
        yield Instead("subprocess", name, _function(ask, "subprocess", name, answer))
    yield Instead("os", "system", _function(ask, "os", "system", _wait_status))
    yield Instead("os", "popen", _function(ask, "os", "popen", _opened))
    yield Instead("os", "kill", _looking_for(ask))


def _function(
    ask: Asking, module: str, name: str, answer: Callable[..., Any]
) -> Callable[..., Any]:
    calls = Calls(ask, f"{module}.{name}", _NAME)

    def asked(*args: Any, **options: Any) -> Any:
        if not ask.running:
            return original(module, name)(*args, **options)
        ask.lose("processes, of which only the commonest errors are inputs")
        return answer(calls, *args, **options)

    return asked


def _run(calls: Calls, args: Any = (), **options: Any) -> Any:
    check, timed = bool(options.get("check")), options.get("timeout") is not None
    answer = calls.next(["missing", *["failed"] * check, *["late"] * timed])
    captured = _captured(options)
    if answer.error:
        raise _raised(answer, **captured)
    code = 0 if check else answer.value("code", _CODE)
    written = {name: answer.value(name, shape) for name, shape in captured.items()}
    return subprocess.CompletedProcess(args, code, written.get("stdout"), written.get("stderr"))


def _captured(options: Mapping[str, Any]) -> dict[str, Shape]:
    """The streams of a process that its caller gets, with the shape of what is in them."""
    shape, all_of_them = _shape_of_output(options), bool(options.get("capture_output"))
    streams = ("stdout", "stderr")
    return {each: shape for each in streams if all_of_them or options.get(each) == subprocess.PIPE}


def _output(calls: Calls, *_: Any, **options: Any) -> Any:
    timed = options.get("timeout") is not None
    answer = calls.next(["missing", "failed", *["late"] * timed])
    shape = _shape_of_output(options)
    if answer.error:
        raise _raised(answer, stdout=shape)
    return answer.value("result", shape)


def _exit_code(calls: Calls, *_: Any, **options: Any) -> Any:
    answer = calls.next(())
    return answer.value("result", _CODE)


def _wait_status(calls: Calls, *_: Any, **options: Any) -> Any:
    return calls.next(()).value("result", _WAIT_STATUS)


def _checked(calls: Calls, *_: Any, **options: Any) -> int:
    answer = calls.next(["missing", "failed", *["late"] * (options.get("timeout") is not None)])
    if answer.error:
        raise _raised(answer)
    return 0


def _looking_for(ask: Asking) -> Callable[..., Any]:
    """Stands in for `os.kill` where it only asks whether a process is there; signals are really
    sent, as far as the walls let them through.
    """
    calls = Calls(ask, "os.kill", _NAME)

    def kill(pid: Any, signal: Any, /) -> None:
        if not ask.running or signal != 0 or not isinstance(pid, int):
            return original("os", "kill")(pid, signal)  # type: ignore[no-any-return]
        ask.lose("processes, of which only the commonest errors are inputs")
        answer = calls.next(["gone", "not ours"])
        if answer.error:
            raise _raised(answer)
        return None

    return kill


def _opened(calls: Calls, *_: Any, **options: Any) -> Opened:
    return Opened("", calls.next(()).value("stdout", StrShape()))


def _code_and_text(calls: Calls, *_: Any, **options: Any) -> Any:
    answer = calls.next(())
    return answer.value("code", _CODE), answer.value("stdout", StrShape())


def _text(calls: Calls, *_: Any, **options: Any) -> Any:
    return calls.next(()).value("result", StrShape())


class Process:
    """What stands for a process that was started; it has ended when somebody asks, or when somebody
    who waited for a time asks again. Only the first call of a method may be too early.
    """

    pid = 1

    def __init__(self, answer: Parts, code: Any, stdout: Any, stderr: Any) -> None:
        self.returncode = code
        self._answer = answer
        self._waited: set[str] = set()  # the methods that were called
        self._output = stdout, stderr
        self.stdout, self.stderr = [
            None if each is None else Opened("", each) for each in self._output
        ]

    def communicate(self, input: Any = None, timeout: Any = None) -> tuple[Any, Any]:
        self._wait("communicate", timeout)
        return self._output

    def wait(self, timeout: Any = None) -> Any:
        self._wait("wait", timeout)
        return self.returncode

    def _wait(self, method: str, timeout: Any) -> None:
        """Raise TimeoutExpired if this is the method's first call and the input says that the
        process takes longer than it waits.
        """
        first = method not in self._waited
        self._waited.add(method)
        if first and timeout is not None and self._answer.value(f"{method}{_LATE}", YES_OR_NO):
            raise subprocess.TimeoutExpired("", 1)

    def poll(self) -> Any:
        return self.returncode

    def kill(self) -> None:
        """It has ended already."""

    terminate = kill

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing has to be waited for."""


def _started(calls: Calls, args: Any = (), **options: Any) -> Process:
    answer = calls.next(["missing"])
    if answer.error:
        raise _raised(answer)
    found = {name: answer.value(name, shape) for name, shape in _captured(options).items()}
    return Process(answer, answer.value("code", _CODE), found.get("stdout"), found.get("stderr"))


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "run": _run,
    "check_output": _output,
    "check_call": _checked,
    "call": _exit_code,
    "getoutput": _text,
    "getstatusoutput": _code_and_text,
    "Popen": _started,
}


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for function, calls in by_function(answers).items():
        told = _TOLD.get(function, _result)
        needs = ["import subprocess"] if function.startswith("subprocess") else []
        if function in _TOLD and any({"stdout", "stderr"} & each.keys() for each in calls):
            needs += ["import io"] if function in _AS_FILES else []
        if any(_is_late(method, each) for each in calls for method in _WAITING):
            needs += ["import itertools"]
        yield from mocked(function, calls, _ERRORS, told, needs, targets)


def _result(parts: Mapping[str, Answer]) -> str:
    return parts["result"].text if "result" in parts else "0"


def _nothing(parts: Mapping[str, Answer]) -> str:
    return "None"


def _completed(parts: Mapping[str, Answer]) -> str:
    code, out, errors = _streams(parts)
    return f"subprocess.CompletedProcess((), {code}, {out}, {errors})"


def _process(parts: Mapping[str, Answer]) -> str:
    code, out, errors = _streams(parts)
    entered = "**{'__enter__': lambda process: process, '__exit__': lambda *_: None}"
    entered = entered.replace("'", '"')
    files = "".join(
        [
            f", {name}={_as_file(text)}"
            for name, text in (("stdout", out), ("stderr", errors))
            if text != "None"
        ]
    )
    given = f"({out}, {errors})", code
    methods = ", ".join(
        [_method_of(each, parts, text) for each, text in zip(_WAITING, given, strict=True)]
    )
    return f"Mock(returncode={code}{files}, {methods}, poll=lambda: {code}, {entered})"


def _method_of(name: str, parts: Mapping[str, Answer], result: str) -> str:
    """The argument by which a mock of a process has this method."""
    if _is_late(name, parts):
        answers = f"itertools.chain([{_ERRORS['late']}], itertools.repeat({result}))"
        return f"{name}=Mock(side_effect={answers})"
    return f"{name}=lambda *_, **__: {result}"


def _is_late(method: str, parts: Mapping[str, Answer]) -> bool:
    """Whether the process takes longer than the first call of this method waits."""
    late = parts.get(f"{method}{_LATE}")
    return late is not None and bool(late.value)


def _streams(parts: Mapping[str, Answer]) -> tuple[str, str, str]:
    code = parts["code"].text if "code" in parts else "0"
    found = [parts[each].text if each in parts else "None" for each in ("stdout", "stderr")]
    return code, found[0], found[1]


def _as_file(text: str) -> str:
    """The expression of a file with this content, given as the text of a `str` or `bytes`."""
    return f"io.{'BytesIO' if text.startswith('b') else 'StringIO'}({text})"


def _file(parts: Mapping[str, Answer]) -> str:
    return _as_file(parts["stdout"].text)


def _pair(parts: Mapping[str, Answer]) -> str:
    return f"({parts['code'].text}, {parts['stdout'].text})"


_TOLD = {
    "subprocess.run": _completed,
    "subprocess.Popen": _process,
    "subprocess.getstatusoutput": _pair,
    "os.popen": _file,
    "os.kill": _nothing,
}
_AS_FILES = ("subprocess.Popen", "os.popen")

PROCESSES = Source(
    name=_NAME,
    what="`subprocess.run`, `check_output`, `check_call`, `call`, `getoutput`, "
    "`getstatusoutput`, `Popen`, `os.system`, `os.popen`, `os.kill(pid, 0)`",
    stand_ins=_stand_ins,
    shown=_shown,
)
