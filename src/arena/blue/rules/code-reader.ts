import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import type { Scope } from '../../../iac/evaluate/scope.ts';
import { knownPart, type Value } from '../../../iac/evaluate/value.ts';
import type { Attribute, Expression, TextRange } from '../../../iac/syntax/expression.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { Block } from '../../../iac/syntax/source-file.ts';
import { lineIndex } from '../../../text/line-index.ts';
import type { CodeNode, Spot } from './code-node.ts';
import { jsonNode } from './json-node.ts';
import { policyDocumentNode } from './policy-document-node.ts';

/** Reads blocks and values of a project as nodes. */
export interface CodeReader {
  /** What a resource or a data source comes to. */
  instance(view: BlockView): CodeNode;
  /** A block that is no resource, as it is written: a provider. */
  block(block: Block, file: string): CodeNode;
  /**
   * The line on which a text stands, inside of a spot; the spot itself when it is not there to be found. The first
   * few may be passed over.
   */
  lineIn(spot: Spot, text: string, passOver?: number): Spot;
  /** The first line of a block. */
  head(block: Block, file: string): Spot;
}

/** What is written inside of these is what is meant. */
const ENCODINGS = new Set(['jsonencode', 'base64encode', 'Fn::ToJsonString', 'Fn::Base64']);

/** A name whose only unknown part is the partition: everything means the same in all of them. */
const PARTITION = /^arn:\$\{[^{}]*\}:(?=[^$]*$)/;

/** Long enough to see what it is about. */
const MOST_TEXT = 600;

export function createCodeReader(project: CodeProject, scope: Scope): CodeReader {
  const sources = new Map(project.files.map(({ file, text }) => [file, { text, lines: lineIndex(text) }]));
  const documents = new Map<string, BlockView>();
  for (const view of scope.instances('aws_iam_policy_document')) documents.set(view.address, view);
  const nodes = new WeakMap<BlockView, CodeNode>();

  const spotAt = (file: string, range: TextRange): Spot => {
    const source = sources.get(file);
    if (!source) return { file, line: 1, end_line: 1, text: '' };
    const line = source.lines.line(range.start);
    const end_line = source.lines.line(Math.max(range.start, range.end - 1));
    return { file, line, end_line, text: source.text.slice(range.start, Math.min(range.end, range.start + MOST_TEXT)) };
  };
  const head = (block: Block, file: string): Spot => {
    const { line, text } = spotAt(file, block.range);
    return { file, line, end_line: line, text: text.split(/\r?\n/, 1)[0] ?? '' };
  };

  const attribute = (it: Attribute, { file, where, root }: Omit<At, 'spot'>): CodeNode[] =>
    expression(it.value, { file, where, root, spot: spotAt(file, it.range) });

  /** None for null and for `AWS::NoValue`, which say that there is nothing. */
  const expression = (it: Expression, at: At): CodeNode[] => {
    if (it.kind === 'call' && ENCODINGS.has(it.name) && it.args[0]) {
      return expression(it.args[0], at);
    }
    const document = it.kind === 'reference' && at.root ? documentOf(it, at.root) : undefined;
    if (document) return [policyDocumentNode(instance(document), at.spot)];
    if (it.kind !== 'object' && it.kind !== 'list') return valueNodes(scope.resolve(it, at.where), at.spot);
    let value: Value | undefined;
    const node: CodeNode = {
      spot: at.spot,
      known: true,
      get json() {
        value ??= scope.resolve(it, at.where);
        return knownPart(value);
      },
      children: (name) => {
        if (it.kind === 'list') return node.items().flatMap((item) => item.children(name));
        const entry = it.entries.findLast((candidate) => candidate.name === name);
        return entry ? attribute(entry, at) : [];
      },
      items: () => {
        if (it.kind !== 'list') return [node];
        return it.items.flatMap((item) => expression(item, { ...at, spot: spotAt(at.file, item.range) }));
      },
      names: () => (it.kind === 'object' ? it.entries.map(({ name }) => name) : []),
    };
    return [node];
  };

  /** What `data.aws_iam_policy_document.x.json` refers to; its statements have places of their own. */
  const documentOf = (
    { steps }: Extract<Expression, { kind: 'reference' }>,
    root: BlockView,
  ): BlockView | undefined => {
    const [kind, type, name, ...rest] = steps;
    if (kind !== 'data' || type !== 'aws_iam_policy_document' || rest.at(-1) !== 'json') return undefined;
    const prefix = root.blockAddress.slice(0, root.blockAddress.length - root.block.address.length);
    const key = rest.length > 1 ? `[${JSON.stringify(rest[0])}]` : '';
    const view = documents.get(`${prefix}data.${type}.${name}${key}`);
    // With other documents merged into it, its own statements are not all there is.
    return view?.names().some((one) => /^(?:source|override)_/.test(one)) ? undefined : view;
  };

  const instance = (view: BlockView): CodeNode => blockNode(view, view, head(view.block, view.file));

  const blockNode = (view: BlockView, root: BlockView, spot: Spot): CodeNode => {
    const known = nodes.get(view);
    if (known) return known;
    const found = new Map<string, CodeNode[]>();
    const node: CodeNode = {
      spot,
      known: true,
      json: null,
      children: (name) => {
        const before = found.get(name);
        if (before) return before;
        const children = read(name);
        found.set(name, children);
        return children;
      },
      items: () => [node],
      names: () => view.names(),
    };
    const read = (name: string): CodeNode[] => {
      const own = view.get(name);
      if (own) return attribute(own.attribute, { file: own.file, where: view, root });
      return view.blocks(name).map((nested) => {
        const { file, line, end_line, block } = nested;
        const text = head(block, file).text || name;
        return blockNode(nested, root, { file, line, end_line: Math.min(line, end_line), text });
      });
    };
    nodes.set(view, node);
    return node;
  };

  return {
    head,
    instance,
    block: (block, file) => {
      const node: CodeNode = {
        spot: head(block, file),
        known: true,
        json: null,
        children: (name) => {
          const own = block.attributes.filter((one) => one.name === name);
          return own.flatMap((one) => attribute(one, { file, where: file, root: null }));
        },
        items: () => [node],
        names: () => block.attributes.map(({ name }) => name),
      };
      return node;
    },
    lineIn: (spot, text, passOver = 0) => {
      const source = sources.get(spot.file);
      if (!source || text === '') return spot;
      const inside = source.text.slice(source.lines.start(spot.line), source.lines.start(spot.end_line + 1));
      let at = inside.indexOf(text);
      for (let passed = 0; passed < passOver && at >= 0; passed += 1) at = inside.indexOf(text, at + text.length);
      if (at < 0) return spot;
      const line = source.lines.line(source.lines.start(spot.line) + at);
      const whole = source.text.slice(source.lines.start(line), source.lines.start(line + 1));
      return { file: spot.file, line, end_line: line, text: whole.trim().slice(0, MOST_TEXT) };
    },
  };
}

interface At {
  file: string;
  where: BlockView | string;
  /** The resource that all this is about. */
  root: BlockView | null;
  spot: Spot;
}

function valueNodes(value: Value, spot: Spot): CodeNode[] {
  const isNothing = value.known ? value.value === null : value.reason === 'AWS::NoValue';
  if (isNothing) return [];
  const part = knownPart(value);
  if (typeof part === 'string' && PARTITION.test(part)) {
    return [jsonNode(part.replace(PARTITION, 'arn:aws:'), spot, true)];
  }
  return [jsonNode(part, spot, value.known)];
}
