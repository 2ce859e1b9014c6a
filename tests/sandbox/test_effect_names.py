import pytest

from symcrete.sandbox.walls.effects import EFFECTS, EffectError, allowance


def test_effects_are_allowed_by_name_and_files_by_folder(tmp_path):
    found = allowance(["network", f"files={tmp_path}"])

    assert "network" in found
    assert "files" not in found
    assert found.folders == (str(tmp_path),)
    assert allowance(found.texts()) == found


@pytest.mark.parametrize("text", ["netwrk", "network=x", "files=", ""])
def test_a_name_that_is_none_is_refused_with_the_names_there_are(text):
    with pytest.raises(EffectError) as error:
        allowance([text])

    assert all(name in str(error.value) for name in EFFECTS)


def test_a_slip_is_answered_with_the_nearest_name():
    with pytest.raises(EffectError, match="did you mean 'network'"):
        allowance(["netwrk"])
