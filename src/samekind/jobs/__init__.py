"""Jobs: one fit, one folder of results, all or nothing."""

from samekind.jobs.content import report_content
from samekind.jobs.results import RESULTS, check_folder, results_of, write_results
from samekind.jobs.run import Known, Outcome, progress, run, score

__all__ = [
    "RESULTS",
    "Known",
    "Outcome",
    "check_folder",
    "progress",
    "report_content",
    "results_of",
    "run",
    "score",
    "write_results",
]
