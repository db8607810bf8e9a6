import type { Node, Parser, ParseState, Tree } from 'web-tree-sitter';
import type { TextRange } from './expression.ts';
import { linesOf } from './placed-syntax.ts';
import { SyntaxWalk } from './syntax-walk.ts';
import { type Body, readBody } from './terraform-body.ts';
import { addProblem, blockAddress, type TerraformReading } from './terraform-reading.ts';

/** A part of a text from the head of a block up to the next head. */
export interface TerraformPart {
  start: number;
  end: number;
  /** `['resource', 'aws_s3_bucket', 'data']`; null for the text before the first head. */
  head: string[] | null;
  /** After the opening brace. */
  bodyStart: number;
}

/** The body of a part of a text. Positions are those in the whole text. */
export interface PartBody extends Body {
  comments: TextRange[];
}

/** Enough for 600 kB of the worst garbage, and far more than real code needs. */
const MAX_PATIENCE = 20_000;

interface PartReading extends Omit<TerraformReading, 'walk'> {
  parser: Parser;
  part: TerraformPart;
  /** `intact`: the result is null if the part has any error. */
  wanted: 'intact' | 'any';
  /** The text for the grammar: see `maskTerraform`. */
  masked: string;
  /** Put before the part to make it valid Terraform. */
  prefix?: string;
}

export function readTerraformPart({
  parser,
  part,
  wanted,
  masked,
  prefix = '',
  ...reading
}: PartReading): PartBody | null {
  const { text } = reading;
  const { start, end } = part;
  const isAll = start === 0 && end === text.length && prefix === '';
  const piece = isAll ? masked : prefix + masked.slice(start, end);
  const offset = start - prefix.length;
  // The grammar misses the end of a heredoc at the end of a text.
  const tree = parseUntil(parser, piece.endsWith('\n') ? piece : `${piece}\n`, wanted === 'intact' ? 0 : MAX_PATIENCE);
  if (!tree) {
    if (wanted === 'intact') return null;
    addProblem(reading, start, 'this is too broken to be read');
    return { ...brokenBody(reading, part, { attributes: [], blocks: [] }), comments: [] };
  }
  const walk = new SyntaxWalk(tree.walk(), offset);
  try {
    const isBroken = tree.rootNode.hasError;
    if (isBroken && wanted === 'intact') return null;
    if (isBroken) {
      for (const error of terraformErrors(tree.rootNode, isAll ? text : prefix + text.slice(start, end))) {
        addProblem(reading, error.offset + offset, error.message);
      }
    }
    const body = readBody({ ...reading, walk }, null);
    return { ...(isBroken ? brokenBody(reading, part, body) : body), comments: walk.comments };
  } finally {
    // Both are in WebAssembly memory, which is not garbage-collected.
    walk.free();
    tree.delete();
  }
}

/** Null when a text with errors takes the parser too long: `patience` is the number of progress callbacks it gets. */
function parseUntil(parser: Parser, text: string, patience: number): Tree | null {
  let asked = 0;
  const progressCallback = ({ hasError }: ParseState) => {
    if (hasError) asked += 1;
    return asked > patience;
  };
  const tree = parser.parse(text, null, { progressCallback });
  if (!tree) parser.reset();
  return tree;
}

/** If the outer block was not recognised, it is restored from its head, with the readable rest of its body. */
function brokenBody({ text, lines }: Omit<TerraformReading, 'walk'>, part: TerraformPart, body: Body): Body {
  const { start, head, bodyStart } = part;
  if (!head || body.blocks[0]?.range.start === start) return body;
  const [type = '', ...labels] = head;
  const end = start + text.slice(start, part.end).trimEnd().length;
  const range = { start, end };
  const address = blockAddress(head, null);
  const bodyRange = { start: bodyStart, end };
  const block = { type, labels, address, ...body, settings: [], range, bodyRange, ...linesOf(lines, range) };
  return { attributes: [], blocks: [block] };
}

