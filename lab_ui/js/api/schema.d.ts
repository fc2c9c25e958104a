/** Answers and bodies of the HTTP interface. Made by `make page-types` from the models in lab_app. */

/** The comparison with one reference library. */
export type Against = {
  reference: string;
  version: string;
  read_from: string;
  compared: ComparedTexts[];
  smallest: Difference[];
  not_shrunk: number;
};

/** The part of a path that differs from the best one; `left_out` counts the tokens of it that are not listed. */
export type AlternativePath = {
  tokens: TracedToken[];
  score: number;
  span: [number, number];
  left_out: number;
};

/** The kept analyses, the newest first. */
export type Analyses = {
  analyses: AnalysisRow[];
};

/** The changes from analysis `before` to analysis `after`. */
export type AnalysisChanges = {
  before: number;
  after: number;
  same_text: boolean;
  settings: SettingChange[];
  added_tokenizers: string[];
  removed_tokenizers: string[];
  changed_tokenizers: string[];
  compared: number;
  metrics: MetricChange[];
};

/** A kept analysis in a list. */
export type AnalysisRow = {
  id: number;
  made_at: string;
  title: string;
  corpus: string;
  corpus_sha256: string;
  tokenizers: string[];
  documents: number;
  bytes: number;
  sampled: number | null;
  tokens: Record<string, number>;
};

/** Everything that changes the numbers. */
export type AnalysisSettings = {
  measures: string[];
  reference_language: string | null;
  context_lengths: number[];
  alpha: number;
  top: number;
  sample_bytes: number | null;
  seed: number;
};

/** Which tokens some text produces. */
export type Audit = {
  tokenizer: string;
  count: number;
  verdicts: Record<string, number>;
  reasons: AuditReason[];
  elapsed_ns: number;
};

/** The number of tokens that one reason decided. */
export type AuditReason = {
  reason: string;
  verdict: "reachable" | "unreachable" | "undecided";
  explanation: string;
  count: number;
};

/** The ids of many texts, a row per text; the mask is 0 for padding. */
export type BatchResult = {
  tokenizer: string;
  counts: number[];
  ids: number[][];
  attention_mask: number[][];
};

/** The changes from benchmark `before` to benchmark `after`. */
export type BenchmarkChanges = {
  before: number;
  after: number;
  same_text: boolean;
  same_machine: boolean;
  settings: SettingChange[];
  noise: number | null;
  rows: SpeedChange[];
  added: string[];
  removed: string[];
};

/** All engines, for one tokenizer if it was named. */
export type BenchmarkEngines = {
  tokenizer: string | null;
  engines: EngineState[];
};

/** The machine now. */
export type BenchmarkEnvironment = {
  environment: Environment;
  noise: Noise;
};

/** The kept benchmarks, the newest first. */
export type BenchmarkList = {
  benchmarks: BenchmarkSummary[];
};

/** What to compare. `baseline` is the key of a subject. */
export type BenchmarkPreset = {
  name: string;
  title: string;
  description: string;
  subjects: Subject[];
  baseline: string;
};

/** All of them, in the order of a menu; for one tokenizer where they have one. */
export type BenchmarkPresets = {
  tokenizer: string;
  presets: BenchmarkPreset[];
};

/** A run. `baseline` is the key of the row that ratios divide by; None if it has no figures. */
export type BenchmarkResult = {
  id: number | null;
  title: string;
  created_at: string;
  state: "running" | "done" | "cancelled" | "interrupted";
  settings: BenchmarkSettings;
  command: string;
  environment: Environment;
  noise: Noise | null;
  text: TextFacts;
  baseline: string | null;
  rows: BenchmarkRow[];
  rounds_done: number;
  elapsed_s: number;
  notes: string[];
};

/** One subject of a run. */
export type BenchmarkRow = {
  key: string;
  engine: string;
  engine_version: string | null;
  tokenizer: string;
  tokenizer_sha256: string | null;
  state: "ok" | "inexact" | "missing" | "unsupported" | "failed" | "timed_out" | "cancelled";
  message: string | null;
  output: string | null;
  install: string | null;
  read_from: string | null;
  rank: number | null;
  exactness: Exactness | null;
  throughput_mb_per_s: Throughput | null;
  ratio: Ratio | null;
  documents_per_s: number | null;
  latency_ns: Latency | null;
  import_ns: number | null;
  load_ns: number | null;
  first_call_ns: number | null;
  loaded_bytes: number | null;
  resident_bytes: number | null;
  peak_bytes: number | null;
  tokens: number | null;
  bytes_per_token: number | null;
  cores_used: number | null;
  calls_per_sample: number | null;
  samples_ns: (number | null)[] | null;
  stages: StageTimes | null;
  slowest_documents: SlowestDocument[] | null;
};

/** Everything that repeats the run. */
export type BenchmarkSettings = {
  subjects: Subject[];
  source: TextSource;
  baseline: string;
  temperature: "warm" | "cold" | "first_pass";
  shape: "whole" | "documents" | "batch";
  output: "ids" | "spans" | "lists";
  threads: number;
  rounds: number;
  max_bytes: number;
  time_limit_s: number;
  seed: number;
};

/** A kept benchmark in a list. */
export type BenchmarkSummary = {
  id: number;
  title: string;
  created_at: string;
  state: "running" | "done" | "cancelled" | "interrupted";
  engines: string[];
  tokenizers: string[];
  temperature: "warm" | "cold" | "first_pass";
  shape: "whole" | "documents" | "batch";
  output: "ids" | "spans" | "lists";
  threads: number;
  text_title: string;
  text_bytes: number;
  noise_spread: number | null;
  baseline: string | null;
  winner: string | null;
  winner_ratio: Ratio | null;
};

/** A merge across a boundary that another merge blocked: the one at index `by`. */
export type BlockedMerge = {
  rank: number;
  pair: [number, number];
  by: number;
  score: number | null;
};

/** The names of the blocks that stages are composed from. */
export type Blocks = {
  normalizers: string[];
  pretokenizers: string[];
};

/** Byte-pair encoding: the symbols, and the merges in order. With `whole` the pretoken is one token without a merge. */
export type BpeSteps = {
  model: "bpe";
  whole: boolean;
  symbols: TracedToken[];
  merges: TracedMerge[];
  boundaries: MergeBoundary[];
};

/** The tokens of a context, and what they are used for. */
export type Budget = {
  context: number;
  reserve: number;
  roles: RoleCount[] | null;
  template_count: number | null;
  free: number;
  first_outside: number | null;
  dropped: Dropped | null;
};

/** Lookups in the word cache of the fast path. */
export type CacheCounts = {
  hits: number;
  misses: number;
};

/** One tokenizer of the catalog. What only loading it tells is None for one that is not available. */
export type CatalogEntry = {
  id: string;
  name: string;
  family: string | null;
  available: boolean;
  source: "built in" | "downloaded" | "added" | "composed" | "plug-in";
  vocab_size: number | null;
  base_vocab_size: number | null;
  merge_count: number | null;
  licence: string | null;
  origin: string | null;
  sha256: string | null;
  size_bytes: number | null;
  special_tokens: SpecialToken[];
  stages: Stages | null;
  changing_stages: string[] | null;
  lossy: string | null;
  truncation: FileTruncation | null;
  padding: FilePadding | null;
  ignored_fields: IgnoredField[];
  note: string | null;
  repository: string | null;
  revision: string | null;
  gated: boolean;
  checked: boolean | null;
  needs: string | null;
  problem: Problem | null;
};

/** The catalog in its order, and the names of the split patterns that a rank file may be given. */
export type CatalogList = {
  tokenizers: CatalogEntry[];
  patterns: string[];
  problem: Problem | null;
};

/** A document with its number in the corpus, from 0, the first of its lines that changed, its tokens before and after. */
export type ChangedDocument = {
  number: number;
  language: string | null;
  text: string;
  before: number;
  after: number;
};

/** A token that was added, removed or got another ID: its spelling, its bytes in hex, its old and new ID. */
export type ChangedToken = {
  token: string;
  bytes: string;
  old: number | null;
  new: number | null;
  parts: string[];
};

/** Over texts with at least one token. `deviation` is the sample standard deviation; None for one text. */
export type CharactersPerToken = {
  texts: number;
  mean: number;
  deviation: number | null;
};

/** A tokenizer of a chart: its letter gives colour, marker and dash. */
export type ChartKey = {
  letter: string;
  name: string;
};

/** The values of a chart. A cell is None where nothing was measured. */
export type ChartTable = {
  head: string[];
  rows: ((string | number | null)[])[];
};

/** A conversation as tokens. */
export type Chat = {
  tokenizer: string;
  template: string;
  text: string;
  count: number;
  ids: number[];
  mask: number[] | null;
  messages: ChatMessage[];
  template_count: number | null;
  control_tokens: ControlToken[];
  budget: Budget | null;
  warnings: string[];
  tokens: ChatTokens;
};

/** The tests of a template, the failed ones first. */
export type ChatChecks = {
  tokenizer: string;
  template: string;
  checks: Check[];
};

/** The tokens of messages, by a published rule: the tokenizer has no text for what is around them. */
export type ChatCount = {
  tokenizer: string;
  count: number;
  messages: number[];
  reply_prompt: number;
  source: string;
};

/** The tokens of one message. Spans are half-open; those of text are in the rendered text. */
export type ChatMessage = {
  role: string;
  count: number | null;
  template_count: number | null;
  token_spans: [number, number][];
  spans_utf8: [number, number][];
  spans_utf16: [number, number][];
  as_text: boolean;
  other_count: number | null;
  left_out: LeftOutText[];
};

/** The names of the chat templates of a tokenizer, and of those that every tokenizer may use. */
export type ChatTemplates = {
  templates: string[];
  built_in: string[];
};

/** The tokens as lists of n. */
export type ChatTokens = {
  texts: (string | null)[];
  spans_utf16: [number, number][] | null;
  messages: (number | null)[];
  sources: number[] | null;
  special: number[];
};

/** What one test found. */
export type Check = {
  name: string;
  outcome: "passed" | "warning" | "failed" | "not measured";
  summary: string;
  message: number | null;
  index: number | null;
};

/** A file whose marks are those of the engine. */
export type CheckedFile = {
  name: string;
  made_at: string;
  lab_version: string;
  marks: Marks;
};

/** A playlist that was read, and what this lab cannot show of it. */
export type CheckedPlaylist = {
  playlist: Playlist;
  minutes: number;
  problems: PartProblem[];
};

/** How a result was made, and how to cite it. */
export type Citation = {
  provenance: Provenance;
  caption: string;
  bibtex: string;
  sentence: string;
};

/** What the steps do to the first `documents` of a corpus: at most 2000, or one megabyte. `changed` of them differ. */
export type CleaningPreview = {
  documents: number;
  changed: number;
  steps: StepCount[];
  samples: CleaningSample[];
};

