import { remembered } from 'salvo/kit/text';
import { applyEdits } from '../../iac/edit/edits.ts';
import type { BlockView } from '../../iac/evaluate/block-view.ts';
import type { CodeNode, Spot } from '../../iac/read/code-node.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import type { Companions } from './companions.ts';
import type { ModuleResource } from './registry-modules.ts';
import type { Verdict } from './verdict.ts';

/** A block that a rule checks. */
export interface Subject {
  type: string;
  address: string;
  file: string;
  block: Block;
  node: CodeNode;
  /** Null for a block that is not a resource. */
  view: BlockView | null;
  /** For a resource that a module of the registry creates. */
  created?: ModuleResource;
  surroundings: Surroundings;
}

/** A check that needs more than a value at a path; `path` and `of` are those of the rule. */
export type CustomCheck = (subject: Subject, path: string | undefined, of: string) => Verdict;

/** The project around a block. */
export interface Surroundings {
  companions: Companions;
  nodeOf(view: BlockView): CodeNode;
  lineIn(spot: Spot, text: string, skip?: number): Spot;
  /** The code of a block, with blanks in place of comments. */
  textOf(block: Block, file: string): string;
  /** Whether another block contains the address of this one, in any file of its folder; not one of the types `except`. */
  isNamedElsewhere(block: Block, file: string, except: readonly string[]): boolean;
  /** The address of the policy document that a spot is in. */
  documentAt(spot: Spot): string | null;
}

export function createSurroundings(
  { files }: CodeProject,
  known: Pick<Surroundings, 'companions' | 'nodeOf' | 'lineIn'>,
): Surroundings {
  const sources = new Map(files.map((source) => [source.file, source]));
  const documents = new Map(files.map(({ file, blocks }) => [file, blocks.filter(isPolicyDocument)]));
  const texts = new Map<string, string>();
  const textOf = ({ range }: Block, file: string) =>
    remembered(texts, file, () => withoutComments(sources.get(file))).slice(range.start, range.end);
  const namers = new Map<string, Map<string, Block[]>>();
  const namersIn = (folder: string) =>
    remembered(namers, folder, () => {
      const sourcesIn = files.filter(({ file }) => folderOf(file) === folder);
      return namersByAddress(
        sourcesIn.flatMap(({ file, blocks }) => blocks.map((block) => [block, textOf(block, file)])),
      );
    });
  return {
    ...known,
    textOf,
    isNamedElsewhere: (block, file, except) =>
      namersIn(folderOf(file))
        .get(block.address)
        ?.some((other) => other !== block && !except.includes(other.labels[0] ?? '')) === true,
    documentAt: ({ file, line }) =>
      documents.get(file)?.find((block) => block.line <= line && line <= block.end_line)?.address ?? null,
  };
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}

/** In `aws_eip.nat[0].id` it is `aws_eip.nat`. */
const ADDRESS = /(?<![\w.-])\w[\w-]*\.[\w-]+/g;

/** Which blocks contain the address of another one. */
function namersByAddress(blocks: readonly (readonly [Block, string])[]): Map<string, Block[]> {
  const found = new Map<string, Block[]>();
  for (const [block, text] of blocks) {
    for (const address of new Set(text.match(ADDRESS) ?? [])) {
      remembered(found, address, () => []).push(block);
    }
  }
  return found;
}

function isPolicyDocument({ type, labels }: Block): boolean {
  return type === 'data' && labels[0] === 'aws_iam_policy_document';
}

/** Every character keeps its place. */
function withoutComments(source: SourceFile | undefined): string {
  const { text, comments } = source ?? { text: '', comments: [] };
  const blanks = comments.map(({ start, end }) => ({ start, end, text: ' '.repeat(end - start) }));
  return applyEdits(text, blanks);
}
