import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../../test/temporary-folder.ts';
import { toolSchema } from '../../../scenario/schema/tool-schema.ts';
import { serverTools } from './server-tools.ts';

const TESTS = resolve(import.meta.dirname, '../../../../../../test/mcp');

test('only a few servers are asked for their tools at the same time', async () => {
  const folder = temporaryFolder();
  const [log, program] = [join(folder, 'log'), join(folder, 'server.mjs')];
  await writeFile(
    program,
    `import { appendFileSync } from 'node:fs';
const note = (text) => appendFileSync(${JSON.stringify(log)}, text);
note('+');
process.on('exit', () => note('-'));
await import(${JSON.stringify(join(TESTS, 'hostile-server.mjs'))});
`,
  );
  const mcp = { command: [process.execPath, program] };
  const tool = { ...toolSchema.parse({ mcp }), mcp };
  const place = { file: join(folder, 's.yaml'), root: TESTS, env: { PATH: process.env.PATH } };
  const asked = Array.from({ length: 10 }, () => serverTools(tool, place, async () => ({ row: {} })));
  for (const tools of await Promise.all(asked)) expect(tools).toMatchObject([{ name: 'stock' }]);
  const counts = [...(await readFile(log, 'utf8'))].reduce<number[]>(
    (all, sign) => [...all, (all.at(-1) ?? 0) + (sign === '+' ? 1 : -1)],
    [],
  );
  expect(counts).toHaveLength(20);
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
});
