"""Chat templates written for these tests, in the forms that model makers use."""

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
# System text inside the first instruction, roles in turn or an error, texts trimmed.
INSTRUCTIONS = """\
{%- if messages[0].role == 'system' %}
    {%- set system = '<<SYS>>\\n' + messages[0].content + '\\n<</SYS>>\\n\\n' %}
    {%- set rest = messages[1:] %}
{%- else %}
    {%- set system = '' %}
    {%- set rest = messages %}
{%- endif %}
{%- for message in rest %}
    {%- if (message.role == 'user') != (loop.index0 % 2 == 0) %}
        {{- raise_exception('roles must alternate') }}
    {%- endif %}
    {%- if message.role == 'user' %}
        {{- bos_token + '[INST] ' + (system if loop.first else '') + message.content | trim + ' [/INST]' }}
    {%- else %}
        {%- generation %}{{- ' ' + message.content | trim + ' ' + eos_token }}{%- endgeneration %}
    {%- endif %}
{%- endfor %}
"""
# Headers, tools as JSON, a date, and a loop that is left.
HEADERS = """\
{{- bos_token }}
{%- if tools is not none %}
    {{- '<|start_header_id|>tools<|end_header_id|>\\n\\n' }}
    {%- for tool in tools %}
        {{- tool | tojson(indent=2) + '\\n' }}
    {%- endfor %}
{%- endif %}
{{- 'Today: ' + strftime_now('%d %b %Y') + '\\n' }}
{%- for message in messages %}
    {%- if message.role == 'stop' %}{% break %}{% endif %}
    {{- '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' + message.content | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}
"""
# What a block's own line leaves behind depends on trim_blocks and lstrip_blocks.
LINES = """\
{% for message in messages %}
    {% if message.role == 'user' %}
<user>
  {{ message.content }}
    {% else %}
<{{ message.role }}> {{ {'é': message.content, 'b': [1, true, none]} | tojson }}
    {% endif %}
{% endfor %}
"""
