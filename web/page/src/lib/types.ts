/* What the server says: the documents of docs/explorer.md, and of docs/json.md what the page uses.
   Members may be added by later servers; nothing here forbids them. */

export type ApiError = {
  status: string;
  message: string;
  hint?: string | null;
  file?: string | null;
  line?: number | null;
  column?: number | null;
};

export type Progress = { phase: string; done: number; total: number; note: string | null };

export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

export type Job<T> = {
  job: number;
  kind: string;
  state: JobState;
  version: number;
  progress: Progress | null;
  notes: string[];
  partial: T | null;
  result: T | null;
  error: ApiError | null;
  seconds: number;
};

/* ---- the state ---- */

export type Demand = {
  constraint: string;
  measure: string;
  bound: number;
  column?: string | null;
};

export type Quasi = {
  name: string;
  height: number;
  weight: number;
  level: number | null;
  max_level: number | null;
  type: string;
  values: number;
  groups: number[]; /* at level 0, 1, ... */
};

export type Measure = {
  name: string;
  summary: string;
  family: string;
  more_is_better: boolean;
  demandable: boolean;
  rule: string | null;
  available: boolean;
  counts: boolean;
  share: boolean;
  parameter: string | null;
  default: number | null;
};

export type Method = { name: string; summary: string };

export type HistoryEntry = { version: number; what: string; time: string };

export type Plan = {
  path: string;
  folder: string;
  version: number;
  text: string;
  error: ApiError | null;
  questions: string[];
  undo: string | null;
  redo: string | null;
  history: HistoryEntry[];
};

export type Study = {
  changed_files?: string[];
  reading?: number;
  state: 'opening' | 'open' | 'refused';
  error: ApiError | null;
  progress: Progress | null;
  data?: string | null;
  rows?: number | null;
  distinct?: number | null;
  budget?: number | null;
  suppression?: string | null;
  quasi?: Quasi[];
  sensitive?: string[];
  label?: string | null;
  demands?: Demand[];
};

export type CutsOfAttribute = { breaks: number[]; missing?: string } | { groups: (string | null)[][] } | '*' | 'raw';
export type Cuts = Record<string, CutsOfAttribute>;

/* How a release comes about. */
export type Spec =
  | { scheme: 'levels'; levels: number[]; require?: string; suppression?: string }
  | { scheme: 'cuts'; cuts: Cuts; require?: string; suppression?: string }
  | { scheme: 'local'; require?: string; suppression?: string; minimize?: string }
  | { scheme: 'file'; path: string; row_map?: string };

export type Pinned = { id: number; name: string; spec: Spec; line: string };

export type State = {
  state: number;
  paravent: string;
  plan: Plan;
  study: Study;
  measures: Measure[];
  methods: Method[];
  candidates: Pinned[];
};

/* ---- changing the plan ---- */

export type Path = (string | number)[];
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Edit = { path: Path; value: Json } | { path: Path; remove: true };
export type PlanChange = { version: number; text: string; before: string; error: ApiError | null };

/* ---- jobs ---- */

export type Role = 'identifier' | 'quasi' | 'sensitive' | 'label' | 'other';

/* Ranges of numbers or of dates; other values have no limits. */
export type ColumnBin = { label: string; from?: number | string | null; to?: number | string | null; rows: number };

export type Column = {
  name: string;
  type: string;
  /* '?' = an open question, null = the plan does not name it */
  role: Role | '?' | null;
  /* what `init` would write, and why */
  guess?: Role | '?' | null;
  /* the plan asks something about it */
  open?: boolean;
  why: string | null;
  question: string | null;
  named: boolean;
  values: number;
  missing: number;
  unique: number;
  hidden: boolean;
  bins: ColumnBin[];
  others: number;
  hierarchy: string | null;
  height: number | null;
  alone?: { unique: number; rare: number; mean_risk: number; unique_saved: number } | null;
};

export type Columns = { rows: number; columns: Column[] };

/* A hierarchy as a plan has it. */
export type Hierarchy =
  | string
  | { file: string }
  | { rows: string[][]; missing?: string }
  | { intervals: number[]; origin?: number; closed?: 'left' | 'right' }
  | { breaks: number[]; missing?: string }
  | { mask: 'left' | 'right' }
  | { date: string[] }
  | { order: number[]; values?: string[] }
  | { rare: string | number; label?: string; keep?: string[] }
  | { suppress: true };

export type Tree = {
  attribute: string;
  kind: string;
  height: number;
  error: ApiError | null;
  numeric: boolean;
  missing: number;
  levels: { level: number; groups: number }[];
  leaves: { value: string; rows: number; path: string[]; missing?: boolean }[];
  more?: number;
  bins?: ColumnBin[];
  /* the group that the missing value shares */
  missing_group?: string | null;
  spec: Hierarchy | null;
  rows: string[][] | null;
};

