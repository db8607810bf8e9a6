import type { Parser, ParseState, Tree } from 'web-tree-sitter';
import type { TextRange } from './expression.ts';
import { linesOf } from './placed-syntax.ts';
import { SyntaxWalk } from './syntax-walk.ts';
import { type Body, readBody } from './terraform-body.ts';
import { terraformErrors } from './terraform-errors.ts';
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
