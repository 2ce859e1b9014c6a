"""The page in Chromium: no errors, links land, sorting sorts, keys work, at three widths.

Run by `make test-page`, which installs what it needs; not part of the test suite. With
`SYMCRETE_PICTURES=FOLDER` what is seen is kept there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = Path(__file__).parents[2]
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDTHS = {"wide": 1400, "tablet": 820, "phone": 390}  # pixels
DEAD = """
def fee(days: int, member: bool) -> int:
    \"\"\"What a rental costs.\"\"\"
    if days < 0:
        raise ValueError("days")
    price = days * (2 if days > 30 else 5)
    if member and price > 20:
        price -= 10
    if price < 0:
        return -1  # cannot happen
    return 100 // (price - 85)
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of the examples and of a function with a dead branch."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "fees.py").write_text(DEAD)
    (folder / "own.py").write_text("import fees\n\nfees.fee(3, False)\n")  # a test of the project
    measuring = [sys.executable, "-m", "coverage", "run", "--branch", "--include=fees.py"]
    subprocess.run([*measuring, "own.py"], cwd=folder, check=True)
    command = [sys.executable, "-m", "symcrete", "cover", "examples", "fees.py", "-q"]
    subprocess.run([*command, "--emit", "html", "-o", "page.html"], cwd=folder, check=True)
    return (folder / "page.html").as_uri()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chrome]:
    options = ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in (*FLAGS, f"--user-data-dir={tmp_path}/browser"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options, Service("/usr/bin/chromedriver"))
    yield driver
    driver.quit()


def opened(browser: Chrome, address: str, width: int = 1400, dark: bool = False) -> None:
    media = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get("about:blank")
    browser.get(address)


def shown_sections(browser: Chrome) -> list[str]:
    found = browser.find_elements(By.CSS_SELECTOR, "main > section")
    return [str(each.get_attribute("id")) for each in found if each.is_displayed()]


def column(browser: Chrome, number: int) -> list[str]:
    cells = browser.find_elements(By.CSS_SELECTOR, f"#functions tbody td:nth-child({number})")
    return [each.text for each in cells if each.is_displayed()]


def pressed(browser: Chrome, *keys: str) -> None:
    for key in keys:
        browser.switch_to.active_element.send_keys(key)


def row_of(browser: Chrome, name: str) -> str:
    """The section of the function of that name."""
    link = browser.find_element(By.LINK_TEXT, name)
    return str(link.get_attribute("href")).rpartition("#")[2]


def test_every_link_lands_and_nothing_is_logged_or_fetched(browser: Chrome, address: str) -> None:
    opened(browser, address)
    wanted = [
        str(each.get_attribute("href"))
        for each in browser.find_elements(By.CSS_SELECTOR, "#functions a")
    ]

    landed = []
    for href in wanted:
        browser.get(href)
        landed.append(shown_sections(browser))

    assert landed == [[href.rpartition("#")[2]] for href in wanted] and len(landed) > 8
    assert browser.get_log("browser") == []
    fetched = "return performance.getEntriesByType('resource').map(each => each.name)"
    assert [name for name in browser.execute_script(fetched) if "data:" not in name] == []


def test_links_inside_a_function_name_what_is_there(browser: Chrome, address: str) -> None:
    opened(browser, address)

    missing = browser.execute_script(
        "return [...document.querySelectorAll('a')].map(a => a.getAttribute('href').slice(1))"
        ".filter(name => !document.getElementById(name))"
    )

    assert missing == []


def test_a_click_on_a_heading_sorts_and_another_turns_it_round(
    browser: Chrome, address: str
) -> None:
    opened(browser, address)
    heading = browser.find_element(By.CSS_SELECTOR, "#functions th:nth-child(7)")

    heading.click()
    down = [int(each) for each in column(browser, 7)]
    heading.click()
    up = [int(each) for each in column(browser, 7)]

    assert down == sorted(down, reverse=True) and up == sorted(up) and up != down


