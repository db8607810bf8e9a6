import { once, remembered } from 'salvo/kit/text';
import type { BlockView } from '../iac/evaluate/block-view.ts';
import { createScope, type Scope } from '../iac/evaluate/scope.ts';
import { type Json, knownPart } from '../iac/evaluate/value.ts';
import { codeBlocksIn } from '../iac/read/code-blocks.ts';
import { type CodeNode, jsonNode } from '../iac/read/code-node.ts';
import { codeReader } from '../iac/read/code-reader.ts';
import { referencesIn } from '../iac/read/references.ts';
import type { Attribute } from '../iac/syntax/expression.ts';
import { parseCode } from '../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../iac/syntax/source-file.ts';
import { parseAddress, type ResourceAddress } from '../match/claims/resource-address.ts';
import { nameFinder } from '../match/source/names-in-code.ts';
import { codeWords } from './quoted-code.ts';

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
  /** Resources that refer to this one: `aws_s3_bucket_versioning` to its bucket. */
  referringTo: GatedBlock[];
  /** Resources and data sources that this one refers to. */
  referredTo: GatedBlock[];
  /** Its code in words, in which quotes are searched. */
  words(): string;
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
export type GatedCode = Awaited<ReturnType<typeof parseGatedCode>>;

type Files = Readonly<Record<string, string>>;

/** The gate and its rules checker read the same files. */
const readCode = new WeakMap<Files, Promise<GatedCode>>();

export function readGatedCode(files: Files): Promise<GatedCode> {
  return remembered(readCode, files, () => parseGatedCode(files));
}

async function parseGatedCode(files: Files) {
  const project = await parseCode(files);
  const scope = createScope(project);
  const views = Map.groupBy(scope.instances(), (view) => view.block);
  const blocks = project.files.flatMap((source) => [
    ...source.blocks.flatMap((block) => gatedBlocks(scope, source, block, views)),
    ...source.attributes.map((attribute) => gatedAttribute(scope, source, attribute, `var.${attribute.name}`)),
  ]);
  link(blocks, project.files);
  /** By name, without files in unsupported languages. */
  const sources = new Map(project.files.map((source) => [source.file, source]));
  const words = new Map<string, string>();
  /** The code of a file in words. */
  const wordsOf = (file: string) => remembered(words, file, () => codeWords(files[file] ?? ''));
  /** The address of what is called by its name in the cloud, or described. */
  const addressOf = nameFinder({ files, project, blocks: codeBlocksIn(project), scope: () => scope });
  return { files, scope, sources, blocks, wordsOf, addressOf };
}

function link(blocks: readonly GatedBlock[], files: readonly SourceFile[]): void {
  const gated = new Map(blocks.flatMap((block) => (block.code ? [[block.code, block] as const] : [])));
  for (const [from, targets] of referencesIn(files)) {
    const block = gated.get(from);
    if (!block) continue;
    block.referredTo = [...targets].flatMap((target) => gated.get(target) ?? []);
    for (const other of block.referredTo) other.referringTo.push(block);
  }
}

/** The number of references from a role through an attachment and a policy to its document. */
const FURTHEST = 3;
const POLICY = /polic|document|attachment/i;

/** All blocks whose code can contain a flaw of these: themselves, their neighbours, and the policies of those. */
export function blocksAround(centre: readonly GatedBlock[]): ReadonlySet<GatedBlock> {
  const near = new Set(centre.flatMap((block) => [block, ...block.referringTo, ...block.referredTo]));
  let edge = [...near];
  for (let step = 1; step < FURTHEST; step += 1) {
    const next = edge.flatMap(({ referredTo }) => referredTo);
    edge = next.filter((block) => !near.has(block) && (block.kind === 'data' || POLICY.test(block.type)));
    for (const block of edge) near.add(block);
  }
  return near;
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
  const { address, labels, type } = block;
  const instances = views.get(block) ?? [];
  const nodes = once(() => {
    const reader = codeReader(scope);
    return instances.length > 0 ? instances.map((view) => reader.instance(view)) : [reader.block(block, source.file)];
  });
  return [
    {
      ...placedCode(source, block),
      kind: type === 'resource' || type === 'data' ? type : 'other',
      address,
      type: labels.length > 1 ? (labels[0] ?? '') : '',
      code: block,
      addresses: once(() => {
        const found = instances.map(({ blockAddress }) => blockAddress);
        return [...new Set(found.length > 0 ? found : [address])].map((each) => parseAddress(each));
      }),
      nodes,
      values: once(() => nodes().map(({ json }) => json)),
      deployed: () => instances.length > 0 && instances.every(({ certain }) => certain),
    },
  ];
}

/** A local, or a value of a `.tfvars` file: an attribute with an address of its own. */
function gatedAttribute(scope: Scope, source: SourceFile, attribute: Attribute, address: string): GatedBlock {
  const { name, value } = attribute;
  const placed = placedCode(source, attribute);
  const values = once(() => [{ [name]: knownPart(scope.resolve(value, source.file)) }]);
  return {
    ...placed,
    kind: 'other',
    address,
    type: '',
    code: null,
    addresses: once(() => [parseAddress(address)]),
    nodes: once(() => values().map((json) => jsonNode(json, { ...placed, file: source.file }, false))),
    values,
    deployed: () => true,
  };
}

function placedCode(source: SourceFile, { range, line, end_line }: Block | Attribute) {
  const text = source.text.slice(range.start, range.end);
  return { source, text, line, end_line, referringTo: [], referredTo: [], words: once(() => codeWords(text)) };
}