export type Candidate = {
  line: string;
  spec: Spec;
  k: number;
  classes: number;
  suppressed: number;
  rows: number;
  budget: number;
  /* false: more rows break a demand than may be suppressed, and nothing is suppressed here */
  feasible: boolean;
  measures: Record<string, number | null>;
  shares: Record<string, number | null>;
  before: Record<string, number | null>;
  demands: { constraint: string; value: number | null; holds: boolean; broken?: number }[];
  attributes: {
    name: string;
    treatment: string;
    level: number | null;
    height: number | null;
    before: number;
    after: number;
    lost: number | null;
    labels: string[];
  }[];
  gap: number | null;
  proven: boolean | null;
  sentence: string;
};

export type People = {
  rows: number;
  suppressed: number;
  k: number;
  classes: number;
  risk: { max: number; mean: number; above: [number, number][] };
  sizes: { size: string; from: number; to: number | null; rows: number; classes: number }[];
  worst: { size: number; rows: number; cells: string[]; sensitive: Record<string, number> }[];
  by: {
    column: string;
    groups: {
      value: string;
      rows: number;
      suppressed: number;
      mean_size: number;
      smallest: number;
      at_smallest: number;
      mean_risk: number;
      lost: number;
    }[];
  } | null;
};

export type Rows = {
  from: number;
  n: number;
  rows: number;
  columns: { name: string; role: string }[];
  original: string[][];
  /* null: a file does not have the column */
  released: (string | null)[][];
  changed: boolean[][];
  suppressed: boolean[];
  /* of files: rows that they lack */
  missing?: boolean[];
  size: number[];
  /* which rows, from 0: those of small classes are not one after the other */
  numbers: number[];
};

export type Cloud = { objectives: string[]; n: number; values: number[][]; levels: string[] };

/* ---- documents of commands ---- */

export type TableOf = { source: string | null; rows: number; skipped: number; distinct: number; quasi: string[] };

export type Constraint = {
  constraint: string;
  measure: string;
  bound: number;
  column?: string;
  value?: number | null;
  holds?: boolean;
  sensitive?: string | null;
};

export type Inspect = {
  line?: string;
  table: TableOf;
  missing: { column: string; rows: number; spellings: Record<string, number> }[];
  exposure: {
    unique: number;
    unique_share: number;
    risk_max: number;
    risk_mean: number;
    rare_below: number;
    classes: { size: string; rows: number }[];
    attributes: {
      attribute: string;
      combinations: number;
      unique: number;
      rare: number;
      mean_risk: number;
      rare_values: number;
      unique_saved: number;
    }[];
    pairs: { attributes: [string, string]; combinations: number; unique: number; rare: number; mean_risk: number }[];
  };
  measures: Record<string, number | null>;
};

export type FrontPoint = {
  levels?: number[];
  cuts?: Cuts;
  k: number;
  suppressed: number;
  ties: number;
  shares: Record<string, number>;
  bound?: number;
  gap?: number;
  proven?: boolean;
  [objective: string]: unknown;
};

export type Front = {
  line?: string;
  table: TableOf;
  scheme: 'levels' | 'cuts';
  lattice: { heights: number[]; nodes: number } | null;
  cuts: { schemes: number | null; respect_taxonomy: boolean } | null;
  suppression: { budget: number; target_k: number | null; rule: string };
  objectives: string[];
  method: string;
  reason: string | null;
  complete: boolean;
  stop: string;
  family: string;
  evaluated: number;
  explored: number;
  hidden: number;
  knee: number | null;
  suggestions: { point: number; name: string; text: string }[];
  front: FrontPoint[];
  seconds: number;
  seed: number;
};

export type LadderPoint = {
  scheme: 'levels' | 'cuts' | 'local';
  k: number;
  found: boolean;
  value: number | null;
  share: number | null;
  bound: number | null;
  gap: number | null;
  proven: boolean;
  suppressed: number | null;
  found_for: number | null;
  seconds: number;
  release: string | null;
};

export type Ladder = {
  line?: string;
  table: TableOf;
  scheme: 'local' | 'all';
  suppression: { budget: number };
  measure: string;
  complete: boolean;
  stop: string | null;
  seconds: number;
  ladder: LadderPoint[];
  sentences: string[];
  not_searched: string[];
};

export type Best = {
  scheme: string;
  measure: string;
  value: number | null;
  bound: number | null;
  gap: number | null;
  proven: boolean;
  suppressed: number;
  budget: number;
  schemes: number;
  nodes: number;
  steps: number;
  seconds: number;
  stop: string;
  broken?: { demand: string; rows: number }[];
  neighbours?: Best[];
  demand?: string | null;
};

