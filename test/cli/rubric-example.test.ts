import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/rubric-judge', import.meta.url));

async function exampleProject() {
  const project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true, filter: (source) => !source.includes('.salvo') });
  return project;
}

test('the rubric example runs offline, with disagreement and a repaired vote', async () => {
  await using project = await exampleProject();
  const run = await runCli(['run', '-n', '10', '--seed', '1', '--json'], { cwd: project.root });
  const [apology, late] = documentOf(run).scenarios;
  const votes = apology?.trials.flatMap(({ eval_results }) => eval_results[0]?.metadata.votes ?? []);
  expect(votes).toHaveLength(50);
  expect(votes).toContainEqual(expect.objectContaining({ repaired: true, error: null }));
  expect(apology?.judges).toMatchObject([{ trials_judged: 10, votes_cast: 50 }]);
  expect(apology?.judges[0]?.dissent_rate).toBeGreaterThan(0);
  expect(late?.judges[0]?.votes_saved).toBeGreaterThan(0);
  expect(apology?.judge_cost_usd).toBeGreaterThan(0);
});

test('its judge can be tested for manipulation', async () => {
  await using project = await exampleProject();
  const { stdout, code } = await runCli(['judge-check', '--json'], { cwd: project.root });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'checks nothing', cases: 107, unscored: [] });
});

test('its labels calibrate its judge, and later runs are corrected by that', async () => {
  await using project = await exampleProject();
  const cwd = project.root;
  const { stdout } = await runCli(['calibrate', 'labels.jsonl', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ items: 24, scored: 24, verdict: 'weak' });
  const run = await runCli(['run', 'scenarios/late-parcel.yaml', '-n', '10', '--seed', '1', '--json'], { cwd });
  expect(documentOf(run).scenarios[0]?.judges).toMatchObject([
    { calibrated: true, corrected_pass_rate: expect.any(Number) },
  ]);
});

test('its labels calibrate a judge that decides', async () => {
  await using project = await exampleProject();
  const args = ['--rubric', 'rubrics/support.yaml', '--judges', 'judges.yaml', '--judge', 'decision', '--json'];
  const { stdout } = await runCli(['calibrate', 'labels.jsonl', ...args], { cwd: project.root });
  const judge = { judges: [{ mode: 'decide' }], k: 1 };
  expect(JSON.parse(stdout)).toMatchObject({ judge_model: 'word-odds', stored: true, scored: 24, judge });
});
