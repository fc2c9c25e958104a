"""Every metric of an analysis in words: unit, denominator, aggregation, source, direction, and how to read it.

The one source of the words next to a number: the page and the reports ask for it, and `docs/guide/metrics.md` is made from
it. Not here: the formulas as code (one file each in this folder), the values (`result`).
"""

from dataclasses import dataclass
from typing import Literal

from lab_app.analysis.corpus.result import CorpusResult

Direction = Literal["higher", "lower", "neither"]
Group = Literal["Compression", "Words", "Frequencies", "Lengths", "Languages", "Faithfulness", "Boundaries"]

SUMS = "ratio of sums over the corpus"
EACH = "the same for each language, over its documents"


@dataclass(frozen=True)
class Metric:
    """One metric. `name` is its field in the result, with dots into an object."""

    name: str
    title: str
    group: Group
    unit: str
    formula: str
    denominator: str | None
    """None if the number is no ratio."""
    aggregation: str
    source: str | None
    direction: Direction
    """Which values are better, all else equal; "neither" where that depends on the use."""
    how_to_read: str
    """One paragraph, with the traps."""


METRICS: tuple[Metric, ...] = (
    Metric(
        "tokens",
        "Tokens",
        "Compression",
        "tokens",
        "N = sum of |T(x)| over the documents x",
        None,
        "sum over the corpus; also for each language",
        None,
        "lower",
        "The length of the corpus in tokens, which is what a model reads and what an API bills. Only tokens of the text are counted: added special tokens such as [CLS] and padding are not. Text that spells a special token is read as ordinary text. Compare counts on the same corpus only, and look at the unknown rate first: a tokenizer that replaces words by one unknown token needs fewer tokens because it loses the words.",
    ),
    Metric(
        "normalised_sequence_length",
        "Normalised sequence length",
        "Compression",
        "tokens per token of the first tokenizer",
        "N / N of the first tokenizer",
        "tokens of the first tokenizer of the analysis",
        SUMS,
        "Dagan et al., ICML 2024, arXiv:2402.01035",
        "lower",
        "How long the corpus is compared with the first tokenizer of the analysis: 1.2 means a fifth more tokens. The reference is part of the number, so name it. Another corpus, or another mix of languages, gives another value.",
    ),
    Metric(
        "bytes_per_token",
        "Bytes per token",
        "Compression",
        "UTF-8 bytes of the original text per token",
        "B / N",
        "tokens",
        SUMS,
        None,
        "higher",
        "How much text a token holds on average. Higher means shorter sequences for the same text. Bytes favour scripts whose characters take three bytes, such as Devanagari, Thai and Chinese: compare languages by premium instead. A normalizer that drops text, or an unknown token that swallows a word, raises it, because the bytes are those of the original text.",
    ),
    Metric(
        "characters_per_token",
        "Characters per token",
        "Compression",
        "code points of the original text per token",
        "C / N",
        "tokens",
        SUMS,
        None,
        "higher",
        "Like bytes per token, counted in Unicode code points. It is closer to what a reader sees, but a code point says more in Chinese than in English, so it does not make languages comparable either. Unknown tokens raise it.",
    ),
    Metric(
        "fertility",
        "Fertility",
        "Words",
        "tokens per word",
        "sum over words of the tokens that overlap the word, / W",
        "words between white space",
        f"{SUMS}; {EACH}",
        "Ács 2019; Rust et al., ACL 2021",
        "lower",
        "How many tokens a word takes; 1 means that every word is one token. Words are the stretches between white space, counted in their context, so that the space before a word belongs to its first token, and punctuation that touches a word is a part of it. Chinese, Japanese, Thai, Khmer, Lao and Burmese write no spaces: there a word of this definition is a phrase or a sentence, and the value says little. A word that became one unknown token counts as one token.",
    ),
    Metric(
        "continued_word_rate",
        "Continued words",
        "Words",
        "share of words, 0 to 1",
        "words with two tokens or more / W",
        "words between white space, by occurrence",
        f"{SUMS}; {EACH}",
        "Rust et al., ACL 2021; its complement on a word list is STRR, arXiv:2510.09947",
        "lower",
        "The share of the words of the text that are divided into several tokens. Words are counted by occurrence, so that frequent words dominate; a rate over a list of different words is much higher. The segmenter is the same as for fertility and has the same traps: punctuation that touches a word divides it.",
    ),
    Metric(
        "fertility_unicode",
        "Fertility, Unicode words",
        "Words",
        "tokens per word",
        "sum over words of the tokens that overlap the word, / W",
        "words of UAX 29 that hold a letter or a digit",
        f"{SUMS}; {EACH}",
        "Unicode Standard Annex 29; Rust et al., ACL 2021",
        "lower",
        "Fertility with the words of Unicode's default segmentation, which parts punctuation from words. It is the better choice for languages with spaces. Han and Hiragana characters are one word each, and scripts without spaces that need a dictionary (Thai, Lao, Khmer, Burmese) form long runs: do not compare those with others.",
    ),
    Metric(
        "continued_word_rate_unicode",
        "Continued words, Unicode words",
        "Words",
        "share of words, 0 to 1",
        "words with two tokens or more / W",
        "words of UAX 29 that hold a letter or a digit, by occurrence",
        f"{SUMS}; {EACH}",
        "Unicode Standard Annex 29; Rust et al., ACL 2021",
        "lower",
        "The share of continued words with the words of Unicode's default segmentation. Punctuation does not count as a continuation here.",
    ),
    Metric(
        "types",
        "Types",
        "Frequencies",
        "different tokens",
        "number of IDs with an occurrence",
        None,
        "over the corpus",
        None,
        "neither",
        "How many entries of the vocabulary occur at all. It grows with the size of the text, so two corpora cannot be compared by it: read the rarefaction curve at the same number of tokens.",
    ),
    Metric(
        "vocabulary_utilisation",
        "Vocabulary utilisation",
        "Frequencies",
        "share of the vocabulary, 0 to 1",
        "types / vocab_size",
        "entries of the vocabulary, special tokens included",
        "over the corpus",
        "arXiv:2508.04796",
        "higher",
        "The share of the vocabulary that this text uses. A large vocabulary made for many languages uses little of itself on a text in one language, and every vocabulary uses more of itself on a longer text. It says something about a tokenizer only next to the rarefaction curve.",
    ),
    Metric(
        "never_seen",
        "Entries never seen",
        "Frequencies",
        "entries of the vocabulary",
        "ordinary tokens without an occurrence",
        None,
        "over the corpus",
        None,
        "neither",
        "How many ordinary entries of the vocabulary this text does not use. Special tokens are left out. Most of them are waiting for other texts; the reachability audit of the Vocabulary screen finds those that no text can produce.",
    ),
    Metric(
        "rarefaction",
        "Rarefaction",
        "Frequencies",
        "expected types per number of tokens",
        "E(n) = sum over types of 1 - C(N - c, n) / C(N, n)",
        None,
        "exact expectation over all samples of n tokens without replacement",
        "Hurlbert, Ecology 52, 1971",
        "neither",
        "How many types a random sample of n tokens of this text would have. Compare tokenizers or corpora at the same n. A curve that is flat at its end has seen nearly all types that such text produces; one that still climbs has not. Tokens of a real text come in clusters, so the first n tokens of a text have fewer types than a random sample of n.",
    ),
    Metric(
        "milestones",
        "Coverage milestones",
        "Frequencies",
        "types",
        "smallest k so that the k most frequent types are at least 50, 75, 90, 95, 99 % of N",
        "tokens",
        "over the corpus",
        None,
        "neither",
        "How few types make up most of the text. Half of most texts is a few hundred types. The high milestones depend on the size of the text, since rare types keep arriving.",
    ),
    Metric(
        "zipf",
        "Zipf exponent",
        "Frequencies",
        "none",
        "maximum of the likelihood of p(c) = c^-a / zeta(a, xmin) over the counts c >= xmin",
        "types with a count of at least xmin",
        "over the types; 95 % interval from the curvature of the likelihood",
        "Clauset, Shalizi and Newman, SIAM Review 51, 2009",
        "neither",
        "How fast frequencies fall. The exponent belongs to the distribution of counts, and is about 2 for words; the slope of a rank-frequency plot that follows from it is 1 / (exponent - 1), about 1. It is fitted by maximum likelihood to the types with at least xmin occurrences, where xmin is the count for which the fit is nearest to the data; a line through the log-log plot would be biased. The interval covers the uncertainty of the fit alone, not the choice of xmin, and it does not show that the counts follow a power law at all: for that, look at the distance, and at the plot.",
    ),
    Metric(
        "renyi_entropy",
        "Rényi entropy",
        "Frequencies",
        "bits",
        "H = log2(sum of p^alpha) / (1 - alpha)",
        "p is a share of all tokens",
        "over the corpus",
        "Zouhar et al., ACL 2023, arXiv:2306.16842",
        "higher",
        "How evenly the tokens are spread over the types. Above 1, alpha weighs frequent types more. A value without its alpha means nothing: here it is 2.5 unless the settings of the analysis say otherwise.",
    ),
    Metric(
        "renyi_efficiency",
        "Rényi efficiency",
        "Frequencies",
        "none, 0 to 1",
        "H / log2(vocab_size)",
        "log2 of the size of the vocabulary, special tokens included",
        "over the corpus",
        "Zouhar et al., ACL 2023, arXiv:2306.16842",
        "higher",
        "Rényi entropy as a share of the largest that a vocabulary of this size allows. The paper found that it correlates with the quality of translation. Two conventions are in use: the denominator is the size of the vocabulary here, and the number of types that occur in the authors' package, which gives higher values (that variant is reported apart). Tokenizers with a high efficiency and bad results are easy to construct (arXiv:2402.14614), so it chooses between similar tokenizers at best.",
    ),
    Metric(
        "renyi_efficiency_types",
        "Rényi efficiency, as the package computes it",
        "Frequencies",
        "none, 0 to 1",
        "H of order 3 / log2(types)",
        "log2 of the number of types that occur",
        "over the corpus",
        "the default of the package of Zouhar et al.: order 3, observed types",
        "higher",
        "For comparison with published numbers that were made with the authors' package and its defaults. It cannot be compared with the other efficiency: both the order and the denominator differ.",
    ),
    Metric(
        "average_rank",
        "Average token rank",
        "Frequencies",
        "rank",
        "sum over ranks r of p_r * r, the most frequent type first",
        "tokens",
        "over the corpus",
        "arXiv:2508.04796",
        "neither",
        "The rank of a token of the text, on average. A low value means that a few frequent types make up the text, as with bytes or characters. It grows with the size of the text and of the vocabulary.",
    ),
    Metric(
        "lengths",
        "Document lengths",
        "Lengths",
        "tokens per document",
        "mean, standard deviation, and percentiles: the smallest length that at least p % of the documents do not exceed",
        "documents",
        "over the documents; each counts the same",
        None,
        "lower",
        "How long documents are in tokens. What a document is comes from the corpus: a line of a text file, a row of a table, a whole Markdown file. Percentiles are exact, from a histogram of all lengths. Added special tokens are not counted: leave room for them below a context length.",
    ),
    Metric(
        "lengths.share_above",
        "Share above a context length",
        "Lengths",
        "share of documents, 0 to 1",
        "documents longer than the limit / documents",
        "documents",
        "over the documents",
        None,
        "lower",
        "How many documents would be truncated at a context length. It counts documents, not the tokens that are lost: a few very long documents may hold most of the text.",
    ),
    Metric(
        "premium",
        "Premium",
        "Languages",
        "tokens per token of the reference language",
        "tokens of a language / tokens of the reference language, over the lines that both have",
        "tokens of the reference language",
        "ratio of sums over the lines, for each pair of languages",
        "Petrov et al., NeurIPS 2023, arXiv:2305.15425",
        "lower",
        "How many times more tokens a language needs to say the same: 3 means three times the price and a third of the context. It needs parallel text, where line N has the same meaning in every language. A pair of languages is left out if more than 10 % of the characters of either are unknown, because a text that was lost is not a short text. Translations differ in length by a fifth or so without any tokenizer.",
    ),
    Metric(
        "parity",
        "Parity",
        "Languages",
        "tokens of the reference language per token",
        "1 / premium",
        "tokens of the language",
        "ratio of sums over the lines, for each pair of languages",
        "Petrov et al., NeurIPS 2023, arXiv:2305.15425",
        "higher",
        "The inverse of the premium: 1 is equal treatment, 0.5 means that the reference language needs half the tokens. The traps are those of the premium.",
    ),
    Metric(
        "gini",
        "Gini coefficient",
        "Languages",
        "none, 0 to (n - 1) / n",
        "sum_i sum_j |c_i - c_j| / (2 n^2 mean), c_i the tokens of language i on the lines that all languages have",
        "twice the squared number of languages, times the mean",
        "over the languages; each counts the same",
        "arXiv:2508.04796",
        "lower",
        "How unequal the languages of a parallel corpus are treated, in one number: 0 if every language needs as many tokens. The largest possible value for n languages is (n - 1) / n, so corpora with different languages cannot be compared. It is not measured for fewer than two languages, and leaves out languages of which more than 10 % of the characters are unknown; the number of languages is reported with it.",
    ),
    Metric(
        "unknown_rate",
        "Unknown tokens",
        "Faithfulness",
        "share of tokens, 0 to 1",
        "unknown tokens / N",
        "tokens",
        f"{SUMS}; {EACH}",
        None,
        "lower",
        "The share of the tokens that are the unknown token. Read it before any figure of compression: above 5 %, compression looks better than it is. One unknown token may replace a whole word, so the share of the text that is lost is larger; the share of unknown characters says how large. Tokenizers that fall back to bytes have none.",
    ),
    Metric(
        "unknown_character_rate",
        "Unknown characters",
        "Faithfulness",
        "share of characters, 0 to 1",
        "characters inside unknown tokens / C",
        "code points of the original text",
        f"{SUMS}; {EACH}",
        "Petrov et al., NeurIPS 2023, use it as the limit for parity",
        "lower",
        "The share of the text that the tokenizer does not represent. It is the rate that decides whether languages may be compared.",
    ),
    Metric(
        "round_trip.exact",
        "Round trip, exact",
        "Faithfulness",
        "share of documents, 0 to 1",
        "documents with decode(encode(x)) = x / documents",
        "documents",
        "over the documents; each counts the same",
        None,
        "higher",
        "The share of the documents that decoding returns to the byte. A tokenizer that lower-cases, strips accents or normalizes white space fails it by design. One lost character in a long document counts as much as a document that is lost altogether.",
    ),
    Metric(
        "round_trip.nfc",
        "Round trip, after NFC",
        "Faithfulness",
        "share of documents, 0 to 1",
        "documents with NFC(decode(encode(x))) = NFC(x) / documents",
        "documents",
        "over the documents; each counts the same",
        "Unicode Standard Annex 15",
        "higher",
        "Like the exact round trip, but texts that Unicode takes as the same count as the same. The difference between the two is the tokenizers that normalize to a canonical form; compatibility forms (NFKC) still fail.",
    ),
    Metric(
        "round_trip.stable",
        "Round trip, stable IDs",
        "Faithfulness",
        "share of documents, 0 to 1",
        "documents with encode(decode(encode(x))) = encode(x) / documents",
        "documents",
        "over the documents; each counts the same",
        None,
        "higher",
        "The share of the documents whose IDs come back when the decoded text is encoded again. It fails where a model would see other IDs for text that it wrote itself. A tokenizer may change the text and still be stable.",
    ),
    Metric(
        "utf8.whole_token_rate",
        "Whole-character tokens",
        "Boundaries",
        "share of tokens, 0 to 1",
        "tokens that are whole characters / N",
        "tokens",
        SUMS,
        None,
        "higher",
        "The share of the tokens that consist of whole characters. Below 1 is a property of every byte-level tokenizer on scripts it has few merges for. A stream of such tokens cannot be shown token by token.",
    ),
    Metric(
        "utf8.crossing_token_rate",
        "Crossing tokens",
        "Boundaries",
        "share of tokens, 0 to 1",
        "tokens with parts of two characters / N",
        "tokens",
        SUMS,
        None,
        "lower",
        "The share of the tokens that start or end inside a character and reach into another: the bad case of splitting, since such a token belongs to neither character.",
    ),
    Metric(
        "utf8.split_character_rate",
        "Split characters",
        "Boundaries",
        "share of characters of several bytes, 0 to 1",
        "characters that several tokens hold / characters of several bytes",
        "characters of two to four UTF-8 bytes",
        SUMS,
        None,
        "lower",
        "The share of the characters outside ASCII that are divided over several tokens. It depends on the languages of the corpus; compare it for one language.",
    ),
    Metric(
        "digit_f1",
        "Digit boundaries",
        "Boundaries",
        "none, 0 to 1",
        "2 true / (predicted + expected) boundaries inside runs of digits",
        "boundaries inside runs of digits, predicted and expected",
        SUMS,
        "Singh and Strouse, arXiv:2402.14903",
        "higher",
        "How well the boundaries inside numbers agree with groups of three from the right, as in 1|234|567, which is the grouping that helps arithmetic. Most tokenizers group from the left or by frequency. Numbers of up to three digits have no such boundary: a text with short numbers alone has no value, and years (four digits) decide many texts.",
    ),
    Metric(
        "space_boundary_rate",
        "Boundaries at white space",
        "Boundaries",
        "share of runs of white space, 0 to 1",
        "runs of white space that a boundary touches / runs of white space",
        "runs of white space inside documents",
        SUMS,
        None,
        "neither",
        "How often a boundary falls at the start, inside or at the end of a run of white space. Below 1, some tokens span several words. Whether a token keeps the space before it is a convention and changes nothing here.",
    ),
    Metric(
        "token_ratios",
        "Tokens per token of another tokenizer",
        "Compression",
        "tokens per token of the other tokenizer",
        "N / N of the other tokenizer, with its 95 % interval",
        "tokens of the other tokenizer on the same documents",
        f"{SUMS}; interval: percentiles of a thousand samples of the documents, drawn with replacement",
        "Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13; Koehn, EMNLP 2004",
        "lower",
        "How sure a difference in length is. The interval says where the ratio would lie on other documents of the same kind: if it holds 1, the documents do not tell the two tokenizers apart, and a larger corpus may. It says nothing about other kinds of text, and nothing about meaning: a tokenizer that loses words to an unknown token needs fewer tokens for sure. Documents of one author or one site are alike, so the interval of a corpus of few sources is too narrow. Lines of parallel text are drawn in all languages at once. The level holds for one pair: of twenty pairs that are alike, one is told apart by chance. With fewer than about a hundred documents intervals are somewhat too narrow.",
    ),
    Metric(
        "agreement",
        "Boundary agreement",
        "Boundaries",
        "none, 0 to 1",
        "boundaries of both tokenizers / boundaries of either",
        "byte offsets inside documents at which either has a boundary",
        SUMS,
        "Jaccard index",
        "neither",
        "How often two tokenizers divide the text at the same places. It says nothing about which is better. A boundary counts where it is: a tokenizer that puts the space before a word and one that puts it after disagree at every word; Compare can ignore that for one text. Special tokens are excluded.",
    ),
)

