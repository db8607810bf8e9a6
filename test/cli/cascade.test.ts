import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { labelQueue } from '../../packages/salvo/src/app/view/labels/label-queue.ts';
import { judgesOf } from '../../packages/salvo/src/store/judge-tables.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { sampleLabel } from '../sample-label.ts';
import { documentOf, runCli, storeOf } from './cli-fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/rubric-judge', import.meta.url));

let project: ProjectFixture;
let cwd: string;

beforeAll(async () => {
  project = await projectFixture();
  cwd = project.root;
  await cp(EXAMPLE, cwd, { recursive: true, filter: (source) => !source.includes('.salvo') });
  return () => project[Symbol.asyncDispose]();
});

test('the example is judged in stages, and labels of people decide what no judge is sure of', async () => {
  const { code, stdout } = await runCli(['run', 'cascades/late-parcel.yaml', '-n', '8', '--seed', '1', '--json'], {
    cwd,
  });
  expect(code).toBe(3);
  const run = documentOf({ stdout });
  const [judge] = run.scenarios[0]?.judges ?? [];
  expect(judge?.cascade).toMatchObject({
    stages: [
      { judge_model: 'odds', sure: 0.9, asked: 8, decided: 2, unscored: 0 },
      { judge_model: 'list', sure: 0.9, asked: 6, decided: 3, unscored: 0 },
    ],
    people: { decided: 0, waiting: 3 },
    undecided: 3,
  });
  expect(judge?.cascade?.last_alone_usd).toBeGreaterThan(judge?.cascade?.cost_usd ?? Number.NaN);
  expect(judge?.votes_cast).toBe(8 + 6 * 5);

  await using store = await storeOf(project);
  const subject = { run: run.run_id, scenario: 0, assertionId: 'support-cascade' };
  const { items } = await labelQueue(store, subject);
  const waiting = items.filter(({ waits }) => waits);
  expect(items.slice(0, 3)).toEqual(waiting);
  for (const [index, { trace_id }] of waiting.slice(1).entries()) {
    const ids = { label_id: `label-${index}`, trace_id, run_id: run.run_id, assertion_id: 'support-cascade' };
    await judgesOf(store).saveLabel(sampleLabel({ ...ids, passed: index > 0 }));
  }
  const changes = (await runCli(['reeval', 'latest', '-q'], { cwd })).stdout.replaceAll(/\s+/g, ' ');
  expect(changes).toContain('not scored 3 1 ↓ -2');
  const again = documentOf(await runCli(['report', 'latest', '--json'], { cwd }));
  expect(again.scenarios[0]?.judges[0]?.cascade?.people).toEqual({ decided: 2, waiting: 1 });
  const results = again.scenarios[0]?.trials.flatMap(({ eval_results }) => eval_results) ?? [];
  const byPeople = results.filter(({ metadata }) => JSON.stringify(metadata).includes('"decided_by":3'));
  expect(byPeople.map(({ passed, status }) => [passed, status])).toEqual([
    [false, 'scored'],
    [true, 'scored'],
  ]);
  expect(byPeople[0]?.details).toContain('People decided, by their labels.');
});

test('sure is chosen from labels, and printed with the YAML to paste', async () => {
  const args = ['calibrate', 'labels.jsonl', '--judges', 'cascade-judges.yaml', '--cascade', '-q'];
  const { stdout, code } = await runCli([...args, '--agreement', '60%'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/it agrees with people in \d+% \(95% CI \d+–\d+%\) of what its judges decide/);
  expect(stdout).toMatch(/\ncascade:\n {2}- \{ adapter: word-odds, model: odds, mode: decide, sure: 0\.\d+ \}\n/);
});

test.each([
  [['--cascade'], 'either --agreement with people'],
  [['--cascade', '--agreement', '90%', '--cost', '1'], 'either --agreement with people'],
  [['--cascade', '--agreement', '100%'], 'above 50% and below 100%'],
  [['--cascade', '--agreement', '90%', '-k', '3'], 'leave out --model, --votes and --repeats'],
  [['--cascade', '--agreement', '90%', '--judge', 'cheap'], 'without --judge'],
  [['--agreement', '90%'], 'add --cascade'],
])('%j is refused', async (options, message) => {
  const args = ['calibrate', 'labels.jsonl', '--judges', 'cascade-judges.yaml', ...options];
  const { stderr, code } = await runCli(args, { cwd });
  expect(stderr).toContain(message);
  expect(code).toBe(4);
});

test('a judge that is no cascade, and a cost of people, are refused', async () => {
  const args = ['calibrate', 'labels.jsonl', '--cascade', '--cost', '1', '--scenario'];
  const none = await runCli([...args, 'scenarios/late-parcel.yaml'], { cwd });
  expect([none.code, none.stderr]).toEqual([4, expect.stringContaining('is not a cascade')]);
  const people = await runCli([...args, 'cascades/late-parcel.yaml'], { cwd });
  expect([people.code, people.stderr]).toEqual([4, expect.stringContaining('people, who have no price')]);
});
