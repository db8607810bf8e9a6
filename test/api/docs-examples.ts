import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A TypeScript example of docs/api.md with what it prints, or a file that later examples read. */
export type DocsBlock =
  | { kind: 'example'; title: string; code: string; prints: string }
  | { kind: 'file'; path: string; text: string };

const FENCE = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm;

/** The blocks of docs/api.md in their order. The text block after an example is what it prints. */
export function docsBlocks(): DocsBlock[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs/api.md'), 'utf8');
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
