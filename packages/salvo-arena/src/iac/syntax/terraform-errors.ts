import type { Node } from 'web-tree-sitter';

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
export function terraformErrors(root: Node, text: string): SyntaxError[] {
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
