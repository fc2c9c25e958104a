"""Templates that come with the lab, and how chat messages of its tokenizers are wrapped, as far as their makers published it.

`o200k_harmony` has a template, written here after the description of its format. Of today's chat models that use `cl100k_base`
and `o200k_base` only the number of tokens is published: ChatML was described for the first of them, and the tokens around its
messages are not in these vocabularies. Nothing is published for the others, whose models were not trained on chats.

Source: OpenAI, "OpenAI harmony response format" (articles/openai-harmony.md) and "How to count tokens with tiktoken"
(examples/How_to_count_tokens_with_tiktoken.ipynb, section 6), both in the repository openai-cookbook. ChatML: "Chat Markup
Language" (openai-python, chatml.md), as models of today use it.
"""

from dataclasses import dataclass

HARMONY = """\
{%- set fields = {
    'system': ['content'],
    'developer': ['content'],
    'user': ['content'],
    'assistant': ['content', 'channel', 'recipient', 'content_type'],
    'tool': ['content', 'channel', 'name'],
} -%}
{%- set channels = ['analysis', 'commentary', 'final'] -%}
{%- macro refuse(number, why) -%}{{ raise_exception('message ' ~ number ~ ' ' ~ why) }}{%- endmacro -%}
{%- macro tool(number, name) -%}
    {%- if '.' not in name and name != 'python' -%}
        {{- refuse(number, 'names the tool ' ~ name ~ ' without its namespace: write functions.' ~ name) -}}
    {%- endif -%}
    {{- name -}}
{%- endmacro -%}
{%- if tools %}{{ raise_exception('tools are not rendered: describe them in the developer message') }}{% endif -%}
{%- for message in messages -%}
    {%- set number = loop.index -%}
    {%- if message.role not in fields | list -%}
        {{- refuse(number, 'has a role that harmony does not have: give ' ~ fields | join(', ')) -}}
    {%- endif -%}
    {%- for name, value in message.items() if name != 'role' and value is not none -%}
        {%- if name not in fields[message.role] -%}
            {{- refuse(number, 'of the role ' ~ message.role ~ ' has ' ~ name ~ ', which is not rendered: leave it out') -}}
        {%- elif value is not string -%}
            {{- refuse(number, 'has a ' ~ name ~ ' that is not a text') -}}
        {%- elif name == 'channel' and value not in channels -%}
            {{- refuse(number, 'has a channel that harmony does not have: give ' ~ channels | join(', ')) -}}
        {%- endif -%}
    {%- endfor -%}
    {%- if message.content is not string -%}
        {{- refuse(number, 'has no content: give a text') -}}
    {%- elif message.role == 'tool' and not message.name -%}
        {{- refuse(number, 'has no name: give that of the tool, such as functions.get_weather') -}}
    {%- endif -%}
    {%- set recipient = tool(number, message.recipient) if message.recipient else '' -%}
    {%- if message.role == 'assistant' -%}
        {%- set is_built_in = recipient == 'python' or recipient.startswith('browser.') -%}
        {%- set channel = 'final' if not recipient else 'analysis' if is_built_in else 'commentary' -%}
        {{- '<|start|>assistant' -}}
        {%- generation -%}
            {{- '<|channel|>' ~ (message.channel or channel) -}}
            {{- ' to=' ~ recipient if recipient -}}
            {{- ' <|constrain|>' ~ message.content_type if message.content_type -}}
            {{- '<|message|>' ~ message.content ~ ('<|call|>' if recipient else '<|end|>') -}}
        {%- endgeneration -%}
    {%- elif message.role == 'tool' -%}
        {{- '<|start|>' ~ tool(number, message.name) ~ ' to=assistant<|channel|>' -}}
        {{- (message.channel or 'commentary') ~ '<|message|>' ~ message.content ~ '<|end|>' -}}
    {%- elif message.role == 'developer' -%}
        {{- '<|start|>developer<|message|># Instructions\\n\\n' ~ message.content ~ '<|end|>' -}}
    {%- else -%}
        {{- '<|start|>' ~ message.role ~ '<|message|>' ~ message.content ~ '<|end|>' -}}
    {%- endif -%}
{%- endfor -%}
{{- '<|start|>assistant' if add_generation_prompt -}}
"""
CHATML = """\
{%- if tools %}{{ raise_exception('tools are not rendered: describe them in the system message') }}{% endif -%}
{%- for message in messages -%}
    {%- if message.content is not string -%}
        {{- raise_exception('message ' ~ loop.index ~ ' has no content: give a text') -}}
    {%- endif -%}
    {{- '<|im_start|>' ~ message.role ~ '\\n' -}}
    {%- if message.role == 'assistant' -%}
        {%- generation -%}{{- message.content ~ '<|im_end|>' -}}{%- endgeneration -%}
    {%- else -%}
        {{- message.content ~ '<|im_end|>' -}}
    {%- endif -%}
    {{- '\\n' -}}
{%- endfor -%}
{{- '<|im_start|>assistant\\n' if add_generation_prompt -}}
"""
BUILT_IN = {"chatml": CHATML, "harmony": HARMONY}
"""Templates for any tokenizer, by name."""
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
