import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What an alias of tsconfig.json stands for. */
export interface AliasTargets {
  /** The file that has the alias. */
  config: string;
  /** Absolute paths in the order in which they are tried, without extensions that the import does not have. */
  targets: string[];
}

/** What an import means by `paths` of the next tsconfig.json above a folder; null if that has no such alias. */
export function aliasTargets(specifier: string, from: string): AliasTargets | null {
  if (specifier === '' || /^[./]/.test(specifier)) return null;
  for (let folder = from; ; folder = dirname(folder)) {
    const config = join(folder, 'tsconfig.json');
    if (existsSync(config)) return targetsIn(specifier, config, new Set());
    if (folder === dirname(folder)) return null;
  }
}

// Read as text: these files have comments and trailing commas, and may be broken while somebody writes them.
const LIST = /"([^"\n]{1,200})"\s{0,10}:\s{0,10}\[([^\]]{0,5000})\]/g;
const TEXT = /"([^"\n]{1,500})"/g;
const BASE = /"baseUrl"\s{0,10}:\s{0,10}"([^"\n]{1,500})"/;
const EXTENDS = /"extends"\s{0,10}:\s{0,10}(?:"([^"\n]{1,500})"|\[([^\]]{0,5000})\])/;

function targetsIn(specifier: string, config: string, seen: Set<string>): AliasTargets | null {
  if (seen.has(config) || !existsSync(config)) return null;
  seen.add(config);
  const text = readFileSync(config, 'utf8');
  const folder = resolve(dirname(config), BASE.exec(text)?.[1] ?? '.');
  for (const [, alias = '', list = ''] of text.matchAll(LIST)) {
    const star = starOf(specifier, alias);
    if (star === null) continue;
    return {
      config,
      targets: textsIn(list).map((target) =>
        resolve(
          folder,
          target.replace('*', () => star),
        ),
      ),
    };
  }
  const [, one, several = ''] = EXTENDS.exec(text) ?? [];
  const bases = one === undefined ? textsIn(several) : [one];
  for (const base of bases.filter((name) => name.startsWith('.')).toReversed()) {
    const found = targetsIn(specifier, resolve(dirname(config), base.endsWith('.json') ? base : `${base}.json`), seen);
    if (found) return found;
  }
  return null;
}

function textsIn(list: string): string[] {
  return [...list.matchAll(TEXT)].map(([, text = '']) => text);
}

/** What the star of an alias stands for in an import; null if it is another alias. */
function starOf(specifier: string, alias: string): string | null {
  const [start = '', end] = alias.split('*', 2);
  if (end === undefined) return specifier === alias ? '' : null;
  if (start === '' || !specifier.startsWith(start) || !specifier.endsWith(end)) return null;
  return specifier.length < start.length + end.length
    ? null
    : specifier.slice(start.length, specifier.length - end.length);
}
