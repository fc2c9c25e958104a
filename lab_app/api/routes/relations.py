"""Two tokenizers: `/retokenize`, `/vocabulary_overlap`, `/diff`."""

from lab_app.api.json_route import json_router
from lab_app.api.requests import RetokenizeBody, TwoTokenizersBody
from lab_app.api.routes.lab import TheLab
from lab_app.errors import BadValue
from lab_app.services.text.retokenize import Retokenization, retokenize_text
from lab_app.services.text.retokenize import retokenize as retokenize_ids
from lab_app.services.vocabularies.differences import TokenizerDiff, tokenizer_diff
from lab_app.services.vocabularies.overlap import VocabularyOverlap
from lab_app.services.vocabularies.overlap import vocabulary_overlap as overlap_of

router = json_router("compare")


@router.post("/retokenize", summary="Convert IDs to another vocabulary")
def retokenize(lab: TheLab, body: RetokenizeBody) -> Retokenization:
    """IDs of one tokenizer as IDs of another, and what is lost."""
    if (body.text is None) == (body.ids is None):
        raise BadValue("text or ids are needed", "send one of the two")
    if body.ids is not None:
        return retokenize_ids(lab, body.source, body.target, body.ids)
    return retokenize_text(lab, body.source, body.target, body.text or "", specials=body.specials)


@router.post("/vocabulary_overlap", summary="Report how far one tokenizer can replace another")
def vocabulary_overlap(lab: TheLab, body: TwoTokenizersBody) -> VocabularyOverlap:
    """Shared tokens, and the rows that an embedding table could keep."""
    return overlap_of(lab, body.a, body.b, body.text, specials=body.specials)


@router.post("/diff", summary="List the differences between two tokenizers")
def diff(lab: TheLab, body: TwoTokenizersBody) -> TokenizerDiff:
    """Stages, vocabulary, merges and added tokens that differ, and the effect on a text."""
    return tokenizer_diff(lab, body.a, body.b, body.text, specials=body.specials)
