"""Where records and results are kept: one file each, written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import OptionError, RecordError, StoreError
from .record import JobRecord

Shots = NDArray[np.uint8]
"""Shape ``(shots, clbits)``, column i for clbit i."""


@dataclass(frozen=True)
class Problem:
    """A file that is no record that can be read; it is left as it is.

    Attributes:
        path: The file.
        reason: What is wrong with it.
    """

    path: Path
    reason: str


class Store:
    """A directory of records.

    Args:
        directory: The directory; by default `QTTT_DATA_DIR`, or the user's data directory.
    """

    def __init__(self, directory: str | os.PathLike[str] | None = None) -> None:
        self.directory = Path(directory) if directory else default_directory()

    def save(self, record: JobRecord) -> JobRecord:
        """Writes a record in place of the old one and returns it.

        Raises:
            StoreError: If it cannot be written; the old one stays.
        """
        content = json.dumps(record.to_json(), indent=1, allow_nan=False)
        self._write(self._path(record.run_id, ".json"), content.encode())
        return record

    def load(self, name: str) -> JobRecord:
        """Returns a record by its run id or the beginning of it.

        Raises:
            StoreError: If there is none, or several begin like this.
            RecordError: If the file is damaged, foreign or newer; it is named.
        """
        path = self._path(name, ".json")
        if len(name) > 200 or not path.exists():
            names = sorted(p.stem for p in self._files() if name and p.stem.startswith(name))
            if len(names) != 1:
                what = "several runs begin with" if names else "there is no run"
                raise StoreError(f"{what} {name!r} in {self.directory}")
            path = self._path(names[0], ".json")
        return self._read(path)

    def all(self) -> tuple[list[JobRecord], list[Problem]]:
        """Returns all records, oldest first, and the files that cannot be read."""
        records, problems = [], []
        for path in self._files():
            try:
                records.append(self._read(path))
            except RecordError as error:
                problems.append(Problem(path, str(error)))
        return sorted(records, key=lambda r: (r.created, r.run_id)), problems

    def claim(self, run_id: str) -> None:
        """Takes the outcome of a run, which can be done once, by one process.

        Raises:
            OptionError: If it has been taken.
            StoreError: If that cannot be written down.
        """
        path = self._path(run_id, ".observed")
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        except FileExistsError:
            raise OptionError(f"the outcome of run {run_id} has been observed already") from None
        except OSError as error:
            raise StoreError(f"{path} could not be written ({error.strerror})") from error

    def claimed(self, run_id: str) -> bool:
        """Returns whether the outcome of a run has been taken."""
        return self._path(run_id, ".observed").exists()

    def save_shots(self, run_id: str, shots: Sequence[Shots]) -> None:
        """Writes the bits that the circuits of a run gave, compressed.

        Raises:
            StoreError: If they cannot be written.
        """
        buffer = BytesIO()
        packed = {f"bits{i}": np.packbits(array, axis=1) for i, array in enumerate(shots)}
        widths = np.array([array.shape[1] for array in shots])
        np.savez_compressed(buffer, allow_pickle=False, widths=widths, **packed)
        self._write(self._path(run_id, ".npz"), buffer.getvalue())

    def load_shots(self, run_id: str) -> list[Shots] | None:
        """Returns the bits of a run, one array a circuit, or None if there are none yet.

        Raises:
            RecordError: If the file is damaged.
        """
        path = self._path(run_id, ".npz")
        if not path.exists():
            return None
        try:
            with np.load(path, allow_pickle=False) as data:
                return [
                    np.unpackbits(data[f"bits{i}"], axis=1, count=int(width))
                    for i, width in enumerate(data["widths"])
                ]
        except Exception as error:
            raise RecordError(
                f"{path}: the bits of the run are damaged; with the file gone, 'qttt jobs resume "
                f"{run_id}' gets them again"
            ) from error

    def _files(self) -> list[Path]:
        return sorted(self.directory.glob("*.json")) if self.directory.is_dir() else []

    def _path(self, run_id: str, suffix: str) -> Path:
        if not run_id or Path(run_id).name != run_id or run_id.startswith("."):
            raise StoreError(f"{run_id!r} is not the name of a run")
        return self.directory / f"{run_id}{suffix}"

    def _read(self, path: Path) -> JobRecord:
        try:
            record = JobRecord.from_json(json.loads(path.read_bytes()))
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            reason = str(error) if isinstance(error, RecordError) else "not a JSON document"
            raise RecordError(f"{path}: {reason}") from error
        if record.run_id != path.stem:
            raise RecordError(f"{path}: it holds the record of run {record.run_id!r}")
        return record

    def _write(self, path: Path, content: bytes) -> None:
        temporary = ""
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                dir=self.directory, prefix=".", suffix=".part", delete=False
            ) as file:
                temporary = file.name
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except OSError as error:
            if temporary:
                Path(temporary).unlink(missing_ok=True)
            raise StoreError(
                f"{path} could not be written ({error.strerror}); what was there stays"
            ) from error


def default_directory() -> Path:
    """Returns the directory that `QTTT_DATA_DIR` names, or one for the user's data."""
    given = os.environ.get("QTTT_DATA_DIR")
    if given:
        return Path(given)
    from platformdirs import user_data_path

    return user_data_path("qttt-circuits") / "runs"


def as_store(store: Store | str | Path | None) -> Store:
    """Returns a store, given as one or as its directory; None is the usual one."""
    return store if isinstance(store, Store) else Store(None if store is None else Path(store))
