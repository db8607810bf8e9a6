import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../../salvo/src');
/** `import type` disappears at build time, and `import(...)` loads when it is called: neither counts. */
const VALUE_IMPORT = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gm;

function importsOf(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(VALUE_IMPORT);
  return [...specifiers].map(([, specifier = '']) => resolve(dirname(file), specifier));
}

/** Every module that is loaded when one of the files is imported, by its path in `src/`. */
function closureOf(files: readonly string[]): string[] {
  const loaded = new Set(files);
  for (const file of loaded) for (const imported of importsOf(file)) loaded.add(imported);
  return [...loaded].map((file) => relative(SRC, file));
}

test('importing match loads no adapter, no judge, no models and no scenario', () => {
  const files = globSync('match/**/*.ts', { cwd: SRC })
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('match/llm/'))
    .map((file) => join(SRC, file));
  const loaded = closureOf(files);
  expect(loaded).toContain('match/judge-agent.ts');
  expect(loaded).toContain('text/words/words.ts');
  expect(loaded.filter((file) => /^(?:adapters|judge|models|scenario|match\/llm)\//.test(file))).toEqual([
    'match/llm/llm-options.ts',
  ]);
});
