"""The files that a tokenizer has or could have: what says which other libraries read it. Not here: the libraries (`lab_app.peers`)."""

from lab_app.files import temporary_folder
from lab_app.library.cache import Cache
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.library.tokenizer_files import tokenizer_files
from lab_app.peers.peer import TokenizerFiles
from lab_app.services.lab import Lab


def files_of(lab: Lab, tokenizer: str) -> TokenizerFiles:
    """The files that a tokenizer has or could have, to ask which engines read it. Those that the lab wrote are deleted.

    Raises NotFound, BadValue for a plug-in.
    """
    entry, loaded = lab.loaded.get(tokenizer)

    def written() -> TokenizerFiles:
        with temporary_folder() as folder:
            return tokenizer_files(entry, loaded, folder)

    return lab.own(Formats).get(loaded, written)


class Formats(Cache[AnyTokenizer, TokenizerFiles]):
    """The files of the tokenizer that was asked for last."""

    def __init__(self, _lab: Lab) -> None:
        super().__init__(1)