/** A part of a document that cleaning changes; `after` is None if it is removed. */
export type CleaningSample = {
  before: string;
  after: string | null;
};

/** The texts of one source. `documents` is `equal` + `different`. */
export type ComparedTexts = {
  source: string;
  documents: number;
  bytes: number;
  tokens: number;
  equal: number;
  different: number;
};

/** The same without tokens and divergences: the header of the binary form. */
export type ComparisonHead = {
  text_bytes: number;
  text_characters: number;
  agreement: number[][];
  tokenizers: EncodingSummary[];
  divergence_kinds: string[];
};

/** One text under several tokenizers. */
export type ComparisonResult = {
  text_bytes: number;
  text_characters: number;
  agreement: number[][];
  tokenizers: EncodingResult[];
  divergences: Divergence[];
};

/** One page of occurrences, in the order of the corpus. */
export type Concordance = {
  corpus: string;
  corpus_sha256: string;
  tokenizer: string;
  found: Found;
  occurrences: Occurrence[];
  next: string | null;
  more: boolean;
  searched_bytes: number;
  corpus_bytes: number;
};

/** Whether the engine gives the ids of the reference libraries. */
export type Conformance = {
  tokenizer: string;
  sha256: string | null;
  lab_version: string;
  specials: "parse" | "text" | "reject";
  seed: number;
  corpus: string | null;
  corpus_sha256: string | null;
  against: Against[];
  not_compared: NotCompared[];
  same: boolean | null;
};

/** The reference libraries for one tokenizer. */
export type ConformanceReferences = {
  tokenizer: string;
  references: ReferenceState[];
  last: KeptConformance | null;
};

/** A control token that a message or a tool spells. */
export type ControlToken = {
  token: string;
  id: number;
  message: number | null;
  field: string | null;
  span_utf16: [number, number] | null;
  index: number | null;
  reads: "message start" | "message end" | "control token";
  role: string | null;
};

/** A corpus with its files, the beginnings of its first documents, and what was noticed when it was added. */
export type CorpusDetail = {
  id: string;
  title: string;
  format: string;
  files: number;
  bytes: number;
  text_bytes: number | null;
  documents: number | null;
  sha256: string;
  languages: string[];
  scripts: string[];
  is_parallel: boolean;
  text_column: string | null;
  language_column: string | null;
  cleaning: string[];
  builtin: boolean;
  first_files: CorpusFileEntry[];
  columns: string[];
  sample: SampleDocument[];
  problem: string | null;
  report: ReadReport | null;
};

/** One corpus of the list. `bytes` is the size of its files on disk, `text_bytes` that of their text in UTF-8 and */
export type CorpusEntry = {
  id: string;
  title: string;
  format: string;
  files: number;
  bytes: number;
  text_bytes: number | null;
  documents: number | null;
  sha256: string;
  languages: string[];
  scripts: string[];
  is_parallel: boolean;
  text_column: string | null;
  language_column: string | null;
  cleaning: string[];
  builtin: boolean;
};

/** The text that was counted. */
export type CorpusFacts = {
  id: string;
  title: string;
  documents: number;
  bytes: number;
  characters: number;
  sha256: string;
  languages: string[];
  is_parallel: boolean;
  cleaning: Record<string, number>;
  sampled: number | null;
  empty: number;
  replaced_characters: number;
  skipped: number;
  skipped_documents: SkippedDocument[];
};

/** One file of a corpus, as it was when it was added. */
export type CorpusFileEntry = {
  path: string;
  size_bytes: number;
  sha256: string;
  format: string;
  compression: string | null;
  encoding: string;
  language: string | null;
};

/** Built-in corpora first, then those that were added, oldest first; and the steps of cleaning there are. */
export type CorpusList = {
  corpora: CorpusEntry[];
  cleaning_steps: Step[];
};

/** Several tokenizers over one corpus. */
export type CorpusResult = {
  id: number | null;
  made_at: string;
  elapsed_s: number;
  corpus: CorpusFacts;
  settings: AnalysisSettings;
  versions: Versions;
  command: string;
  tokenizers: TokenizerResult[];
  agreement: ((number | null)[])[] | null;
  not_measured: Record<string, string>;
  name: string;
  token_ratios: TokenRatios | null;
};

/** The kept measurements, the newest first. */
export type CostList = {
  costs: CostSummary[];
};

/** All measurements of one run; None for those not asked for. `id` is None if it is not kept. */
export type CostReport = {
  id: number | null;
  stages: StageReport | null;
  growth: Growth[] | null;
  pathological: Pathological | null;
  race: Race | null;
  trainers: TrainerRace | null;
};

/** A kept measurement in a list. */
export type CostSummary = {
  id: number;
  created_at: string;
  kind: "stages" | "growth" | "pathological" | "race" | "trainers";
  title: string;
  subjects: string[];
};

/** How often the pair of a merge, or a word, occurs. */
export type CountPoint = {
  rank: number;
  count: number;
};

/** Counts at some ranks, about evenly spaced on a logarithmic axis. Each point is exact; first and last are there. */
export type Curve = {
  ranks: number[];
  counts: number[];
  cumulative: number[];
};

/** The compression of the held-out text by the vocabulary of that size. */
export type CurvePoint = {
  vocab_size: number;
  bytes_per_token: number;
  held_out_tokens: number;
};

/** What ids decode to. `bytes` is lower-case hex; `text` is None if the bytes are not UTF-8. */
export type Decoded = {
  tokenizer: string;
  text: string | null;
  bytes: string;
};

/** One text per row; bytes that are not UTF-8 become U+FFFD. */
export type DecodedBatch = {
  texts: string[];
};

/** A smallest text on which the engine and the library give different ids. */
export type Difference = {
  text: string;
  source: string;
  number: number;
  ours: number[];
  theirs: number[] | null;
  problem: string | null;
};

/** Boundaries inside runs of digits, against groups of three from the right. */
export type Digits = {
  precision: number | null;
  recall: number | null;
  f1: number | null;
};

/** A stretch between two shared boundaries on which tokenizers differ; `boundaries` are those strictly inside it. */
export type Divergence = {
  span_utf8: [number, number];
  span_utf16: [number, number];
  kind: string;
  counts: Record<string, number>;
  boundaries: Record<string, number[]>;
};

/** Sampled IDs, and those of their text. */
export type Drift = {
  tokenizer: string;
  text: string;
  sampled: number[];
  encoded: number[];
  sampled_texts: (string | null)[];
  encoded_texts: (string | null)[];
  first: number | null;
  places: DriftPlace[];
  same_text: boolean;
  reason: string | null;
  other_tokenizer: boolean;
};

/** A part of the text for which the sampled IDs and the encoder's differ. Spans are half-open. */
export type DriftPlace = {
  kind: "not canonical" | "unstable end" | "special text" | "incomplete character";
  sampled: [number, number];
  encoded: [number, number];
  span_utf8: [number, number];
  text: string | null;
};

/** The oldest turns, without which the rest fits. */
export type Dropped = {
  messages: number[];
  count: number;
};

/** One check: its name, whether it passed, what it found, and the first tokens or texts that it is about. */
export type EditCheck = {
  name: string;
  passed: boolean;
  message: string;
  examples: string[];
};

/** The checks that the engine proves. */
export type EditChecks = {
  checks: EditCheck[];
};

/** The header of the answer to an edit. */
export type EditHead = {
  version: number;
  text_bytes: number;
  text_characters: number;
  tokenizers: EditedSummary[];
  agreement: number[][] | null;
  divergence_kinds: string[] | null;
  shift_utf8: number;
  shift_utf16: number;
  compared_utf16: [number, number] | null;
};

/** What people call a kind of edit, what it does, its options. */
export type EditKind = {
  name: string;
  words: string;
  options: Record<string, EditOption>;
};

/** The kinds of edits by their names in recipes. */
export type EditKinds = {
  kinds: Record<string, EditKind>;
};

/** An option of a kind of edit. `usual`: its value where it is left out, or null. */
export type EditOption = {
  label: string;
  type: string;
  needed: boolean;
  usual: boolean | number | null;
};

/** `edit`: the number of the one that is made, from 1; None before and after all, and while a corpus is measured. */
export type EditProgress = {
  edit: number | null;
  done_bytes: number;
  total_bytes: number | null;
};

/** A recipe, as TOML and as a list of edits. */
export type EditRecipe = {
  toml: string;
  edits: Record<string, unknown>[];
};

/** A recipe on a base. `draft` is an id that other calls take, as long as the lab keeps the draft. */
export type Edited = {
  base: string;
  draft: string;
  vocab_size_before: number;
  vocab_size: number;
  rows_before: number;
  rows: number;
  steps: StepEffect[];
  added_count: number;
  removed_count: number;
  moved_count: number;
  added: ChangedToken[];
  removed: ChangedToken[];
  moved: ChangedToken[];
  checks: EditCheck[];
  problem: StepProblem | null;
};

/** The summary after an edit: the new arrays replace `removed` tokens from `first` on. */
export type EditedSummary = {
  tokenizer: string;
  text_bytes: number;
  text_characters: number;
  count: number;
  text_token_count: number | null;
  added_special_count: number | null;
  padding_count: number;
  unknown_count: number;
  bytes_per_token: number | null;
  characters_per_token: number | null;
  unknown_rate: number | null;
  pretoken_count: number | null;
  split_character_count: number | null;
  has_spans: boolean;
  round_trip: boolean | null;
  elapsed_ns: number;
  first: number;
  removed: number;
};

/** What the differences do to a text: tokens per tokenizer, Jaccard index of the boundaries, stretches that differ. */
export type Effect = {
  counts: [number, number];
  agreement: number;
  divergences: number;
};

/** Sources of the rows of a new embedding table, one row per id of b, in the table of a. */
export type EmbeddingRows = {
  copied: number;
  averaged: number;
  mean_parts: number | null;
  new: number;
};

/** One text under one tokenizer. */
export type EncodingResult = {
  tokenizer: string;
  text_bytes: number;
  text_characters: number;
  count: number;
  text_token_count: number | null;
  added_special_count: number | null;
  padding_count: number;
  unknown_count: number;
  bytes_per_token: number | null;
  characters_per_token: number | null;
  unknown_rate: number | null;
  pretoken_count: number | null;
  split_character_count: number | null;
  has_spans: boolean;
  round_trip: boolean | null;
  elapsed_ns: number;
  ids: number[];
  type_ids: number[];
  attention_mask: number[];
  overflowing: number[][];
  tokens: Token[];
};

/** One text under one tokenizer, without its tokens. `lab_app.analysis.figures` defines the figures. */
export type EncodingSummary = {
  tokenizer: string;
  text_bytes: number;
  text_characters: number;
  count: number;
  text_token_count: number | null;
  added_special_count: number | null;
  padding_count: number;
  unknown_count: number;
  bytes_per_token: number | null;
  characters_per_token: number | null;
  unknown_rate: number | null;
  pretoken_count: number | null;
  split_character_count: number | null;
  has_spans: boolean;
  round_trip: boolean | null;
  elapsed_ns: number;
};

