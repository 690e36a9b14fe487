import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.sparse import csr_array, eye_array
from sklearn.neural_network import MLPClassifier

from samekind._kernels.hypergraph_network import (
    Adam,
    Net,
    Training,
    distributions,
    forward,
    loss_and_gradient,
    random_net,
    train,
)
from samekind._kernels.status import Status
from samekind.graph import hypergraph_operator

N, D, HIDDEN, CLASSES = 12, 5, 4, 3


@pytest.fixture
def problem():
    """O, X, Y with half of the rows labeled, and a net."""
    rng = np.random.default_rng(0)
    U = (rng.random((N, 9)) < 0.4).astype(float)
    U[0, :] = 1.0  # no hyperedge is empty
    Y = np.eye(CLASSES)[rng.integers(CLASSES, size=N)] * (np.arange(N) % 2)[:, None]
    net = random_net(D, HIDDEN, CLASSES, np.random.RandomState(1))
    return hypergraph_operator(U), rng.standard_normal((N, D)), Y, net


def training(**changes):
    """The published settings, changed where a test says so."""
    published = {"n_hidden": 16, "dropout": 0.5, "learning_rate": 0.01, "weight_decay": 5e-4}
    return Training(**(published | {"max_iter": 200, "tol": 0.05} | changes))


def flat(net):
    return np.concatenate([part.ravel() for part in net])


def unflat(vector, like):
    ends = np.cumsum([part.size for part in like])[:-1]
    parts = zip(np.split(vector, ends), like, strict=True)
    return Net(*(part.reshape(one.shape) for part, one in parts))


@pytest.mark.parametrize("decay", [0.0, 0.3])
@pytest.mark.parametrize("dropout", [False, True])
@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
def test_the_gradient_is_that_of_the_loss(problem, decay, dropout, wrap):
    O, X, Y, net = problem
    keep = 2.0 * (np.random.default_rng(3).random((N, HIDDEN)) < 0.5) if dropout else 1.0

    def loss(vector):
        return loss_and_gradient(unflat(vector, net), O, X, Y, weight_decay=decay, keep=keep)[0]

    _, gradient = loss_and_gradient(net, O, wrap(X), Y, weight_decay=decay, keep=keep)
    # Central differences: forward ones at half a step either side.
    point, step = flat(net), 1e-6
    numeric = (approx_fprime(point, loss, step) + approx_fprime(point, loss, -step)) / 2
    np.testing.assert_allclose(flat(gradient), numeric, atol=1e-8)
    assert np.abs(numeric).max() > 1e-2


def test_without_mixing_it_is_a_perceptron_of_two_layers(problem):
    _, X, Y, net = problem
    y = Y.argmax(axis=1)
    theirs = MLPClassifier((HIDDEN,), alpha=0.0, max_iter=1, random_state=0)
    theirs.partial_fit(X, y, classes=np.arange(CLASSES))
    theirs.coefs_, theirs.intercepts_ = [net.W1, net.W2], [net.b1, net.b2]
    np.testing.assert_allclose(
        distributions(net, eye_array(N), X), theirs.predict_proba(X), atol=1e-14
    )