BY_NAME = {metric.name: metric for metric in METRICS}
AGAINST_THE_FIRST = "normalised_sequence_length"


def is_comparable(name: str, one: CorpusResult, other: CorpusResult) -> bool:
    """Whether a metric means the same in two results: that against the first tokenizer does if the first is the same."""
    return name != AGAINST_THE_FIRST or one.tokenizers[0].tokenizer == other.tokenizers[0].tokenizer


def markdown() -> str:
    """The metrics as the page `docs/guide/metrics.md`."""
    parts = [HEAD]
    for group in dict.fromkeys(metric.group for metric in METRICS):
        parts.append(f"\n## {group}\n")
        parts += [_section(metric) for metric in METRICS if metric.group == group]
    return "".join(parts)


HEAD = """# How to read the metrics of a corpus

Each metric of an analysis has a formula, a unit, a denominator and an aggregation; charts, reports and the
command line write them next to the number. A metric that was not measured is a dash, with the reason.

T(x) are the tokens of document x without added special tokens, N is the number of all tokens, c the count of a type, p a
count divided by N, B the UTF-8 bytes of the original text, C its code points, W its words. Unless something else is
said, a number is a ratio of sums over the whole corpus, not a mean of the ratios of documents.

This page is made from `lab_app/analysis/corpus/registry.py`: run `python -m tests.metrics_page`.
"""

BETTER = {"higher": "higher is better", "lower": "lower is better", "neither": "neither high nor low is better"}


def _section(metric: Metric) -> str:
    rows = [
        ("name", f"`{metric.name}`"),
        ("unit", metric.unit),
        ("formula", metric.formula.replace("|", "\\|")),
        ("denominator", metric.denominator),
        ("aggregation", metric.aggregation),
        ("source", metric.source),
        ("direction", BETTER[metric.direction]),
    ]
    table = "".join(f"| {name} | {value} |\n" for name, value in rows if value)
    return f"\n### {metric.title}\n\n| | |\n| --- | --- |\n{table}\n{metric.how_to_read}\n"
