import { expect, test } from 'vitest';
import { openProjectStore } from '../../packages/salvo/src/app/project/open-project.ts';
import { runCli, startCli } from '../cli/cli-fixture.ts';
import { createDatabase } from '../postgres.ts';
import { projectFixture } from '../project-fixture.ts';

const FILES = {
  'salvo.yaml': 'default_adapter: scripted\nscenarios_dir: scenarios\n',
  'scenarios/a.yaml': `
prompt: Cancel A-1.
state: !include ../data/orders.json
tools: [{ name: cancel, module: ../code/tools.ts }]
script: [{ tool_calls: [{ name: cancel, arguments: { id: A-1 } }] }, { content: Done. }]
assertions:
  - { type: final_state, after: [{ cancel: { id: A-1 } }] }
  - { type: final_state, path: 'orders."A-1"', equals: cancelled }
`,
  'data/orders.json': '{ "orders": { "A-1": "open" }, "worker": null }',
  'code/tools.ts': `import { CANCELLED } from './words.ts';
export function cancel({ id }: { id: string }, { state }: { state: { orders: Record<string, string> } }) {
  state.orders[id] = CANCELLED;
  return CANCELLED;
}
`,
  'code/words.ts': `export const CANCELLED = 'cancelled';\n`,
};

test('a worker receives the module of a tool with what it imports, and the state', async () => {
  await using database = await createDatabase();
  await using project = await projectFixture(FILES);
  await using elsewhere = await projectFixture();
  const env = { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: elsewhere.path('cache') };
  const worker = startCli(['worker', '-c', '2', '--allow-code'], { cwd: elsewhere.root, env });
  await worker.untilStderrHas('takes up to');
  const { code, stdout, stderr } = await startCli(['run', '-n', '3'], { cwd: project.root, env }).result;
  worker.child.kill('SIGINT');
  await worker.result;
  expect(code, stdout + stderr).toBe(0);
  const store = await openProjectStore(await project.project(), { env });
  const [run] = await store.listRuns({ limit: 1 });
  for await (const { trace_id } of store.trials(run?.run_id ?? '')) {
    const trace = await store.getTrace(trace_id ?? '');
    expect(trace?.state?.changes).toEqual([{ path: '/orders/A-1', before: 'open', after: 'cancelled' }]);
  }
  await store.close();
  const again = await runCli(['reeval', 'latest'], { cwd: project.root, env });
  expect(again.stdout).toContain('No trial was judged differently');
});
