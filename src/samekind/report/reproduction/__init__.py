"""The paper reproduced: from rows alone to tables, figures and one self-contained page."""

from samekind.report.reproduction.page import write_report
from samekind.report.reproduction.readme import fill_readme, main_table_markdown

__all__ = ["fill_readme", "main_table_markdown", "write_report"]
