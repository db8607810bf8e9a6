import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';
import type { Surroundings } from './subject.ts';

/** What rules may ask about a project as a whole. */
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

/** Comments come in the order of the file. */
function firstFrom(comments: SourceFile['comments'], offset: number): number {
  let [low, high] = [0, comments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
