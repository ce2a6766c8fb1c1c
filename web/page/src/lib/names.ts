/* What things are called on the page: one table of plain names. The names of commands, plans and JSON are shown beside a
   definition, in a title or in parentheses, so that whoever goes on in a terminal finds them again. */

const names: Record<string, string> = {
  /* measures */
  k: 'people who look alike',
  'l-distinct': 'different sensitive values',
  'l-entropy': 'variety of sensitive values',
  'l-recursive': 'variety, no value too frequent',
  't-closeness': 'distance from the whole table',
  'sum-k': 'people alike, summed',
  'sum-l': 'same sensitive value, summed',
  gini: 'inequality of class sizes',
  necd: 'spread of class sizes',
  glm: 'detail lost',
  nwp: 'detail lost, weighted',
  dcn: 'squared class sizes',
  cm: 'people whose label is lost',
  'leaf-utility': 'detail kept',
  precision: 'detail kept, by levels',
  aecs: 'average class size',
  entropy: 'detail lost, in bits',
  risk: 'highest risk',
  'risk-mean': 'average risk',
  'risk-above': 'people above a risk',
  /* how values are made coarser */
  levels: 'whole levels',
  cuts: 'free ranges',
  local: 'row by row',
  'local recoding': 'row by row',
  cells: 'single cells',
  file: 'a file',
  /* points that are suggested */
  gentle: 'gentle',
  knee: 'turning point',
  strong: 'strong',
};

/* "l-distinct(diagnosis)" is "different sensitive values (diagnosis)". What has no other name keeps its own. */
export function plain(name: string): string {
  const [, measure = name, inside = ''] = /^([^(]+)(\(.*\))?$/.exec(name) ?? [];
  const found = names[measure];
  return found === undefined ? name : inside ? `${found} ${inside}` : found;
}

/* What is demanded, in front of its bound: "people alike (k)", "different values of diagnosis". */
export function demanded(measure: string, column: string | null): string {
  if (measure === 'k') return 'people alike (k)';
  if (column === null) return plain(measure);
  return measure === 'l-distinct' ? `different values of ${column}` : `${plain(measure)} (${column})`;
}

/* Where there is room for both: "detail lost (glm)". */
export function both(name: string): string {
  return plain(name) === name ? name : `${plain(name)} (${name})`;
}

export const isNamed = (name: string): boolean => name in names;

/* What becomes of a column, said alike in all views. */
export type Fate = 'kept' | 'groups' | 'hidden';
export const fateNames: Record<Fate, string> = { kept: 'kept as it is', groups: 'in groups', hidden: 'hidden' };

/* `after` of `before` values are told apart. */
export function fateOf(before: number, after: number, asItIs: boolean): Fate {
  if (asItIs) return 'kept';
  return after <= 1 && before > 1 ? 'hidden' : 'groups';
}
