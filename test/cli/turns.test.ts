import { expect, test } from 'vitest';
import { startLoopback } from '../loopback/loopback-server.ts';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { salvo, salvoYaml, vote } from './judge-fixture.ts';
import { done, sampleScenario } from './sample-scenario.ts';

const call = (args: Record<string, unknown>) => ({ tool_calls: [{ name: 'cancel', arguments: args }] });

/** Two questions after a history, of which the agent answers the first with two calls. */
const conversation = (assertions: Record<string, unknown>[], changes: Record<string, unknown> = {}) =>
  sampleScenario({
    prompt: undefined,
    model: 'free',
    messages: [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: 'Hello from the history.' },
      { role: 'user', content: 'Cancel both.' },
      { role: 'user', content: 'And now?' },
    ],
    tools: [
      {
        name: 'cancel',
        mock_responses: [
          { when: { id: { $regex: '^A-' } }, respond: 'cancelled' },
          { error: 'There is no such order.' },
        ],
      },
    ],
    script: [call({ id: 'A-1', fee: 4.999 }), call({ id: 'B-2' }), done('One is cancelled.'), done('Bye.')],
    assertions,
    ...changes,
  });

const PASSING = [
  { type: 'output_contains', value: 'cancelled', turn: 1 },
  { type: 'output_contains', value: 'Bye', turn: 2 },
  { type: 'output_contains', value: 'cancelled', turn: 'any' },
  { type: 'output_not_contains', value: 'history', turn: 'every' },
  { path: 'length(tool_calls)', eq: 2, turn: 1 },
  { path: 'length(tool_calls)', eq: 0, turn: 2 },
  { path: 'tool_calls[0].result', eq: 'cancelled' },
  {
    type: 'tool_sequence',
    mode: 'same',
    sequence: [
      { tool: 'cancel', arguments: { id: { $any_of: ['B-2', 'B-3'] } } },
      { tool: 'cancel', arguments: { fee: { $near: 5, $tolerance: 0.01 } } },
    ],
  },
  { type: 'tool_sequence', mode: 'only', sequence: ['cancel'] },
];
const FAILING = [
  { type: 'output_contains', value: 'cancelled', turn: 'every' },
  { type: 'output_contains', value: 'history', turn: 'any' },
  { type: 'output_contains', value: 'Bye', turn: 3 },
  { type: 'tool_sequence', mode: 'only', sequence: [{ tool: 'cancel', arguments: { id: { $regex: '^A-' } } }] },
];

test('assertions on turns and calls hold in a run, and again when its traces are evaluated again', async () => {
  await using project = await projectFixture({
    'salvo.yaml': salvoYaml,
    's.yaml': conversation([...PASSING, ...FAILING]),
  });
  const run = documentOf(await runCli(['run', 's.yaml', '-n', '1', '--json'], { cwd: project.root }));
  const results = run.scenarios[0]?.trials[0]?.eval_results ?? [];
  expect(results.map(({ passed }) => passed)).toEqual([...PASSING.map(() => true), ...FAILING.map(() => false)]);
  expect(results.slice(PASSING.length).map(({ details }) => details)).toEqual([
    'turn 2: the answer does not contain "cancelled": got "Bye."',
    'none of 2 turns; turn 1: the answer does not contain "history": got "One is cancelled."',
    'there is no turn 3: the agent gave 2 answers',
    'expected only "cancel {"id":{"$regex":"^A-"}}", got "cancel {"id":"B-2"}" (calls: cancel {"id":"A-1","fee":4.999}, cancel {"id":"B-2"})',
  ]);
  const again = await runCli(['reeval', run.run_id, '--json'], { cwd: project.root });
  const [scenario] = JSON.parse(again.stdout).scenarios;
  expect(scenario.after).toEqual(scenario.before);
});

test('a judge of a turn sees what had happened until then, and one of a missing turn is not asked', async () => {
  const criteria = [{ name: 'polite', description: 'Says please.' }];
  const judge = (turn: unknown) => ({ type: 'judge', criteria, k: 1, turn });
  const shown: string[] = [];
  await using server = await startLoopback(
    ['1', 'every'].map(() => ({
      reply: vote(1),
      expect: ({ body }: { body: unknown }) => void shown.push(JSON.stringify(body)),
    })),
  );
  await using project = await projectFixture({
    'salvo.yaml': salvoYaml,
    's.yaml': conversation([judge(1), judge('every'), judge(3)]),
  });
  const document = documentOf(await salvo(project, server, ['run', 's.yaml', '-n', '1', '--json']));
  const results = document.scenarios[0]?.trials[0]?.eval_results ?? [];
  expect(results.map(({ passed }) => passed)).toEqual([true, true, false]);
  expect(results[2]?.details).toBe('there is no turn 3: the agent gave 2 answers');
  const [first = '', every = ''] = shown.toSorted((a, b) => a.length - b.length);
  expect(first).toContain('One is cancelled.');
  expect(first).not.toMatch(/Bye|And now/);
  expect(every).toMatch(/One is cancelled.*Bye/s);
  const hashes = results.slice(0, 2).map(({ metadata }) => metadata.judge_hash);
  expect(new Set(hashes).size).toBe(2);
});
