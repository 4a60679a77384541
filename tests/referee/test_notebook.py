"""The notebook that the map links to runs from its first cell to its last: it plays, shows, and profiles."""

import os

import pytest

from tests import ROOT

PAGE = ROOT / "referee" / "notebook.ipynb"


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """Its code cells, as a kernel ran them in an empty folder."""
    import nbclient  # here, since every test process collects this file, and one runs it
    import nbformat

    notebook = nbformat.read(PAGE, as_version=4)
    folder = tmp_path_factory.mktemp("notebook")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
        patch.setenv("IPYTHONDIR", str(folder / "ipython"))
        nbclient.NotebookClient(notebook, timeout=None, resources={"metadata": {"path": folder}}).execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cells, kind):
    return [
        output["data"][kind] for cell in cells for output in cell.outputs if kind in output.get("data", {})
    ]


def printed(cells):
    return "".join(output.get("text", "") for cell in cells for output in cell.outputs)


def test_a_game_is_its_replay_page_and_a_series_its_table(cells):
    page, table = shown(cells, "text/html")
    assert page.startswith("<iframe srcdoc=") and "careful (A)" in page
    assert "<table>" in table and "careful against random" in table


def test_the_package_that_it_writes_plays_and_is_profiled(cells):
    assert any("notebook_team (A)" in text for text in shown(cells, "text/plain"))
    assert "Lines by their own time" in printed(cells) and "Elo +" in printed(cells)


def test_it_is_kept_without_what_a_run_has_left():
    import nbformat

    notebook = nbformat.read(PAGE, as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code")
