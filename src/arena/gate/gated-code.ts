import type { BlockView } from '../../iac/evaluate/block-view.ts';
import { createScope, type Scope } from '../../iac/evaluate/scope.ts';
import { type Json, knownPart } from '../../iac/evaluate/value.ts';
import { type CodeNode, jsonNode } from '../../iac/read/code-node.ts';
import { codeReader } from '../../iac/read/code-reader.ts';
import type { Attribute } from '../../iac/syntax/expression.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import { parseAddress, type ResourceAddress } from '../../match/claims/resource-address.ts';

/** A block that a claim can name or quote. */
export interface GatedBlock {
  kind: 'resource' | 'data' | 'other';
  /** As in the file: `aws_s3_bucket.data`. */
  address: string;
  type: string;
  /** Null for a single attribute: a local, or a value of a `.tfvars` file. */
  code: Block | null;
  source: SourceFile;
  text: string;
  line: number;
  end_line: number;
  /** One for each module call that contains the block. */
  addresses(): readonly ResourceAddress[];
  /** One for each instance; with `count = 0`, the block as it is written. */
  nodes(): readonly CodeNode[];
  /** The evaluated values of the nodes. */
  values(): readonly Json[];
  /** False when the block has no instance, or perhaps none: `count = 0`, or an unknown condition. */
  deployed(): boolean;
}

/** The code of a manifest, parsed and evaluated once for all entries. */
export interface GatedCode {
  files: Files;
  /** By name, without files in unsupported languages. */
  sources: ReadonlyMap<string, SourceFile>;
  blocks: readonly GatedBlock[];
}

type Files = Readonly<Record<string, string>>;

/** The gate and its rules checker read the same files. */
const readCode = new WeakMap<Files, Promise<GatedCode>>();

export function readGatedCode(files: Files): Promise<GatedCode> {
  const code = readCode.get(files) ?? parseGatedCode(files);
  readCode.set(files, code);
  return code;
}

async function parseGatedCode(files: Files): Promise<GatedCode> {
  const project = await parseCode(files);
  const scope = createScope(project);
  const views = Map.groupBy(scope.instances(), (view) => view.block);
  const blocks = project.files.flatMap((source) => [
    ...source.blocks.flatMap((block) => gatedBlocks(scope, source, block, views)),
    ...source.attributes.map((attribute) => gatedAttribute(scope, source, attribute, `var.${attribute.name}`)),
  ]);
  return { files, sources: new Map(project.files.map((source) => [source.file, source])), blocks };
}

function gatedBlocks(
  scope: Scope,
  source: SourceFile,
  block: Block,
  views: ReadonlyMap<Block, readonly BlockView[]>,
): GatedBlock[] {
  if (block.type === 'locals') {
    return block.attributes.map((attribute) => gatedAttribute(scope, source, attribute, `local.${attribute.name}`));
  }
  const { address, labels, line, end_line } = block;
  const instances = views.get(block) ?? [];
  const addresses = once(() => {
    const found = instances.map(({ blockAddress }) => blockAddress);
    return [...new Set(found.length > 0 ? found : [address])].map((each) => parseAddress(each));
  });
  const nodes = once(() => {
    const reader = codeReader(scope);
    return instances.length > 0 ? instances.map((view) => reader.instance(view)) : [reader.block(block, source.file)];
  });
  return [
    {
      kind: block.type === 'resource' || block.type === 'data' ? block.type : 'other',
      address,
      type: labels.length > 1 ? (labels[0] ?? '') : '',
      code: block,
      source,
      text: source.text.slice(block.range.start, block.range.end),
      line,
      end_line,
      addresses,
      nodes,
      values: once(() => nodes().map(({ json }) => json)),
      deployed: () => instances.length > 0 && instances.every(({ certain }) => certain),
    },
  ];
}

/** A local, or a value of a `.tfvars` file: an attribute with an address of its own. */
function gatedAttribute(scope: Scope, source: SourceFile, attribute: Attribute, address: string): GatedBlock {
  const { name, value, range, line, end_line } = attribute;
  const text = source.text.slice(range.start, range.end);
  const spot = { file: source.file, line, end_line, text };
  const values = once(() => [{ [name]: knownPart(scope.resolve(value, source.file)) }]);
  return {
    kind: 'other',
    address,
    type: '',
    code: null,
    source,
    text,
    line,
    end_line,
    addresses: once(() => [parseAddress(address)]),
    nodes: once(() => values().map((json) => jsonNode(json, spot, false))),
    values,
    deployed: () => true,
  };
}

function once<T>(make: () => T): () => T {
  let made: { it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}
