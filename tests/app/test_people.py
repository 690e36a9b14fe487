"""People who come with files of their own, from these to a result."""

import csv

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from samekind.app.cli import app


def invoke(*arguments):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


KINDS = {  # of customers: age, spent in a year, city, year of joining, newsletter
    "student": (22, 300, "Oslo", 2023, "yes"),
    "family": (41, 2500, "Bern", 2016, "no"),
    "retired": (70, 900, "Rome", 2009, "yes"),
}


def customers(n, seed):
    """Lines of a table as a shop has it: text, dates, blanks, flags, duplicates, constants."""
    rng = np.random.default_rng(seed)
    kinds = rng.choice(list(KINDS), n)
    header = "customer;name;age;spent;city;member since;newsletter;country;fax;segment"
    lines = []
    for i, kind in enumerate(kinds):
        age, spent, city, year, news = KINDS[kind]
        day = f"{rng.integers(1, 29):02d}.{rng.integers(1, 13):02d}.{year + rng.integers(0, 2)}"
        cells = [
            str(1000 + i),
            f"Person {i}",
            str(age + rng.integers(-3, 4)) if rng.random() > 0.1 else "",
            f"{spent * rng.uniform(0.8, 1.2):.2f}".replace(".", ","),
            city if rng.random() > 0.2 else rng.choice(["Oslo", "Bern", "Rome"]),
            day,
            news if rng.random() > 0.1 else "",
            "EU",
            "",
            kind if i < 12 else "",
        ]
        lines.append(";".join(cells))
    lines[-1] = ";".join([str(1000 + n - 1), "Person 3", *lines[3].split(";")[2:-1], ""])
    return kinds, [header, *lines]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A folder with the table of a shop, clustered by a few known segments."""
    folder = tmp_path_factory.mktemp("shop")
    kinds, lines = customers(90, seed=0)
    (folder / "customers.csv").write_text("\n".join(lines) + "\n")
    done = invoke(
        *("cluster", folder / "customers.csv", "--labels", "segment", "--id", "customer"),
        *("--append", "--out", folder / "segments"),
    )
    return folder, kinds, done


def test_customers_are_sorted_into_segments(shop):
    folder, kinds, _ = shop
    rows = rows_of(folder / "segments" / "labels.csv")
    assert [row["row"] for row in rows] == [str(1000 + i) for i in range(90)]
    found = np.array([row["name"] for row in rows])
    assert (found == kinds)[:-1].mean() > 0.95
    assert found[-1] == found[3]  # the duplicate


def test_the_terminal_says_what_became_of_the_columns(shop):
    _, _, done = shop
    for said in (
        "separated by semicolons",
        "decimal comma",
        "2 numbers, 1 date, 2 categories",
        "Column 'country': left out",
        "Column 'fax': left out",
        "Column 'name': left out",
    ):
        assert said in done.stderr


def test_the_report_says_what_became_of_each_column(shop):
    folder, _, _ = shop
    page = (folder / "segments" / "report.html").read_text()
    for name in ("age", "spent", "city", "member since", "newsletter", "country", "fax"):
        assert f"Column &#39;{name}&#39;: " in page or f"Column '{name}': " in page


def test_the_table_comes_back_with_its_segments(shop):
    folder, _, done = shop
    before = (folder / "customers.csv").read_text().splitlines()
    after = (folder / "segments" / "customers-labeled.csv").read_text().splitlines()
    labels = rows_of(folder / "segments" / "labels.csv")
    assert after[0] == before[0] + ";row;cluster;samekind_name;confidence;runner_up"
    for line, old, row in zip(after[1:], before[1:], labels, strict=True):
        assert line == f"{old};{';'.join(row.values())}".replace(
            row["confidence"], row["confidence"].replace(".", ",")
        )
    assert "customers-labeled.csv" in done.stdout


def test_new_customers_get_segments(shop, tmp_path):
    folder, _, _ = shop
    kinds, lines = customers(30, seed=1)
    cells = [line.split(";") for line in lines]
    cells[0].append("remark")
    for row in cells[1:]:
        row[0] = f"new {row[0]}"
        row.append("-5")
    cells[1][4] = "Lima"  # never seen
    order = [10, *range(7)]  # neither country nor fax nor segment
    (tmp_path / "new.csv").write_text(
        "\n".join(";".join(row[i] for i in order) for row in cells) + "\n"
    )
    model, out = folder / "segments" / "model.skops", tmp_path / "labels.csv"
    done = invoke("predict", model, tmp_path / "new.csv", "--out", out)
    rows = rows_of(out)
    assert [row["row"] for row in rows] == [row[0] for row in cells[1:]]
    assert np.mean([row["name"] for row in rows[:-1]] == kinds[:-1]) > 0.9
    assert all(0 < float(row["confidence"]) <= 1 for row in rows)
    assert "'remark' is new and not used" in done.stderr
    assert "Lima" in done.stderr
    said = invoke("explain", model, "1005").stdout
    assert said.startswith("1005 is in ")
    assert "Its label was given: " in said


SHAPES = ("stripes", "dots", "plain")


def photo(kind, rng):
    """A picture of one kind, in any size and color."""
    height, width = rng.integers(70, 130, 2)
    y, x = np.mgrid[:height, :width]
    pattern = {
        "stripes": (x // 8) % 2,
        "dots": ((x % 16 - 8) ** 2 + (y % 16 - 8) ** 2 < 30).astype(int),
        "plain": y * 0,
    }[kind]
    light, dark = rng.integers(150, 256, 3), rng.integers(0, 80, 3)
    return np.where(pattern[..., None], light, dark).astype(np.uint8)


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    """Photos in nested folders, some of them sorted; one broken, one rotated by the camera."""
    folder = tmp_path_factory.mktemp("album") / "photos"
    rng = np.random.default_rng(0)
    truth = {}
    for i in range(42):
        kind = SHAPES[i % 3]
        place = folder / (f"{kind}/{i % 2}" if i < 12 else "unsorted" if i < 20 else "")
        place.mkdir(parents=True, exist_ok=True)
        picture, exif = photo(kind, rng), Image.Exif()
        if i == 30:
            exif[0x0112], picture = 6, np.rot90(picture)  # to be shown a quarter turn clockwise
        path = place / f"{i}.{('png', 'jpg')[i % 2]}"
        Image.fromarray(picture).save(path, exif=exif)
        truth[path.relative_to(folder).as_posix()] = kind
    (folder / "broken.jpg").write_bytes(next(folder.glob("*.jpg")).read_bytes()[:300])
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    done = invoke(
        *("cluster", folder, "--labels-from-folders", "--out", folder.parent / "result"),
        *("--sort-into", folder.parent / "sorted"),
    )
    return folder, truth, before, done


def test_photos_are_sorted(album):
    folder, truth, _, done = album
    rows = rows_of(folder.parent / "result" / "labels.csv")
    assert {row["row"] for row in rows} == set(truth)
    assert np.mean([row["name"] == truth[row["row"]] for row in rows]) > 0.9
    rotated = next(row for row in rows if row["row"].startswith("30."))
    assert rotated["name"] == "stripes"
    assert "Skipped broken.jpg" in done.stderr
    assert "broken.jpg" in (folder.parent / "result" / "report.html").read_text()


def test_copies_are_in_folders_and_originals_stay(album):
    folder, truth, before, _ = album
    assert {path: path.read_bytes() for path in folder.rglob("*.*")} == before
    copies = [path for path in (folder.parent / "sorted").rglob("*") if path.is_file()]
    assert len(copies) == len(truth)
    assert {path.parent.name for path in copies} == set(SHAPES)


def test_new_photos_are_named(album, tmp_path):
    folder, _, _, _ = album
    rng = np.random.default_rng(1)
    (tmp_path / "new").mkdir()
    for i in range(6):
        Image.fromarray(photo(SHAPES[i % 3], rng)).save(tmp_path / "new" / f"{i}.png")
    out = tmp_path / "labels.csv"
    invoke("predict", folder.parent / "result" / "model.skops", tmp_path / "new", "--out", out)
    assert [row["name"] for row in rows_of(out)] == [*SHAPES, *SHAPES]
