"""How chat messages of the tokenizers that come with the lab are wrapped, as far as their makers have published it.

`o200k_harmony` has a template, written here after the description of its format. Of the chat models that use `cl100k_base` and
`o200k_base` only the number of tokens is published: the tokens around a message are no tokens of these vocabularies. Nothing
is published for the others, whose models were not trained on chats.

Source: OpenAI, "OpenAI harmony response format" (articles/openai-harmony.md) and "How to count tokens with tiktoken"
(examples/How_to_count_tokens_with_tiktoken.ipynb, section 6), both in the repository openai-cookbook.
"""

from dataclasses import dataclass

HARMONY = """\
{%- if tools %}{{ raise_exception('tools are not rendered: describe them in the developer message') }}{% endif -%}
{%- for message in messages -%}
    {%- if message.content is not string -%}
        {{- raise_exception('the content of message ' ~ loop.index ~ ' is not a text') -}}
    {%- elif message.role == 'assistant' -%}
        {{- '<|start|>assistant<|channel|>' ~ (message.channel or 'final') -}}
        {{- ' to=' ~ message.recipient if message.recipient -}}
        {{- ' <|constrain|>' ~ message.content_type if message.content_type -}}
        {{- '<|message|>' ~ message.content ~ ('<|call|>' if message.recipient else '<|end|>') -}}
    {%- elif message.role == 'tool' -%}
        {%- if not message.name -%}
            {{- raise_exception('message ' ~ loop.index ~ ' of the role tool has no name') -}}
        {%- endif -%}
        {{- '<|start|>' ~ message.name ~ ' to=assistant<|channel|>' ~ (message.channel or 'commentary') -}}
        {{- '<|message|>' ~ message.content ~ '<|end|>' -}}
    {%- elif message.role == 'developer' -%}
        {{- '<|start|>developer<|message|># Instructions\\n\\n' ~ message.content ~ '<|end|>' -}}
    {%- elif message.role in ('system', 'user') -%}
        {{- '<|start|>' ~ message.role ~ '<|message|>' ~ message.content ~ '<|end|>' -}}
    {%- else -%}
        {{- raise_exception('harmony has no role ' ~ message.role) -}}
    {%- endif -%}
{%- endfor -%}
{{- '<|start|>assistant' if add_generation_prompt -}}
"""
TEMPLATES = {"o200k_harmony": HARMONY}
"""By the id of a built-in tokenizer."""


@dataclass(frozen=True)
class CountingRule:
    """Tokens around the texts of messages: around each message, with each name, and before the model's answer."""

    per_message: int
    per_name: int
    reply_prompt: int
    source: str


OPENAI = CountingRule(3, 1, 3, "OpenAI, How to count tokens with tiktoken")
RULES = {"cl100k_base": OPENAI, "o200k_base": OPENAI}
"""By the id of a built-in tokenizer: for gpt-3.5-turbo-0125, gpt-4-0314, gpt-4-0613, gpt-4o and gpt-4o-mini."""
COUNTED = ("role", "content", "name")
"""The fields of a message that a rule knows."""
