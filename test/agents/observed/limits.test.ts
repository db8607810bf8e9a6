import { expect, test } from 'vitest';
import { runScenario } from '../../../packages/salvo/src/app/runs/run-scenario.ts';
import { startAnsweringServer } from '../../loopback/answering-server.ts';
import { completion } from '../../loopback/openai-wire.ts';
import { AGENT_FILE, baseUrls } from './observed-fixture.ts';

test("an observed agent's requests are no more at once than max_concurrency allows, over all trials", async () => {
  let working = 0;
  let most = 0;
  await using server = await startAnsweringServer(async () => {
    working += 1;
    most = Math.max(most, working);
    // Another request would be here by now if it were allowed.
    await new Promise((resolve) => setTimeout(resolve, 50));
    working -= 1;
    return completion({ content: 'One.' });
  });
  const command = [process.execPath, AGENT_FILE, 'as-program'];
  const program = { type: 'exec', command, observe: 'model', max_concurrency: 1 } as const;
  const { trials } = await runScenario({
    scenario: { name: 'orders', adapter: 'program', model: 'chat', prompt: 'Hi', assertions: [] },
    ...{ settings: { adapters: { program } }, env: baseUrls(server.url), trials: 4, concurrency: 4 },
  });
  expect(trials.map(({ trace }) => trace?.final_content)).toEqual(Array(4).fill('One.'));
  expect(server.requests()).toBe(4);
  expect(most).toBe(1);
});