/** One engine for one tokenizer. */
export type EngineState = {
  name: string;
  title: string;
  version: string | null;
  install: string | null;
  misfit: string | null;
};

/** Entries to remove from a, to add and to change to get b: counts of all, and the first of each kind. */
export type EntryChanges = {
  kept: number;
  removed_count: number;
  added_count: number;
  changed_count: number;
  removed: string[];
  added: string[];
  changed: string[];
};

/** The machine and the software. None: not reported by this system. */
export type Environment = {
  cpu: string | null;
  cores: number | null;
  logical_cpus: number;
  usable_cpus: number;
  pinned_cpus: number[] | null;
  governor: string | null;
  frequency_mhz: number | null;
  load_average: number | null;
  memory_bytes: number | null;
  system: string;
  python: string;
  lab: string;
  commit: string | null;
  build: string;
  clock: string;
  clock_resolution_ns: number;
  warnings: string[];
};

/** Every error of the interface. */
export type ErrorAnswer = {
  error: ErrorFields;
};

/** What is wrong, and what to do. */
export type ErrorFields = {
  code: string;
  message: string;
  hint: string;
};

/** The ids of an engine compared with the reference, before timing. */
export type Exactness = {
  reference: string;
  documents: number;
  differing: number;
  first_difference: FirstDifference | null;
};

/** The header of an answer about an excerpt; None if its tokens cannot be known. */
export type ExcerptHead = {
  known_utf8: [number, number] | null;
  known_utf16: [number, number] | null;
  divergence_kinds: string[] | null;
};

/** The boundaries of a text, without its two ends, and explanations of some. */
export type Explanation = {
  tokenizer: string;
  text_bytes: number;
  boundaries: number[];
  places: Place[];
  left_out: number;
};

/** The b of time = a * size ** b, fitted by least squares on logarithms, with a 95 % bootstrap interval over samples. */
export type Exponent = {
  value: number;
  low: number;
  high: number;
  points: number;
  from_size: number;
};

/** The facts of one token: the columns of an export. */
export type ExportedToken = {
  id: number;
  text: string | null;
  bytes: string;
  kind: string;
  script: string;
  length: number;
  characters: number | null;
  rank: number | null;
  score: number | null;
  merged_into_count: number;
  special: boolean;
  reachable: "reachable" | "unreachable" | "undecided" | null;
};

/** The number of tokens that a filter would leave. */
export type FacetCount = {
  name: string;
  count: number;
};

/** Counts per filter; `verdicts` is None before the audit. */
export type Facets = {
  kinds: FacetCount[];
  scripts: FacetCount[];
  verdicts: FacetCount[] | null;
};

/** A chart with its table as a file. */
export type Figure = {
  name: string;
  title: string;
  subtitle: string;
  summary: string;
  keys: ChartKey[];
  figure: Record<string, unknown>;
  table: ChartTable;
  answer: string;
  csv: string;
};

/** A chart in the list of an analysis. */
export type FigureEntry = {
  name: string;
  title: string | null;
  reason: string | null;
};

/** The charts of an analysis, in the order of a report. */
export type FigureList = {
  figures: FigureEntry[];
};

/** Some charts. */
export type Figures = {
  figures: Figure[];
};

/** Padding as the file sets it; applied only if asked for. `length` None: to the longest text. */
export type FilePadding = {
  length: number | null;
  pad_to_multiple_of: number | null;
  pad_id: number;
  pad_type_id: number;
  pad_token: string;
  direction: "left" | "right";
};

/** What makes the tasks again. */
export type FileSheet = {
  version: number;
  tokenizer: string;
  seed: number;
  kind: "mixed" | "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "misconceptions" | "before" | "after";
  corpus: string;
  language: string | null;
  count: number;
  corpus_sha256: string;
  tokenizers: FileTokenizer[];
};

/** A tokenizer of the sheet. */
export type FileTokenizer = {
  id: string;
  sha256: string | null;
};

/** Truncation as the file sets it; applied only if asked for. */
export type FileTruncation = {
  max_length: number;
  stride: number;
  strategy: "longest_first" | "only_first" | "only_second";
  direction: "left" | "right";
};

/** The first place where the ids of an engine differ from the reference. */
export type FirstDifference = {
  document: number;
  token: number;
  expected: number | null;
  found: number | null;
  text: string;
};

/** What was looked for. */
export type Found = {
  id: number | null;
  text: string | null;
  bytes: string;
};

/** Types of one tokenizer by rank, from `offset` on. `total`: how many there are, after the search. */
export type FrequencyPage = {
  tokenizer: string;
  total: number;
  offset: number;
  rows: FrequencyRow[];
};

/** One type. `cumulative` is the share of all tokens that it and the more frequent ones cover. */
export type FrequencyRow = {
  rank: number;
  id: number;
  token: string;
  text: string | null;
  bytes: string;
  count: number;
  share: number;
  cumulative: number;
  unknown: boolean;
};

/** Time against one quantity, for several tokenizers. */
export type Growth = {
  title: string;
  axis: "bytes" | "threads" | "vocab_size";
  text: string;
  text_bytes: number | null;
  limit_ns: number;
  limit_ns_per_byte: number | null;
  curves: GrowthCurve[];
};

/** The points of one tokenizer, smallest first. `cost.exponent` is None with fewer than three measured points in the fit. */
export type GrowthCurve = {
  key: string;
  engine: string;
  tokenizer: string;
  points: GrowthPoint[];
  exponent: Exponent | null;
  problem: string | null;
};

/** The time of one size. `low_ns` and `high_ns` are the fastest and the slowest sample. */
export type GrowthPoint = {
  size: number;
  state: "ok" | "inexact" | "timed_out" | "unsupported" | "failed" | "skipped";
  elapsed_ns: number | null;
  low_ns: number | null;
  high_ns: number | null;
  samples: number;
  tokens: number | null;
  steps: Record<string, number> | null;
  message: string | null;
};

/** The held-out text under the tokenizer of the last step. */
export type HeldOutState = {
  title: string;
  bytes: number;
  tokens: number;
  bytes_per_token: number | null;
  unknown_rate: number | null;
};

/** A field of the file without effect. */
export type IgnoredField = {
  place: string;
  value: string;
};

/** The state of a job at one moment. `version` grows with every change; `total` is None while it is unknown. */
export type Job = {
  id: string;
  kind: string;
  title: string;
  unit: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled" | "interrupted";
  done: number;
  total: number | null;
  message: string;
  result: unknown;
  error: Record<string, string> | null;
  version: number;
  can_restart: boolean;
};

/** The jobs of this run and those that an earlier run left, oldest first; of those that ended, the last hundred. */
export type Jobs = {
  jobs: Job[];
};

/** The last comparison of a tokenizer. */
export type KeptConformance = {
  created_at: string;
  result: Conformance;
};

/** A kept measurement. */
export type KeptCost = {
  summary: CostSummary;
  environment: Environment;
  report: CostReport;
};

/** A playlist in the list. */
export type KeptPlaylist = {
  id: number | null;
  saved_at: string | null;
  minutes: number;
  playlist: Playlist;
};

/** A sheet that was worked on in this lab. Its answers fit a sheet of the same origin alone. */
export type KeptSheet = {
  tokenizer: string;
  seed: number;
  kind: "mixed" | "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "misconceptions" | "before" | "after";
  corpus: string;
  language: string | null;
  count: number;
  version: number;
  corpus_sha256: string;
  tokenizers: SheetTokenizer[];
  id: number;
  saved_at: string;
  answered: number;
  right: number;
  of: number;
  answers: (number | number[] | null)[];
};

/** One kind of edit over many sentences. What is None was not measured, since no sentence has a place for the edit. */
export type KindRobustness = {
  kind: string;
  edits: number;
  without_place: number;
  moved_outside: number | null;
  moved_outside_share: number | null;
  reach_bytes: Reach | null;
  reach_characters: Reach | null;
  count_changed_share: number | null;
  relative_tokens: number | null;
};

/** What somebody wrote about one result. An empty `name` leaves it the name that the lab gave it. */
export type Label = {
  kind: "analysis" | "benchmark" | "training" | "session";
  id: number;
  name: string;
  note: string;
};

/** The results that have a name or a note of their own. */
export type Labels = {
  labels: Label[];
};

/** The beginning of one document. */
export type LanguageExample = {
  text: string;
  is_whole: boolean;
  bytes: number;
  tokens: number[];
};

/** The first documents of a language that have text, in the order of the corpus. */
export type LanguageExamples = {
  corpus: string;
  corpus_sha256: string;
  language: string;
  tokenizers: string[];
  examples: LanguageExample[];
  more: boolean;
};

/** One tokenizer on the documents of one language. */
export type LanguageResult = {
  language: string;
  script: string | null;
  documents: number;
  bytes: number;
  characters: number;
  words: number | null;
  words_unicode: number | null;
  tokens: number;
  bytes_per_token: number | null;
  characters_per_token: number | null;
  fertility: number | null;
  continued_word_rate: number | null;
  fertility_unicode: number | null;
  continued_word_rate_unicode: number | null;
  unknown_rate: number | null;
  unknown_character_rate: number | null;
  premium: number | null;
  parity: number | null;
  premium_lines: number | null;
  not_measured: Record<string, string>;
};

/** Time of one call with one document, over all documents and passes, in ns. Nearest-rank percentiles. */
export type Latency = {
  p50: number;
  p95: number;
  p99: number;
  maximum: number;
  calls: number;
};

/** A token that could be there; `id` is None for an unknown character. */
export type LatticeNode = {
  id: number | null;
  span: [number, number];
  score: number;
};

/** A segmentation of the pretoken and the sum of its scores. */
export type LatticePath = {
  tokens: TracedToken[];
  score: number;
};

/** A span between two boundaries that every segmentation has. */
export type LatticeUnit = {
  text: string;
  span: [number, number];
  n_best: WeighedSegmentation[];
  boundaries: PossibleBoundary[];
};

/** A task that could not be made, and why. */
export type LeftOut = {
  kind: "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "syllables" | "emoji" | "longest" | "fewer" | "alike";
  reason: string;
};

/** Text of a message that the template does not write. */
export type LeftOutText = {
  field: string;
  span_utf16: [number, number];
  text: string;
  count: number;
};

/** Documents per bin of length. Bin i holds lengths from `edges[i]` up to, not including, `edges[i + 1]`. */
export type LengthHistogram = {
  edges: number[];
  documents: number[];
  overflow: number;
};

/** Document lengths in tokens. A percentile is the smallest length that at least p % of the documents do not exceed. */
export type Lengths = {
  mean: number;
  median: number;
  deviation: number;
  min: number;
  p5: number;
  p25: number;
  p75: number;
  p95: number;
  p99: number;
  max: number;
  share_above: Record<string, number>;
};

