import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const PACKAGES = resolve(import.meta.dirname, '../../..');
/** `import type` disappears at build time, and `import(...)` loads when it is called: neither counts. */
const VALUE_IMPORT = /^(?:import|export) (?!type )[^;]*?from '((?:\.|salvo\/)[^']+)';/gm;

function importsOf(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(VALUE_IMPORT);
  return [...specifiers].map(([, specifier = '']) =>
    specifier.startsWith('salvo/')
      ? join(PACKAGES, 'salvo/src', `${specifier.slice('salvo/'.length)}.ts`)
      : resolve(dirname(file), specifier),
  );
}

/** Every module that is loaded when one of the files is imported, by its path in `packages/`. */
function closureOf(files: readonly string[]): string[] {
  const loaded = new Set(files);
  for (const file of loaded) for (const imported of importsOf(file)) loaded.add(imported);
  return [...loaded].map((file) => relative(PACKAGES, file));
}

test('importing match loads no adapter, no judge, no models and no scenario', () => {
  const files = globSync('salvo-arena/src/match/**/*.ts', { cwd: PACKAGES })
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('salvo-arena/src/match/llm/'))
    .map((file) => join(PACKAGES, file));
  const loaded = closureOf(files);
  expect(loaded).toContain('salvo-arena/src/match/judge-agent.ts');
  expect(loaded).toContain('salvo/src/text/words/words.ts');
  expect(loaded.filter((file) => /^salvo\/src\/(?:adapters|judge|models|scenario|store|app|cli)\//.test(file))).toEqual(
    [],
  );
  expect(loaded.filter((file) => file.startsWith('salvo-arena/src/match/llm/'))).toEqual([
    'salvo-arena/src/match/llm/llm-options.ts',
  ]);
});
