import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { performRun } from '../../packages/salvo/src/app/runs/run.ts';
import { projectFixture } from '../project-fixture.ts';

const HAS_KEY = `hasKey: process.env.SHOP_KEY === 'from-the-file'`;
const FILES = {
  '.env': 'SHOP_KEY=from-the-file\n',
  'agent.mjs': `export default ({ row, share }) => JSON.stringify({ row, share, ${HAS_KEY} });\n`,
  'program.mjs': `let text = '';
for await (const chunk of process.stdin) text += chunk;
const { row, share } = JSON.parse(text);
console.log(JSON.stringify({ content: JSON.stringify({ row, share, ${HAS_KEY} }) }));
`,
  'salvo.hooks.mjs': `export const setupTrial = ({ row }) => ({ share: { url: 'db/' + row.id }, hidden: () => 1 });\n`,
  'scenarios/a.yaml': `prompt: Hi
data: [{ id: 7 }]
trials: 1
assertions: [{ type: output_contains, value: db/7 }]
`,
};

/** The final answer of the agent, or why there is none. */
async function answerOf(adapter: string, files: Record<string, string> = {}): Promise<unknown> {
  await using project = await projectFixture({
    ...FILES,
    'salvo.yaml': `env_file: .env
hooks: ./salvo.hooks.mjs
adapters:
  program: { type: exec, command: [node, program.mjs], env: [SHOP_KEY] }
  here: { type: module, path: agent.mjs, isolate: false }
`,
    ...files,
  });
  await using finished = await performRun({ cwd: project.root, env: { PATH: process.env.PATH }, adapter });
  const [trial] = await Array.fromAsync(finished.store.trials(finished.run.run_id));
  const trace = trial?.trace_id ? await finished.store.getTrace(trial.trace_id) : null;
  return trace?.final_content ? JSON.parse(trace.final_content) : (trace?.error ?? trial?.result?.error_message);
}

const EVERYTHING = { row: { id: 7 }, share: { url: 'db/7' }, hasKey: true };

test('an agent in a module has the row, what is shared, and the variables of env_file', async () => {
  expect(await answerOf('./agent.mjs')).toEqual(EVERYTHING);
  expect(await answerOf('here')).toEqual(EVERYTHING);
  delete process.env.SHOP_KEY;
});

test('a program has the row, what is shared, and the variables that it is granted', async () => {
  expect(await answerOf('program')).toEqual(EVERYTHING);
});

test('a server has the row and what is shared', async () => {
  const server = createServer(async (request, response) => {
    const { row, share }: Record<string, unknown> = Object(await json(request));
    response.end(JSON.stringify({ content: JSON.stringify({ row, share }) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: { port?: number } = Object(server.address());
  expect(await answerOf(`http://127.0.0.1:${port}/`)).toEqual({ row: { id: 7 }, share: { url: 'db/7' } });
  server.close();
});

test('what cannot be written as JSON is a failed setup', async () => {
  const hooks = `export const setupTrial = () => { const share = {}; share.self = share; return { share }; };\n`;
  expect(await answerOf('./agent.mjs', { 'salvo.hooks.mjs': hooks })).toMatch(
    /^setupTrial returned a "share" that cannot be written as JSON/,
  );
});