/** A conversation and the name of the template that rendered it. */
export type LessonChat = {
  template: string;
  messages: LessonMessage[];
  spelled_by_messages: string[];
};

/** What is known before the first step. `ids` are those of `encode`, or of what was learnt, without added special tokens. */
export type LessonFacts = {
  lesson: string;
  tokenizer: string;
  text: string;
  ids: number[];
  tokens: TracedToken[];
  pretokens: LessonPretoken[];
  named: Record<string, NamedToken>;
  languages: string[];
  growth: LessonGrowth | null;
  chat: LessonChat | null;
};

/** The answer as JSON. */
export type LessonFrames = {
  facts: LessonFacts;
  frames: Record<string, unknown>[];
};

/** The same for texts of growing length: the text again and again, and its letters as one word, if it has some. */
export type LessonGrowth = {
  prose: OperationsOfLength[];
  word: OperationsOfLength[];
};

/** A message, and where the template's text has it, without space around it: in bytes, None if the template changed it. */
export type LessonMessage = {
  role: string;
  content: string;
  span: [number, number] | null;
};

/** A piece of the text as the model sees it; `split_by` and `branch` as in a trace. */
export type LessonPretoken = {
  text: string;
  span: [number, number];
  split_by: string | null;
  branch: string | null;
  boundaries: PossibleBoundary[] | null;
};

/** A choice or a fact, and the number that belongs to it, such as a rank. */
export type Line = {
  text: string;
  note: string | null;
};

/** All tokenizers that encoded something since the lab started. */
export type LiveMetrics = {
  since: string;
  peak_bytes: number | null;
  tokenizers: TokenizerMetrics[];
};

/** A line for people, with its time: UTC, ISO 8601. */
export type LogLine = {
  at: string;
  words: string;
};

/** Something that the target's ids do not hold. */
export type Loss = {
  kind: "special" | "bytes" | "unknown" | "text" | "source";
  message: string;
  index: number | null;
};

/** The loss after an iteration of Unigram, and the size of the vocabulary. */
export type LossPoint = {
  iteration: number;
  loss: number;
  tokens: number;
};

/** A guess beside the boundaries that a tokenizer makes. */
export type MarkedBoundaries = {
  tokenizer: string;
  text_bytes: number;
  ids: number[];
  tokens: [number, number][];
  found: number;
  missing: number;
  extra: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
  inside_letters: number;
  places: MarkedPlace[];
  left_out: number;
};

/** A boundary, a guess, or both. `docs/reference/exercises.md` says what marks and kinds mean. */
export type MarkedPlace = {
  at: number;
  until: number;
  guess: number | null;
  mark: "found" | "missing" | "extra" | "ignored";
  number: number | null;
  kind: "added token" | "dropped text" | "contraction" | "digits" | "leading space" | "space" | "split" | "missing merge" | "merge" | "longest match" | "best path" | "unknown" | "token" | null;
  reason: Place | null;
};

/** An answer and what the engine says. All but the kind is None for a task that was not answered. */
export type MarkedTask = {
  kind: "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "syllables" | "emoji" | "longest" | "fewer" | "alike";
  answer: number | number[] | null;
  right: boolean | null;
  solution: number | number[] | null;
  reason: string | null;
  boundaries: MarkedBoundaries | null;
};

/** The marks of a sheet. */
export type Marks = {
  tokenizer: string;
  seed: number;
  kind: "mixed" | "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "misconceptions" | "before" | "after";
  corpus: string;
  language: string | null;
  count: number;
  version: number;
  corpus_sha256: string;
  tokenizers: SheetTokenizer[];
  answered: number;
  right: number;
  of: number;
  marks: MarkedTask[];
};

/** A corpus under the base and under the draft. */
export type Measured = {
  corpus: string;
  title: string;
  is_trained_on: boolean;
  total: TokensOf;
  languages: TokensOf[];
  documents: number;
  longer: number;
  shorter: number;
  short_documents: number;
  worst: ChangedDocument[];
  best: ChangedDocument[];
  missed: string[];
};

/** A boundary that is left, between the two tokens `pair`. */
export type MergeBoundary = {
  byte: number;
  pair: [number, number];
  blocked: BlockedMerge[];
};

/** Likewise for merges, each a pair of tokens. */
export type MergeChanges = {
  kept: number;
  removed_count: number;
  added_count: number;
  first_difference: number | null;
  removed: [string, string][];
  added: [string, string][];
};

/** A node of a merge tree. `left` and `right` are indexes in the list of nodes, None for a symbol. */
export type MergeNode = {
  id: number;
  text: string | null;
  bytes: string;
  rank: number | null;
  left: number | null;
  right: number | null;
};

/** Merges that use a token, by rank: their number, and the first 200. */
export type MergesOf = {
  count: number;
  merges: VocabularyMerge[];
};

/** One metric. `name` is its field in the result, with dots into an object. */
export type Metric = {
  name: string;
  title: string;
  group: "Compression" | "Words" | "Frequencies" | "Lengths" | "Languages" | "Faithfulness" | "Boundaries";
  unit: string;
  formula: string;
  denominator: string | null;
  aggregation: string;
  source: string | null;
  direction: "higher" | "lower" | "neither";
  how_to_read: string;
};

/** A metric that differs. `language` is None for the whole corpus. */
export type MetricChange = {
  tokenizer: string;
  language: string | null;
  metric: string;
  unit: string;
  before: number | null;
  after: number | null;
  difference: number | null;
};

/** Every metric of an analysis in words. */
export type Metrics = {
  metrics: Metric[];
};

/** One tokenizer, and the process that it runs in. */
export type MetricsOfTokenizer = {
  tokenizer: string;
  texts: number;
  characters: number;
  tokens: number;
  elapsed_ns: number;
  tokens_per_s: number | null;
  characters_per_token: CharactersPerToken | null;
  stages: SampledStages | null;
  since: string;
  peak_bytes: number | null;
};

/** A token as the vocabulary spells it, its text, None for a part of a character, and its bytes in hex. */
export type NamedToken = {
  token: string;
  text: string | null;
  bytes: string;
};

/** A fixed loop, timed before the run: how much equal work varies on this machine now. */
export type Noise = {
  samples: number;
  spread: number;
  range_5_95: number;
  warning: string | null;
};

/** All sentences with typos. */
export type NoiseRobustness = {
  level: number;
  typos: number;
  tokens: number;
  bytes: number;
  tokens_per_byte: number | null;
  relative_tokens: number | null;
};

/** The differences between a text and what the model sees, in the order of the text. */
export type NormalizationChanges = {
  tokenizer: string;
  text_bytes: number;
  changes: TextChange[];
};

/** A part that was left out. */
export type NotCompared = {
  what: string;
  reason: string;
};

/** A part that was left out. */
export type NotMeasured = {
  what: string;
  reason: string;
};

/** One occurrence. `before` and `after` are text of the same document. */
export type Occurrence = {
  document: number;
  language: string | null;
  start_utf8: number;
  end_utf8: number;
  before: string;
  text: string;
  after: string;
  is_partial: boolean;
};

/** A file or folder that was opened, or why it could not be. */
export type OpenedFile = {
  name: string;
  kind: "text" | "corpus" | "tokenizer" | "rank file" | "problem";
  text: string | null;
  encoding: string | null;
  tokenizer: string | null;
  job: Job | null;
  problem: Problem | null;
};

/** Tokenizers, then a text, then a corpus: the order in which the page shows them. */
export type OpenedFiles = {
  files: OpenedFile[];
};

/** The header of the first answer: `document` is the id to edit it by. */
export type OpenedHead = {
  version: number;
  text_bytes: number;
  text_characters: number;
  tokenizers: EncodingSummary[];
  agreement: number[][] | null;
  divergence_kinds: string[] | null;
  document: string;
};

/** Operations of the encoders, in the order of their lesson, on a text of so many bytes. */
export type OperationsOfLength = {
  bytes: number;
  operations: [number, number, number, number];
};

/** Why a part of a playlist cannot be shown in this lab. */
export type PartProblem = {
  part: number;
  message: string;
  hint: string;
};

/** The suite of inputs that break encoders, with the limit line in MB/s (10^6 bytes of input). */
export type Pathological = {
  limit_mb_per_s: number;
  bytes: number;
  rows: PathologicalRow[];
};

/** One input that breaks encoders, under one tokenizer. */
export type PathologicalRow = {
  input: string;
  description: string;
  bytes: number;
  engine: string;
  tokenizer: string;
  state: "ok" | "inexact" | "timed_out" | "unsupported" | "failed" | "skipped";
  elapsed_ns: number | null;
  low_ns: number | null;
  high_ns: number | null;
  throughput_mb_per_s: number | null;
  tokens: number | null;
  within_limit: boolean | null;
  message: string | null;
};

/** Why there is a boundary at a byte, or why there is none. */
export type Place = {
  at: number;
  boundary: boolean;
  stage: "edge" | "added token" | "normalizer" | "pretokenizer" | "model";
  rule: string | null;
  details: Record<string, unknown> | null;
  reason: string;
  summary: string;
  edit: RemovingEdit | null;
};

/** A model without steps, or an added token that no model saw. */
export type PlainSteps = {
  model: "added" | "word_level" | "words" | "characters";
};

/** The fields of a file. */
export type Playlist = {
  kind: "playlist of the Tokenization Laboratory";
  version: 1;
  name: string;
  parts: PlaylistPart[];
};

/** One part of the hour. */
export type PlaylistPart = {
  title: string;
  minutes: number;
  show: string;
  way: "watch" | "do";
  tokenizer: string | null;
  text: string;
  step: number;
  learn: number | null;
  sheet: "mixed" | "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "misconceptions" | "before" | "after";
  seed: number;
  note: string;
};

/** The one that comes with the lab, then those that were saved, the newest first. */
export type Playlists = {
  playlists: KeptPlaylist[];
};

/** A place inside a unit, after `character` characters of it, and the probability that a boundary is there. */
export type PossibleBoundary = {
  byte: number;
  character: number;
  probability: number;
};

/** A text that is on every machine. */
export type PracticeCorpus = {
  name: string;
  title: string;
  bytes: number;
};

/** Options under a name. */
export type Preset = {
  name: string;
  title: string;
  words: string;
  options: TrainingOptions;
};

/** A piece of the text as the model sees it. `alignment` has the span of each of its characters. */
export type Pretoken = {
  text: string;
  span: [number, number];
  alignment: [number, number][];
  split_by: string | null;
  branch: string | null;
  user_defined: [number, number][];
  steps: BpeSteps | UnigramSteps | WordPieceSteps | PlainSteps;
  tokens: TracedToken[];
};

/** Why a tokenizer cannot be loaded, and what to do. */
export type Problem = {
  message: string;
  hint: string;
};

