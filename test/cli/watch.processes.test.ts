import { rename } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseCommandLine } from '../parse-command-line.ts';
import { projectFixture } from '../project-fixture.ts';
import { startCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

test('--watch runs again what a change touches, waits while a file has errors, and ends with Ctrl-C', async () => {
  await using project = await projectFixture({
    'scenarios/code.scenario.ts': `import { word } from '../word.ts';
export default { prompt: 'Hi', agent: () => ({ content: word, cost_usd: 0 }), assertions: [({ output }) => output === 'yes'] };
`,
    'scenarios/sample.yaml': sampleScenario(),
    'word.ts': `export const word = 'yes';\n`,
  });
  const watching = startCli(['run', '-n', '1', '--watch'], { cwd: project.root });
  // Each run ends with a line that it waits: wait for as many as there were runs.
  const runs = (count: number) => watching.untilStderrHasTimes('Waiting for changes', count);
  // As an editor does it that writes a new file and renames it. Nobody sees half of it.
  const replace = async (name: string, content: string) => {
    await project.write(`${name}~`, content);
    await rename(project.path(`${name}~`), project.path(name));
  };
  await runs(1);

  await replace('word.ts', `export const word = 'no';\n`);
  await runs(2);

  await replace('scenarios/sample.yaml', 'prompt: [\n');
  await runs(3);

  watching.child.kill('SIGINT');
  const { code, stdout, stderr } = await watching.result;
  const reports = stdout.split('exit code').slice(0, -1);
  const ran = reports.map((report) =>
    ['code', 'sample'].filter((name) => new RegExp(`^\\S+ +${name} `, 'm').test(report)),
  );
  expect(ran).toEqual([['code', 'sample'], ['code']]);
  expect(stderr).toContain('word.ts changed.');
  expect(stderr).toContain('scenarios/sample.yaml:2:1 error [yaml-syntax]');
  // That of the last run.
  expect(code).toBe(4);
});

test.each(['--json', '--estimate', '--failed', '--record-only'])('--watch is not for %s', async (flag) => {
  const { called, text } = await parseCommandLine(['run', '--watch', flag]);
  expect([called, text]).toEqual([[], expect.stringContaining(`cannot be used with option '${flag}'`)]);
});
