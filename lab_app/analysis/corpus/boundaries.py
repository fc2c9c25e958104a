"""Where boundaries fall inside characters, digits and white space.

Not here: two tokenizers against each other (`agreement`).
Source of the digit measure: Singh and Strouse, "Tokenization counts: the impact of tokenization on arithmetic in frontier
LLMs", arXiv:2402.14903.
"""

from lab_app.analysis.corpus.counts import ratio
from lab_app.analysis.corpus.result import Digits


def digits(true: int, predicted: int, expected: int) -> Digits:
    """Precision, recall and F1 of the boundaries inside runs of digits, against groups of three from the right.

    `true` are boundaries where a group ends, `predicted` all boundaries inside runs, `expected` all ends of groups inside
    runs. Each figure is None if its denominator is 0. In "1234|567" the ends of groups are after 1 and 4:

    >>> digits(true=1, predicted=1, expected=2)
    Digits(precision=1.0, recall=0.5, f1=0.6666666666666666)

    Trap: runs of up to three digits have no ends of groups inside.
    """
    return Digits(ratio(true, predicted), ratio(true, expected), ratio(2 * true, predicted + expected))
