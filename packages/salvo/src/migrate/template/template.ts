import { isRecord } from '../../text/json/is-record.ts';
import { compileTemplateExpression, type Expression, type Scope, TemplateGap } from './expression.ts';
import { isTrue, shownValue } from './filters.ts';

/** A text with `{{ }}` and `{% %}`, as Nunjucks reads it. */
export interface TextTemplate {
  /** The names of the variables that it reads. */
  names: ReadonlySet<string>;
  /** Only text and `{{name}}` or `{{name.part}}`: what a template of Salvo can be. */
  isPlain: boolean;
  render(scope: Scope): string;
}

/** More output than a prompt has. */
const MOST_CHARACTERS = 2_000_000;
const MOST_STEPS = 200_000;

type Part = { kind: 'text'; text: string } | { kind: 'value' | 'tag'; text: string };

const PLAIN = /^\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\s*$/;

/** Compiles a template. Throws a `TemplateGap` for what is not translated, and a `SyntaxError`. */
export function compileTextTemplate(text: string): TextTemplate {
  const names = new Set<string>();
  const parts = partsOf(text);
  const reader = { parts, at: 0, uses: (name: string) => names.add(name), depth: 0 };
  const block = compileBlock(reader, []);
  return {
    names,
    isPlain: parts.every(({ kind, text: part }) => kind === 'text' || (kind === 'value' && PLAIN.test(part))),
    render(scope) {
      const output = { texts: [] as string[], length: 0, steps: 0 };
      block({ ...scope }, (piece) => {
        output.length += piece.length;
        output.steps += 1;
        if (output.length > MOST_CHARACTERS || output.steps > MOST_STEPS)
          throw new TemplateGap('a text without an end');
        output.texts.push(piece);
      });
      return output.texts.join('');
    },
  };
}

/** Cuts a text at `{{`, `{%` and `{#`. A `-` beside them removes the space before or after. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  const add = (part: Part) => {
    if (part.kind !== 'text' || part.text !== '') parts.push(part);
  };
  let at = 0;
  let trims = false;
  while (at < text.length) {
    const open = /\{[{%#]/g;
    open.lastIndex = at;
    const found = open.exec(text);
    const start = found?.index ?? text.length;
    let literal = text.slice(at, start);
    if (trims) literal = literal.trimStart();
    if (!found) {
      add({ kind: 'text', text: literal });
      break;
    }
    const sign = found[0][1] ?? '';
    const close = { '{': '}}', '%': '%}', '#': '#}' }[sign] ?? '';
    const end = text.indexOf(close, start + 2);
    if (end === -1) throw new SyntaxError(`${found[0]} has no ${close}`);
    if (text[start + 2] === '-') literal = literal.trimEnd();
    add({ kind: 'text', text: literal });
    trims = text[end - 1] === '-' && end - 1 > start + 2;
    const inner = text.slice(start + (text[start + 2] === '-' ? 3 : 2), trims ? end - 1 : end);
    at = end + 2;
    if (sign === '%' && inner.trim() === 'raw') {
      const raw = /\{%-?\s{0,10}endraw\s{0,10}-?%\}/g;
      raw.lastIndex = at;
      const last = raw.exec(text);
      if (!last) throw new SyntaxError('{% raw %} has no {% endraw %}');
      add({ kind: 'text', text: text.slice(at, last.index) });
      at = raw.lastIndex;
    } else if (sign !== '#') add({ kind: sign === '{' ? 'value' : 'tag', text: inner });
  }
  return parts;
}

interface PartReader {
  parts: readonly Part[];
  at: number;
  uses: (name: string) => void;
  depth: number;
}

type Block = (scope: Record<string, unknown>, write: (text: string) => void) => void;

const MOST_NESTED = 30;

/** Reads up to a tag whose first word is one of `ends`, which stays the next one. */
function compileBlock(reader: PartReader, ends: readonly string[]): Block {
  reader.depth += 1;
  if (reader.depth > MOST_NESTED) throw new SyntaxError('tags are nested too deeply');
  const blocks: Block[] = [];
  for (; reader.at < reader.parts.length; reader.at += 1) {
    const part = reader.parts[reader.at];
    if (!part) break;
    if (part.kind === 'text') blocks.push((_, write) => write(part.text));
    else if (part.kind === 'value') {
      const value = compileTemplateExpression(part.text, reader.uses);
      blocks.push((scope, write) => write(shownValue(value(scope))));
    } else {
      if (ends.includes(wordOf(part))) break;
      blocks.push(compileTag(reader, part.text.trim()));
    }
  }
  if (ends.length > 0 && reader.at >= reader.parts.length) throw new SyntaxError(`{% ${ends.at(-1)} %} is missing`);
  reader.depth -= 1;
  return (scope, write) => {
    for (const block of blocks) block(scope, write);
  };
}

