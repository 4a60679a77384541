"""How a browser for the tests of pages is found or installed, with programs that only pretend."""

import os
import subprocess
import sys

import pytest

from tests.support import browser
from tests.support.browser import ROOT, NoBrowser, found, installed, needed, until


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine whose programs are what a test writes: their names and what they do, in the shell."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(browser, "PLAYWRIGHT", ("playwright",))
    monkeypatch.setattr(browser, "_playwrights", lambda: [])
    monkeypatch.setattr(browser, "_is_ubuntu", lambda: False)
    found.cache_clear()

    def has(**programs):
        for name, does in programs.items():
            path = folder / name.replace("_", "-")
            path.write_text(f"#!/bin/sh\n{does}\n")
            path.chmod(0o755)
        return folder

    has(env='while [ "${1#*=}" != "$1" ]; do shift; done; exec "$@"', playwright=DRIVES)
    yield has
    found.cache_clear()


WORKS = "echo Chromium 1"
DRIVES = '[ "$*" = --version ] && echo Version 1'
# What a program has to do that installs a browser.
INSTALLS = "printf '#!/bin/sh\\necho Chromium 2\\n' > {0}; /bin/chmod 755 {0}"


@pytest.mark.parametrize("name", browser.NAMES)
def test_a_browser_of_the_machine_is_taken_whatever_its_name(machine, name):
    folder = machine(**{name.replace("-", "_"): WORKS})
    assert installed() == found() == str(folder / name)


def test_a_browser_that_does_not_start_is_none_and_playwrights_own_is_taken(machine, monkeypatch):
    folder = machine(chromium_browser="echo 'requires the chromium snap' >&2; exit 1", own=WORKS)
    monkeypatch.setattr(browser, "_playwrights", lambda: [str(folder / "own")])
    assert found() == str(folder / "own")


def test_without_any_playwright_installs_its_own(machine, monkeypatch, capsys):
    folder = machine()
    own = folder / "own"
    machine(playwright=f'{DRIVES} || {{ [ "$*" = "install chromium" ] && {INSTALLS.format(own)}; }}')
    monkeypatch.setattr(browser, "_playwrights", lambda: [str(own)] if own.exists() else [])
    assert installed() == str(own)
    assert "playwright install chromium" in capsys.readouterr().err


@pytest.mark.parametrize("user", ["root", "may use sudo"])
def test_where_playwright_cannot_apt_installs_one_as_root_or_with_sudo(machine, monkeypatch, user):
    folder = machine()
    asked = folder / "asked"
    installs = INSTALLS.format(folder / "chromium")
    machine(apt_get=f'echo "$*" >> {asked}; [ "$1" = update ] || {{ {installs}; }}')
    words = ["update -q", "install -y -q chromium libatomic1"]
    if user != "root":
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        machine(sudo=f'[ "$1" = -n ] && shift && [ "$1" = true ] || {{ echo sudo >> {asked}; exec "$@"; }}')
        words = ["sudo", words[0], "sudo", words[1]]
    assert installed() == str(folder / "chromium")
    assert asked.read_text().splitlines() == words


@pytest.mark.parametrize("is_ubuntu", [False, True])
def test_where_playwright_itself_lacks_a_library_apt_installs_that_beside_a_browser_that_is_there(
    machine, monkeypatch, is_ubuntu
):
    folder = machine(chromium=WORKS)
    library = folder / "library"
    machine(
        playwright=f"[ -e {library} ] && echo Version 1",
        apt_get=f'[ "$1" = update ] || {{ case "$*" in *libatomic1*) : > {library};; esac; }}',
    )
    monkeypatch.setattr(browser, "_is_ubuntu", lambda: is_ubuntu)
    assert found() == ""
    found.cache_clear()
    assert installed() == str(folder / "chromium")


def test_on_ubuntu_which_has_only_a_snap_playwrights_own_gets_its_libraries(machine, monkeypatch):
    folder = machine()
    own, libraries = folder / "own", folder / "libraries"
    machine(
        own=f"[ -e {libraries} ] && {WORKS}",
        playwright=f'if [ "$1" = install-deps ]; then : > {libraries}; else {DRIVES}; fi',
        apt_get='[ "$1" = update ]',
    )
    monkeypatch.setattr(browser, "_is_ubuntu", lambda: True)
    monkeypatch.setattr(browser, "_playwrights", lambda: [str(own)])
    assert installed() == str(own)


@pytest.mark.parametrize("user, typed", [(0, ": apt-get update"), (1000, ": sudo sh -c 'apt-get update")])
def test_where_nothing_works_one_sentence_says_what_to_type(machine, monkeypatch, user, typed):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    machine(apt_get="exit 100", sudo="exit 1")
    with pytest.raises(NoBrowser) as sentence:
        installed()
    assert typed in str(sentence.value) and "\n" not in str(sentence.value)


def test_without_a_browser_no_test_runs_and_the_sentence_is_said_once(tmp_path):
    # Playwright can write nowhere, which it says at once; a host that it cannot reach it asks many times.
    (tmp_path / "apt-get").write_text("#!/bin/sh\nexit 100\n")
    (tmp_path / "apt-get").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": str(tmp_path),
        "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "apt-get"),
        "PLAYWRIGHT_DOWNLOAD_HOST": "http://127.0.0.1:9",
    }
    for name in [name for name in environment if name.startswith("PYTEST_")]:
        del environment[name]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2"]
    run = subprocess.run(
        [*command, "tests/referee/view/test_page.py", "tests/referee/players/test_players.py"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    said = run.stdout + run.stderr
    assert run.returncode == 4 and "passed" not in said and "bringing up" not in said, said
    assert said.count("the tests of pages need a browser and none could be installed; type this") == 1, said


@pytest.mark.parametrize("frozen", [False, True])
def test_what_never_comes_in_a_page_fails_though_the_page_is_frozen(started_browser, monkeypatch, frozen):
    monkeypatch.setattr(browser, "PATIENCE", 500)
    monkeypatch.setattr(browser, "SLICE", 100)
    context = started_browser.new_context()
    page = context.new_page()
    page.evaluate(f"setTimeout(() => {{ while ({str(frozen).lower()}); }}, 0)")
    with pytest.raises(pytest.fail.Exception, match="in vain: window.never"):
        until(page, "window.never")
    context.close()


def test_it_is_looked_for_where_pages_are_tested_and_nowhere_else():
    assert needed(["tests"])
    assert needed(["tests/rules/test_rules.py", "tests/referee/view/test_page.py::test_x"])
    assert not needed(["tests/rules/test_rules.py", "no/such/file.py"])
