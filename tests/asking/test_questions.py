"""The verbs of Questions."""

import pickle
from itertools import pairwise

import numpy as np
import pytest

from dialogues import answer, blobs, reply, shown
from samekind import PairConstraints
from samekind.asking import Contradiction, JournalInUse, Questions, StaleAsk
from samekind.constraints import InputError
from samekind.metrics import clustering_accuracy

X, Y = blobs()


@pytest.fixture
def q():
    with Questions(X, 3, row=2) as questions:
        yield questions


def test_answering_everything_ends_calmly_with_the_truth(q):
    asks = answer(q, Y, 1000)
    assert q.next() is None
    assert len(asks) < 1000
    assert clustering_accuracy(Y, q.labels()) == 1
    assert q.progress().n_placed == len(Y)
    assert len(q.clusters()) == 3


def test_next_is_the_same_until_it_is_answered(q):
    ask = q.next()
    assert q.next() == ask
    assert f"same={len(ask.beside) - 1}<" in ask._repr_html_()
    seq = reply(q, ask, Y)
    assert q.next() != ask
    assert reply(q, ask, Y) == seq  # a retry
    assert len(q.answers()) == 1


def test_another_answer_to_the_same_question_is_refused(q):
    ask = q.next()
    q.answer(ask.id, none=True)
    with pytest.raises(StaleAsk, match="change"):
        q.answer(ask.id, same=0)
    with pytest.raises(StaleAsk, match="not the current"):
        q.answer("7-00000000", none=True)
    q.withdraw(1)
    with pytest.raises(StaleAsk, match="withdrawn"):
        q.answer(ask.id, none=True)


@pytest.mark.parametrize("wrong", [{}, {"same": 0, "none": True}, {"same": 9}, {"same": -1}])
def test_what_is_no_answer_is_refused(q, wrong):
    with pytest.raises(ValueError, match="same"):
        q.answer(q.next().id, **wrong)
    assert not q.answers()


def test_withdrawing_any_answer_is_as_if_it_had_never_been_given(q):
    answer(q, Y, 6)
    lines = list(q._journal.lines)
    for seq in (2, 5):
        q.withdraw(seq)
        assert q.withdraw(seq) == seq
        lines = [line for line in lines if line["seq"] != seq]
        with Questions(X, 3, row=2) as never:
            never._history = never._replayed(lines)
            never._situation = never._checked(never._history)
            assert (never.labels() == q.labels()).all()
            assert shown(never.next()) == shown(q.next())
            assert never.doubts() == q.doubts()
    assert len(q.answers()) == 4


def test_undoing_everything_leads_back_to_the_beginning(q):
    first, labels = shown(q.next()), q.labels()
    trail = []
    for _ in range(12):
        trail.append((shown(q.next()), q.labels()))
        reply(q, q.next(), Y)
    for seq in range(12, 0, -1):
        q.withdraw(seq)
        ask, before = trail[seq - 1]
        assert shown(q.next()) == ask
        assert (q.labels() == before).all()
    assert shown(q.next()) == first
    assert (q.labels() == labels).all()


def test_resumed_is_uninterrupted(tmp_path):
    with Questions(X, 3, row=2) as whole:
        wanted = [shown(ask) for ask in answer(whole, Y, 15)]
        labels = whole.labels()
    asks = []
    for n in (4, 1, 10):
        with Questions(X, 3, tmp_path / "a.ask", row=2) as q:
            asks += [shown(ask) for ask in answer(q, Y, n)]
            with pytest.raises(JournalInUse):
                Questions(X, 3, tmp_path / "a.ask", row=2)
    assert asks == wanted
    assert (q.labels() == labels).all()


def test_unsure_stores_no_pair_and_comes_once_more_at_the_end(q):
    first = q.next()
    q.unsure(first.id)
    assert not len(q.constraints().must_link)
    assert not len(q.constraints().cannot_link)
    asks = answer(q, Y, 1000)
    again = [i for i, ask in enumerate(asks) if ask.sample == first.sample]
    assert again
    assert all(ask.why == "unsure" for ask in asks[again[0] :])


def test_unsure_of_everything_ends(q):
    count = 0
    while ask := q.next():
        q.unsure(ask.id)
        count += 1
        assert count < 200
    assert q.progress().n_unsure == count


def test_confirm_and_change(q):
    answer(q, Y, 9)
    doubts = q.doubts()
    assert sorted(d.seq for d in doubts) == list(range(1, 10))
    assert any(doubt.again != doubt.beside for doubt in doubts)
    for doubt in doubts:
        assert len(doubt.again) == len(doubt.beside)
        assert doubt.sample not in doubt.again
        assert all(Y[a] == Y[b] for a, b in zip(doubt.again, doubt.beside, strict=True))
    q.confirm(doubts[0].seq)
    assert doubts[0].seq not in [d.seq for d in q.doubts()]
    n_lines = len(q._journal.lines)
    q.confirm(doubts[0].seq)
    assert len(q._journal.lines) == n_lines
    last = q.answers()[-1]
    q.change(last.seq, unsure=True)
    assert q.answers()[-1].unsure
    assert q.answers()[-1].must_link == ()
    q.withdraw(len(q._journal.lines))  # the change itself
    assert q.answers()[-1] == last


