"""Every notebook is stored without outputs and runs from top to bottom."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples" / "notebooks").glob("*.ipynb"))
SHOWN = {
    "half_cancelling.ipynb": ["0.0332 2/7 - 5*sqrt(2)/28", "fail2", "image/svg+xml", "image/png"],
    "goff.ipynb": ["'5=X1,6=X3,8=O4,9=O2': 1/2", "loc4", "image/svg+xml", "image/png"],
    "interference.ipynb": ["'left': 4/5", "predicted 0.1667", "image/svg+xml", "image/png"],
}


def test_there_are_three():
    assert [path.name for path in NOTEBOOKS] == sorted(SHOWN)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_stored_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not cell.outputs
            assert cell.execution_count is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs_and_shows_what_its_text_says(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = "".join(map(str, outputs))
    for part in SHOWN[path.name]:
        assert part in shown, part
