import type { TextLines } from 'salvo/kit/text';
import { literalExpression } from './build-expression.ts';
import type { DataEntry, DataNode, DataProblem, DataScalar } from './data-node.ts';
import type { Expression, ObjectEntry, Written } from './expression.ts';
import { placedEntry } from './placed-syntax.ts';

/** Shared by all functions that read a template. */
export interface TemplateReading {
  text: string;
  lines: TextLines;
  problems: DataProblem[];
}

/** Written in full `Fn::If`, or as a tag `!If`; `Ref` and `Condition` have no `Fn::`. */
const FUNCTIONS = new Set(
  [
    ...['Base64', 'Cidr', 'FindInMap', 'GetAtt', 'GetAZs', 'ImportValue', 'Join', 'Select', 'Split', 'Sub'],
    ...['And', 'Equals', 'If', 'Not', 'Or', 'Contains', 'EachMemberEquals', 'EachMemberIn', 'RefAll', 'ValueOf'],
    ...['ValueOfAll', 'Length', 'ToJsonString', 'GetStackOutput', 'Transform'],
  ].map((name) => `Fn::${name}`),
);

export function cloudFormationAttribute(reading: TemplateReading, entry: DataEntry): ObjectEntry {
  return placedEntry(reading, entry, cloudFormationExpression(reading, entry.value));
}

function cloudFormationExpression(reading: TemplateReading, node: DataNode): Expression {
  const written = { range: node.range, text: reading.text.slice(node.range.start, node.range.end) };
  if (node.tag !== null) return taggedExpression(reading, node, written);
  if (node.kind === 'scalar')
    return { kind: 'literal', value: node.value, heredoc: isBlockScalar(written), ...written };
  if (node.kind === 'list') {
    return { kind: 'list', items: node.items.map((item) => cloudFormationExpression(reading, item)), ...written };
  }
  const [only, ...others] = node.entries;
  if (only && others.length === 0 && isFunction(only.name)) {
    return functionExpression(reading, only.name, only.value, written);
  }
  return { kind: 'object', entries: node.entries.map((entry) => cloudFormationAttribute(reading, entry)), ...written };
}

/** `{Condition: {...}}` of a policy is not a function, since the name of a condition is a text. */
function isFunction(name: string): boolean {
  return name === 'Ref' || FUNCTIONS.has(name) || name.startsWith('Fn::');
}

function taggedExpression(reading: TemplateReading, node: DataNode, written: Written): Expression {
  const short = (node.tag ?? '').slice(1);
  const name = short === 'Ref' || short === 'Condition' ? short : `Fn::${short}`;
  if (name !== 'Ref' && name !== 'Condition' && !FUNCTIONS.has(name)) {
    reading.problems.push({ offset: written.range.start, message: `CloudFormation has no function ${node.tag}` });
    return { kind: 'other', ...written };
  }
  return functionExpression(reading, name, { ...node, tag: null }, written);
}

function functionExpression(reading: TemplateReading, name: string, argument: DataNode, written: Written): Expression {
  if (name === 'Ref' && isText(argument)) {
    return { kind: 'reference', path: argument.value, steps: [argument.value], ...written };
  }
  if (name === 'Fn::GetAtt') {
    const path = attributePath(argument);
    if (path) return { kind: 'reference', path: path.join('.'), steps: path, ...written };
  }
  if (name === 'Fn::Sub') {
    if (isText(argument)) {
      return { kind: 'template', parts: substitutionParts(reading.text, argument), heredoc: false, ...written };
    }
    const [template, variables] = argument.kind === 'list' ? argument.items : [];
    if (template && variables && isText(template)) {
      const parts = substitutionParts(reading.text, template);
      const text = reading.text.slice(template.range.start, template.range.end);
      const args: Expression[] = [
        { kind: 'template', parts, heredoc: false, range: template.range, text },
        cloudFormationExpression(reading, variables),
      ];
      return { kind: 'call', name, args, expandLast: false, ...written };
    }
  }
  const args = argument.kind === 'list' && argument.tag === null ? argument.items : [argument];
  return {
    kind: 'call',
    name,
    args: args.map((item) => cloudFormationExpression(reading, item)),
    expandLast: false,
    ...written,
  };
}

type TextScalar = DataScalar & { value: string };

function isText(node: DataNode): node is TextScalar {
  return node.kind === 'scalar' && typeof node.value === 'string';
}

/** `Bucket.Arn` or `[Bucket, Arn]`; the attribute may have dots of its own. */
function attributePath(argument: DataNode): string[] | null {
  if (isText(argument)) {
    const dot = argument.value.indexOf('.');
    return dot < 0 ? [argument.value] : [argument.value.slice(0, dot), argument.value.slice(dot + 1)];
  }
  if (argument.kind !== 'list') return null;
  const parts = argument.items.filter(isText);
  return parts.length === argument.items.length && parts.length > 0 ? parts.map(({ value }) => value) : null;
}

function isBlockScalar({ text }: Written): boolean {
  return /^[|>]/.test(text);
}

const VARIABLE = /\$\{([^{}]*)\}/g;

/** The text of a `Fn::Sub`: `${Name}` and `${Resource.Attribute}` are references, `${!Name}` is the text `${Name}`. */
function substitutionParts(text: string, scalar: DataScalar & { value: string }): Expression[] {
  const { value, range } = scalar;
  const inValue = [...value.matchAll(VARIABLE)];
  const inText = [...text.slice(range.start, range.end).matchAll(VARIABLE)];
  // Escapes and folded lines make the value differ from the text, but rarely in the number of variables.
  const places = inText.length === inValue.length ? inText.map(({ index }) => range.start + index) : null;
  const parts: Expression[] = [];
  let plain = '';
  let plainStart = range.start;
  let at = 0;
  const endPlain = (end: number) => {
    if (plain === '') return;
    const placed = places ? { start: plainStart, end } : range;
    parts.push(literalExpression(plain, { range: placed, text: text.slice(placed.start, placed.end) }));
    plain = '';
  };
  for (const [position, match] of inValue.entries()) {
    plain += value.slice(at, match.index);
    at = match.index + match[0].length;
    const name = (match[1] ?? '').trim();
    if (name.startsWith('!')) {
      plain += `\${${name.slice(1)}}`;
      continue;
    }
    const start = places?.[position] ?? range.start;
    const placed = places ? { start, end: start + (inText[position]?.[0].length ?? 0) } : range;
    endPlain(placed.start);
    plainStart = placed.end;
    const dot = name.indexOf('.');
    const steps = dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
    parts.push({ kind: 'reference', path: name, steps, range: placed, text: text.slice(placed.start, placed.end) });
  }
  plain += value.slice(at);
  endPlain(range.end);
  return parts;
}
