import type { CodeBlock } from '../syntax/code-block.ts';

/**
 * The innermost block that a line lies in. The file is the one of that name; if there is none, the one that has the
 * most last parts of its path in common with it (`/src/infra/main.tf` and `infra/main.tf`), if it is the only one.
 */
export function blockAt(blocks: readonly CodeBlock[], file: string, line: number): CodeBlock | null {
  const named = fileNamed(new Set(blocks.map((block) => block.file)), file);
  let innermost: CodeBlock | null = null;
  for (const block of blocks) {
    if (block.file !== named || line < block.line || line > block.end_line) continue;
    if (innermost && block.end_line - block.line >= innermost.end_line - innermost.line) continue;
    innermost = block;
  }
  return innermost;
}

function fileNamed(files: ReadonlySet<string>, wanted: string): string | null {
  if (files.has(wanted)) return wanted;
  const wantedParts = partsOf(wanted);
  let best: string[] = [];
  let most = 0;
  for (const file of files) {
    const parts = partsOf(file);
    const common = commonEnd(parts, wantedParts);
    // One path has to be the end of the other: `a/main.tf` is not `b/main.tf`.
    if (common === 0 || common < Math.min(parts.length, wantedParts.length)) continue;
    if (common > most) [most, best] = [common, []];
    if (common === most) best.push(file);
  }
  const [only, ...others] = best;
  return only !== undefined && others.length === 0 ? only : null;
}

function partsOf(path: string): string[] {
  return path.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}
