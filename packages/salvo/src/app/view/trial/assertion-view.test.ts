import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../../test/project-fixture.ts';
import { runFiles } from '../../runs/run.ts';
import { trialView } from './trial-view.ts';

test('an assertion of a case has its name with the values of the row, and the id of all cases', async () => {
  await using project = await projectFixture({
    'scenarios/s.yaml': `
prompt: "{{q}}"
adapter: scripted
data: [{ q: one, said: late }, { q: two, said: soon }]
script: [{ content: "{{said}}" }]
assertions: [{ type: output_contains, value: "{{said}}" }, { id: own, type: output_contains, value: late }]
`,
  });
  await using finished = await runFiles({ cwd: project.root, env: {}, trials: 1 });
  const { assertions } = await trialView(finished.store, finished.run.run_id, { scenario: 0, case: 1, trial: 1 });
  expect(assertions.map(({ id, name, status }) => ({ id, name, status }))).toEqual([
    { id: 'output_contains:"{{said}}"', name: 'output_contains:"soon"', status: 'passed' },
    { id: 'own', name: 'own', status: 'failed' },
  ]);
});
