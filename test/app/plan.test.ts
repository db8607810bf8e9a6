import { expect, test } from 'vitest';
import { planRuns } from '../../packages/salvo/src/app/runs/plan.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { renderPlan } from '../../packages/salvo/src/report/run/terminal/plan-report.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';

test('a plan is for the worst case until there is a stored run of the same model, and then for its pass rate', async () => {
  const turns = (text: string, weight: number) => ({ weight, turns: [done(text)] });
  const script = { variants: [turns('Done', 9), turns('No', 1)] };
  await using project = await projectFixture({
    's.yaml': sampleScenario({ name: 's', script }),
    't.yaml': sampleScenario({ name: 't', script }),
  });
  const cwd = project.root;
  const plan = async (change = {}) =>
    await planRuns({ cwd, files: ['s.yaml'], effect: 0.2, precision: 0.1, ...change });
  const [worst] = (await plan()).scenarios;
  expect(worst).toMatchObject({ known: null, answers: [{ cost_usd: null, seconds: null }, { trials: 93 }] });
  await (await runFiles({ cwd, files: ['s.yaml'], trials: 40, seed: 1 }))[Symbol.asyncDispose]();

  const known = await plan();
  expect(known.scenarios[0]).toMatchObject({ known: { runs: 1, trials: 40, agent_usd: 0, judges_usd: 0 } });
  expect(known.scenarios[0]?.answers[0]?.trials).toBeLessThan(worst?.answers[0]?.trials ?? 0);
  expect(known.totals[0]).toMatchObject({ cost_usd: 0, question: { kind: 'effect', size: 0.2, power: 0.8 } });
  const half = await plan({ concurrency: 8 });
  expect(half.totals[0]?.seconds).toBeCloseTo((known.totals[0]?.seconds ?? 0) / 2);
  expect((await plan({ model: 'another' })).scenarios[0]?.known).toBeNull();

  const text = renderPlan(known, { width: 80, color: false });
  expect(text).toContain('To find a change of the pass rate by 20 points in 80% of the comparisons');
  expect(text).toContain('To know the pass rate to within ±10%');
  expect(text).not.toContain('worst case');

  const two = await plan({ files: ['s.yaml', 't.yaml'] });
  const { together } = two.totals[0] ?? {};
  expect(known.totals[0]?.together).toBeNull();
  expect(two.totals[1]?.together).toBeNull();
  expect(together?.trials).toBe(2 * (together?.trials_per_case ?? 0));
  expect(together?.trials_per_case).toBeLessThan(two.scenarios[0]?.answers[0]?.trials_per_case ?? 0);
  expect(renderPlan(two, { width: 120, color: false })).toContain(
    `To find a change by 20 points of all 2 scenarios together takes ${together?.trials_per_case} trials of each case:`,
  );
  await expect(plan({ power: 1 })).rejects.toMatchObject({ code: 'OPTIONS_INVALID' });
  await expect(plan({ effect: 0 })).rejects.toMatchObject({ code: 'OPTIONS_INVALID' });
});
