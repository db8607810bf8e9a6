import type { Attribute, Expression, TextRange } from './expression.ts';
import type { Block } from './source-file.ts';
import { blockAddress } from './terraform-address.ts';
import { readExpression } from './terraform-expression.ts';
import { addProblem, attributeOf, MAX_DEPTH, type TerraformReading } from './terraform-reading.ts';

export interface Body {
  attributes: Attribute[];
  blocks: Block[];
}

/** The attributes and blocks among the children of a node, even if the code around them is broken. */
export function readBody(reading: TerraformReading, around: Pick<Block, 'address'> | null, depth = 0): Body {
  const body: Body = { attributes: [], blocks: [] };
  gather(reading, around, body, depth);
  checkLayout(reading, body);
  return body;
}

function gather(reading: TerraformReading, around: Pick<Block, 'address'> | null, body: Body, depth: number): void {
  const { walk } = reading;
  if (depth > MAX_DEPTH) {
    addProblem(reading, walk.start, `blocks are nested more than ${MAX_DEPTH} levels deep`);
    return;
  }
  if (!walk.down()) return;
  do {
    if (walk.type === 'attribute') body.attributes.push(readAttribute(reading, depth + 1));
    else if (walk.type === 'block') body.blocks.push(readBlock(reading, around, depth + 1));
    else if (walk.type === 'body' || walk.type === 'ERROR') gather(reading, around, body, depth + 1);
  } while (walk.next());
  walk.up();
}

function readAttribute(reading: TerraformReading, depth: number): Attribute {
  const { walk, text } = reading;
  const range = { start: walk.start, end: walk.end };
  let nameRange = { start: range.start, end: range.start };
  let value: Expression | null = null;
  if (walk.down()) {
    do {
      if (walk.type === 'identifier') nameRange = { start: walk.start, end: walk.end };
      else if (walk.type === 'expression') value = readExpression(reading, depth);
    } while (walk.next());
    walk.up();
  }
  value ??= { kind: 'other', range: { start: range.end, end: range.end }, text: '' };
  return attributeOf(reading, { name: text.slice(nameRange.start, nameRange.end), nameRange, range, value });
}

function readBlock(reading: TerraformReading, around: Pick<Block, 'address'> | null, depth: number): Block {
  const { walk, text, lines } = reading;
  const range = { start: walk.start, end: walk.end };
  const head: string[] = [];
  const body: Body = { attributes: [], blocks: [] };
  let bodyRange: TextRange = { start: range.end, end: range.end };
  let address = '';
  if (walk.down()) {
    do {
      if (walk.type === 'identifier') head.push(text.slice(walk.start, walk.end));
      else if (walk.type === 'string_lit') head.push(text.slice(walk.start + 1, walk.end - 1));
      else if (walk.type === 'block_start') {
        bodyRange = { start: walk.end, end: range.end };
        address = blockAddress(head, around);
        const [from, to] = [lines.line(range.start), lines.line(walk.start)];
        if (from !== to) addProblem(reading, walk.start, 'the opening brace belongs on the line of the block it opens');
      } else if (walk.type === 'body' || walk.type === 'ERROR') gather(reading, { address }, body, depth);
      else if (walk.type === 'block_end') bodyRange.end = walk.start;
    } while (walk.next());
    walk.up();
  }
  checkLayout(reading, body);
  const [type = '', ...labels] = head;
  const [line, end_line] = [lines.line(range.start), lines.line(Math.max(range.start, range.end - 1))];
  return { type, labels, address, ...body, settings: [], range, bodyRange, line, end_line };
}

/** The grammar ignores line breaks and accepts duplicate names, which Terraform does not. */
function checkLayout(reading: TerraformReading, { attributes, blocks }: Body): void {
  const { lines } = reading;
  const names = new Set<string>();
  for (const { name, nameRange } of attributes) {
    if (names.has(name)) addProblem(reading, nameRange.start, `"${name}" is given twice in this block`);
    names.add(name);
  }
  const items = [...attributes, ...blocks].sort((a, b) => a.range.start - b.range.start);
  let before: { end_line: number } | null = null;
  for (const item of items) {
    if (before?.end_line === lines.line(item.range.start)) {
      addProblem(reading, item.range.start, 'a line break is missing here');
    }
    before = item;
  }
}
