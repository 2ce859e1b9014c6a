"""Roots of the settings that others ask for."""

from __future__ import annotations

from symcrete.world.setting_roots import CURRENT_FOLDER, SETTINGS_NAME, is_terminal
from symcrete.world.settings import SETTINGS
from symcrete.world.source import Answer


def test_what_is_asked_of_a_stream_is_set_by_the_row_of_the_settings() -> None:
    late = is_terminal("sys.stdout")

    assert late.root == "sys.stdout.isatty()"
    assert late.source == SETTINGS_NAME == SETTINGS.name


def test_the_current_folder_is_the_root_that_the_row_sets() -> None:
    (setting,) = SETTINGS.shown(
        [Answer(CURRENT_FOLDER, "a", "'a'")], lambda *name: [".".join(name)]
    )

    assert setting.source == CURRENT_FOLDER
