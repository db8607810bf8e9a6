import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { adapterOptionsSchema } from '../../packages/salvo/src/adapters/adapter-options-schema.ts';
import { performRun } from '../../packages/salvo/src/app/runs/run.ts';
import { projectFixture } from '../project-fixture.ts';

// The examples of docs/adapters.md, as they are written there.
const DOCS = readFileSync(new URL('../../docs/adapters.md', import.meta.url), 'utf8');

function example(section: string, language: string): string {
  const [, rest = ''] = DOCS.split(`### ${section}\n`, 2);
  const [, code] = rest.split(`\`\`\`${language}\n`, 2);
  if (code === undefined) throw new Error(`the section ${section} has no example in ${language}`);
  return code.split('```', 1)[0] ?? '';
}

async function conversation(files: Record<string, string>, adapter: string) {
  await using project = await projectFixture({
    'scenarios/a.yaml': `messages: [{ role: user, content: Hi }, { role: user, content: Bye }]
data: [{ customer: C-7 }]
trials: 1
assertions: [{ type: output_contains, value: Bye }]
`,
    ...files,
  });
  await using finished = await performRun({ cwd: project.root, env: { PATH: process.env.PATH }, adapter });
  const [trial] = await Array.fromAsync(finished.trials());
  return { verdict: finished.outcome.verdict, trace: trial?.trace };
}

test('a kept program in Python answers both turns of a conversation', async () => {
  const files = {
    'salvo.yaml': example('A program that is kept', 'yaml'),
    'agent.py': example('A program that is kept', 'python'),
  };
  const { verdict, trace } = await conversation(files, 'mine');
  expect(trace?.error).toBeNull();
  expect(trace?.messages.map(({ content }) => content)).toEqual(['Hi', 'You said: Hi', 'Bye', 'You said: Bye']);
  expect(verdict).toBe('PASS');
});

test('a server with its own request and response keeps its session, and reports its calls', async () => {
  const requests: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body: { query?: string } = Object(await json(request));
    requests.push(body);
    const steps = [{ tool: 'look', args: { id: 1 }, output: 'shipped' }];
    const usage = { prompt: 10, completion: 3 };
    response.end(JSON.stringify({ data: { reply: `You said: ${body.query}`, session_id: 'S-1', steps, usage } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const { port }: { port?: number } = Object(server.address());
  const settings = example('A server as it is', 'yaml').replace(
    'https://staging.example.com',
    `http://127.0.0.1:${port}`,
  );
  const { verdict, trace } = await conversation({ 'salvo.yaml': settings }, 'shop');
  expect(trace?.error).toBeNull();
  const sent = { customer: 'C-7', options: { locale: 'en' } };
  expect(requests).toEqual([
    { query: 'Hi', ...sent },
    { query: 'Bye', session_id: 'S-1', ...sent },
  ]);
  expect(trace).toMatchObject({
    tools_seen: 'reported',
    input_tokens: 20,
    output_tokens: 6,
    tool_calls_made: [
      { name: 'look', arguments: { id: 1 }, result: 'shipped' },
      { name: 'look', arguments: { id: 1 }, result: 'shipped' },
    ],
  });
  expect(verdict).toBe('PASS');
});

test('every adapter of an example is one that salvo.yaml may have', () => {
  const blocks = [...DOCS.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, code = '']): unknown => parse(code));
  const adapters = blocks.flatMap((block) => Object.values(Object(Object(block).adapters)));
  expect(adapters.length).toBeGreaterThan(9);
  for (const options of adapters) expect(adapterOptionsSchema.safeParse(options).error).toBeUndefined();
});

test('a wrong placeholder and a wrong expression are errors at their place', () => {
  const http = { type: 'http', url: 'http://localhost:1/' };
  const problemsOf = (options: object) =>
    adapterOptionsSchema.safeParse({ ...http, ...options }).error?.issues.map(({ path }) => path.join('.'));
  expect(problemsOf({ request: { a: [{ b: '{{mesage}}' }] } })).toEqual(['request.a.0.b']);
  expect(problemsOf({ response: 'a[' })).toEqual(['response']);
  expect(problemsOf({ request: { a: '{{message}}' }, response: { text: 'a' } })).toBeUndefined();
});
