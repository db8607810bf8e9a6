import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { labelQueue } from '../../packages/salvo/src/app/view/labels/label-queue.ts';
import type { CascadeCalibration } from '../../packages/salvo/src/judge/cascade/cascade-calibration.ts';
import { judgesOf } from '../../packages/salvo/src/store/judge-tables.ts';
import { projectFixture } from '../project-fixture.ts';
import { sampleLabel } from '../sample-label.ts';
import { documentOf, runCli, storeOf } from './cli-fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/rubric-judge', import.meta.url));

async function exampleProject() {
  const project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true, filter: (source) => !source.includes('.salvo') });
  return project;
}

test('the example is judged in stages, and labels of people decide what no judge is sure of', async () => {
  await using project = await exampleProject();
  const cwd = project.root;
  const { code, stdout } = await runCli(['run', 'cascades/late-parcel.yaml', '-n', '20', '--seed', '1', '--json'], {
    cwd,
  });
  expect(code).toBe(3);
  const run = documentOf({ stdout });
  const [judge] = run.scenarios[0]?.judges ?? [];
  expect(judge?.cascade).toMatchObject({
    stages: [
      { judge_model: 'odds', sure: 0.9, asked: 20, decided: 6, unscored: 0 },
      { judge_model: 'list', sure: 0.9, asked: 14, decided: 10, unscored: 0 },
    ],
    people: { decided: 0, waiting: 4 },
    undecided: 4,
  });
  expect(judge?.cascade?.last_alone_usd).toBeGreaterThan(judge?.cascade?.cost_usd ?? Number.NaN);
  expect(judge?.votes_cast).toBe(20 + 14 * 5);
  const report = await runCli(['report', 'latest'], { cwd });
  expect(report.stdout.replaceAll(/\s+/g, ' ')).toContain('4 trials waiting for labels of people');

  await using store = await storeOf(project);
  const subject = { run: run.run_id, scenario: 0, assertionId: 'support-cascade' };
  const { items } = await labelQueue(store, subject);
  const waiting = items.filter(({ waits }) => waits);
  expect(items.slice(0, 4)).toEqual(waiting);
  for (const [index, { trace_id }] of waiting.slice(1).entries()) {
    const ids = { label_id: `label-${index}`, trace_id, run_id: run.run_id, assertion_id: 'support-cascade' };
    await judgesOf(store).saveLabel(sampleLabel({ ...ids, passed: index > 0 }));
  }
  await runCli(['reeval', 'latest', '-q'], { cwd });
  const again = documentOf(await runCli(['report', 'latest', '--json'], { cwd }));
  expect(again.scenarios[0]?.judges[0]?.cascade?.people).toEqual({ decided: 3, waiting: 1 });
  const results = again.scenarios[0]?.trials.flatMap(({ eval_results }) => eval_results) ?? [];
  const byPeople = results.filter(({ metadata }) => JSON.stringify(metadata).includes('"decided_by":3'));
  expect(byPeople.map(({ passed, status }) => [passed, status])).toEqual([
    [false, 'scored'],
    [true, 'scored'],
    [true, 'scored'],
  ]);
  expect(byPeople[0]?.details).toContain('People decided, by their labels.');
});

test('sure is chosen from labels, and printed with the YAML to paste', async () => {
  await using project = await exampleProject();
  const cwd = project.root;
  const args = ['calibrate', 'labels.jsonl', '--judges', 'cascade-judges.yaml', '--cascade', '-q'];
  const { stdout, code } = await runCli([...args, '--agreement', '60%'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/it agrees with people in \d+% \(95% CI \d+–\d+%\) of what its judges decide/);
  expect(stdout).toMatch(/\ncascade:\n {2}- \{ adapter: word-odds, model: odds, mode: decide, sure: 0\.\d+ \}\n/);
  const json = await runCli([...args, '--cost', '0.002', '--json'], { cwd });
  const document: CascadeCalibration = JSON.parse(json.stdout);
  expect(document).toMatchObject({ version: 1, goal: { cost_usd: 0.002 }, reached: true, labels: { answers: 24 } });
  const people = ['calibrate', 'labels.jsonl', '--scenario', 'cascades/late-parcel.yaml', '--cascade', '-q'];
  expect((await runCli([...people, '--agreement', '95%'], { cwd })).code).toBe(3);
});

test.each([
  [['--cascade'], 'either --agreement with people'],
  [['--cascade', '--agreement', '90%', '--cost', '1'], 'either --agreement with people'],
  [['--cascade', '--agreement', '100%'], 'above 50% and below 100%'],
  [['--cascade', '--agreement', '90%', '-k', '3'], 'leave out --model, --votes and --repeats'],
  [['--cascade', '--agreement', '90%', '--judge', 'cheap'], 'without --judge'],
  [['--agreement', '90%'], 'add --cascade'],
])('%j is refused', async (options, message) => {
  await using project = await exampleProject();
  const args = ['calibrate', 'labels.jsonl', '--judges', 'cascade-judges.yaml', ...options];
  const { stderr, code } = await runCli(args, { cwd: project.root });
  expect(stderr).toContain(message);
  expect(code).toBe(4);
});

test('a judge that is no cascade, and a cost of people, are refused', async () => {
  await using project = await exampleProject();
  const cwd = project.root;
  const args = ['calibrate', 'labels.jsonl', '--cascade', '--cost', '1', '--scenario'];
  const none = await runCli([...args, 'scenarios/late-parcel.yaml'], { cwd });
  expect([none.code, none.stderr]).toEqual([4, expect.stringContaining('is not a cascade')]);
  const people = await runCli([...args, 'cascades/late-parcel.yaml'], { cwd });
  expect([people.code, people.stderr]).toEqual([4, expect.stringContaining('people, who have no price')]);
});