/** A head starts a line without indentation, as `terraform fmt` formats it. The pattern takes linear time. */
const HEAD = /^([A-Za-z_][\w-]*)((?:[ \t]+(?:"[^"\r\n]*"|[A-Za-z_][\w-]*))*)[ \t]*\{/gm;

/** Splits a broken file into parts that are parsed one by one, so that intact blocks are not lost. */
export function splitBrokenTerraform(text: string, start: number): TerraformPart[] {
  const parts: TerraformPart[] = [];
  HEAD.lastIndex = start;
  for (let match = HEAD.exec(text); match; match = HEAD.exec(text)) {
    const labels = (match[2] ?? '').match(/"[^"]*"|[^\s"]+/g) ?? [];
    const head = [match[1] ?? '', ...labels.map((label) => label.replaceAll('"', ''))];
    const before = parts.at(-1);
    if (before) before.end = match.index;
    else if (text.slice(start, match.index).trim() !== '') {
      parts.push({ start, end: match.index, head: null, bodyStart: start });
    }
    parts.push({ start: match.index, end: text.length, head, bodyStart: HEAD.lastIndex });
  }
  return parts.length > 0 ? parts : [{ start, end: text.length, head: null, bodyStart: start }];
}

interface SyntaxError {
  offset: number;
  message: string;
}

/** After the first few errors, the parser is guessing. */
const MOST = 5;
/** A node with more children is garbage. To list them all would fill the parser's memory. */
const MOST_CHILDREN = 20_000;
const PLACES = new Set(['body', 'attribute', 'block', 'block_start', 'object_elem', 'expression']);

/** The errors in a syntax tree, in readable words. */
function terraformErrors(root: Node, text: string): SyntaxError[] {
  const found: SyntaxError[] = [];
  const unclosed: SyntaxError[] = [];
  const open: Node[] = [root];
  for (let node = open.pop(); node && found.length < MOST; node = open.pop()) {
    if (node.isMissing) unclosed.push(missing(node));
    else if (node.childCount > MOST_CHILDREN) found.push({ offset: node.startIndex, message: 'cannot be understood' });
    else if (node.isError && !node.children.some(({ hasError }) => hasError)) found.push(notUnderstood(node, text));
    else {
      const faulty = node.children.filter(({ hasError, isMissing }) => hasError || isMissing);
      open.push(...faulty.slice(0, MOST).reverse());
    }
  }
  // A block without an end is mostly the consequence of an error inside of it.
  if (found.length > 0) return found;
  // A string without an end swallows the ends of everything around it.
  const strings = unclosed.filter(({ message }) => message.includes('string'));
  if (strings.length > 0) return strings;
  return unclosed.length > 0 ? unclosed.slice(0, MOST) : [{ offset: 0, message: 'this is not Terraform' }];
}

const NAMES: Record<string, string> = { block: 'block', tuple: 'list', object: 'object', string_lit: 'string' };

function missing(node: Node): SyntaxError {
  const token = node.type === 'quoted_template_end' ? '"' : node.type;
  let around = node.parent;
  if (around?.type.endsWith('_end')) around = around.parent;
  const name = NAMES[around?.type ?? ''];
  if (!around || name === undefined) return { offset: node.startIndex, message: `a ${token} is missing` };
  return { offset: around.startIndex, message: `this ${name} is not closed: a ${token} is missing` };
}

/** An error node may include intact code. The error itself is after the last part that the parser could read. */
function notUnderstood(node: Node, text: string): SyntaxError {
  const { children } = node;
  const last = children.findLastIndex(({ type }) => PLACES.has(type));
  const offset = (children[last + 1] ?? node).startIndex;
  const line = /^[^\r\n]{0,40}/.exec(text.slice(offset, offset + 40))?.[0] ?? '';
  return { offset, message: line === '' ? 'something is missing here' : `cannot be understood from here: ${line}` };
}
