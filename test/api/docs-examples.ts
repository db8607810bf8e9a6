import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A TypeScript example of a page with what it prints, or a file that later examples read. */
export type DocsBlock =
  | { kind: 'example'; title: string; code: string; prints: string }
  | { kind: 'file'; path: string; text: string };

const FENCE = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm;

const ROOT = resolve(import.meta.dirname, '../..');

/** The blocks of a page in their order. The text block after an example is what it prints. */
export function docsBlocks(page: string): DocsBlock[] {
  const text = readFileSync(resolve(ROOT, page), 'utf8');
  const blocks: DocsBlock[] = [];
  for (const { 1: language, 2: path, 3: code = '', index } of text.matchAll(FENCE)) {
    if (path !== undefined) blocks.push({ kind: 'file', path, text: code });
    if (language === 'ts') {
      const title = [...text.slice(0, index).matchAll(/^#+ (.+)$/gm)].at(-1)?.[1] ?? '';
      blocks.push({ kind: 'example', title, code, prints: '' });
    }
    const last = blocks.at(-1);
    if (language === 'text' && last?.kind === 'example') last.prints = code;
  }
  return blocks;
}

/** Every example of every page, with a name for its file. */
export function allExamples(): { file: string; code: string }[] {
  return globSync(['README.md', 'packages/*/README.md', 'docs/*.md'], { cwd: ROOT }).flatMap((page) =>
    docsBlocks(page).flatMap((block, index) =>
      block.kind === 'example' ? [{ file: `${page.replaceAll(/\W/g, '-')}-${index}.mts`, code: block.code }] : [],
    ),
  );
}
