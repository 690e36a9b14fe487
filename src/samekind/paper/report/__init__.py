"""The paper reproduced: from rows alone to tables, figures and one self-contained page."""

from samekind.paper.report.page import write_report
from samekind.paper.report.readme import fill_readme, main_table_markdown

__all__ = ["fill_readme", "main_table_markdown", "write_report"]
