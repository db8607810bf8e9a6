import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every promise of SECURITY.md names a test that exists', () => {
  const text = readFileSync('SECURITY.md', 'utf8');
  const promises =
    text
      .split('## Promises')[1]
      ?.split('\n## ')[0]
      ?.match(/^\| [A-Z].*\|$/gm) ?? [];
  expect(promises.length).toBeGreaterThan(10);
  for (const promise of promises) {
    const files = [...promise.matchAll(/`((?:packages|test|scripts)\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(files, promise).not.toEqual([]);
    expect(
      files.filter((file) => !existsSync(file)),
      promise,
    ).toEqual([]);
  }
});

/** What shows that a row of the table holds, by the beginning of the row. */
const SHOWN_BY: Record<string, string[]> = {
  'you, at the command line': ['test/app/outside-project.test.ts'],
  'the author of `salvo.yaml`': ['test/cli/plugins.test.ts', 'test/wire/guarded-fetch.test.ts'],
  'the author of a scenario': ['test/app/outside-project.test.ts', 'test/cli/no-code.test.ts'],
  'the agent under test': [
    'test/faults/hostile-agents.test.ts',
    'test/cli/hostile-output.test.ts',
    'test/faults/ci-commands.test.ts',
  ],
  'a model, as agent or judge': ['test/cli/hostile-output.test.ts', 'packages/salvo/src/models/ask/fence.test.ts'],
  "a scanner's report, a manifest, labels": ['test/faults/endless-files.test.ts', 'test/fuzz/parsers.test.ts'],
  'a person who can write to the database of workers': [
    'test/faults/many-machines/forged-bundles.test.ts',
    'test/faults/many-machines/poison.test.ts',
    'packages/salvo-postgres/src/work/granted-variables.test.ts',
    'packages/salvo-postgres/src/bundle/unpack-bundle.test.ts',
    'packages/salvo-postgres/test/bundle/permitted-adapters.test.ts',
    'packages/salvo-postgres/src/work/machine-use.test.ts',
  ],
  'the network between Salvo and its database': [
    'packages/salvo-postgres/test/postgres/tls.test.ts',
    'packages/salvo-postgres/src/postgres/postgres-tls.test.ts',
  ],
  'a server that answers an adapter': ['test/wire/guarded-fetch.test.ts', 'test/faults/provider-bomb.test.ts'],
  'a person with a link to the viewer': ['test/view/rights.test.ts', 'test/view/access.test.ts'],
  'other users of the machine': ['packages/salvo/src/store/sqlite/open-database.test.ts'],
};

test('every row of who is trusted with what has a test that exists', () => {
  const table = readFileSync('SECURITY.md', 'utf8').split('## Who is trusted')[1]?.split('\n\n')[0] ?? '';
  const rows = [...table.matchAll(/^\| ([^|]+) \|.*\|$/gm)].map(([, who = '']) => who).slice(1);
  expect(rows).toEqual(Object.keys(SHOWN_BY));
  for (const file of Object.values(SHOWN_BY).flat()) expect(existsSync(file), file).toBe(true);
});
