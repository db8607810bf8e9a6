import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../../test/project-fixture.ts';
import { schemaCommand } from './schema.ts';

const never = new AbortController().signal;

function terminalIn(cwd: string) {
  const printed: string[] = [];
  const output = { write: (text: string) => void printed.push(text), isTTY: false, columns: 80, color: false };
  return { printed, terminal: { cwd, env: {}, stdout: output, stderr: output, stop: never, abort: never } };
}

test.each(['scenario', 'project'] as const)('the JSON Schema of a %s is printed', async (which) => {
  const { printed, terminal } = terminalIn('/');
  expect(await schemaCommand({ which }, terminal)).toBe(0);
  expect(JSON.parse(printed.join(''))).toMatchObject({ type: 'object', additionalProperties: false });
});

test('it is written to a file, whole', async () => {
  await using fixture = await projectFixture();
  const { printed, terminal } = terminalIn(fixture.root);
  expect(await schemaCommand({ which: 'scenario', out: 's.json' }, terminal)).toBe(0);
  expect(printed).toEqual([]);
  expect(JSON.parse(await readFile(fixture.path('s.json'), 'utf8'))).toHaveProperty('properties.prompt');
  expect(await readdir(fixture.root)).toEqual(['s.json']);
});
