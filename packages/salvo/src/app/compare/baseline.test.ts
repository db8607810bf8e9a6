import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { done, sampleScenario } from '../../../../../test/cli/sample-scenario.ts';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { runFiles } from '../runs/run.ts';
import { createBaseline } from './baseline.ts';

const passing = sampleScenario({ name: 'good' });
const failing = sampleScenario({ name: 'bad', script: [done('No')] });

async function runIn(cwd: string, files: string[], options = {}): Promise<void> {
  await (await runFiles({ cwd, files, trials: 2, seed: 1, ...options }))[Symbol.asyncDispose]();
}

test('the baseline of a run is for the file of the project, or for the one that is named', async () => {
  await using project = await projectFixture({ 'salvo.yaml': 'baseline: kept/base.json\n', 'good.yaml': passing });
  await runIn(project.root, ['good.yaml']);
  const { file, text, baseline } = await createBaseline({ cwd: project.root });
  expect(file).toBe(project.path('kept/base.json'));
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(baseline)));
  expect(baseline.scenarios).toMatchObject([{ name: 'good', cases: [{ trials: '11' }] }]);
  expect((await createBaseline({ cwd: project.root, out: 'here.json' })).file).toBe(project.path('here.json'));
});

test('a run in which nothing passed is refused unless it is forced', async () => {
  await using project = await projectFixture({ 'bad.yaml': failing });
  await runIn(project.root, ['bad.yaml']);
  await expect(createBaseline({ cwd: project.root })).rejects.toMatchObject({
    code: 'BASELINE_REFUSED',
    message: expect.stringContaining('no trial passed'),
  });
  expect((await createBaseline({ cwd: project.root, force: true })).baseline.scenarios).toHaveLength(1);
});

test('a run that misses a minimum that was set is refused, and one that only misses the default is not', async () => {
  await using project = await projectFixture({ 'good.yaml': passing, 'bad.yaml': failing });
  await runIn(project.root, ['good.yaml', 'bad.yaml']);
  await expect(createBaseline({ cwd: project.root })).resolves.toBeDefined();
  await runIn(project.root, ['good.yaml', 'bad.yaml'], { minPassRate: 0.5 });
  await expect(createBaseline({ cwd: project.root })).rejects.toMatchObject({
    message: expect.stringContaining('a minimum or limit that was set is missed: bad'),
  });
});

test('a baseline that would lose scenarios of the present file is refused', async () => {
  await using project = await projectFixture({ 'good.yaml': passing, 'other.yaml': sampleScenario({ name: 'other' }) });
  const cwd = project.root;
  await runIn(cwd, ['good.yaml', 'other.yaml']);
  const { file, text } = await createBaseline({ cwd });
  await writeFile(file, text);
  await runIn(cwd, ['good.yaml']);
  await expect(createBaseline({ cwd })).rejects.toMatchObject({
    message: expect.stringContaining('it lacks scenarios that the file has now: other'),
  });
  await writeFile(file, 'no baseline');
  await expect(createBaseline({ cwd })).resolves.toMatchObject({ baseline: { scenarios: [{ name: 'good' }] } });
});

test('a run whose traces were only recorded cannot be a baseline at all', async () => {
  await using project = await projectFixture({ 'good.yaml': passing });
  await runIn(project.root, ['good.yaml'], { recordOnly: true });
  const forced = createBaseline({ cwd: project.root, force: true });
  await expect(forced).rejects.toMatchObject({ code: 'RUN_NOTHING_SCORED' });
});
