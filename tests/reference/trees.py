"""The public betting tree of a game, node by node: what the abstraction offers, and where the rules lead."""

from collections.abc import Hashable

from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.kernels.rules import betting
from railbird.strategies.actions import ActionAbstraction

Row = tuple[int, int, int, int, list[int], list[int], list[int]]


def nodes_of(rules: GameRules, actions: ActionAbstraction) -> list[Row]:
    """Kind, actor, round, folded seats, payments, and by letter children and amounts of all nodes in preorder."""
    setup = Setup.of(rules)
    letters = {letter: place for place, letter in enumerate(actions.letters)}
    nodes: list[Row] = []
    waiting = [(setup.opening, -1, 0)]
    while waiting:
        state, parent, place = waiting.pop()
        node = len(nodes)
        if parent >= 0:
            nodes[parent][5][place] = node
        view = state.tolist()
        kind, actor, street = view[betting.OUTCOME], view[betting.ACTOR], view[betting.ROUND]
        paid = view[betting.PAID : betting.PAID + rules.players]
        children, amounts = [-1] * len(letters), [0] * len(letters)
        nodes.append((kind, actor, street, view[betting.FOLDED], paid, children, amounts))
        if actor < 0:
            continue
        for choice in reversed(actions.choices(view)):  # the last one in is the first one out
            following = state.copy()
            betting.step(setup.rules_vector, following, int(choice.action.kind), choice.action.to)
            amounts[letters[choice.letter]] = choice.action.to
            waiting.append((following, node, letters[choice.letter]))
    return nodes


def remembered(nodes: list[Row], letters: str) -> list[Hashable]:
    """What a merged tree remembers of the betting before every node of a whole tree: nodes with the same are one.

    That is how the betting round opened (which seats had folded, what each had paid, and by whom and in which round
    the last raise was made) and the letters since.
    """
    openings: list[Hashable] = [None] * len(nodes)
    words = [""] * len(nodes)
    raises: list[tuple[int, int] | None] = [None] * len(nodes)
    for node, (_, actor, street, _, _, children, amounts) in enumerate(nodes):
        for letter, child, amount in zip(letters, children, amounts, strict=True):
            if child < 0:
                continue
            _, following, later, folded, paid, *_ = nodes[child]
            raises[child] = (actor, street) if amount else raises[node]
            openings[child], words[child] = openings[node], words[node] + letter
            if following >= 0 and later > street:
                openings[child], words[child] = (later, folded, tuple(paid), raises[child]), ""
    return list(zip(openings, words, strict=True))
