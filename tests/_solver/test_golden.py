"""The authors' own code, number by number."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import reference
from golden_files import DATA_SETS, golden
from samekind._kernels.self_representation import ridge_projection
from samekind._kernels.shrink import unit_rows
from samekind._solver import Problem, solve
from samekind.graph import laplacian, local_graph

pytestmark = pytest.mark.golden


@pytest.mark.parametrize("name", ["digits600_0", *DATA_SETS])
def test_graph_embedding_and_representation(name):
    case = golden(name)
    stored, (M, C) = case.stored, case.pairs()
    W = local_graph(case.X, int(stored["m"]), int(stored["l"]))
    assert abs(W - case.matrix("W")).max() < 1e-10
    run = solve(
        Problem(
            P=ridge_projection(case.X, float(stored["lam"])),
            local=csr_array(W + float(stored["lambda_M"]) * csr_array(M)),
            L_cannot=laplacian(csr_array(C / np.count_nonzero(C))),
            n_components=case.k,
            tau=float(stored["tau"]),
            lam=float(stored["lam"]),
            lam_z=float(stored["lambda_Z"]),
            local_ratio=float(stored["alpha_ratio"]),
        )
    )
    rows, theirs = unit_rows(run.H), stored["embedding"]
    assert run.n_iter == int(stored["n_iter"])
    assert 2 * run.alpha1 == pytest.approx(
        float(stored["alpha1"]), rel=1e-6
    )  # theirs is twice ours
    assert abs(run.Z - case.matrix("Z")).max() < 1e-6
    assert np.abs(rows @ rows.T - theirs @ theirs.T).max() < 1e-5


def test_the_textbook_transcription_agrees_with_the_authors():
    case = golden("digits600_0")
    stored, (M, C) = case.stored, case.pairs()
    W = case.matrix("W").toarray()
    slow = reference.solve(
        case.X.T,
        W,
        M,
        C,
        case.k,
        tau=float(stored["tau"]),
        lam_z=float(stored["lambda_Z"]),
        lam_m=float(stored["lambda_M"]),
        ratio=float(stored["alpha_ratio"]),
    )
    assert slow.n_iter == int(stored["n_iter"])
    assert np.abs(slow.Z.T - case.matrix("Z").toarray()).max() < 1e-6
