import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

/**
 * Which rooms of `src/` a room may look into: only ones named before it, so that imports point downwards.
 * Tests may look anywhere.
 */
const MAY_IMPORT: Record<string, string[]> = {
  stats: [],
  queue: [],
  iac: [],
  trace: [],
  adapters: ['trace', 'stats'],
  scenario: ['adapters', 'trace', 'stats'],
  judge: ['scenario', 'adapters', 'trace', 'stats'],
  match: ['judge', 'iac', 'scenario', 'adapters', 'trace', 'stats'],
  evaluators: ['match', 'judge', 'scenario', 'adapters', 'trace', 'stats'],
  trial: ['evaluators', 'match', 'judge', 'scenario', 'adapters', 'trace', 'stats'],
  run: ['trial', 'evaluators', 'match', 'judge', 'scenario', 'adapters', 'trace', 'stats', 'queue'],
  arena: ['run', 'match', 'judge', 'iac', 'scenario', 'adapters', 'trace', 'stats', 'queue'],
  store: ['arena', 'run', 'trial', 'evaluators', 'judge', 'scenario', 'trace'],
  report: ['run', 'trial', 'evaluators', 'judge', 'scenario', 'adapters', 'trace', 'stats', 'store', 'match', 'arena'],
};
/** Files directly in `src/` that are as low as any room. */
const GROUND = new Set([
  'salvo-error.ts',
  'version.ts',
  'did-you-mean.ts',
  'is-record.ts',
  'package-file.ts',
  'open-resources.ts',
]);
/** Rooms and files at the top: they know everything, and nobody below may know them. */
const TOP = new Set(['cli', 'index.ts', 'run-files.ts']);

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

const wrong: string[] = [];
for (const file of globSync('src/**/*.ts')) {
  if (file.endsWith('.test.ts')) continue;
  const room = roomOf(file);
  if (TOP.has(room)) continue;
  const allowed = GROUND.has(room) ? [] : MAY_IMPORT[room];
  if (!allowed) {
    wrong.push(`${file}: the room "${room}" is not in scripts/check-imports.ts`);
    continue;
  }
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const target = roomOf(normalize(join(dirname(file), specifier)));
    if (target !== room && !GROUND.has(target) && !allowed.includes(target)) {
      wrong.push(`${file}: ${room} must not import ${specifier} (of ${target})`);
    }
  }
}
for (const line of wrong) console.error(line);
console.log(wrong.length === 0 ? 'imports point downwards' : `${wrong.length} imports point the wrong way`);
process.exitCode = wrong.length === 0 ? 0 : 1;

/** The folder under `src/`, or the file's name when it stands directly in it. */
function roomOf(path: string): string {
  return path.split(sep)[1] ?? path;
}
