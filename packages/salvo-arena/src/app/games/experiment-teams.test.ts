import { afterEach, expect, test, vi } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { forgetRegistrations } from '../../../../../test/registrations.ts';
import { registerAdapter } from '../../../../salvo/src/adapters/registered-adapters.ts';
import { samplePlan } from '../../../test/arena-experiment/sample-experiment.ts';
import { openExperimentTeams } from './experiment-teams.ts';

afterEach(forgetRegistrations);

test('all models of an experiment are prepared before its first game, and one that cannot be is told by its first call', async () => {
  const prepare = vi.fn(async () => {}).mockRejectedValueOnce(new Error('no package'));
  const sendTurn = vi.fn();
  for (const name of ['team', 'judge']) registerAdapter(name, () => ({ providerName: () => name, sendTurn, prepare }));
  await using project = await projectFixture({ 'salvo.yaml': 'default_adapter: team' });
  const plan = samplePlan({ red: ['llm:m'], blue: ['llm:m'], llm: ['m'], judge: 'judge' });
  const place = { project: await project.project(), env: {}, cwd: project.root, budgetUsd: null };
  await using teams = await openExperimentTeams(plan, place);
  expect(prepare).not.toHaveBeenCalled();
  await teams.prepare();
  expect(prepare).toHaveBeenCalledTimes(2);
  expect(sendTurn).not.toHaveBeenCalled();
});
