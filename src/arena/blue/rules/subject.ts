import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import type { CodeNode, Spot } from '../../../iac/read/code-node.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';
import type { Companions } from './companions.ts';

/** A block that a rule checks. */
export interface Subject {
  type: string;
  address: string;
  file: string;
  block: Block;
  node: CodeNode;
  /** Null for a block that is not a resource. */
  view: BlockView | null;
  surroundings: Surroundings;
}

/** The project around a block. */
export interface Surroundings {
  companions: Companions;
  lineIn(spot: Spot, text: string, passOver?: number): Spot;
  /** The code of a block, without comments. */
  textOf(block: Block, file: string): { text: string; line: number }[];
  /** The address of the policy document that a spot is in. */
  documentAt(spot: Spot): string | null;
}

export function createSurroundings(
  project: CodeProject,
  known: Pick<Surroundings, 'companions' | 'lineIn'>,
): Surroundings {
  const sources = new Map(project.files.map((source) => [source.file, source]));
  const documents = new Map(project.files.map((source) => [source.file, source.blocks.filter(isPolicyDocument)]));
  return {
    ...known,
    textOf: (block, file) => {
      const source = sources.get(file);
      return source ? [{ text: withoutComments(source, block), line: block.line }] : [];
    },
    documentAt: ({ file, line }) =>
      documents.get(file)?.find((block) => block.line <= line && line <= block.end_line)?.address ?? null,
  };
}

function isPolicyDocument({ type, labels }: Block): boolean {
  return type === 'data' && labels[0] === 'aws_iam_policy_document';
}

function withoutComments({ text, comments }: SourceFile, { range }: Block): string {
  const parts: string[] = [];
  let from = range.start;
  for (let at = firstFrom(comments, range.start); at < comments.length; at += 1) {
    const comment = comments[at];
    if (!comment || comment.start >= range.end) break;
    parts.push(text.slice(from, comment.start));
    from = comment.end;
  }
  parts.push(text.slice(from, range.end));
  return parts.join(' ');
}

/** Binary search: comments are sorted by position. */
function firstFrom(comments: SourceFile['comments'], offset: number): number {
  let [low, high] = [0, comments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
