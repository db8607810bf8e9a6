import type { Parser, ParseState, Tree } from 'web-tree-sitter';
import type { TextRange } from './expression.ts';
import { SyntaxWalk } from './syntax-walk.ts';
import { blockAddress } from './terraform-address.ts';
import { type Body, readBody } from './terraform-body.ts';
import { terraformErrors } from './terraform-errors.ts';
import { addProblem, type TerraformReading } from './terraform-reading.ts';
import type { TerraformPart } from './terraform-recovery.ts';

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
  const [line, end_line] = [lines.line(start), lines.line(Math.max(start, end - 1))];
  const address = blockAddress(head, null);
  const bodyRange = { start: bodyStart, end };
  return {
    attributes: [],
    blocks: [{ type, labels, address, ...body, settings: [], range, bodyRange, line, end_line }],
  };
}
