import pytest

from ofc.errors import CardError, Fault, OfcError, any_of


def test_an_error_carries_every_fault_and_the_first_ones_code() -> None:
    error = OfcError(Fault("one", "the first"), Fault("two", "the second", row="top", text="x"))
    assert error.code == "one"
    assert [fault.code for fault in error.faults] == ["one", "two"]
    assert str(error) == "the first; the second"


def test_an_error_without_a_fault_is_a_mistake_in_the_code() -> None:
    with pytest.raises(TypeError):
        OfcError()


def test_a_choice_is_said_in_words() -> None:
    assert [any_of(choices) for choices in ([], [3], "ab", [14, 15, 16, 17])] == ["", "3", "a or b", "14, 15, 16 or 17"]


def test_every_refusal_is_a_value_error() -> None:
    assert issubclass(CardError, OfcError)
    assert issubclass(OfcError, ValueError)
