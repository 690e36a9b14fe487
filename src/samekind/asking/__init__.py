"""Ask a person which samples are the same kind: questions, answers, journal; no browser.

`Questions` chooses what to ask and keeps every answer in an append-only journal.
"""

from samekind.asking.answers import Answer
from samekind.asking.disputes import Contradiction, Disagreement, Merged, merged_journals
from samekind.asking.doubts import Doubt
from samekind.asking.journal import JournalInUse
from samekind.asking.questions import Questions, StaleAsk
from samekind.asking.records import Ask, Cluster, Progress
from samekind.asking.result import Result
from samekind.asking.situation import Situation
from samekind.asking.strategy import Question

__all__ = [
    "Answer",
    "Ask",
    "Cluster",
    "Contradiction",
    "Disagreement",
    "Doubt",
    "JournalInUse",
    "Merged",
    "Progress",
    "Question",
    "Questions",
    "Result",
    "Situation",
    "StaleAsk",
    "merged_journals",
]