/** Where the time goes inside of one document. */
export type Profile = {
  tokenizer: string;
  bytes: number;
  rows: StageTimes[];
  slices: Slice[];
};

/** The sheets that were worked on, the newest first. */
export type Progress = {
  sheets: KeptSheet[];
};

/** The tokens of a prompt, and how its end changes when the text goes on. */
export type PromptEnd = {
  tokenizer: string;
  ids: number[];
  stable: number;
  changing: number;
  tried: number;
  example: string | null;
  rest: string | null;
  candidates: number;
};

/** How a result was made. */
export type Provenance = {
  lab: string;
  lab_version: string;
  commit: string | null;
  made_at: string;
  tokenizers: UsedTokenizer[];
  settings: UsedSettings;
  text: UsedText;
  command: string;
  command_file: string | null;
};

/** Several algorithms on the same texts with one vocabulary. */
export type Race = {
  tokenizer: string;
  text: string;
  limit_ns: number;
  entrants: RaceEntrant[];
  beginning: string;
};

/** One algorithm over texts of growing length, smallest first. */
export type RaceEntrant = {
  algorithm: string;
  description: string;
  language: "Rust" | "Python";
  points: GrowthPoint[];
  exponent: Exponent | null;
  breaks_at_bytes: number | null;
  same_ids: boolean | null;
  problem: string | null;
};

/** Expected number of types in a sample of that many tokens, drawn without replacement. */
export type RarefactionPoint = {
  tokens: number;
  types: number;
};

/** Speed divided by that of the baseline in the same round; above 1 is faster than the baseline. */
export type Ratio = {
  median: number;
  low: number;
  high: number;
  differs: boolean;
};

/** How far changes reach, over all edits of a kind, in one unit. A percentile is the smallest value that at least that */
export type Reach = {
  mean: number;
  p95: number;
  max: number;
};

/** Whether some text produces a token, the reason, and such a text. */
export type Reachability = {
  verdict: "reachable" | "unreachable" | "undecided";
  reason: string;
  explanation: string;
  text: string | null;
};

/** Filled by `reading.batches`. All are counts over the documents read so far. */
export type ReadReport = {
  documents: number;
  bytes: number;
  read_bytes: number;
  empty: number;
  replaced_characters: number;
  skipped: number;
  places: Skipped[];
  cleaning: Record<string, number>;
};

/** One reference library for one tokenizer. */
export type ReferenceState = {
  name: string;
  version: string | null;
  install: string | null;
  misfit: string | null;
};

/** An edit after which one token covers both sides of a boundary, verified by encoding the new text. */
export type RemovingEdit = {
  kind: "delete" | "insert" | "replace" | "change the case of" | "write in lower case";
  span_utf8: [number, number];
  by: string;
  text: string;
  token: string;
  summary: string;
};

/** The lists of a result that a request names in `fields`; the others are None. */
export type ResultFields = {
  tokenizer: string;
  count: number;
  ids: number[] | null;
  type_ids: number[] | null;
  attention_mask: number[] | null;
  overflowing: number[][] | null;
  tokens: Token[] | null;
};

/** The fields of a file. */
export type ResultFile = {
  kind: "exercises of the Tokenization Laboratory";
  version: 1;
  name: string;
  made_at: string;
  lab_version: string;
  sheet: FileSheet;
  answers: (number | number[] | null)[];
  marks: (boolean | null)[];
  right: number;
  of: number;
  sha256: string;
};

/** The ids of one tokenizer, and those of another for the same text. */
export type Retokenization = {
  source: string;
  target: string;
  text: string;
  source_ids: number[];
  target_ids: number[];
  lossless: boolean;
  losses: Loss[];
};

/** How far small edits change tokens. Added special tokens are not counted; text that looks like one is ordinary text. */
export type Robustness = {
  corpus: string;
  corpus_sha256: string;
  lab_version: string;
  seed: number;
  sentences: number;
  sentence_bytes: number;
  tokenizers: TokenizerRobustness[];
  not_measured: NotMeasured[];
};

/** The tokens of all messages of a role. */
export type RoleCount = {
  role: string;
  count: number;
};

/** Share of the documents, in [0, 1]. */
export type RoundTrip = {
  exact: number;
  nfc: number;
  stable: number;
};

/** Whether decoding returns exactly the text of `version`, per tokenizer. */
export type RoundTrips = {
  version: number;
  round_trip: boolean[];
};

/** The beginning of a document. */
export type SampleDocument = {
  text: string;
  language: string | null;
};

/** The time of each stage over the texts that were sampled. A stage without a time of its own is None. */
export type SampledStages = {
  texts: number;
  characters: number;
  normalizer_ns: number | null;
  pretokenizer_ns: number | null;
  model_ns: number | null;
  postprocessor_ns: number | null;
  output_ns: number | null;
};

/** The id of a session that was saved. */
export type SavedSession = {
  id: number;
};

/** A segmentation and the sum of its scores; None is an unknown character. */
export type Segmentation = {
  tokens: (TokenHead | null)[];
  score: number;
};

/** A saved session without its ids. */
export type Session = {
  id: number;
  name: string;
  saved_at: string;
  text: string;
  add_special_tokens: boolean;
  specials: "parse" | "text" | "reject";
  view: Record<string, unknown>;
  results: SessionResult[];
};

/** One tokenizer of a session, then and now. `problem` is the reason why it could not run. */
export type SessionChange = {
  tokenizer: string;
  count_before: number;
  count_now: number | null;
  same: boolean | null;
  first_difference: number | null;
  files_changed: boolean | null;
  problem: string | null;
};

/** What changed since a session was saved, per tokenizer. */
export type SessionChanges = {
  changes: SessionChange[];
  lab_version_before: string | null;
  lab_version_now: string;
};

/** One tokenizer of a session: the digest and the source of its files at that time, and its tokens. */
export type SessionResult = {
  tokenizer: string;
  sha256: string | null;
  origin: string | null;
  revision: string | null;
  count: number;
};

/** A saved session in a list, without its text and ids. */
export type SessionSummary = {
  id: number;
  name: string;
  saved_at: string;
  text_characters: number;
  beginning: string;
  add_special_tokens: boolean;
  specials: "parse" | "text" | "reject";
  lab_version: string | null;
  results: SessionResult[];
};

/** The saved sessions, the newest first. */
export type Sessions = {
  sessions: SessionSummary[];
};

/** A setting, or a fact of the text, the machine or the software, that differs between two results. */
export type SettingChange = {
  name: string;
  before: string;
  after: string;
};

/** Tasks without answers. */
export type Sheet = {
  tokenizer: string;
  seed: number;
  kind: "mixed" | "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "misconceptions" | "before" | "after";
  corpus: string;
  language: string | null;
  count: number;
  version: number;
  corpus_sha256: string;
  tokenizers: SheetTokenizer[];
  tasks: Task[];
  left_out: LeftOut[];
};

/** A tokenizer of the tasks, and the digest of its files. */
export type SheetTokenizer = {
  id: string;
  sha256: string | null;
};

/** A document that was not read: `place` is the file with the line, row or byte, `reason` says why and what to do. */
export type Skipped = {
  place: string;
  reason: string;
};

/** A document that could not be read. */
export type SkippedDocument = {
  place: string;
  reason: string;
};

/** A part of a document between two split points, encoded by itself. Times are medians. */
export type Slice = {
  start_utf8: number;
  end_utf8: number;
  tokens: number;
  elapsed_ns: number;
};

/** One of the documents that took longest. */
export type SlowestDocument = {
  document: number;
  bytes: number;
  tokens: number;
  time_ns: number;
  excerpt: string;
  is_whole: boolean;
};

/** A special token and its id. */
export type SpecialToken = {
  text: string;
  id: number;
};

/** The ids of one special token, None in a tokenizer that lacks it. */
export type SpecialTokenIds = {
  text: string;
  a: number | null;
  b: number | null;
};

/** One subject of both runs. `change`, `low` and `high` are shares: -0.05 is 5 % slower. */
export type SpeedChange = {
  key: string;
  quantity: "ratio" | "throughput";
  before: number | null;
  after: number | null;
  change: number | null;
  low: number | null;
  high: number | null;
  verdict: "faster" | "slower" | "within_noise" | "not_comparable";
  reason: string | null;
};

/** A stage that differs, as tokenizer.json writes it; None in a tokenizer that lacks it. */
export type StageDifference = {
  stage: string;
  a: unknown;
  b: unknown;
};

/** Where the time goes: two rows per tokenizer, one per path, and the documents that take longest per byte. */
export type StageReport = {
  title: string;
  rows: StageTimes[];
  slowest: Record<string, SlowestDocument[]>;
};

/** One stage. `rate` is in words; `left_s` is None while it is unknown. */
export type StageState = {
  name: "read" | "count" | "pairs" | "merge" | "write";
  title: string;
  state: "waiting" | "running" | "done";
  share: number | null;
  rate: string | null;
  elapsed_s: number | null;
  left_s: number | null;
};

/** Time of each stage of one tokenizer over all texts, in ns: medians of the rounds. `total_ns` is their sum. */
export type StageTimes = {
  tokenizer: string;
  path: "fast" | "stages";
  texts: number;
  bytes: number;
  tokens: number | null;
  rounds: number;
  normalizer_ns: number | null;
  pretokenizer_ns: number | null;
  model_ns: number | null;
  postprocessor_ns: number | null;
  output_ns: number | null;
  total_ns: number | null;
  fused: ("normalizer" | "pretokenizer" | "model" | "postprocessor" | "output")[];
  absent: ("normalizer" | "pretokenizer" | "model" | "postprocessor" | "output")[];
  cache: CacheCounts | null;
  same_ids: boolean | null;
  problem: string | null;
};

/** A short description of each stage, "none" if absent. */
export type Stages = {
  normalizer: string;
  pretokenizer: string;
  model: string;
  postprocessor: string;
  decoder: string;
};

/** A step by its `name`, a `label` for people, and what it does. `takes` shows the form of its argument, if it has one. */
export type Step = {
  name: string;
  label: string;
  help: string;
  takes: string;
};

/** How many of the documents a step changed, or removed. */
export type StepCount = {
  step: string;
  documents: number;
};

/** What one step did to the vocabulary; `vocab_size` counts the tokens after it. A step that is off did nothing. */
export type StepEffect = {
  kind: string;
  on: boolean;
  added: number;
  removed: number;
  moved: number;
  vocab_size: number;
};

/** Why an edit refused, its number from 1, and what to do. */
export type StepProblem = {
  number: number;
  message: string;
  hint: string;
};

/** A tokenizer in an engine. */
export type Subject = {
  tokenizer: string;
  engine: string;
};

/** What the learner sees. Nothing of it gives the answer away. */
export type Task = {
  kind: "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "syllables" | "emoji" | "longest" | "fewer" | "alike";
  tokenizer: string;
  text: string;
  question: string;
  given: Line[];
  choices: Line[] | null;
};

