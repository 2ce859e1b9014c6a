"""The language server, driven by a client over its standard streams as an editor drives it."""

import ast
import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from symcrete.editor.server import make_server
from symcrete.editor.shown import CHECK, COVER, TESTS

SHOP = '''\
def price(total: int, code: str) -> int:
    """The price."""
    if total > total + 1:
        return 0
    if code == "SAVE":
        return 100 // total
    return total


def limit(total: int) -> int:
    assert total != 4711
    return total
'''


class Editor:
    """A client that keeps what the server publishes."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "shop.py"
        self.uri = self.file.as_uri()
        self.folder = folder
        self.client = LanguageClient("editor", "1")
        self.findings: list[types.Diagnostic] = []
        self.messages: list[str] = []

        def published(params: types.PublishDiagnosticsParams) -> None:
            self.findings = list(params.diagnostics)

        def told(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(told)

    async def open(self, text: str) -> None:
        self.file.write_text(text)
        await self.client.start_io(sys.executable, "-m", "symcrete", "lsp")
        await self.client.initialize_async(
            types.InitializeParams(types.ClientCapabilities(), root_uri=self.folder.as_uri())
        )
        self.client.initialized(types.InitializedParams())
        item = types.TextDocumentItem(self.uri, types.LanguageKind.Python, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def type(self, text: str, version: int) -> None:
        """Change the whole text, unsaved."""
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, self.uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def lenses(self) -> list[tuple[int, str]]:
        found = await self.client.text_document_code_lens_async(
            types.CodeLensParams(types.TextDocumentIdentifier(self.uri))
        )
        return [(each.range.start.line, each.command.title) for each in found or () if each.command]

    async def do(self, command: str, scope: str) -> Any:
        return await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command, [self.uri, scope])
        )

    async def fix(self, finding: types.Diagnostic) -> dict[str, Any]:
        """The command of the first action that is offered for a finding."""
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(self.uri),
                finding.range,
                types.CodeActionContext([finding]),
            )
        )
        assert found and found[0].title == "Symcrete: add tests of limit that show this"
        # This client takes an action for a command, and has the command of it as a text.
        command: dict[str, Any] = ast.literal_eval(str(found[0].command))
        return command

    async def hover(self, line: int) -> str:
        found = await self.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(self.uri), types.Position(line, 4))
        )
        assert found is not None and isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def close(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    def codes(self) -> dict[str, int]:
        return {str(each.code): each.range.start.line for each in self.findings}


async def a_session(editor: Editor) -> None:
    await editor.open(SHOP)
    before = await editor.lenses()
    assert before[:3] == [(0, "cover"), (0, "write tests"), (0, "check")]

    await editor.do(COVER, "price")
    assert (0, "3 of 4 branches, 1 dead") in await editor.lenses()
    assert editor.codes() == {"dead-branch": 2, "hidden-error": 5}
    assert 'price(total=0, code="SAVE")' in await editor.hover(5)

    await editor.do(CHECK, "limit")
    assert editor.codes()["failing-check"] == 10
    failing = next(each for each in editor.findings if each.code == "failing-check")
    assert failing.message == "limit(4711) raises AssertionError()"
    fix = await editor.fix(failing)
    done = await editor.do(fix["command"], fix["arguments"][1])
    assert done == "wrote tests/test_shop.py"
    assert "limit(4711)" in (editor.folder / "tests" / "test_shop.py").read_text()

    # Typed and not saved: findings move with their functions, those of changed ones go.
    editor.type(f"# a line more\n{SHOP.replace('total + 1', 'total + 2')}", 2)
    assert (1, "cover") in await editor.lenses()
    assert editor.codes() == {"failing-check": 11}
    await editor.do(TESTS, "price")
    assert editor.messages[-1].startswith("symcrete: save shop.py first")
    editor.type("def (", 3)
    assert len(await editor.lenses()) == 6
    await editor.do(COVER, "gone")
    await editor.close()


def test_an_editor_gets_lenses_findings_and_a_fix_that_writes_the_tests(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.symcrete]\nbudget = '20s'\nmax-runs = 100\n")

    asyncio.run(asyncio.wait_for(a_session(Editor(tmp_path)), 120))

    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    done = subprocess.run(tests, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_server_offers_what_it_answers() -> None:
    features = make_server().protocol.fm.features

    assert {"textDocument/codeLens", "textDocument/codeAction", "textDocument/hover"} <= set(
        features
    )


def test_without_pygls_the_command_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['pygls'] = None\n"
        "from symcrete.cli import main; sys.exit(main(['lsp']))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (
        4,
        "symcrete: the language server needs pygls: pip install 'symcrete[lsp]'\n",
    )
