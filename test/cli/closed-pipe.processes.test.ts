import { once } from 'node:events';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { startCliPipe } from './cli-fixture.ts';
import { done, sampleScenario } from './sample-scenario.ts';

/** Reads the first bytes as `head -1` does, closes the pipe, and waits for the exit code. */
async function readAndLeave(args: string[], options: { cwd: string; closeStderr?: boolean }) {
  const child = startCliPipe(args, options);
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  if (options.closeStderr) child.stderr.destroy();
  const [code] = await ended;
  return code;
}

test('a command whose reader leaves has the exit code of its work', async () => {
  const wrong = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`wrong/${index}.yaml`, `promt: ${'x'.repeat(300)}\n`]),
  );
  const failing = sampleScenario({ script: [done('No. '.repeat(2000))] });
  await using project = await projectFixture({ ...wrong, 'fails.yaml': failing });
  const cwd = project.root;
  expect(await readAndLeave(['validate', 'wrong'], { cwd })).toBe(4);
  expect(await readAndLeave(['validate', 'wrong'], { cwd, closeStderr: true })).toBe(4);
  expect(await readAndLeave(['run', 'fails.yaml', '-n', '60', '--json', '--quiet'], { cwd })).toBe(1);
  expect(await readAndLeave(['report', '--json'], { cwd })).toBe(1);
  expect(await readAndLeave(['export'], { cwd })).toBe(0);
});

test('a run whose log nobody reads any more goes on to its end', async () => {
  await using project = await projectFixture({ 's.yaml': sampleScenario({ script: [done('No.')] }) });
  const child = startCliPipe(['run', 's.yaml', '-n', '300'], { cwd: project.root });
  const ended = once(child, 'exit');
  await once(child.stderr, 'data');
  child.stderr.destroy();
  child.stdout.destroy();
  expect((await ended)[0]).toBe(1);
});
