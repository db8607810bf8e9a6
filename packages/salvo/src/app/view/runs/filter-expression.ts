import { SalvoError } from '../../../text/errors/salvo-error.ts';

/** What the list of runs can be filtered by: a text or number for each name, several texts if any of them may fit. */
export type FilterFields = Record<string, string | number | null | readonly string[]>;

/** Whether something fits the expression. */
export type Filter = (fields: FilterFields) => boolean;

const LONGEST = 1000;
const DEEPEST = 50;
const OPERATORS = ['!=', '!~', '<=', '>=', '=', '~', '<', '>'] as const;
type Operator = (typeof OPERATORS)[number];

/**
 * Reads an expression such as `verdict = fail and (model ~ gpt or cost > 0.1)`. A word that is no comparison is searched
 * in all texts. `names` are the fields that can be used.
 */
export function parseFilter(text: string, names: readonly string[]): Filter {
  if (text.length > LONGEST) throw wrong(`The filter has more than ${LONGEST} characters.`);
  const tokens = tokenize(text);
  let position = 0;
  const peek = (): Token | undefined => tokens[position];
  const isWord = (word: string): boolean => peek()?.kind === 'word' && peek()?.text.toLowerCase() === word;

  function either(depth: number): Filter {
    let left = both(depth);
    while (isWord('or')) {
      position += 1;
      const [first, second] = [left, both(depth)];
      left = (fields) => first(fields) || second(fields);
    }
    return left;
  }

  /** `and` may be left out. */
  function both(depth: number): Filter {
    let left = single(depth);
    while (peek() !== undefined && peek()?.kind !== ')' && !isWord('or')) {
      if (isWord('and')) position += 1;
      const [first, second] = [left, single(depth)];
      left = (fields) => first(fields) && second(fields);
    }
    return left;
  }

  function single(depth: number): Filter {
    if (depth > DEEPEST) throw wrong(`The filter has more than ${DEEPEST} parentheses inside each other.`);
    const token = peek();
    if (token === undefined) throw wrong('Something is missing at the end of the filter.');
    if (isWord('not')) {
      position += 1;
      const inner = single(depth + 1);
      return (fields) => !inner(fields);
    }
    position += 1;
    if (token.kind === '(') {
      const inner = either(depth + 1);
      if (peek()?.kind !== ')') throw wrong(`The parenthesis at ${token.at} is not closed.`);
      position += 1;
      return inner;
    }
    if (token.kind !== 'word' && token.kind !== 'quoted')
      throw wrong(`"${token.text}" at ${token.at} is not expected.`);
    const operator = peek();
    if (operator?.kind !== 'operator') return search(token.text);
    position += 1;
    return comparison(token, operator.text);
  }

  function comparison(name: Token, operator: string): Filter {
    if (!names.includes(name.text)) {
      throw wrong(`"${name.text}" at ${name.at} is no field. The fields: ${names.join(', ')}.`);
    }
    const value = peek();
    if (value?.kind !== 'word' && value?.kind !== 'quoted') throw wrong(`A value is missing after "${operator}".`);
    position += 1;
    const isKnown = OPERATORS.find((each) => each === operator);
    return compare(name.text, isKnown ?? '=', value);
  }

  if (tokens.length === 0) return () => true;
  const filter = either(0);
  const rest = peek();
  if (rest !== undefined) throw wrong(`"${rest.text}" at ${rest.at} is not expected.`);
  return filter;
}

interface Token {
  kind: 'word' | 'quoted' | 'operator' | '(' | ')';
  text: string;
  /** Counted from 1. */
  at: number;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < text.length; ) {
    const character = text.charAt(index);
    const at = index + 1;
    if (/\s/.test(character)) {
      index += 1;
    } else if (character === '(' || character === ')') {
      tokens.push({ kind: character, text: character, at });
      index += 1;
    } else if (character === '"' || character === "'") {
      const end = text.indexOf(character, index + 1);
      if (end === -1) throw wrong(`The quotation mark at ${at} is not closed.`);
      tokens.push({ kind: 'quoted', text: text.slice(index + 1, end), at });
      index = end + 1;
    } else {
      const operator = OPERATORS.find((each) => text.startsWith(each, index));
      const word = operator ?? wordAt(text, index);
      tokens.push({ kind: operator ? 'operator' : 'word', text: word, at });
      index += word.length;
    }
  }
  return tokens;
}

function wordAt(text: string, start: number): string {
  let end = start + 1;
  while (end < text.length && !/[\s()"'=~<>!]/.test(text.charAt(end))) end += 1;
  return text.slice(start, end);
}

function search(text: string): Filter {
  const wanted = text.toLowerCase();
  return (fields) => Object.values(fields).some((value) => textsOf(value).some((each) => each.includes(wanted)));
}

function compare(name: string, operator: Operator, value: Token): Filter {
  const wanted = value.text.toLowerCase();
  switch (operator) {
    case '=':
      return (fields) => isEqual(fields[name], wanted);
    case '!=':
      return (fields) => !isEqual(fields[name], wanted);
    case '~':
      return (fields) => textsOf(fields[name]).some((text) => text.includes(wanted));
    case '!~':
      return (fields) => !textsOf(fields[name]).some((text) => text.includes(wanted));
    default: {
      if (DATE.test(value.text)) return (fields) => isDated(fields[name], operator, value.text);
      const limit = numberIn(value);
      return (fields) => {
        const given = fields[name];
        return typeof given === 'number' && isInOrder(given, operator, limit);
      };
    }
  }
}

function isEqual(given: FilterFields[string] | undefined, wanted: string): boolean {
  if (typeof given === 'number') return given === parseNumber(wanted);
  return textsOf(given).includes(wanted);
}

type Comparison = '<' | '<=' | '>' | '>=';

/** A day, with or without a time. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]{1,12}Z?)?$/;

/** Only the part that is given counts: `date <= 2026-11-15` is true for the whole day. */
function isDated(given: FilterFields[string] | undefined, operator: Comparison, limit: string): boolean {
  if (typeof given !== 'string') return false;
  const order = Number(given.slice(0, limit.length) > limit) - Number(given.slice(0, limit.length) < limit);
  return isInOrder(order, operator, 0);
}

function isInOrder(given: number, operator: Comparison, limit: number): boolean {
  if (operator === '<') return given < limit;
  if (operator === '<=') return given <= limit;
  return operator === '>' ? given > limit : given >= limit;
}

function numberIn({ text, at }: Token): number {
  const number = parseNumber(text);
  if (Number.isNaN(number)) throw wrong(`"${text}" at ${at} is no number.`);
  return number;
}

const UNITS: Record<string, number> = { '': 1, '%': 0.01, ms: 0.001, s: 1, min: 60, h: 3600, d: 86_400 };

/** `90%` is 0.9, `$0.10` is 0.1, and times are in seconds: `5min` is 300. */
function parseNumber(text: string): number {
  const [, digits, unit = ''] = /^\$?(-?\d{0,15}\.?\d{1,15})(%|ms|s|min|h|d|)$/.exec(text) ?? [];
  return Number(digits ?? Number.NaN) * (UNITS[unit] ?? 1);
}

function textsOf(value: FilterFields[string] | undefined): string[] {
  if (typeof value === 'string') return [value.toLowerCase()];
  return Array.isArray(value) ? value.map((text) => text.toLowerCase()) : [];
}

function wrong(message: string): SalvoError {
  return new SalvoError('FILTER_INVALID', message);
}