/** A range of the text, and what the model sees instead. An empty span is an insertion, an empty text a deletion. */
export type TextChange = {
  span_utf8: [number, number];
  span_utf16: [number, number];
  text: string;
};

/** The text that was measured. */
export type TextFacts = {
  title: string;
  sha256: string;
  bytes: number;
  characters: number;
  documents: number;
  left_out_bytes: number;
};

/** Where the text of a run comes from, so that it can be run again. */
export type TextSource = {
  kind: "corpus" | "file" | "text";
  name: string;
  text: string | null;
};

/** What one algorithm made of a text. If it did not accept the text, `problem` has the reason and the others are None. */
export type TextbookEncoding = {
  algorithm: string;
  description: string;
  count: number | null;
  ids: number[] | null;
  ends_utf8: number[] | null;
  steps: Record<string, number> | null;
  same_ids: boolean | null;
  problem: string | null;
};

/** One text under the textbook algorithms. */
export type TextbookEncodings = {
  tokenizer: string;
  encoders: TextbookEncoding[];
};

/** Speed over all samples of a subject, in MB/s of input. */
export type Throughput = {
  median: number;
  low: number;
  high: number;
  minimum: number;
  maximum: number;
  spread: number;
  samples: number;
};

/** One token of a text. Spans are half-open, in the original text; None if a plug-in reports none. */
export type Token = {
  id: number;
  text: string | null;
  bytes: string;
  span_utf8: [number, number] | null;
  span_char: [number, number] | null;
  span_utf16: [number, number] | null;
  special: boolean;
  sequence: number | null;
};

/** Tokens only in a, in both, and only in b: `only_a + both` are those of a, `both + only_b` those of b. */
export type TokenCounts = {
  only_a: number;
  both: number;
  only_b: number;
};

/** One token in detail. */
export type TokenDetail = {
  tokenizer: string;
  token: TokenRow;
  merge_count: number | null;
  reachability: Reachability;
  origin: TokenOrigin;
  segmentation_without: Segmentation | null;
  merged_into: MergesOf;
  containing_tokens: TokensWith;
  variants: TokenHead[];
};

/** A token in short. `text` is None if the bytes are not whole characters; `bytes` is lower-case hex. */
export type TokenHead = {
  id: number;
  text: string | null;
  bytes: string;
};

/** How merges build a token. The last node is the token; `competing_tokens` are what its symbols merge into instead. */
export type TokenOrigin = {
  method: "symbol" | "merged" | "not_merged" | "not_in_merges" | "no_merges" | "too_long";
  explanation: string;
  nodes: MergeNode[];
  competing_tokens: TokenHead[];
};

/** Tokens of one tokenizer per token of another on the same documents. */
export type TokenRatio = {
  tokenizer: string;
  against: string;
  ratio: number;
  interval: [number, number];
};

/** The ratio of each pair of tokenizers, later ones against earlier ones. */
export type TokenRatios = {
  ratios: TokenRatio[];
  level: number;
  resamples: number;
  groups: number;
  seed: number;
};

/** The facts of one token. */
export type TokenRow = {
  id: number;
  text: string | null;
  bytes: string;
  kind: string;
  script: string;
  length: number;
  characters: number | null;
  rank: number | null;
  score: number | null;
  merged_into_count: number;
  special: boolean;
  reachable: "reachable" | "unreachable" | "undecided" | null;
  parts: [TokenHead, TokenHead] | null;
};

/** What it takes to turn tokenizer a into b. */
export type TokenizerDiff = {
  a: string;
  b: string;
  same: boolean;
  stages: StageDifference[];
  vocabulary: EntryChanges;
  merges: MergeChanges | null;
  added_tokens: EntryChanges;
  effect: Effect | null;
};

/** What one tokenizer encoded since the lab started. Added special tokens count as tokens. */
export type TokenizerMetrics = {
  tokenizer: string;
  texts: number;
  characters: number;
  tokens: number;
  elapsed_ns: number;
  tokens_per_s: number | null;
  characters_per_token: CharactersPerToken | null;
  stages: SampledStages | null;
};

/** One tokenizer on the whole corpus. */
export type TokenizerResult = {
  tokenizer: string;
  name: string;
  sha256: string | null;
  tokens: number;
  types: number;
  vocab_size: number;
  never_seen: number;
  normalised_sequence_length: number | null;
  bytes_per_token: number | null;
  characters_per_token: number | null;
  fertility: number | null;
  continued_word_rate: number | null;
  fertility_unicode: number | null;
  continued_word_rate_unicode: number | null;
  milestones: Record<string, number>;
  lengths: Lengths | null;
  length_histogram: LengthHistogram | null;
  zipf: Zipf | null;
  renyi_entropy: number | null;
  renyi_efficiency: number | null;
  renyi_efficiency_types: number | null;
  vocabulary_utilisation: number | null;
  average_rank: number | null;
  rarefaction: RarefactionPoint[];
  unknown_tokens: number | null;
  unknown_characters: number | null;
  unknown_rate: number | null;
  unknown_character_rate: number | null;
  round_trip: RoundTrip | null;
  utf8: Utf8 | null;
  digits: Digits | null;
  digit_f1: number | null;
  space_boundary_rate: number | null;
  gini: number | null;
  gini_languages: number | null;
  languages: LanguageResult[];
  scripts: LanguageResult[];
  frequencies: FrequencyRow[];
  curve: Curve;
  not_measured: Record<string, string>;
};

/** One tokenizer. */
export type TokenizerRobustness = {
  tokenizer: string;
  sha256: string | null;
  kinds: KindRobustness[];
  noise: NoiseRobustness[];
};

/** Tokens before and after. `name`: a language, or None for all. */
export type TokensOf = {
  name: string | null;
  before: number;
  after: number;
  bytes: number;
};

/** Tokens that contain the bytes of a token, the shortest first: their number, and the first 200. */
export type TokensWith = {
  count: number;
  tokens: TokenHead[];
};

/** What every stage did; `tokens` are those after the postprocessor. */
export type Trace = {
  text_bytes: number;
  normalizer: TracedStep[];
  pretokenizer: TracedStep[];
  pretokens: Pretoken[];
  tokens: TracedToken[];
};

/** A merge that was done. `score` is that of the new token if merges are ordered by scores. */
export type TracedMerge = {
  rank: number;
  pair: [number, number];
  id: number;
  span: [number, number];
  score: number | null;
};

/** A piece of the text after a step; `added` is the id of an added token. */
export type TracedPretoken = {
  text: string;
  span: [number, number];
  added: number | null;
};

/** A step of the normalizer or the pretokenizer, and the text after it. */
export type TracedStep = {
  step: string;
  pretokens: TracedPretoken[];
};

/** A token; `span` is None if the postprocessor added it. */
export type TracedToken = {
  id: number;
  span: [number, number] | null;
};

/** One algorithm of BPE training over texts of growing size, smallest first. */
export type TrainerEntrant = {
  algorithm: string;
  description: string;
  points: GrowthPoint[];
  exponent: Exponent | null;
  breaks_at_bytes: number | null;
  same_merges: boolean | null;
  problem: string | null;
};

/** The algorithms of BPE training on the same counted words. Counting the words is not timed. */
export type TrainerRace = {
  text: string;
  merges: number;
  limit_ns: number;
  entrants: TrainerEntrant[];
  beginning: string;
};

/** A training at one moment. What is not known or not measured is None. `version` grows with every change. */
export type Training = {
  id: number;
  name: string;
  state: "running" | "paused" | "done" | "kept" | "failed" | "cancelled" | "interrupted";
  job: string | null;
  made_at: string;
  body: TrainingRequest;
  options: TrainingOptions;
  corpus: TrainingCorpus;
  stages: StageState[];
  done: number | null;
  total: number | null;
  unit: string | null;
  vocab_size: number | null;
  held_out: HeldOutState | null;
  left_s: number | null;
  elapsed_s: number;
  memory_bytes: number | null;
  estimate: TrainingEstimate | null;
  ended: string | null;
  tokenizer: string | null;
  error: TrainingProblem | null;
  version: number;
  warnings: string[];
  can_resume: boolean;
};

/** The beginning of the text of a training, and whether that is all of it. */
export type TrainingBeginning = {
  text: string;
  is_whole: boolean;
};

/** What a training can be made of. */
export type TrainingChoices = {
  presets: Preset[];
  algorithms: string[];
  practice: PracticeCorpus[];
};

/** The text of a training. */
export type TrainingCorpus = {
  title: string;
  bytes: number;
  files: TrainingFile[];
  invalid_sequences: number | null;
  split_words: number | null;
};

/** The values of the charts of a training, at most 500 points each. */
export type TrainingCurve = {
  points: CurvePoint[];
  counts: CountPoint[];
  losses: LossPoint[];
  references: TrainingReference[];
};

/** Time and memory as they were estimated before the start. */
export type TrainingEstimate = {
  seconds: number | null;
  memory_bytes: number | null;
};

/** The charts of a training at one moment. */
export type TrainingFigures = {
  figures: Figure[];
  missing: FigureEntry[];
  references: TrainingReference[];
};

/** One file of the text. */
export type TrainingFile = {
  name: string;
  bytes: number;
  held_out: boolean;
};

/** Time and memory of a training that has not started. None: not measured. */
export type TrainingForecast = {
  text_bytes: number;
  seconds: number | null;
  memory_bytes: number | null;
  basis: string;
};

/** A format of files, for `file`. */
export type TrainingFormat = {
  format: string;
  title: string;
  problem: string | null;
};

/** All formats, those that cannot hold the tokenizer too. */
export type TrainingFormats = {
  formats: TrainingFormat[];
};

/** The text that measures compression: a share of the training text, or another source. */
export type TrainingHeldOut = {
  share: number | null;
  source: TrainingSource | null;
};

/** The kept trainings, the newest first. */
export type TrainingList = {
  trainings: Training[];
};

/** What happened, oldest first. */
export type TrainingLog = {
  lines: LogLine[];
};

/** All options of the trainers; those that an algorithm does not use stay at their defaults. */
export type TrainingOptions = {
  algorithm: "bpe" | "wordpiece" | "unigram" | "wordlevel" | "character";
  vocab_size: number;
  min_frequency: number;
  special_tokens: string[];
  normalizer: Record<string, unknown> | null;
  pre_tokenizer: Record<string, unknown> | null;
  post_processor: Record<string, unknown> | null;
  decoder: Record<string, unknown> | null;
  alphabet: "bytes" | "characters" | null;
  initial_alphabet: string[];
  limit_alphabet: number | null;
  character_coverage: number;
  continuing_prefix: string | null;
  end_suffix: string | null;
  max_token_length: number | null;
  whole_characters: boolean;
  superwords_from: number | null;
  superword_words: number;
  superword_digits: boolean;
  superword_marks: boolean;
  byte_fallback: boolean;
  whole_text: boolean;
  unknown_token: string | null;
  shrinking_factor: number;
  em_iterations: number;
  seed_size: number;
  variant: "words" | "sentencepiece";
  score: "frequency" | "likelihood";
};

