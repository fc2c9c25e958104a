"""What `--help` shows besides docstrings: examples of each command, and no type beside switches. Not here: the commands."""

from typing import Any

from typer.core import TyperCommand, TyperGroup

EXAMPLES = {
    "serve": ("tokenlab serve", "tokenlab serve --port 0"),
    "list": ("tokenlab list", "tokenlab list --format json"),
    "info": ("tokenlab info gpt2", "tokenlab info cl100k_base --format json"),
    "add": ("tokenlab add llama-2", "tokenlab add ./tokenizer.json --id mine"),
    "encode": ('tokenlab encode -t gpt2 "Hello, world"', "tokenlab encode -t gpt2 --file notes.txt --format ids"),
    "decode": ("tokenlab decode -t gpt2 15496 11 995", "echo 15496 11 995 | tokenlab decode -t gpt2 -"),
    "chat": ("tokenlab chat -t mine messages.json", "tokenlab chat -t gpt2 --template chatml messages.json"),
    "drift": ("tokenlab drift -t gpt2 71 695 78 995", 'tokenlab drift -t gpt2 --prompt "The total is "'),
    "check": ("tokenlab check suite.json", "tokenlab check suite.json --format junit"),
    "compare": (
        'tokenlab compare -t gpt2 -t cl100k_base "naïve café"',
        "tokenlab compare -t gpt2 -t bert-base-uncased --file notes.txt",
    ),
    "analyze": ("tokenlab analyze udhr -t gpt2 -t cl100k_base", "tokenlab analyze notes.txt -t gpt2 --format json"),
    "bench": ("tokenlab bench -t gpt2", "tokenlab bench -t gpt2 --cost growth"),
    "train": (
        "tokenlab train bpe --input notes.txt --vocab-size 8000 --output mine",
        "tokenlab train unigram --input practice:topics --vocab-size 4000 --output mine",
    ),
    "shards": ("tokenlab shards notes.txt -t gpt2 -o shards --check",),
    "explain": ('tokenlab explain -t gpt2 "Hello, world" --at 5', 'tokenlab explain -t gpt2 "Hello" --trace'),
    "lesson boundaries": ('tokenlab lesson boundaries -t gpt2 unbelievable --guess "un|believ|able"',),
    "lesson exercises": (
        'tokenlab lesson exercises -t gpt2 --seed 7 --count 1 --answers "[1]" -o exercises.json',
        "tokenlab lesson exercises -t gpt2 --kind misconceptions",
    ),
    "lesson check": ("tokenlab lesson check exercises.json",),
    "lesson playlist": ("tokenlab lesson playlist", "tokenlab lesson playlist plan.json"),
    "lesson show": ("tokenlab lesson show bpe-encode -t gpt2 lowest", "tokenlab lesson show utf8 -t gpt2 é日🙂"),
    "edit": (
        "tokenlab edit gpt2 recipe.toml",
        "tokenlab edit gpt2 recipe.toml --output edited.json --map rows.npz",
    ),
    "vocab": ("tokenlab vocab gpt2 --audit", "tokenlab vocab gpt2 --token 15496"),
    "undertrained": ("tokenlab undertrained mine model.safetensors", "tokenlab undertrained mine model --unused 0,1,2"),
    "conformance": ("tokenlab conformance -t gpt2", "tokenlab conformance -t gpt2 --corpus udhr"),
    "robustness": ("tokenlab robustness udhr -t gpt2",),
    "desktop": ("tokenlab desktop --install", "tokenlab desktop --remove"),
    "doctor": ("tokenlab doctor", "tokenlab doctor --repair"),
    "remove": ("tokenlab remove mine",),
    "rename": ('tokenlab rename mine "My tokenizer"',),
    "convert": (
        "tokenlab convert gpt2 tokenizer.json --to tokenizer.json",
        "tokenlab convert gpt2 out --to vocab+merges",
    ),
    "overlap": ('tokenlab overlap -t gpt2 -t cl100k_base "naïve café"',),
    "diff": ("tokenlab diff -t gpt2 -t cl100k_base --file notes.txt",),
    "retokenize": (
        'tokenlab retokenize --from gpt2 --to cl100k_base "Hello, world"',
        "tokenlab retokenize --from gpt2 --to cl100k_base --ids 15496,11,995",
    ),
    "align": (
        'tokenlab align -t gpt2 -t bert-base-uncased "unbelievable tokens"',
        "tokenlab align -t gpt2 -t cl100k_base --corpus udhr -o map.npz",
    ),
    "concordance": (
        "tokenlab concordance udhr -t gpt2 --word freedom",
        "tokenlab concordance udhr -t gpt2 --word freedom --segmentations",
    ),
    "export": ('tokenlab export -t gpt2 -t cl100k_base "Hello, world" -o tokens.html',),
    "handout": (
        'tokenlab handout -t gpt2 --lesson bpe-encode --do -o merges.html "lower newest"',
        'tokenlab handout -t gpt2 -t bert-base-uncased -o tokens.html "Hello, world"',
    ),
    "share": ('tokenlab share -t gpt2 --lesson bpe-encode -o merges "lower newest"',),
    "cite": ("tokenlab cite -t gpt2 --format text",),
    "textbook": ('tokenlab textbook -t gpt2 "low lower lowest" -a naive',),
    "report save": ('tokenlab report save -t gpt2 "Hello, world" -o session.json',),
    "report run": ("tokenlab report run session.json",),
    "corpus list": ("tokenlab corpus list",),
    "corpus add": ("tokenlab corpus add notes.txt", "tokenlab corpus add 'logs/*.jsonl.gz' --text-column message"),
    "corpus show": ("tokenlab corpus show udhr", "tokenlab corpus show udhr --clean html"),
    "corpus remove": ("tokenlab corpus remove notes",),
}
"""Of every command, by its name."""


def epilog(name: str) -> str:
    """The examples of a command as the end of its help; a blank line keeps each on a line of its own."""
    return "\n\n".join(("Examples:", *EXAMPLES[name]))


class _Quiet:
    """Parameters whose switches show no type: `<bool>` says nothing to people."""

    def get_params(self, ctx: Any) -> list[Any]:
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for each in parameters:
            if getattr(each, "is_flag", False):
                each.metavar = ""
        return parameters


class Command(_Quiet, TyperCommand):
    """A command."""


class Group(_Quiet, TyperGroup):
    """A command of commands."""
