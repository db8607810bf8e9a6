import { expect, test } from 'vitest';
import { sampleScenario } from '../../cli/sample-scenario.ts';
import { JOBS, startMachines } from './machines.ts';

test('a worker that allows all code executes none for a run with --no-code', async () => {
  await using machines = await startMachines({
    files: {
      'agent.mjs': `import { writeFileSync } from 'node:fs';\nexport default () => 'Done.';\n`,
      's.yaml': sampleScenario({ adapter: './agent.mjs', script: undefined }),
    },
  });
  const client = machines.client(['run', 's.yaml', '-n', '1', '--json']);
  await machines.untilRow(`${JOBS} HAVING count(*) >= 1`);
  // An honest client sends no code with such a run. This is what somebody with the password of the database can do.
  await machines.database.query(`UPDATE salvo.runs SET options = (options::jsonb || '{"no_code": true}')::text`);
  const worker = await machines.worker(['--allow-code']);
  await worker.untilStderrHas('was started with `salvo run --no-code`');
  await client.untilStderrHas('was started with `salvo run --no-code`');
  expect(await machines.results()).toBe(0);
});
