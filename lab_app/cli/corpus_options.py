"""Options that the commands of corpora have. Not with the others (`common`), since the other commands need no corpus."""

from typing import Annotated

from lab_app.cli.common import option_of
from lab_app.corpora.options import CorpusOptions

CleanOption = Annotated[list[str] | None, option_of(CorpusOptions, "cleaning", metavar="STEP")]
TextColumnOption = Annotated[str | None, option_of(CorpusOptions, "text_column", metavar="NAME")]
LanguageColumnOption = Annotated[str | None, option_of(CorpusOptions, "language_column", metavar="NAME")]
ParallelOption = Annotated[bool, option_of(CorpusOptions, "parallel")]