def test_what_the_projects_tests_cover_stands_beside_what_is_covered_now(
    browser: Chrome, address: str
) -> None:
    opened(browser, address)

    place = column(browser, 2).index("fees.py")

    assert (column(browser, 10)[place], column(browser, 11)[place]) == ("3/6", "5/6")


def test_names_are_sorted_as_text(browser: Chrome, address: str) -> None:
    opened(browser, address)

    browser.find_element(By.CSS_SELECTOR, "#functions th").click()

    assert column(browser, 1) == sorted(column(browser, 1), key=str.lower)


def test_search_and_keys_find_a_function(browser: Chrome, address: str) -> None:
    opened(browser, address)

    pressed(browser, "/")
    pressed(browser, *"gcd")
    found = column(browser, 1)
    pressed(browser, Keys.ENTER)
    pressed(browser, Keys.ENTER)

    assert found == ["gcd"]
    assert shown_sections(browser) == [row_of_hidden(browser, "gcd")]


def row_of_hidden(browser: Chrome, name: str) -> str:
    script = (
        "return [...document.querySelectorAll('#functions a')]"
        f".find(a => a.textContent == '{name}').getAttribute('href').slice(1)"
    )
    return str(browser.execute_script(script))


def test_j_and_k_go_from_function_to_function(browser: Chrome, address: str) -> None:
    opened(browser, f"{address}#f1")

    pressed(browser, "j")
    after = shown_sections(browser)
    pressed(browser, "k", "k")
    before = shown_sections(browser)
    pressed(browser, "o")

    assert (after, before, shown_sections(browser)) == (["f2"], ["f0"], ["overview"])


def test_a_line_lights_up_the_inputs_that_execute_it(browser: Chrome, address: str) -> None:
    opened(browser, address)
    browser.find_element(By.LINK_TEXT, "fee").click()
    (section,) = shown_sections(browser)
    lines = browser.find_elements(By.CSS_SELECTOR, f"#{section} .line.hit")
    last = [each for each in lines if each.text.strip()][-1]

    last.click()

    lit = browser.find_elements(By.CSS_SELECTOR, f"#{section} tr.lit")
    expected = str(last.get_attribute("data-inputs")).split()
    assert [each.get_attribute("data-input") for each in lit] == expected != []


def test_a_dead_line_says_why(browser: Chrome, address: str) -> None:
    opened(browser, f"{address}")
    name = browser.execute_script(
        "return [...document.querySelectorAll('#functions tr')]"
        ".find(row => row.textContent.includes('fees.py')).dataset.function"
    )

    browser.get(f"{address}#{name}")

    dead = browser.find_elements(By.CSS_SELECTOR, f"#{name} .line.dead")
    remarks = browser.find_elements(By.CSS_SELECTOR, f"#{name} .remark.infeasible")
    assert ["cannot happen" in each.text for each in dead] == [True]
    assert "price < 0" in remarks[0].text
    tall = {"width": 1100, "height": 2600, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", tall)
    browser.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
    keep_picture(browser, "whole-function")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_no_view_is_wider_than_the_window(
    width: str, dark: bool, browser: Chrome, address: str
) -> None:
    wide = {}
    for name in ("overview", "f0", "f3", "f9"):
        opened(browser, f"{address}#{name}", WIDTHS[width], dark)
        wide[name] = browser.execute_script("return document.documentElement.scrollWidth")
        keep_picture(browser, f"{width}-{name}-{'dark' if dark else 'light'}")

    assert {name: each for name, each in wide.items() if each > WIDTHS[width]} == {}
    assert browser.execute_script("return document.documentElement.dataset.theme") == (
        "dark" if dark else "light"
    )


def keep_picture(browser: Chrome, name: str) -> None:
    folder = os.environ.get("SYMCRETE_PICTURES")
    if folder:
        browser.save_screenshot(str(Path(folder) / f"{name}.png"))
