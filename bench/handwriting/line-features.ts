/** Strings, tags of YAML, words, numbers and address ranges, and every other character. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|![A-Za-z]+|[A-Za-z_][\w-]*(?:[.:]+[\w*-]+)*|\d[\w./:]*|\S/g;

const KINDS: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^".*\$\{/, 'template'],
  [/^"/, 'text'],
  [/^(?:true|false|null)$/, 'constant'],
  [/^\d/, 'number'],
  [/^(?:var|local|module|each|data)\./, 'own'],
  [/^(?:merge|jsonencode|one|for|in|if|dynamic|content|count|for_each)$/, ''],
  [/^[A-Za-z_].*[.:]/, 'reference'],
  [/^[A-Za-z_]/, 'word'],
];

/**
 * How code looks line by line: the indentation, the name of the setting if there is one, the kinds of tokens after it
 * and the line that follows. A value is only its kind. The type of the resource is seen with every line, so that a line
 * which is missing in one game and not in others is noticed.
 */
export function lineFeatures(type: string, code: string): string[] {
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  const shapes = lines.map((line) => shapeOf(line, false));
  const named = lines.map((line) => shapeOf(line, true));
  return [
    ...shapes,
    ...named,
    ...named.map((shape) => `${type} ${shape}`),
    ...named.map((shape, at) => `${shape} then ${named[at + 1] ?? 'end'}`),
    `lines ${lines.length}`,
    `${type} lines ${lines.length}`,
  ];
}

function shapeOf(line: string, isNamed: boolean): string {
  const code = line.trim();
  const [name = ''] = /^(?:- )*[\w."-]+/.exec(code) ?? [];
  const rest = code.slice(name.length).trimStart();
  const isSetting = /^(?:=(?!=)|:(?:\s|$))/.test(rest);
  const tokens = (isSetting ? rest : code).match(TOKEN) ?? [];
  const indent = line.length - line.trimStart().length;
  return [indent, isSetting ? (isNamed ? name : 'name') : '', ...tokens.map(kindOf)].join(' ');
}

function kindOf(token: string): string {
  const kind = KINDS.find(([pattern]) => pattern.test(token))?.[1];
  return kind === undefined || kind === '' ? token : kind;
}
