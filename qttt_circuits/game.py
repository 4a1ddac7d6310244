"""`Game`: playing, circuits and runs behind one face, importing what it needs when it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from .errors import (
    IllegalMoveError,
    ImpossibleOutcomeError,
    OptionError,
    QtttError,
    UnknownNameError,
)
from .moves import Observation
from .position import Position
from .randomness import Seed, as_generator

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from qiskit import QuantumCircuit
    from qiskit.primitives import BaseSamplerV2
    from qiskit.providers import BackendV2
    from qiskit.transpiler import PassManager

    from .experiment import Experiment
    from .jobs import Job
    from .result import Result


class Game(Position):
    """A game that is played, compiled and observed.

    Example:
        >>> from qttt_circuits import Game
        >>> game = Game("cancelling")
        >>> for move in "1,2", "-2,3":
        ...     _ = game.push(move)
        >>> round(game.probabilities()["EXEEEEEEE"], 4)
        0.0332

    Args:
        rules: The rule set, by name (``qttt rules`` lists them) or as it is.
        strict: Whether a move that names a player out of turn is refused.
        **options: Options of a rule set given by name, such as ``first="O"``.
    """

    def experiment(self, **options: Any) -> Experiment:
        """Returns what observing the position means on a quantum computer.

        Args:
            **options: How to compile it. The games' own are in the module of `compiling` that
                makes their circuits, each with its default; the dice games have:
                ``encoding``, how a square is held in qubits;
                ``ancillas``, ``needed`` for the moves that can fail or ``all`` for every move;
                ``synthesis``, ``moves`` for one gate a move or ``state`` for the position's state
                prepared directly, so that every shot is accepted;
                ``elide``, whether qubits that stay in a basis state throughout are left out;
                ``check_pieces``, whether a shot with a wrong number of pieces is rejected.

        Raises:
            UnknownNameError: If there is no such encoding, ancilla mode or synthesis.
            OptionError: If the game has no such option, or they do not go together.
        """
        from .compiling import compile_position

        return compile_position(self, options)

    def circuit(self, *, measure: bool = True, **options: Any) -> QuantumCircuit:
        """Returns the position's circuit.

        Args:
            measure: Whether it ends with measurements.
            **options: How to compile it; see `experiment`.
        """
        experiment = self.experiment(**options)
        return experiment.circuit if measure else experiment.preparation

    def sample(
        self,
        shots: int = 4096,
        seed: Seed = None,
        *,
        sampler: BaseSamplerV2 | None = None,
        backend: BackendV2 | str | None = None,
        pass_manager: PassManager | None = None,
        self_test: bool = True,
        parts: bool | None = None,
        **options: Any,
    ) -> Result:
        """Observes the position many times on a quantum computer; the game stays as it is.

        Args:
            shots: How many times.
            seed: A seed or generator; None draws a seed, which the result names.
            sampler: A sampler to use instead of Aer.
            backend: A backend to use instead of Aer, or a name such as ``aer:statevector``.
            pass_manager: What makes the circuit fit for them.
            self_test: Whether they must first prove their bit order, once a process.
            parts: Whether groups of squares that are not entangled are run as circuits of their
                own, as they are by default where Aer would simulate many qubits; see
                `execution.sample_many`.
            **options: How to compile; see `experiment`.

        Raises:
            NoAcceptedShotsError: If post-selection kept no shot.
            ExecutionError: If the sampler or backend fails.
        """
        from .execution import run

        result = run(
            self.experiment(**options),
            shots=shots,
            seed=seed,
            sampler=sampler,
            backend=backend,
            pass_manager=pass_manager,
            self_test=self_test,
            parts=parts,
        )
        result.require_accepted()
        return result

    def submit(self, *, backend: BackendV2 | str, shots: int, **options: Any) -> Job:
        """Records and submits a run of the position that survives a restart.

        Args:
            backend: A backend or its name.
            shots: Shots.
            **options: See `jobs.submit`: seed, readout, suppress, max_seconds, store, and how to
                compile.

        Raises:
            OptionError: If the position has nothing to run.
            ExecutionError: If submitting failed; the record stays and can be resumed.
            StoreError: If the record cannot be written; then nothing is submitted.
        """
        from .jobs import submit

        return submit(self, backend=backend, shots=shots, **options)

    def observe(
        self,
        *,
        seed: Seed = None,
        board: str | None = None,
        result: Result | None = None,
        job: Job | str | None = None,
        sampler: BaseSamplerV2 | None = None,
        backend: BackendV2 | str | None = None,
        shots: int | None = None,
        **options: Any,
    ) -> str:
        """Observes the board: what is found stays, such as observed marks, and `pop` undoes it.

        By default the exact engine draws the board. With a sampler or backend a circuit is run and
        its first accepted shot counts, with a result or a job the first accepted shot of that. The
        outcome of a job counts once.

        Args:
            seed: A seed or generator; None draws one.
            board: The board, or other outcome, that was observed, to replay it.
            result: A result of this position with the order of its shots.
            job: A run of this position that has ended, or its id.
            sampler: A sampler to observe with.
            backend: A backend to observe with.
            shots: How many shots to run; by default enough for one to be accepted.
            **options: Whether to make the self-test, and how to compile; see `sample`.

        Returns:
            The observed board, or what else the game observes.

        Raises:
            IllegalMoveError: If no observation is due or the board has probability zero.
            OptionError: If the result is not of this position or has no order of shots.
            NoAcceptedShotsError: If post-selection kept no shot.
            ImpossibleOutcomeError: If the first accepted shot shows a board of probability zero, as
                a backend that makes errors can.
        """
        given = [x for x in (board, result, job, sampler, backend) if x is not None]
        if len(given) > 1:
            raise OptionError("observe takes one of board, result, job, sampler and backend")
        if sampler is None and backend is None:
            unused = [*options, *(["shots"] if shots is not None else [])]
            unused += ["seed"] if given and seed is not None else []
            if unused:
                raise OptionError(f"observe takes {', '.join(unused)} only where a circuit is run")
        if board is not None:
            move = self.parse(f"@{board}")
        else:
            self._require_due()
            if isinstance(job, str):
                from .jobs import Job

                job = Job.load(job)
            if job is not None:
                if not hasattr(job, "claim"):
                    raise OptionError(f"job= takes a Job or its id, not {type(job).__name__}")
                result = job.result()
            if result is None and not given:
                drawn = self.rules.sample(self.table, as_generator(seed))
            else:
                drawn = self._from_run(result, seed, sampler, backend, shots, options)
            move = Observation(drawn)
        value = self.push(move)
        if job is not None and not isinstance(job, str):
            try:
                job.claim()
            except QtttError:
                self.pop()
                raise
        assert isinstance(value, Observation)
        return value.outcome

    def _require_due(self) -> None:
        if self.observation_due:
            return
        raise IllegalMoveError("observe", self.text(), self.rules.not_due(self.table))

    def _from_run(
        self,
        result: Result | None,
        seed: Seed,
        sampler: BaseSamplerV2 | None,
        backend: BackendV2 | str | None,
        shots: int | None,
        options: dict[str, Any],
    ) -> str:
        from .execution import run
        from .planner import shots_for_one
        from .result import Result

        if result is None:
            how = ("pass_manager", "self_test", "parts")
            running = {name: options.pop(name) for name in how if name in options}
            experiment = self.experiment(**options)
            if shots is None:
                shots = shots_for_one(experiment.predicted_acceptance)
            result = run(
                experiment, shots=shots, seed=seed, sampler=sampler, backend=backend, **running
            )
        elif not isinstance(result, Result):
            raise OptionError(f"result= takes a Result, not {type(result).__name__}")
        elif self._subject() != _subject_of(result.experiment.settings):
            raise OptionError(
                f"the result is of {result.experiment.settings.get('position')!r}, "
                f"not of this position, {self.text()!r}"
            )
        result.require_accepted()
        if result.first is None:
            raise OptionError(
                "the result has counts but no order of shots, so none of them is the first"
            )
        if self.refusal(Observation(result.first)) is not None:
            raise ImpossibleOutcomeError(
                f"the first accepted shot of {result.backend} shows {result.first}, which has "
                "probability zero here: the backend made errors; run it again, or in an "
                "encoding that detects more of them, such as pair or one-hot"
            )
        return result.first

    def _subject(self) -> tuple[str, str, str]:
        return self.text(), self.rules.options_text, ""

    @overload
    def draw(self, form: Literal["text", "svg"] = ...) -> str: ...
    @overload
    def draw(self, form: Literal["mpl"]) -> Figure: ...
    def draw(self, form: str = "text") -> str | Figure:
        """Returns the board drawn: what lies on each square, and whose turn it is.

        Args:
            form: ``text``, ``svg`` for an SVG document, or ``mpl`` for a figure of matplotlib's.

        Raises:
            UnknownNameError: If there is no such form.
            MissingExtraError: If matplotlib is needed and not installed.
        """
        if form == "text":
            from .drawing.text import board_text

            return board_text(self)
        if form not in ("svg", "mpl"):
            raise UnknownNameError("form of drawing", form, ("text", "svg", "mpl"))
        from .drawing.board import board_picture

        picture = board_picture(self)
        if form == "mpl":
            from .drawing.mpl import figure

            return figure(picture)
        from .drawing.svg import svg

        return svg(picture)

    def filmstrip(self, *, per_row: int = 4) -> str:
        """Returns the game so far as an SVG document, with a small board after each move.

        Args:
            per_row: How many boards stand side by side.

        Raises:
            OptionError: If that is no number from 1 on.
        """
        from .drawing.filmstrip import filmstrip_picture
        from .drawing.svg import svg

        return svg(filmstrip_picture(self, per_row))

    def _repr_svg_(self) -> str:
        return self.draw("svg")

    def __str__(self) -> str:
        return self.draw()


def _subject_of(settings: Mapping[str, str]) -> tuple[str, str, str]:
    """Returns the position, the options of its rules, and the kind of an experiment."""
    return settings.get("position", ""), settings.get("options", ""), settings.get("experiment", "")
