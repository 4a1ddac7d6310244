"""The layers: each module imports only what stands before it, and nothing heavy when loaded."""

import ast
import re
from pathlib import Path

import pytest

import qttt_circuits
from qttt_circuits.games import all_rules

PACKAGE = Path(qttt_circuits.__file__).parent
HEAVY = {"qiskit", "qiskit_aer", "numpy", "sympy", "scipy", "matplotlib"}

LEVELS = {
    "errors": 0,
    "board": 1,
    "moves": 2,
    "numbers": 2,
    "randomness": 2,
    "amplitudes": 2,
    "vectors": 3,
    "maps": 3,
    "components": 4,
    "state": 5,
    "games": 6,
    "position": 7,
}
UPPER = sorted(
    path.relative_to(PACKAGE).as_posix()
    for path in [*PACKAGE.glob("*.py"), *PACKAGE.glob("games/*.py")]
    if path.relative_to(PACKAGE).parts[0].removesuffix(".py") in LEVELS
)
WAIST_AND_BELOW = ["experiment.py", "execution.py", "result.py", "fit.py", "measured.py"]
GAME_SIDE = {"games", "position", "game"}


def is_type_checking(node):
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(path, *, everywhere):
    """Yields what a file imports as (package or None if it is outside, dotted name).

    Args:
        path: The file, relative to the package.
        everywhere: Whether imports in functions and for type checkers count as well.
    """
    tree = ast.parse((PACKAGE / path).read_text(encoding="utf-8"))
    pending = list(tree.body)
    parents = Path(path).parent.parts
    while pending:
        node = pending.pop()
        if not everywhere and (
            is_type_checking(node) or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ):
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from resolved(alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            module = node.module.split(".") if node.module else []
            if not node.level:
                yield from resolved(module)
            else:
                base = list(parents[: len(parents) - (node.level - 1)])
                names = [[]] if module else [[alias.name] for alias in node.names]
                for name in names:
                    yield True, ".".join([*base, *module, *name])
        pending.extend(ast.iter_child_nodes(node))


def resolved(parts):
    if parts[0] == PACKAGE.name:
        yield True, ".".join(parts[1:])
    else:
        yield False, ".".join(parts)


def top(name):
    return name.split(".")[0]


def test_the_files_looked_at_are_those_there_are():
    assert {Path(path).parts[0].removesuffix(".py") for path in UPPER} == set(LEVELS)
    assert {"games/__init__.py", "games/base.py", "games/dice.py"} <= set(UPPER)
    assert all((PACKAGE / path).exists() for path in WAIST_AND_BELOW)


@pytest.mark.parametrize("path", UPPER)
def test_a_module_imports_only_modules_of_earlier_layers(path):
    own = Path(path).parts[0].removesuffix(".py")
    for inside, name in imports(path, everywhere=False):
        if not inside:
            continue
        assert top(name) in LEVELS, f"{path} imports {name}"
        if own == "games" and top(name) == "games":
            continue
        assert LEVELS[top(name)] < LEVELS[own], f"{path} imports {name}"


ROWS = re.findall(
    r"^\| (`[a-z_]+(?:\.py|/)`(?:, `[a-z_]+(?:\.py|/)`)*) \|",
    (PACKAGE.parent / "README.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
ROW_OF = {
    name.removesuffix(".py").removesuffix("/"): number
    for number, row in enumerate(ROWS)
    for name in re.findall(r"`([^`]+)`", row)
}
"""The row of the README's table of modules in which each module or package stands."""


def test_modules_import_only_what_stands_before_them_in_the_readme():
    wrong = set()
    for file in PACKAGE.rglob("*.py"):
        path = file.relative_to(PACKAGE)
        own = path.parts[0].removesuffix(".py")
        if own.startswith("__"):
            continue
        for inside, name in imports(path, everywhere=False):
            other = top(name)
            if inside and other in ROW_OF and ROW_OF[other] > ROW_OF[own]:
                wrong.add(f"{own} imports {other}")
    assert not wrong


@pytest.mark.parametrize("path", UPPER)
def test_a_module_of_the_upper_half_loads_nothing_heavy(path):
    outside = {top(name) for inside, name in imports(path, everywhere=False) if not inside}
    assert not outside & HEAVY


@pytest.mark.parametrize("path", UPPER)
def test_a_module_of_the_upper_half_never_imports_qiskit_or_numpy(path):
    outside = {top(name) for inside, name in imports(path, everywhere=True) if not inside}
    assert not outside & (HEAVY - {"sympy"})


@pytest.mark.parametrize("path", WAIST_AND_BELOW)
def test_what_runs_experiments_knows_no_game(path):
    inside = {top(name) for inside, name in imports(path, everywhere=True) if inside}
    assert not inside & GAME_SIDE
    assert "compiling" not in inside


GAMES = ["tiqtaqtoe", "cancelling", "shiftflip", "goff", "leaw_cheong", "cat_and_hounds"]


def test_the_games_are_those_there_are():
    assert {cls.__module__.rpartition(".")[2] for cls in all_rules().values()} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_knows_no_other_game(name):
    imported = {other for _, other in imports(f"games/{name}.py", everywhere=True)}
    assert not imported & {f"games.{game}" for game in GAMES}


def modules(*packages):
    return sorted(
        path.relative_to(PACKAGE).as_posix()
        for package in packages
        for path in (PACKAGE / package).glob("*.py")
    )


@pytest.mark.parametrize("path", modules("solving", "players", "rolls", "study"))
def test_solving_and_searching_never_load_qiskit_or_numpy(path):
    found = list(imports(path, everywhere=True))
    assert not {top(name) for inside, name in found if not inside} & (HEAVY - {"sympy"})
    below = {"compiling", "experiment", "execution", "game", "cli", "jobs", "decoders"}
    assert not {top(name) for inside, name in found if inside} & below


@pytest.mark.parametrize("path", modules("decoders"))
def test_decoders_know_no_rules_and_no_runner(path):
    inside = {top(name) for inside, name in imports(path, everywhere=True) if inside}
    assert not inside & {*GAME_SIDE, "compiling", "experiment", "execution", "result", "cli"}


@pytest.mark.parametrize("path", modules("compiling", "drawing"))
def test_compiling_and_drawing_run_nothing(path):
    inside = {top(name) for inside, name in imports(path, everywhere=True) if inside}
    assert not inside & {"execution", "backends", "adapter", "jobs", "ibm", "cli", "game"}


@pytest.mark.parametrize("name", ["compiling", "decoders", "solving", "players", "drawing"])
def test_a_package_names_no_kind_of_its_own(name):
    named = {other for inside, other in imports(f"{name}/__init__.py", everywhere=True) if inside}
    kinds = {path.removesuffix(".py").replace("/", ".") for path in modules(name)}
    assert not named & (kinds - {f"{name}.base", f"{name}.__init__", f"{name}.settings"})


def test_the_games_package_names_no_game():
    inside = {name for inside, name in imports("games/__init__.py", everywhere=True) if inside}
    assert inside <= {"errors", "games.base"}