export type Solution = {
  cuts: Cuts;
  k: number;
  largest: number;
  ach: number;
  deviation: number;
  efficiency: string;
  spec?: Spec;
  [measure: string]: unknown;
};

export type Prefer = {
  line?: string;
  table: TableOf;
  k: number;
  require: Constraint[];
  bias: string;
  loss: string;
  aspiration: { ach: number; [measure: string]: number };
  weights: Record<string, number> | null;
  respect_taxonomy: boolean;
  solution: Solution;
  alternatives: Solution[];
  direction: { aspiration: Record<string, number>; solution: Solution }[] | null;
  chosen: number;
  provable: boolean;
  bound: number | null;
  proven: boolean;
  unreachable: boolean;
  stopped: boolean;
  evaluated: number;
  nodes: number;
  seconds: number;
};

export type Distribution = { mean: number; min: number; max: number; quantiles: number[] };

export type Tournament = { ranking: string[]; wins: number[]; best: string | null; cycle: string[] | null };

export type Compare = {
  line?: string;
  text?: string;
  table: TableOf;
  compared: number;
  releases: { name: string; letter: string; suppressed: number; missing: number; smallest_class: number | null }[];
  advice: Tournament & { text: string; enough: number };
  properties: {
    name: string;
    less_is_better: boolean;
    releases: { mean: number; worst: number; worst_share: number }[];
  }[];
  pairs: {
    a: string;
    b: string;
    property: string;
    index: string;
    ab: number | null;
    ba: number | null;
    better: string | null;
  }[];
  dominance: {
    a: string;
    b: string;
    property: string | null;
    dominates: 'a' | 'b' | 'equal' | 'none';
    a_better?: number;
    b_better?: number;
  }[];
  ranking: (Tournament & { property: string; index: string })[];
  overall: (Tournament & { name: string; kind: string; rule: string; pairs: unknown[] })[];
  groups: {
    column: string;
    value: string;
    rows: number;
    properties: Record<string, { mean: number; worst_share: number; singled_out: boolean }[]>;
  }[];
  /* of a contest: by property and release how many people have a value, or more than the one before
     and at most this one, ascending */
  distributions?: Record<string, ([number, number][] | null)[]>;
};

export type Disclose = {
  line?: string;
  table: TableOf;
  dictionary: {
    source: string | null;
    rows: number;
    known: string[];
    ignored: string[];
    unmatched: Record<string, number>;
    similarity: number | null;
  };
  aim?: { name: string; bound: number; share: boolean };
  risk?: { model: string; before: Distribution; after: Distribution };
  utility?: { measure: string; kept: Distribution };
  unique?: { before: number; after: number };
  absent?: { before: number; after: number };
  infeasible?: number;
  levels?: Record<string, number[]>;
  exposed?: {
    levels: Record<string, number> | number[];
    people: number;
    consistent: number;
    risk: { mean: number; max: number };
  }[];
  front?: {
    model: string;
    utility: number;
    kept: number;
    risk: { mean: number; max: number };
    unique: number;
    visited: number;
    exact: boolean;
  }[];
  before?: Record<string, { mean: number; max: number }>;
  method: string;
  reason: string | null;
  stopped: boolean;
  stop: string;
  seconds: number;
};

/* What a release would be, before it is written. */
export type DryRelease = {
  line: string;
  columns: {
    name: string;
    role: string;
    treatment: string;
    values: number;
    unique: number | null;
    unique_with_quasi?: number | null;
    k_with_quasi?: number | null;
    accepted?: boolean;
    problem: string | null;
  }[];
  dropped: string[];
  demands: { constraint: string; value: number | null; holds: boolean }[];
  blocked: ApiError | null;
};

export type Release = {
  line?: string;
  verdict: 'verified' | 'accepted' | 'exposed' | 'weaker';
  table: TableOf;
  levels: number[] | null;
  suppression: { budget: number; target_k: number | null; rule: string };
  suppressed: number;
  left_out: number;
  columns: {
    name: string;
    role: string;
    treatment: 'generalized' | 'unchanged' | 'hashed';
    values: number;
    unique?: number;
    unique_with_quasi?: number;
    k_with_quasi?: number;
    accepted?: boolean;
  }[];
  dropped: string[];
  measures: Record<string, number | null>;
  before: Record<string, number | null>;
  require: Constraint[];
  verified: { rows: number; suppressed: number; k: number; k_wildcard: number };
  order: string;
  seed: number | null;
  formulas: { columns: { name: string; cells: number; heading: boolean }[]; escaped: boolean };
  files: Record<string, string | null>;
};