/** Why a training failed. */
export type TrainingProblem = {
  code: string;
  message: string;
  hint: string;
};

/** Another tokenizer on the held-out text; `bytes_per_token` is None if it cannot encode it. */
export type TrainingReference = {
  tokenizer: string;
  title: string;
  vocab_size: number;
  bytes_per_token: number | null;
  unknown_rate: number | null;
  lossy: string | null;
};

/** What to train, as it was asked for. */
export type TrainingRequest = {
  sources: TrainingSource[];
  name: string | null;
  held_out: TrainingHeldOut | null;
  preset: string | null;
  options: Record<string, unknown>;
  sample_bytes: number | null;
  threads: number | null;
  invalid: "replace" | "skip";
};

/** A text to train on: `name` of a practice corpus or a corpus, `path` of files, or the `text`. */
export type TrainingSource = {
  kind: "practice" | "corpus" | "path" | "text";
  name: string | null;
  path: string | null;
  text: string | null;
  column: string | null;
};

/** Rows of a training: merges, words, characters or iterations, as the algorithm has them. */
export type TrainingSteps = {
  total: number;
  rows: Record<string, unknown>[];
};

/** The first lookups for one token, longest first, the number of lookups, and the token found. */
export type Tries = {
  byte: number;
  candidates: string[];
  tried: number;
  found: number | null;
};

/** A token of the text under the truncated vocabulary. */
export type TruncatedToken = {
  id: number;
  text: string | null;
  bytes: string;
  span_utf16: [number, number];
};

/** A text under the first `size` tokens of a vocabulary. */
export type TruncatedVocabulary = {
  tokenizer: string;
  sizes: [number, number];
  size: number;
  token_count: number;
  whole_count: number;
  kept_count: number;
  unknown_count: number;
  text_bytes: number;
  built_ns: number;
  tokens: TruncatedToken[];
};

/** The most probable path through the lattice. `without` has, for each boundary, the best path without it. */
export type UnigramSteps = {
  model: "unigram";
  nodes: LatticeNode[];
  best: LatticePath;
  runner_up: LatticePath | null;
  without: ([number, AlternativePath | null])[];
  units: LatticeUnit[];
};

/** Entries of one tokenizer that do not occur, by id, from `offset` on. */
export type UnseenPage = {
  tokenizer: string;
  total: number;
  offset: number;
  rows: UnseenToken[];
};

/** An entry of the vocabulary that does not occur. */
export type UnseenToken = {
  id: number;
  token: string;
  text: string | null;
  bytes: string;
};

/** The settings that change tokens or counts. */
export type UsedSettings = {
  add_special_tokens: boolean;
  specials: "parse" | "text" | "reject";
  ignore_spaces: boolean | null;
};

/** The text of a result, as somebody recognizes it without having it. */
export type UsedText = {
  bytes: number;
  characters: number;
  sha256: string;
};

/** One tokenizer of a result. */
export type UsedTokenizer = {
  id: string;
  name: string;
  source: string;
  sha256: string | null;
  origin: string | null;
  repository: string | null;
  revision: string | null;
};

/** How tokens divide the bytes of characters. */
export type Utf8 = {
  whole_token_rate: number;
  crossing_token_rate: number;
  split_character_rate: number | null;
};

/** What counted it. */
export type Versions = {
  lab: string;
  commit: string | null;
  engine: string;
  python: string;
  cluster: string | null;
};

/** The tokens of both vocabularies: ordinary ones, special ones, and all. */
export type VocabularyCounts = {
  ordinary: TokenCounts;
  special: TokenCounts;
  all: TokenCounts;
};

/** Two tokens and the token that they merge into. */
export type VocabularyMerge = {
  rank: number;
  left: TokenHead;
  right: TokenHead;
  made: TokenHead;
};

/** What two tokenizers a and b share. All figures but `special_tokens` and `vocabularies` leave special tokens out. */
export type VocabularyOverlap = {
  a: string;
  b: string;
  vocabularies: VocabularyCounts;
  size_a: number;
  size_b: number;
  shared_tokens: number;
  same_ids: number;
  jaccard: number | null;
  share_of_a: number | null;
  share_of_b: number | null;
  special_tokens: SpecialTokenIds[];
  rows: EmbeddingRows;
  agreement: number | null;
  counts: [number, number] | null;
  divergences: number | null;
};

/** One page of a search. */
export type VocabularyPage = {
  tokenizer: string;
  count: number;
  total: number;
  offset: number;
  tokens: TokenRow[];
  facets: Facets;
  lengths: number[];
  elapsed_ns: number;
};

/** One token of a vocabulary. */
export type VocabularyToken = {
  id: number;
  text: string | null;
  bytes: string;
  special: boolean;
  rank: number | null;
  score: number | null;
};

/** The tokens of some ids, in the order asked for. */
export type VocabularyTokens = {
  tokens: VocabularyToken[];
};

/** A segmentation of a unit, the sum of its scores, and its probability among all. */
export type WeighedSegmentation = {
  tokens: TracedToken[];
  score: number;
  probability: number;
};

/** Greedy longest match. `too_long`: the word is longer than the model takes. */
export type WordPieceSteps = {
  model: "word_piece";
  tries: Tries[];
  too_long: boolean;
};

/** One segmentation of a word, with the first place that has it. */
export type WordSegmentation = {
  ids: number[];
  tokens: string[];
  count: number;
  share: number;
  example: Occurrence;
};

/** How a word is segmented in context, the most frequent segmentation first. */
export type WordSegmentations = {
  corpus: string;
  corpus_sha256: string;
  tokenizer: string;
  word: string;
  occurrences: number;
  distinct: number;
  segmentations: WordSegmentation[];
  more: boolean;
  searched_bytes: number;
  corpus_bytes: number;
};

/** A power law fitted to the counts of types: share of types with count c is proportional to c ** -exponent. */
export type Zipf = {
  exponent: number;
  interval: [number, number];
  xmin: number;
  types: number;
  distance: number;
  rank_exponent: number;
};

/** A file or folder of this machine, the id of a known tokenizer to fetch, a repository of a Hub, or a recipe. */
export type AddBody = {
  path?: string | null;
  known?: string | null;
  hub?: string | null;
  token?: string | null;
  recipe?: Record<string, unknown> | null;
  wait?: boolean;
  id?: string | null;
  pattern?: string | null;
  special_tokens?: Record<string, number> | null;
};

/** A corpus, tokenizers, and what to measure. */
export type AnalysisBody = {
  corpus: string;
  tokenizers: string[];
  measures?: string[] | null;
  reference_language?: string | null;
  context_lengths?: number[];
  alpha?: number;
  top?: number;
  sample_bytes?: number | null;
  seed?: number;
};

/** What to measure, and how. */
export type BenchmarkBody = {
  source: { kind: "corpus" | "file" | "text"; name?: string; text?: string | null };
  subjects?: { tokenizer: string; engine: string }[] | null;
  preset?: string | null;
  tokenizer?: string;
  baseline?: string | null;
  title?: string;
  temperature?: "warm" | "cold" | "first_pass";
  shape?: "whole" | "documents" | "batch";
  output?: "ids" | "spans" | "lists";
  threads?: number;
  rounds?: number;
  max_bytes?: number;
  time_limit_s?: number;
  seed?: number;
};

/** One text. */
export type ChangesBody = {
  tokenizer: string;
  text: string;
  specials?: "parse" | "text" | "reject";
};

/** Messages to see as tokens. */
export type ChatBody = {
  tokenizer: string;
  messages: Record<string, unknown>[];
  tools?: unknown[] | null;
  documents?: unknown[] | null;
  add_generation_prompt?: boolean;
  template?: string | null;
  template_text?: string | null;
  variables?: Record<string, unknown> | null;
  now?: string | null;
  mask?: "template" | "roles";
  as_text?: number[];
  context?: number | null;
  reserve?: number;
};

/** Messages to count by a published rule. */
export type ChatCountBody = {
  tokenizer: string;
  messages: Record<string, unknown>[];
};

/** Messages for a tokenizer's chat template, for one that is built in, or for a template of the caller's. */
export type ChatTemplateBody = {
  tokenizer: string;
  messages: Record<string, unknown>[];
  tools?: unknown[] | null;
  documents?: unknown[] | null;
  add_generation_prompt?: boolean;
  template?: string | null;
  template_text?: string | null;
  variables?: Record<string, unknown> | null;
  now?: string | null;
};

/** One text under one tokenizer or several. */
export type CitationBody = {
  add_special_tokens?: boolean;
  specials?: "parse" | "text" | "reject";
  tokenizers: string[];
  text: string;
  ignore_spaces?: boolean;
};

/** Steps of cleaning to try on a corpus, or on files that need not be one. */
export type CleaningBody = {
  corpus?: string | null;
  paths?: string[] | null;
  text_column?: string | null;
  cleaning: string[];
};

/** One text under two to eight tokenizers. */
export type CompareBody = {
  add_special_tokens?: boolean;
  specials?: "parse" | "text" | "reject";
  tokenizers: string[];
  text: string;
  ignore_spaces?: boolean;
};

/** A recipe, see docs/guide/library.md, and a text to try it on. */
export type ComposeBody = {
  recipe: Record<string, unknown>;
  text: string;
};

/** A token or a word, the corpus to find it in, and the page of the answer. */
export type ConcordanceBody = {
  tokenizer: string;
  corpus: string;
  id?: number | null;
  token?: string | null;
  word?: string | null;
  start?: string | null;
  limit?: number;
  context?: number;
  max_bytes?: number | null;
};

/** A tokenizer, and the texts to compare. */
export type ConformanceBody = {
  tokenizer: string;
  against?: string[] | null;
  texts?: number;
  corpus?: string | null;
  sample_bytes?: number | null;
  seed?: number;
  specials?: "parse" | "text" | "reject";
};

/** Files, folders and patterns of this machine, by their full paths; or a corpus, to clean it in another way. */
export type CorpusBody = {
  id?: string | null;
  title?: string;
  format?: "txt" | "jsonl" | "json" | "csv" | "tsv" | "parquet" | "file" | null;
  text_column?: string | null;
  language_column?: string | null;
  parallel?: boolean;
  cleaning?: string[];
  paths?: string[] | null;
  corpus?: string | null;
  wait?: boolean;
};

/** The IDs of many texts. */
export type DecodeBatchBody = {
  tokenizer: string;
  batch: number[][];
  skip_special_tokens?: boolean;
};

/** The IDs of one text. */
export type DecodeBody = {
  tokenizer: string;
  ids: number[];
  skip_special_tokens?: boolean;
};

/** Two tokenizers and a corpus. `run`: a name by which others ask how far it is. */
export type DiffCorpusBody = {
  a: string;
  b: string;
  corpus: string;
  run?: string;
};