def test_training_without_mixing_takes_the_steps_of_scikit_learn():
    """Adam on the whole batch, from the same weights."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((N, D)), np.arange(N) % CLASSES

    def perceptron(rate, epochs):
        model = MLPClassifier((HIDDEN,), alpha=0.0, learning_rate_init=rate, random_state=0)
        for _ in range(epochs):
            model.partial_fit(X, y, classes=np.arange(CLASSES))
        return _weights(model)

    net = perceptron(1e-300, 1)  # where it starts
    adam = Adam(net, 0.01)
    for _ in range(30):
        net = adam.step(net, loss_and_gradient(net, eye_array(N), X, np.eye(CLASSES)[y])[1])
    theirs = perceptron(0.01, 30)
    np.testing.assert_allclose(flat(net), flat(theirs), atol=1e-5)  # epsilon enters elsewhere
    assert np.abs(flat(theirs) - flat(perceptron(1e-300, 1))).max() > 0.1


def _weights(mlp):
    (W1, W2), (b1, b2) = mlp.coefs_, mlp.intercepts_
    return Net(*(part.copy() for part in (W1, b1, W2, b2)))


def test_both_layers_add_the_bias_before_they_mix(problem):
    O, X, _, net = problem
    Z1, Z2 = forward(net, O, X)
    ones = np.asarray(O.sum(axis=1))
    np.testing.assert_allclose(Z1, O @ X @ net.W1 + np.outer(ones, net.b1), atol=1e-13)
    H = np.maximum(Z1, 0)
    np.testing.assert_allclose(Z2, O @ H @ net.W2 + np.outer(ones, net.b2), atol=1e-13)


def test_the_loss_goes_to_zero_without_dropout_and_decay():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((N, D)), np.eye(CLASSES)[np.arange(N) % CLASSES]
    how = training(dropout=0.0, weight_decay=0.0, max_iter=400, learning_rate=0.05)
    run = train(eye_array(N), X, Y, how, np.random.RandomState(0))
    losses = [epoch.loss for epoch in run.history]
    assert losses[-1] < 1e-3 < losses[0]
    assert run.status is Status.CONVERGED
    np.testing.assert_array_equal(run.F.argmax(axis=1), Y.argmax(axis=1))


def test_permuting_the_samples_permutes_the_answer(problem):
    O, X, Y, _ = problem
    order = np.random.default_rng(5).permutation(N)
    how = training(dropout=0.0, max_iter=50)
    plain = train(O, X, Y, how, np.random.RandomState(0))
    mixed = train(O[order][:, order], X[order], Y[order], how, np.random.RandomState(0))
    np.testing.assert_allclose(mixed.F, plain.F[order], atol=1e-9)


def test_the_first_weights_are_uniform_in_the_published_range():
    net = random_net(400, 25, 4, np.random.RandomState(0))
    for part, bound in zip(net, (0.2, 0.2, 0.5, 0.5), strict=True):
        assert abs(part).max() <= bound
    assert abs(net.W1).max() > 0.199
    assert abs(net.W1.mean()) < 0.01


def test_dropout_leaves_the_mean_of_the_hidden_entries_alone(problem):
    """Over many draws the second layer sees what it sees without dropout."""
    O, X, _, net = problem
    rng = np.random.default_rng(0)
    draws = [forward(net, O, X, (rng.random((N, HIDDEN)) >= 0.25) / 0.75)[1] for _ in range(1000)]
    np.testing.assert_allclose(np.mean(draws, axis=0), forward(net, O, X)[1], atol=0.04)


def test_the_last_epoch_is_kept_and_the_best_one_on_held_out_rows(problem):
    O, X, Y, _ = problem
    held_out = np.eye(CLASSES)[np.arange(N) % CLASSES] * (np.arange(N) % 2 == 0)[:, None]
    how, seen = training(max_iter=40), []
    last = train(O, X, Y, how, np.random.RandomState(0))
    best = train(O, X, Y, how, np.random.RandomState(0), validation=held_out, callback=seen.append)
    assert last.epoch.iteration == 40
    assert last.epoch.validation_accuracy is None
    assert best.history == tuple(seen)
    assert [epoch.loss for epoch in seen] == [epoch.loss for epoch in last.history]
    scores = [(epoch.validation_accuracy, -epoch.validation_loss) for epoch in seen]
    assert best.epoch is seen[scores.index(max(scores))]
    right = (best.F.argmax(axis=1) == held_out.argmax(axis=1))[::2].mean()
    assert right == best.epoch.validation_accuracy


def test_labels_that_still_move_at_the_end_are_reported():
    """Labels without rhyme or reason keep a net moving."""
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((100, D)), np.eye(CLASSES)[rng.integers(CLASSES, size=100)]

    def status(**how):
        return train(eye_array(100), X, Y, training(**how), np.random.RandomState(0)).status

    assert status(max_iter=20, tol=0.0) is Status.MAX_ITER
    assert status(max_iter=20, tol=1.0) is Status.CONVERGED
    assert status(max_iter=1) is Status.MAX_ITER  # nothing to compare with


def test_the_same_seed_draws_the_same_net(problem):
    O, X, Y, _ = problem
    runs = [train(O, X, Y, training(max_iter=5), np.random.RandomState(s)).F for s in (7, 7, 8)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert np.abs(runs[0] - runs[2]).max() > 1e-6
