"""Run every benchmark: `python -m bench`, from the project's folder."""

import sys

from bench import events, fantasyland, score_batch, simulate, tournament


def main() -> None:
    del sys.argv[1:]  # each takes its own default
    for benchmark in (fantasyland, simulate, score_batch, tournament, events):
        print(f"{benchmark.__name__}: {(benchmark.__doc__ or '').splitlines()[0]}")
        benchmark.main()
        print()


if __name__ == "__main__":
    main()