/** A text to edit, under one to eight tokenizers; compared where `ignore_spaces` says how. */
export type DocumentBody = {
  add_special_tokens?: boolean;
  specials?: "parse" | "text" | "reject";
  tokenizers: string[];
  text: string;
  ignore_spaces?: boolean | null;
};

/** IDs that a model sampled. */
export type DriftBody = {
  tokenizer: string;
  ids: number[];
};

/** A range of UTF-16 units of version `version` and what takes its place. */
export type EditBody = {
  version: number;
  start_utf16: number;
  end_utf16: number;
  text: string;
};

/** A tokenizer, and the edits that are applied to it from top to bottom. */
export type EditsBody = {
  edits: Record<string, unknown>[];
  base: string;
};

/** The same, and a corpus to measure them on. `run`: a name by which others ask how far it is. */
export type EditsCorpusBody = {
  edits: Record<string, unknown>[];
  base: string;
  corpus: string;
  run?: string;
};

/** A recipe's TOML. */
export type EditsReadBody = {
  toml: string;
};

/** A list of edits, see docs/guide/workshop.md. */
export type EditsRecipeBody = {
  edits: Record<string, unknown>[];
};

/** The same, and the format of the file. */
export type EditsRowsBody = {
  edits: Record<string, unknown>[];
  base: string;
  format: "json" | "csv" | "npz" | "parquet";
};

/** The same, and a text that must come back as it did. `run`: a name by which others ask how far it is. */
export type EditsTextBody = {
  edits: Record<string, unknown>[];
  base: string;
  text?: string;
  run?: string;
};

/** The same, and the id of the new tokenizer. */
export type EditsTokenizerBody = {
  edits: Record<string, unknown>[];
  base: string;
  id: string;
};

/** Whole characters taken out of a long text, and whether that starts and ends there. */
export type ExcerptBody = {
  add_special_tokens?: boolean;
  specials?: "parse" | "text" | "reject";
  tokenizers: string[];
  text: string;
  ignore_spaces?: boolean | null;
  starts: boolean;
  ends: boolean;
};

/** One text, and a place in it. */
export type ExplainBody = {
  tokenizer: string;
  text: string;
  specials?: "parse" | "text" | "reject";
  at?: number | null;
  edits?: boolean;
};

/** One text under one tokenizer or several, as a file. */
export type ExportBody = {
  add_special_tokens?: boolean;
  specials?: "parse" | "text" | "reject";
  tokenizers: string[];
  text: string;
  ignore_spaces?: boolean;
  format: "json" | "csv" | "html" | "tex";
};

/** Files and folders of this machine, by their full paths. */
export type FilesBody = {
  paths: string[];
};

/** What to measure against what. */
export type GrowthBody = {
  subjects: { tokenizer: string; engine: string }[];
  axis?: "bytes" | "threads" | "vocab_size";
  rounds?: number;
  limit_s?: number;
  max_bytes?: number;
  input?: string;
  seed?: number;
};

/** One text, and where somebody thinks that its tokens end. */
export type GuessBody = {
  tokenizer: string;
  text: string;
  specials?: "parse" | "text" | "reject";
  guess: number[];
};

/** A text, its tokenizers, and the lesson on it; without a lesson the handout shows the tokens. Exercises have no text. */
export type HandoutBody = {
  add_special_tokens?: boolean;
  specials?: "parse" | "text" | "reject";
  tokenizers: string[];
  text?: string;
  lesson?: { name: string; way?: "watch" | "do"; at?: number; learn?: number; seed?: number } | null;
  exercises?: { seed?: number; kind?: "mixed" | "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "misconceptions" | "before" | "after"; corpus?: string; language?: string | null; count?: number } | null;
  folder?: boolean;
};

/** A name and a note for a kept result. */
export type LabelBody = {
  name?: string | null;
  note?: string;
};

/** A language of a corpus, and the tokenizers that count its documents. */
export type LanguageExamplesBody = {
  corpus: string;
  language: string;
  tokenizers: string[];
  limit?: number;
};

/** One text of at most 10 000 characters, how many tokens a lesson on training learns from it, 1 to 1000, and the seed. */
export type LessonBody = {
  tokenizer: string;
  text: string;
  specials?: "parse" | "text" | "reject";
  learn?: number;
  seed?: number;
  add_special_tokens?: boolean;
};

/** Answers to mark. */
export type MarksBody = {
  tokenizer: string;
  answers: (number | number[] | null)[];
  seed?: number;
  kind?: "mixed" | "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "misconceptions" | "before" | "after";
  corpus?: string;
  language?: string | null;
  count?: number;
  keep?: boolean;
};

/** What to run the inputs that break encoders on. */
export type PathologicalBody = {
  subjects: { tokenizer: string; engine: string }[];
  bytes?: number;
  limit_mb_per_s?: number;
  rounds?: number;
  limit_s?: number;
  seed?: number;
};

/** The fields of a file. */
export type Playlist = {
  kind: "playlist of the Tokenization Laboratory";
  version: 1;
  name: string;
  parts: ({ title: string; minutes: number; show: string; way?: "watch" | "do"; tokenizer?: string | null; text?: string; step?: number; learn?: number | null; sheet?: "mixed" | "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "misconceptions" | "before" | "after"; seed?: number; note?: string })[];
};

/** Any object. */
export type PreferencesBody = Record<string, unknown>;

/** A document, and the tokenizer that encodes it. */
export type ProfileBody = {
  tokenizer: string;
  text: string;
};

/** A prompt, or the end of one. */
export type PromptEndBody = {
  tokenizer: string;
  text: string;
};

/** What the algorithms encode, with whose merges. */
export type RaceBody = {
  tokenizer: string;
  input?: string;
  rounds?: number;
  limit_s?: number;
  max_bytes?: number;
  seed?: number;
};

/** The name to show for a tokenizer. */
export type RenameBody = {
  name: string;
};

/** The fields of a file. */
export type ResultFile = {
  kind: "exercises of the Tokenization Laboratory";
  version: 1;
  name: string;
  made_at: string;
  lab_version: string;
  sheet: { version: number; tokenizer: string; seed: number; kind: "mixed" | "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "misconceptions" | "before" | "after"; corpus: string; language: string | null; count: number; corpus_sha256: string; tokenizers: ({ id: string; sha256: string | null })[] };
  answers: (number | number[] | null)[];
  marks: (boolean | null)[];
  right: number;
  of: number;
  sha256: string;
};

/** IDs of one tokenizer, or a text for it, to convert to another. */
export type RetokenizeBody = {
  source: string;
  target: string;
  text?: string | null;
  ids?: number[] | null;
  specials?: "parse" | "text" | "reject";
};

/** Tokenizers, and the corpus whose sentences are edited. */
export type RobustnessBody = {
  tokenizers: string[];
  corpus: string;
  sentences?: number;
  kinds?: string[] | null;
  seed?: number;
  sample_bytes?: number | null;
};

/** Answers to save as a file. */
export type SaveAnswersBody = {
  tokenizer: string;
  answers: (number | number[] | null)[];
  seed?: number;
  kind?: "mixed" | "next-merge" | "first-token" | "train-merge" | "path" | "pruned" | "boundaries" | "count" | "misconceptions" | "before" | "after";
  corpus?: string;
  language?: string | null;
  count?: number;
  name?: string;
};

/** A word, and the corpus to find it in. */
export type SegmentationsBody = {
  tokenizer: string;
  corpus: string;
  word: string;
  max_bytes?: number | null;
};

/** A session to save; `view` is stored unchanged for the page. */
export type SessionBody = {
  add_special_tokens?: boolean;
  specials?: "parse" | "text" | "reject";
  name: string;
  tokenizers: string[];
  text: string;
  view?: Record<string, unknown>;
};

/** A session's file. */
export type SessionFileBody = Record<string, unknown>;

/** Tokenizers and the documents whose stages are timed. */
export type StagesBody = {
  tokenizers: string[];
  source: { kind: "corpus" | "file" | "text"; name?: string; text?: string | null };
  spans?: boolean;
  rounds?: number;
  max_bytes?: number;
};

/** One text for the textbook algorithms of byte-pair encoding: those named, or all. */
export type TextbookBody = {
  tokenizer: string;
  text: string;
  algorithms?: string[];
};

/** Many texts. */
export type TokenizeBatchBody = {
  add_special_tokens?: boolean;
  specials?: "parse" | "text" | "reject";
  truncation?: "longest_first" | "only_first" | "only_second" | "file" | null;
  max_length?: number | null;
  stride?: number;
  padding?: "longest" | "max_length" | "file" | null;
  pad_to_multiple_of?: number | null;
  truncation_side?: "left" | "right" | null;
  tokenizer: string;
  texts: string[];
};

/** One text, or two for tokenizers whose template takes a pair. */
export type TokenizeBody = {
  add_special_tokens?: boolean;
  specials?: "parse" | "text" | "reject";
  truncation?: "longest_first" | "only_first" | "only_second" | "file" | null;
  max_length?: number | null;
  stride?: number;
  padding?: "longest" | "max_length" | "file" | null;
  pad_to_multiple_of?: number | null;
  truncation_side?: "left" | "right" | null;
  tokenizer: string;
  text: string;
  pair?: string | null;
  fields?: ("ids" | "type_ids" | "attention_mask" | "overflowing" | "tokens")[] | null;
};

/** One text of at most 10 000 characters. */
export type TraceBody = {
  tokenizer: string;
  text: string;
  specials?: "parse" | "text" | "reject";
};

/** The id of a trained tokenizer in the catalog. */
export type TrainedTokenizerBody = {
  name?: string | null;
};

/** The text that the algorithms of BPE training learn from. */
export type TrainersBody = {
  source?: { kind: "practice" | "corpus" | "path" | "text"; name?: string | null; path?: string | null; text?: string | null; column?: string | null };
  merges?: number;
  max_bytes?: number;
  rounds?: number;
  limit_s?: number;
  seed?: number;
};

/** What to train, and how. */
export type TrainingBody = {
  sources: ({ kind: "practice" | "corpus" | "path" | "text"; name?: string | null; path?: string | null; text?: string | null; column?: string | null })[];
  name?: string | null;
  held_out?: { share?: number | null; source?: { kind: "practice" | "corpus" | "path" | "text"; name?: string | null; path?: string | null; text?: string | null; column?: string | null } | null } | null;
  options?: Record<string, unknown>;
  preset?: string | null;
  sample_bytes?: number | null;
  threads?: number | null;
  invalid?: "replace" | "skip";
};

/** A text, and the size to truncate the vocabulary to. */
export type TruncateBody = {
  size?: number | null;
  text: string;
};

/** Two tokenizers, and a text for them where one is wanted. */
export type TwoTokenizersBody = {
  a: string;
  b: string;
  text?: string | null;
  specials?: "parse" | "text" | "reject";
};
