import type { Attribute, Expression, TextRange } from './expression.ts';
import { linesOf, placedAttribute } from './placed-syntax.ts';
import type { Block } from './source-file.ts';
import { readExpression } from './terraform-expression.ts';
import { addProblem, blockAddress, currentText, MAX_DEPTH, type TerraformReading } from './terraform-reading.ts';

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
  walk.forEachChild(() => {
    if (walk.type === 'attribute') body.attributes.push(readAttribute(reading, depth + 1));
    else if (walk.type === 'block') body.blocks.push(readBlock(reading, around, depth + 1));
    else if (walk.type === 'body' || walk.type === 'ERROR') gather(reading, around, body, depth + 1);
  });
}

function readAttribute(reading: TerraformReading, depth: number): Attribute {
  const { walk, text, lines } = reading;
  const { range } = walk;
  const { start, end } = range;
  let nameRange = { start, end: start };
  let value: Expression = { kind: 'other', range: { start: end, end }, text: '' };
  walk.forEachChild(() => {
    if (walk.type === 'identifier') nameRange = walk.range;
    else if (walk.type === 'expression') value = readExpression(reading, depth);
  });
  return placedAttribute(lines, { name: text.slice(nameRange.start, nameRange.end), nameRange, range, value });
}

function readBlock(reading: TerraformReading, around: Pick<Block, 'address'> | null, depth: number): Block {
  const { walk, lines } = reading;
  const { range } = walk;
  const head: string[] = [];
  const body: Body = { attributes: [], blocks: [] };
  let bodyRange: TextRange = { start: range.end, end: range.end };
  let address = '';
  walk.forEachChild(() => {
    if (walk.type === 'identifier') head.push(currentText(reading));
    else if (walk.type === 'string_lit') head.push(currentText(reading).slice(1, -1));
    else if (walk.type === 'block_start') {
      bodyRange = { start: walk.end, end: range.end };
      address = blockAddress(head, around);
      const [from, to] = [lines.line(range.start), lines.line(walk.start)];
      if (from !== to) addProblem(reading, walk.start, 'the opening brace belongs on the line of the block it opens');
    } else if (walk.type === 'body' || walk.type === 'ERROR') gather(reading, { address }, body, depth);
    else if (walk.type === 'block_end') bodyRange.end = walk.start;
  });
  checkLayout(reading, body);
  const [type = '', ...labels] = head;
  return { type, labels, address, ...body, settings: [], range, bodyRange, ...linesOf(lines, range) };
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
