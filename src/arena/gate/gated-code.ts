import { createScope, type Scope } from '../../iac/evaluate/scope.ts';
import { type Json, knownPart } from '../../iac/evaluate/value.ts';
import type { Attribute } from '../../iac/syntax/expression.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import { parseAddress, type ResourceAddress } from '../../match/claims/resource-address.ts';
import { instanceJson, isDeployed } from './instance-json.ts';

/** A block that a claim can name, or quote. */
export interface GatedBlock {
  kind: 'resource' | 'data' | 'other';
  /** As in the file: `aws_s3_bucket.data`. */
  address: string;
  type: string;
  source: SourceFile;
  text: string;
  line: number;
  end_line: number;
  /** Under all addresses that it has, one for each module that brings it. */
  addresses(): readonly ResourceAddress[];
  /** What it comes to, once for each instance. */
  values(): readonly Json[];
  /** False when nothing comes of it, or perhaps nothing: `count = 0`, or a condition that is not known. */
  deployed(): boolean;
}

/** The code that a manifest speaks of, parsed and worked out once for all of its entries. */
export interface GatedCode {
  files: Readonly<Record<string, string>>;
  /** By name; a file in a language that we do not read is not among them. */
  sources: ReadonlyMap<string, SourceFile>;
  blocks: readonly GatedBlock[];
}

export async function readGatedCode(files: Readonly<Record<string, string>>): Promise<GatedCode> {
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
  views: ReadonlyMap<Block, readonly { blockAddress: string }[]>,
): GatedBlock[] {
  if (block.type === 'locals') {
    return block.attributes.map((attribute) => gatedAttribute(scope, source, attribute, `local.${attribute.name}`));
  }
  const { address, labels, line, end_line } = block;
  const addresses = once(() => {
    const found = (views.get(block) ?? []).map(({ blockAddress }) => blockAddress);
    return [...new Set(found.length > 0 ? found : [address])].map((each) => parseAddress(each));
  });
  return [
    {
      kind: block.type === 'resource' || block.type === 'data' ? block.type : 'other',
      address,
      type: labels.length > 1 ? (labels[0] ?? '') : '',
      source,
      text: source.text.slice(block.range.start, block.range.end),
      line,
      end_line,
      addresses,
      values: once(() => instanceJson(scope, block, source.file)),
      deployed: once(() => isDeployed(scope, block)),
    },
  ];
}

/** A local, or a value of a `.tfvars` file: one attribute that has an address of its own. */
function gatedAttribute(scope: Scope, source: SourceFile, attribute: Attribute, address: string): GatedBlock {
  const { name, value, range, line, end_line } = attribute;
  return {
    kind: 'other',
    address,
    type: '',
    source,
    text: source.text.slice(range.start, range.end),
    line,
    end_line,
    addresses: once(() => [parseAddress(address)]),
    values: once(() => [{ [name]: knownPart(scope.resolve(value, source.file)) }]),
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
