import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { builtMain } from '../built-package.ts';
import { projectFixture } from '../project-fixture.ts';

/**
 * An agent in the process of the run. Objects that live for a while make V8 give more room to new ones: 64 MB and more,
 * where nobody limits it.
 */
const SCENARIO = `
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';

const megabytes = () => getHeapSpaceStatistics().find((each) => each.space_name === 'new_space').space_size / 2 ** 20;
let kept = [];
function fill() {
  for (let count = 0; count < 20_000; count += 1) kept.push({ count });
  if (kept.length > 500_000) kept = [];
}

export default {
  name: 'fill',
  prompt: 'Fill the heap.',
  async agent() {
    while (megabytes() < 16) fill();
    await sleep(1000);
    for (let round = 0; round < 500; round += 1) fill();
    writeFileSync('megabytes', String(megabytes()));
    return { content: 'filled' };
  },
  assertions: [({ output }) => output === 'filled'],
};
`;

test('new objects get no more than 32 MB, and the compile cache stays usable', async () => {
  await using project = await projectFixture({ 'fill.mjs': SCENARIO });
  const run = promisify(execFile);
  const main = await builtMain();
  const env = { ...process.env, NODE_COMPILE_CACHE: project.path('cache') };
  await run(process.execPath, [main, 'run', 'fill.mjs', '-n', '1'], { cwd: project.root, env });
  expect(Number(await readFile(project.path('megabytes'), 'utf8'))).toBeLessThanOrEqual(32);
  const debug = { ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const { stderr } = await run(process.execPath, [main, '--version'], { cwd: project.root, env: debug });
  expect(stderr).toContain('was accepted');
  expect(stderr).not.toContain('was rejected');
});
