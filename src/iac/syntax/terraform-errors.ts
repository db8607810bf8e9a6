import type { Node } from 'web-tree-sitter';

interface SyntaxError {
  offset: number;
  message: string;
}

/** As many as help; behind the first few, the parser is guessing. */
const MOST = 5;
/** What has more parts than this is garbage; to list them would take the parser's memory. */
const MOST_CHILDREN = 20_000;
const PLACES = new Set(['body', 'attribute', 'block', 'block_start', 'object_elem', 'expression']);

/** Where the syntax tree of a text has errors, as a person would say it. */
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
  // A block that seems to have no end is mostly the consequence of what could not be understood in it.
  if (found.length > 0) return found;
  // A string without an end takes in the ends of all that it stands in.
  const strings = unclosed.filter(({ message }) => message.includes('string'));
  if (strings.length > 0) return strings;
  return unclosed.length > 0 ? unclosed.slice(0, MOST) : [{ offset: 0, message: 'this is not Terraform' }];
}

const NAMES: Record<string, string> = { block: 'block', tuple: 'list', object: 'object', string_lit: 'string' };

function missing(node: Node): SyntaxError {
  const sign = node.type === 'quoted_template_end' ? '"' : node.type;
  let around = node.parent;
  if (around?.type.endsWith('_end')) around = around.parent;
  const name = NAMES[around?.type ?? ''];
  if (!around || name === undefined) return { offset: node.startIndex, message: `a ${sign} is missing` };
  return { offset: around.startIndex, message: `this ${name} is not closed: a ${sign} is missing` };
}

/** An error may take in what stands before it; the parser got stuck behind the last part that it could read. */
function notUnderstood(node: Node, text: string): SyntaxError {
  const { children } = node;
  const last = children.findLastIndex(({ type }) => PLACES.has(type));
  const offset = (children[last + 1] ?? node).startIndex;
  const line = /^[^\r\n]{0,40}/.exec(text.slice(offset, offset + 40))?.[0] ?? '';
  return { offset, message: line === '' ? 'something is missing here' : `cannot be understood from here: ${line}` };
}
