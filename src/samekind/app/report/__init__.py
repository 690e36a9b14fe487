"""Report: what a run of a method found, as one self-contained HTML file.

Values come in (`ReportContent`), a page goes out (`render_page`, `write_page`). Nothing
here fits anything: labels, embeddings and graphs are shown as they were passed.
"""

from samekind.app.report.content import ReportContent, Snapshot
from samekind.app.report.page import render_page, write_page
from samekind.app.report.records import IterationRecord, KChoice

__all__ = ["IterationRecord", "KChoice", "ReportContent", "Snapshot", "render_page", "write_page"]