def test_what_contradicts_is_refused_with_the_chain(q):
    answer(q, Y, 8)
    same = next(a for a in q.answers() if a.same is not None)
    a = same.sample
    before = q.labels()
    with pytest.raises(Contradiction, match="withdraw") as caught:
        q.stray(a, q.labels()[a])
    chain = caught.value.chain
    said = [a for a in q.answers() if a.seq in caught.value.seqs]
    assert [set(a.must_link[0]) for a in said] == [set(link) for link in pairwise(chain)]
    assert "(now)" in str(caught.value)
    a, b = next(x for x in q.answers() if x.same is None).cannot_link[0]
    with pytest.raises(Contradiction):
        q.pure([a, b])
    assert len(q._journal.lines) == 8
    assert (q.labels() == before).all()


def test_pure_and_stray_are_answers(q):
    answer(q, Y, 3)
    cluster = q.clusters()[0]
    rows = [int(r) for r in cluster.rows if Y[r] == Y[cluster.rows[0]]][:4]
    seq = q.pure(rows)
    assert q.pure(reversed(rows)) == seq
    assert len(set(q.labels()[rows])) == 1
    outside = next(r for r in range(len(Y)) if Y[r] != Y[rows[0]])
    q.stray(outside, q.labels()[rows[0]])
    assert q.labels()[outside] != q.labels()[rows[0]]
    q.withdraw(seq)
    with pytest.raises(ValueError, match="no group"):
        q.stray(0, 999)
    with pytest.raises(ValueError, match="no row"):
        q.pure([0, 99])
    with pytest.raises(ValueError, match="two rows"):
        q.pure([1])


def test_pairs_from_elsewhere_are_one_answer(q):
    pairs = PairConstraints(len(Y), [(0, 1)], [(0, 8), (8, 16)])
    seq = q.add(pairs)
    assert q.add(pairs) == seq
    assert q.constraints() == pairs
    with pytest.raises(ValueError, match="samples"):
        q.add(PairConstraints(3))
    with pytest.raises(TypeError):
        q.add([(0, 1)])


def test_names_stay_with_groups(tmp_path):
    with Questions(X, 3, tmp_path / "a.ask") as q:
        answer(q, Y, 4)
        ask = q.next()
        number = q.clusters()[1].number
        q.name(number, "<b>cats</b>")
        assert q.next() == ask
    with Questions(X, 3, tmp_path / "a.ask") as q:
        answer(q, Y, 6)
        assert [c.name for c in q.clusters() if c.name] == ["<b>cats</b>"]


def test_ids_are_what_the_journal_speaks_of(tmp_path):
    class Named:
        pass

    named = Named()
    named.X, named.ids = X, [f"thing {i}" for i in range(len(X))]
    with Questions(named, 3, tmp_path / "a.ask") as q:
        answer(q, Y, 2)
    assert "thing" in (tmp_path / "a.ask").read_text().splitlines()[1]
    named.ids = named.ids[::-1]
    with pytest.raises(InputError, match="other data"):
        Questions(named, 3, tmp_path / "a.ask")
    named.ids = ["one"] * len(X)
    with pytest.raises(ValueError, match="different names"):
        Questions(named, 3)


@pytest.mark.parametrize(
    "wrong",
    [{"n_clusters": 0}, {"n_clusters": 99}, {"row": 0}, {"random_state": None}, {"row": 2.5}],
)
def test_parameters_are_checked(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Questions(X, **({"n_clusters": 3} | wrong))


def test_without_a_number_of_clusters_groups_grow():
    X6, y6 = blobs(5, 6, seed=1)
    with Questions(X6) as q:
        answer(q, y6, 1000)
        assert clustering_accuracy(y6, q.labels()) == 1
        assert q.progress().n_clusters >= 6


def test_equal_rows_do_not_matter():
    with Questions(np.zeros((6, 2)), 2) as q:
        answer(q, np.array([0, 0, 0, 1, 1, 1]), 100)
        assert q.next() is None
        assert len(set(q.labels())) == 2


def test_a_closed_journal_takes_nothing(tmp_path):
    with Questions(X, 3, tmp_path / "a.ask") as q:
        ask = q.next()
    with pytest.raises(ValueError, match="closed"):
        q.answer(ask.id, none=True)
    assert not q.answers()


def test_the_result_says_where_it_comes_from(q):
    assert q.result().by == "steady"
    answer(q, Y, 30)
    found = pickle.loads(pickle.dumps(q.deferred_result()))()
    assert found.by in ("fit", "steady")
    assert "%" in found.why
    assert clustering_accuracy(Y, found.labels) > 0.9
    assert found.constraints == q.constraints()


def test_many_pairs_from_elsewhere_do_not_make_many_clusters(q):
    pairs = [(i, i + 1) for i in range(0, len(Y), 2)]
    q.add(PairConstraints(len(Y), pairs, [(0, 8), (8, 16), (0, 16)]))
    assert len(set(q.labels())) == 3
    assert all(q.labels()[a] == q.labels()[b] for a, b in pairs)
    assert clustering_accuracy(Y, q.labels()) > 0.7
    answer(q, Y, 1000)
    assert clustering_accuracy(Y, q.labels()) == 1
