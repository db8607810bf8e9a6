import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

export interface SourcePattern {
  source: string;
  flags: string;
  /** `packages/salvo/src/text/words/names.ts:12` */
  place: string;
}

/** The regular expression literals of a TypeScript text. */
export function patternLiterals(file: string, text: string): SourcePattern[] {
  const found: SourcePattern[] = [];
  const visit = (node: unknown): void => {
    if (!isNode(node)) return;
    if (node.regex) {
      const line = text.slice(0, node.start).split('\n').length;
      found.push({ source: node.regex.pattern, flags: node.regex.flags, place: `${file}:${line}` });
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(text, { lang: 'ts' }).body);
  return found;
}

/** The regular expressions that modules build from parts while they are loaded: `new RegExp(...)` outside of functions. */
export async function builtPatterns(files: readonly string[]): Promise<SourcePattern[]> {
  const found: SourcePattern[] = [];
  const own = globalThis.RegExp;
  let loading = '';
  globalThis.RegExp = new Proxy(own, {
    construct(target, args, newTarget) {
      const made: RegExp = Reflect.construct(target, args, newTarget);
      const [, caller = ''] = new Error().stack?.split('\n').slice(1) ?? [];
      if (caller.includes('/packages/')) found.push({ source: made.source, flags: made.flags, place: placeOf(caller) });
      return made;
    },
  });
  try {
    for (loading of files) await import(pathToFileURL(resolve(loading)).href);
  } catch (cause) {
    throw new Error(`${loading} could not be loaded`, { cause });
  } finally {
    globalThis.RegExp = own;
  }
  return found;
}

/** Of a stack frame. The place in the file that is loaded may differ from that in the source, but not the line. */
function placeOf(frame: string): string {
  return /packages\/[^:]+:\d+/.exec(frame)?.[0] ?? frame.trim();
}

export function patternsOf(files: readonly string[]): SourcePattern[] {
  return files.flatMap((file) => patternLiterals(file, readFileSync(file, 'utf8')));
}

function isNode(value: unknown): value is { start: number; regex?: { pattern: string; flags: string } } {
  return typeof value === 'object' && value !== null;
}
