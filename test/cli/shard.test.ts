import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

const FAILING =
  'prompt: hi\nadapter: scripted\nscript: [{ content: no }]\nassertions: [{ type: output_contains, value: "yes" }]\n';

test('shards exit with 0 although trials fail; merge gives the verdict, with the reports of a run', async () => {
  await using project = await projectFixture({ 's.yaml': FAILING });
  const cli = (args: string[], env: Record<string, string> = {}) => runCli(args, { cwd: project.root, env });
  const run = ['run', 's.yaml', '-n', '3', '--out', 'parts', '--shard'];
  const [first, second] = await Promise.all([
    cli([...run, '1/2']),
    cli([...run, 'auto'], { CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '2' }),
  ]);
  expect(first).toMatchObject({ code: 0 });
  expect(first.stdout).toBe(`Shard 1/2: 2 of 2 trials run, 0 passed.
Its part is parts/salvo-part-1-of-2.jsonl. \`salvo merge\` gives the verdict on all 2 parts.
`);
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('Shard 2/2: 1 of 1 trial run') });
  const github = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: project.root };
  const merged = await cli(['merge', 'parts', '--json', '--quiet', '--junit', 'salvo.xml'], github);
  expect(merged).toMatchObject({ code: 1, stderr: expect.stringContaining('::error file=s.yaml,line=1') });
  expect(documentOf(merged).scenarios).toMatchObject([{ trials_total: 3, trials_failed: 3 }]);
});

test.each([
  [['run', 's.yaml', '--out', 'parts'], '--out needs --shard'],
  [['run', 's.yaml', '--shard', '1/2'], '--shard needs a folder'],
  [['run', 's.yaml', '--shard', '3/2', '--out', 'parts'], 'Give a part such as 2/4'],
  [['run', 's.yaml', '--shard', '1/2', '--out', 'parts', '--junit', 'x.xml'], 'cannot be used with option'],
])('%j is refused', async (args, message) => {
  await using project = await projectFixture({ 's.yaml': sampleScenario() });
  const { code, stderr } = await runCli(args, { cwd: project.root });
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(message) });
});
