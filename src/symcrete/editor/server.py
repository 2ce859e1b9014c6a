"""`symcrete lsp`: the language server, on standard input and output.

Exploring is done in one thread, one function at a time; everything else in the thread that reads
what the editor says, so that nothing here needs a lock.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from symcrete import VERSION
from symcrete.errors import BadOption, SymcreteError

try:
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer
    from pygls.uris import to_fs_path
except ImportError:
    raise BadOption("the language server needs pygls: pip install 'symcrete[lsp]'") from None

from symcrete.editor import function_work
from symcrete.editor.open_text import Function, functions_in
from symcrete.editor.shown import (
    CHECK,
    COVER,
    TESTS,
    Known,
    actions,
    diagnostics,
    inputs_of_line,
    lenses,
)

T = TypeVar("T")
TESTS_FOLDER = "tests"  # below the folder of the workspace, unless the editor says otherwise


class Server(LanguageServer):
    """What is known of the functions in open files."""

    def __init__(self) -> None:
        super().__init__("symcrete", VERSION)
        self.tests = Path(TESTS_FOLDER)
        self.closing = False
        self._functions: dict[str, list[Function]] = {}  # of each text, when it last was Python
        self._known: dict[tuple[str, str], Known] = {}  # by document and scope
        self._thread = ThreadPoolExecutor(max_workers=1)

    def functions(self, uri: str) -> list[Function]:
        """The functions of a document as it is now, or was when it could last be read."""
        now = functions_in(self.workspace.get_text_document(uri).source)
        if now is not None:
            self._functions[uri] = now
        return self._functions.get(uri, [])

    def known(self, uri: str, function: Function) -> Known | None:
        """What was found out about a function, unless it has changed since."""
        found = self._known.get((uri, function.scope))
        return found if found is not None and found.function.text == function.text else None

    def publish(self, uri: str) -> None:
        """Show what is known of a document, where it stands now."""
        shown: list[types.Diagnostic] = []
        for function in self.functions(uri):
            known = self.known(uri, function)
            if known is not None:
                shown += diagnostics(
                    known, function, self.workspace.position_codec.client_num_units
                )
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown))
        lens = self.client_capabilities.workspace and self.client_capabilities.workspace.code_lens
        if lens and lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    async def explored(self, uri: str, scope: str, work: Callable[[Path, Known], T]) -> T | None:
        """What the work gives for a function as it is on disk; None if it cannot be done."""
        try:
            file = Path(to_fs_path(uri) or "")
            function = self._on_disk(uri, scope, file)
            known = self.known(uri, function) or Known(function)
            loop = asyncio.get_running_loop()
            async with _Shown(self, f"exploring {scope}"):
                found = await loop.run_in_executor(self._thread, partial(work, file, known))
        except (SymcreteError, OSError, ValueError) as error:
            self.tell(str(error))
            return None
        self._known[uri, scope] = known
        self.publish(uri)
        return found

    def _on_disk(self, uri: str, scope: str, file: Path) -> Function:
        """The function of this name. Raises `SymcreteError` if there is none, or if the file is not
        what the editor shows, since the file is what is run.
        """
        text = self.workspace.get_text_document(uri).source
        if file.read_bytes().decode().replace("\r\n", "\n") != text.replace("\r\n", "\n"):
            raise SymcreteError(f"save {file.name} first: what is explored is the file")
        for function in self.functions(uri):
            if function.scope == scope:
                return function
        raise SymcreteError(f"there is no function {scope} in {file.name}")

    def tell(self, text: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Have the editor show a message."""
        self.window_show_message(types.ShowMessageParams(kind, f"symcrete: {text}"))

    def close(self) -> None:
        """End what is under way: within a second."""
        self.closing = True
        self._thread.shutdown(wait=False, cancel_futures=True)


class _Shown:
    """A context during which the editor shows what is being done, if it can."""

    def __init__(self, server: Server, title: str) -> None:
        self._progress = server.work_done_progress
        window = server.client_capabilities.window
        shows = window and window.work_done_progress
        self._token = os.urandom(8).hex() if shows else ""  # 8 bytes: no two are alike
        self._title = title

    async def __aenter__(self) -> None:
        if self._token:
            await self._progress.create_async(self._token)
            self._progress.begin(self._token, types.WorkDoneProgressBegin(self._title))

    async def __aexit__(self, *raised: object) -> None:
        if self._token:
            self._progress.end(self._token, types.WorkDoneProgressEnd())


def make_server() -> Server:
    """A server with all that it answers."""
    server = Server()
    _answer_documents(server)
    _answer_commands(server)
    return server


def _answer_documents(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        root = to_fs_path(params.root_uri) if params.root_uri else None
        if root and Path(root).is_dir():
            os.chdir(root)  # names, configuration and what is kept are of that folder
        given = params.initialization_options
        if isinstance(given, dict) and isinstance(given.get("tests"), str):
            server.tests = Path(given["tests"])

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: Any) -> None:
        server.publish(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        return [
            lens
            for function in server.functions(uri)
            for lens in lenses(uri, function, server.known(uri, function))
        ]

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions([types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor]),
    )
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri, first, last = (
            params.text_document.uri,
            params.range.start.line,
            params.range.end.line,
        )
        return [
            action
            for function in server.functions(uri)
            if function.first <= last and first <= function.last
            for action in actions(uri, function, list(params.context.diagnostics))
        ]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        uri, line = params.text_document.uri, params.position.line
        for function in server.functions(uri):
            known = server.known(uri, function)
            if known is not None and function.first <= line <= function.last:
                text = inputs_of_line(known, function, line)
                if text:
                    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))
        return None

    @server.feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.close()


def _answer_commands(server: Server) -> None:
    def report_of(file: Path, known: Known) -> None:
        target = function_work.target_at(file, known.function.scope)
        options = function_work.options_here()
        known.explored(function_work.covered(target, options, lambda: server.closing))

    def verdict_of(file: Path, known: Known) -> None:
        target = function_work.target_at(file, known.function.scope)
        known.judged(function_work.checked(target, function_work.options_here()))

    def tests_of(file: Path, known: Known) -> str:
        if known.report is None:
            report_of(file, known)
        assert known.report is not None
        target = function_work.target_at(file, known.function.scope)
        return function_work.write_tests(target, known.report, known.checked, server.tests)

    @server.command(COVER)
    async def cover(uri: str, scope: str) -> None:
        await server.explored(uri, scope, report_of)

    @server.command(CHECK)
    async def check(uri: str, scope: str) -> None:
        await server.explored(uri, scope, verdict_of)

    @server.command(TESTS)
    async def write_tests(uri: str, scope: str) -> str | None:
        done = await server.explored(uri, scope, tests_of)
        if done is not None:
            server.tell(done, types.MessageType.Info)
        return done


def serve() -> None:
    """Serve on standard input and output, which are then nobody else's."""
    with os.fdopen(os.dup(0), "rb") as given, os.fdopen(os.dup(1), "wb") as out:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        make_server().start_io(given, out)
