import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { JudgeComparison } from '../../packages/salvo/src/judge/which/judge-comparison.ts';
import { decision, decisionRequest, predicateAnswer } from '../loopback/decision-wire.ts';
import { type Reply, receive, send } from '../loopback/loopback-server.ts';
import { projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

/** Answers that no decision may have, by a word of the judged text. */
const WRONG: Record<string, Reply> = {
  SUM: decision([{ type: 'score', name: 'good', probabilities: [{ label: 'a', probability: 0.9 }] }]),
  NAN: { text: '{"answers": [{"type": "predicate", "name": "good", "probability": NaN}]}' },
  MISSING: decision([]),
  OTHER: decision([predicateAnswer('bad', 1)]),
};

async function decisionServer() {
  let requests = 0;
  const server = createServer(async (incoming, response) => {
    requests += 1;
    const text = decisionRequest(await receive(incoming)).input[1]?.content ?? '';
    const wrong = Object.entries(WRONG).find(([word]) => text.includes(word))?.[1];
    send(wrong ?? decision([predicateAnswer('good', text.includes('GOOD') ? 0.9 : 0.1)]), incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => requests,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const label = (response: string, passed: boolean) => JSON.stringify({ response, passed });
const LABELS = [
  ...Array.from({ length: 24 }, (_, index) => label(`${index % 2 === 0 ? 'GOOD' : 'poor'} ${index}`, index % 2 === 0)),
  ...Object.keys(WRONG).map((word) => label(`${word} answer`, true)),
];

async function projectOn(port: number, labels: readonly string[]) {
  return await projectFixture({
    'salvo.yaml': `adapters: { local: { type: openai, base_url: "http://127.0.0.1:${port}/v1" } }`,
    'rubric.yaml': 'criteria: [{ name: good, description: Is it good?, binary: true }]',
    'judges.yaml': '[{ name: fast, adapter: local, model: gpt-6-luna, mode: decide }]',
    'labels.jsonl': labels.join('\n'),
  });
}

const ARGS = ['calibrate', 'labels.jsonl', '--rubric', 'rubric.yaml', '--judges', 'judges.yaml', '-q', '--json'];

test('wrong answers of a server are unscored, and votes of a model are asked for once', async () => {
  await using server = await decisionServer();
  await using project = await projectOn(server.port, LABELS);
  const compare = async (): Promise<JudgeComparison> => JSON.parse((await runCli(ARGS, { cwd: project.root })).stdout);
  const first = await compare();
  expect(first.judges[0]).toMatchObject({ n: 24, judged: 28, unscored: { count: 4 }, kappa: 1, cached: 0 });
  expect(first.judges[0]?.sentences[0]).toContain('could not score 4 of 28 answers');
  expect(server.requests()).toBe(28);
  const second = await compare();
  expect(second.judges[0]).toMatchObject({ n: 24, cached: 24, unscored: { count: 4 } });
  const asked = server.requests();
  const calibrated = await runCli([...ARGS, '--judge', 'fast'], { cwd: project.root });
  expect(JSON.parse(calibrated.stdout)).toMatchObject({ scored: 24, stored: true });
  // What could not be scored is not cached, and asked for again.
  expect(server.requests() - asked).toBe(4);
});

test('labels that are doubled count once, and those that contradict each other are said', async () => {
  await using server = await decisionServer();
  const more = [label('GOOD 0', true), label('GOOD 2', false), label('poor 1', true), label('poor 1', true)];
  await using project = await projectOn(server.port, [...LABELS.slice(0, 24), ...more]);
  const { labels, notes, judges }: JudgeComparison = JSON.parse((await runCli(ARGS, { cwd: project.root })).stdout);
  expect(labels).toMatchObject({ lines: 28, answers: 23 });
  expect(notes.join(' ')).toContain('4 lines on an answer that has a label already');
  expect(notes.join(' ')).toContain('Labels of 2 answers contradict each other (lines ');
  // The majority of three says that "poor 1" passes.
  expect(judges[0]?.agreement.count).toBe(22);
});