function wordOf({ text }: Part): string {
  return /^\s*(\w+)/.exec(text)?.[1] ?? '';
}

/** Leaves the reader at the last tag of the block. */
function compileTag(reader: PartReader, text: string): Block {
  const [, word = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(text) ?? [];
  if (word === 'if') return compileIf(reader, rest);
  if (word === 'for') return compileFor(reader, rest);
  if (word === 'set') {
    const [, name, expression] = /^(\w+)\s*=([\s\S]+)$/.exec(rest) ?? [];
    if (name === undefined || expression === undefined) throw new TemplateGap('{% set %} without a value');
    const value = compileTemplateExpression(expression, reader.uses);
    return (scope) => {
      scope[name] = value(scope);
    };
  }
  throw new TemplateGap(`the tag {% ${word} %}`);
}

function compileIf(reader: PartReader, first: string): Block {
  const branches: { condition: Expression; block: Block }[] = [];
  let other: Block = () => {};
  let condition: Expression | null = compileTemplateExpression(first, reader.uses);
  for (;;) {
    reader.at += 1;
    const block = compileBlock(reader, ['elif', 'elseif', 'else', 'endif']);
    if (condition) branches.push({ condition, block });
    else other = block;
    const part = reader.parts[reader.at];
    const word = part ? wordOf(part) : 'endif';
    if (word === 'endif') break;
    const rest = part?.text.trim().replace(/^\w+/, '') ?? '';
    condition = word === 'else' ? null : compileTemplateExpression(rest, reader.uses);
  }
  return (scope, write) => {
    const chosen = branches.find((branch) => isTrue(branch.condition(scope)));
    (chosen?.block ?? other)(scope, write);
  };
}

function compileFor(reader: PartReader, text: string): Block {
  const [, names = '', listed = ''] =
    /^(\w{1,100}(?:\s{0,5},\s{0,5}\w{1,100})?)\s{1,20}in\s([\s\S]+)$/.exec(text) ?? [];
  const [first = '', second] = names.split(',').map((name) => name.trim());
  if (first === '') throw new SyntaxError('{% for %} needs "name in list"');
  const list = compileTemplateExpression(listed, reader.uses);
  reader.at += 1;
  let block = compileBlock(reader, ['else', 'endfor']);
  let other: Block = () => {};
  const part = reader.parts[reader.at];
  if (part && wordOf(part) === 'else') {
    reader.at += 1;
    other = compileBlock(reader, ['endfor']);
  }
  const body = block;
  block = (scope, write) => {
    const value = list(scope);
    const items: unknown[] = isRecord(value) ? Object.entries(value) : Array.isArray(value) ? value : [];
    if (items.length === 0) other(scope, write);
    for (const [index, item] of items.entries()) {
      const pair: unknown[] = Array.isArray(item) ? item : [item];
      const own = second === undefined ? { [first]: item } : { [first]: pair[0], [second]: pair[1] };
      const loop = {
        index: index + 1,
        index0: index,
        first: index === 0,
        last: index === items.length - 1,
        length: items.length,
      };
      write('');
      body({ ...scope, ...own, loop }, write);
    }
  };
  return block;
}
