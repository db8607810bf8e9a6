import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PACKAGES, type Start } from './packages.ts';

const STATIC_IMPORT = /(?:^|[;}\n])\s*(?:import|export)\b(?:[^'"();]*?\bfrom)?\s*["']([^"']+)["']/g;

/** What starts of other packages load of `salvo/kit`, as starts of `salvo`: those with like needs are one. */
export function kitsOfStarts(modules: string): Record<string, Start> {
  const found: Record<string, string[]> = {};
  for (const { name, starts } of PACKAGES.filter((each) => each.name !== 'salvo')) {
    for (const [start, { loads }] of Object.entries(starts)) {
      const together = { commands: 'commands', score: 'score', match: 'match' }[start] ?? 'kit';
      const kits = kitsOf(loads.map((file) => join(modules, name, 'src', `${file}.js`)));
      found[together] = [...(found[together] ?? []), ...kits];
    }
  }
  return Object.fromEntries(Object.entries(found).map(([start, loads]) => [start, { loads: [...new Set(loads)] }]));
}

function kitsOf(files: readonly string[]): string[] {
  const kits = new Set<string>();
  const seen = new Set(files);
  for (const file of seen) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
      if (specifier.startsWith('salvo/kit/')) kits.add(specifier.slice('salvo/'.length));
      else if (/^\.{1,2}\//.test(specifier)) seen.add(join(dirname(file), specifier));
    }
  }
  return [...kits];
}
