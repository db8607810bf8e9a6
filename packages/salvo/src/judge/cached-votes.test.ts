import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { askedFor, fakeModels, scoring } from '../../../../test/fake-models.ts';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { sampleTrace } from '../../../../test/sample-trace.ts';
import { createVoteCache, voteKey } from '../models/call/vote-cache.ts';
import { scenarioFieldsSchema } from '../scenario/schema/scenario-schema.ts';
import { createRedactor } from '../secrets/redactor.ts';
import { type JudgeRequest, judgeTrace } from './judge-trace.ts';

const criteria = [{ name: 'kind', description: 'Is kind.', weight: 1 }];
const as = <T>(value: T): T => value;
const userKey = async () => 'a key';
const scenario = {
  ...scenarioFieldsSchema.parse({ prompt: 'Please.', system_prompt: 'Be kind.' }),
  name: 'sample',
  assertions: [],
};
const VOTE = { scores: { kind: { score: 1, reasoning: 'x' } }, input_tokens: 1, output_tokens: 2, repaired: false };

function request(changes: Partial<JudgeRequest> = {}): JudgeRequest {
  return {
    trace: sampleTrace(),
    scenario,
    criteria,
    subject: 'trial 1',
    judges: [{ adapter: 'a', model: 'm', weight: 1 }],
    ...{ k: 1, threshold: 0.8, temperature: 0, maxTokens: 100 },
    models: fakeModels(() => scoring({ kind: 0.9 })),
    ...changes,
  };
}

/** How many of the votes were not cached. */
async function paidVotes(asked: JudgeRequest): Promise<number> {
  const { metadata } = await judgeTrace(asked);
  return metadata.votes.filter(({ cached }) => !cached).length;
}

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== '.gitignore')
    .map(({ parentPath, name }) => join(parentPath, name));
}

interface VoteFile {
  mac: string;
  vote: unknown;
}

function keyOf(file: string): string {
  return basename(dirname(file)) + basename(file, '.json');
}

function macOf(key: string, vote: unknown, secret = 'a key'): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([key, vote]))
    .digest('hex');
}

describe('a vote that was paid for', () => {
  test('is not paid for again: it costs nothing, and is marked', async () => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    const models = fakeModels((call) =>
      askedFor(call).request === 0 ? { content: 'hm' } : scoring({ kind: 0.8 + askedFor(call).vote / 100 }),
    );
    const first = await judgeTrace(request({ k: 3, cache, models }));
    const second = await judgeTrace(request({ k: 3, cache, models }));
    expect(models.calls).toHaveLength(6);
    expect(first.metadata).toMatchObject({ cached_votes: 0, judge_cost_usd: 0.06 });
    expect(second).toMatchObject({
      score: first.score,
      passed: first.passed,
      metadata: { cached_votes: 3, judge_cost_usd: 0 },
    });
    expect(second.metadata.votes).toEqual(
      first.metadata.votes.map((vote) => ({ ...vote, cached: true, cost_usd: 0, latency_seconds: 0 })),
    );
  });

  test('is judged by the current weights and threshold', async () => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    expect(await judgeTrace(request({ cache }))).toMatchObject({ passed: true });
    expect(await judgeTrace(request({ cache, threshold: 0.95 }))).toMatchObject({
      passed: false,
      metadata: { cached_votes: 1, votes: [{ passed: false }] },
    });
  });

  test('is used when more votes are asked for, and only the others are paid for', async () => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    expect(await paidVotes(request({ cache, k: 3 }))).toBe(3);
    expect(await paidVotes(request({ cache, k: 5 }))).toBe(2);
  });

  test('is found whatever the nonce of the fence', async () => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    expect(await paidVotes(request({ cache, newNonce: () => 'aaaa' }))).toBe(1);
    expect(await paidVotes(request({ cache, newNonce: () => 'bbbb' }))).toBe(0);
  });

  test('is for repeats of the same subject: the equal answer of another trial is judged on its own', async () => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    expect(await paidVotes(request({ cache, subject: 'trial 1' }))).toBe(1);
    expect(await paidVotes(request({ cache, subject: 'trial 2' }))).toBe(1);
    expect(await paidVotes(request({ cache, subject: 'trial 1' }))).toBe(0);
  });

  test('is not cached when it is unknown what was judged', async () => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    expect(await paidVotes(request({ cache, subject: undefined }))).toBe(1);
    expect(await paidVotes(request({ cache, subject: undefined }))).toBe(1);
    await expect(readdir(folder.path('cache'))).rejects.toThrow('ENOENT');
  });

  test('is not cached when it could not be read, or when there was no answer', async () => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    const unreadable = fakeModels(() => ({ content: 'hm' }));
    await judgeTrace(request({ cache, models: unreadable }));
    await judgeTrace(request({ cache, models: unreadable }));
    expect(unreadable.calls).toHaveLength(4);
  });

  test('is not cached when it is unknown which model answers', async () => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    const models = fakeModels(() => scoring({ kind: 1 }), { fingerprint: null });
    expect(await paidVotes(request({ cache, models }))).toBe(1);
    expect(await paidVotes(request({ cache, models }))).toBe(1);
    await expect(readdir(folder.path('cache'))).rejects.toThrow('ENOENT');
  });
});

describe('whatever could change the answer makes it another vote:', () => {
  const answer = () => scoring({ kind: 0.9, other: 0.9 });
  const trace = sampleTrace();
  test.each<[string, Partial<JudgeRequest>]>([
    ['the model', { judges: [{ adapter: 'a', model: 'n', weight: 1 }] }],
    ['the temperature', { temperature: 0.1 }],
    ['the limit of tokens', { maxTokens: 101 }],
    ['the model behind the adapter', { models: fakeModels(answer, { fingerprint: 'elsewhere' }) }],
    ['the provider', { models: fakeModels(answer, { provider: 'anthropic' }) }],
    ['a description', { criteria: [{ name: 'kind', description: 'Is very kind.', weight: 1 }] }],
    ['a name', { criteria: [{ name: 'other', description: 'Is kind.', weight: 1 }] }],
    ['a weight, which the judge sees', { criteria: [{ name: 'kind', description: 'Is kind.', weight: 2 }] }],
    ['a scale', { criteria: criteria.map((each) => ({ ...each, scale: { '0': 'no', '1': 'yes' } })) }],
    ['a reference', { criteria: criteria.map((each) => ({ ...each, reference: 'Like this.' })) }],
    ['to be binary', { criteria: criteria.map((each) => ({ ...each, binary: true })) }],
    ['one criterion more', { criteria: [...criteria, { name: 'other', description: 'x', weight: 1 }] }],
    ['the prompt', { customPrompt: 'Be harsh.' }],
    ['the answer of the agent', { trace: { ...trace, final_content: 'Done!' } }],
    ['the task', { trace: { ...trace, messages: [{ role: 'user', content: 'Now.' }, ...trace.messages.slice(1)] } }],
    ['the sections', { sections: ['response'] }],
    ['the system prompt', { includeSystemPrompt: true }],
  ])('%s', async (_, changes) => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    const models = fakeModels(answer);
    expect(await paidVotes(request({ cache, models }))).toBe(1);
    expect(await paidVotes(request({ cache, models, ...changes }))).toBe(1);
    expect(await paidVotes(request({ cache, models }))).toBe(0);
  });
});

test.each([
  ['a local model with a temperature is asked again with another seed', 'llama', 0.7, 1],
  ['a local model that does not draw always says the same', 'llama', 0, 0],
  ['a remote model knows nothing of our dice', 'openai', 0.7, 0],
])('%s', async (_, provider, temperature, expected) => {
  await using folder = await projectFixture();
  const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
  const models = fakeModels(() => scoring({ kind: 0.9 }), { provider });
  await paidVotes(request({ cache, models, temperature, seed: 1, trialNumber: 1 }));
  expect(await paidVotes(request({ cache, models, temperature, seed: 2, trialNumber: 1 }))).toBe(expected);
  expect(await paidVotes(request({ cache, models, temperature, seed: 1, trialNumber: 2 }))).toBe(expected);
});

describe('the files', () => {
  test.each([
    ['empty', ''],
    ['half written', '{"scores": {"kind"'],
    ['no objects', '7'],
    ['without a vote', '{}'],
  ])('that are %s are misses, and are replaced', async (_, content) => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    await paidVotes(request({ cache }));
    const [file = ''] = await filesBelow(folder.path('cache'));
    await writeFile(file, content);
    expect(await paidVotes(request({ cache }))).toBe(1);
    expect(await paidVotes(request({ cache }))).toBe(0);
  });

  test.each([
    ['of another shape', { scores: { kind: 1 } }],
    ['out of range', { ...VOTE, scores: { kind: { score: 7, reasoning: '' } } }],
    ['about other criteria', { ...VOTE, scores: { cruel: { score: 1, reasoning: '' } } }],
    ['about nothing', { ...VOTE, scores: {} }],
  ])('with an authentic vote that is %s are misses, and are replaced', async (_, vote) => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    await paidVotes(request({ cache }));
    const [file = ''] = await filesBelow(folder.path('cache'));
    const mac = macOf(keyOf(file), vote);
    await writeFile(file, JSON.stringify({ mac, vote }));
    expect(await paidVotes(request({ cache }))).toBe(1);
    expect(await paidVotes(request({ cache }))).toBe(0);
  });

  test.each<[string, (file: string, others: VoteFile) => VoteFile]>([
    ['has no authentication', (_, { vote }) => ({ mac: '', vote })],
    ['was changed', (_, { mac, vote }) => ({ mac, vote: { ...Object(vote), scores: VOTE.scores } })],
    ['was authenticated with another key', (file, { vote }) => ({ mac: macOf(keyOf(file), vote, 'other'), vote })],
    ['was copied from another vote', (_, { vote }) => ({ mac: macOf('0'.repeat(64), vote), vote })],
  ])('are only used if the user wrote them: a vote that %s is a miss', async (_, forge) => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    const models = fakeModels(() => scoring({ kind: 0.1 }));
    await paidVotes(request({ cache, models }));
    const [file = ''] = await filesBelow(folder.path('cache'));
    await writeFile(file, JSON.stringify(forge(file, JSON.parse(await readFile(file, 'utf8')))));
    const judged = await judgeTrace(request({ cache, models }));
    expect(judged).toMatchObject({ score: 0.1, passed: false, metadata: { cached_votes: 0 } });
  });

  test('are hidden from git', async () => {
    await using folder = await projectFixture();
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    await paidVotes(request({ cache }));
    expect(await readFile(folder.path('cache/.gitignore'), 'utf8')).toBe('*\n');
  });

  test('are not needed: a folder that cannot be written is ignored', async () => {
    await using folder = await projectFixture({ cache: 'a file, and no folder' });
    const cache = createVoteCache({ dir: folder.path('cache'), withoutSecrets: as, userKey });
    expect(await judgeTrace(request({ cache }))).toMatchObject({ score: 0.9, metadata: { judge_cost_usd: 0.01 } });
  });

  test('can be written by two processes at once, and are never read half-written', async () => {
    await using folder = await projectFixture();
    const writer = fileURLToPath(new URL('../../../../test/vote-writer.ts', import.meta.url));
    const key = voteKey({ vote: 1 });
    const write = (score: string) => promisify(execFile)(process.execPath, [writer, folder.root, key, score]);
    await Promise.all([write('0.25'), write('0.75')]);
    const cache = createVoteCache({ dir: folder.root, withoutSecrets: as, userKey });
    expect([0.25, 0.75]).toContain((await cache.get(key))?.scores.kind?.score);
    // Drafts are gone.
    expect(await filesBelow(folder.root)).toHaveLength(1);
  });

  test('hold nothing secret', async () => {
    await using folder = await projectFixture();
    const redactor = createRedactor({ customPatterns: [], secrets: ['hunter2-hunter2'] });
    const cache = createVoteCache({
      dir: folder.path('cache'),
      withoutSecrets: (value) => redactor.value(value),
      userKey,
    });
    const reasoning = 'It says hunter2-hunter2 and sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD aloud.';
    const models = fakeModels(() => scoring({ kind: { score: 0.2, reasoning } }));
    const trace = sampleTrace({ final_content: 'The password is hunter2-hunter2.' });
    const first = await judgeTrace(request({ cache, models, trace }));
    const files = await filesBelow(folder.path('cache'));
    expect(files).toHaveLength(1);
    const stored = `${files}\n${await readFile(files[0] ?? '', 'utf8')}`;
    expect(stored).not.toMatch(/hunter2|sk-proj-abc/);
    expect(stored).toContain('REDACTED');
    const second = await judgeTrace(request({ cache, models, trace }));
    expect(second).toMatchObject({ score: first.score, metadata: { cached_votes: 1 } });
  });

  test('survive criteria whose names look like secrets', async () => {
    await using folder = await projectFixture();
    const redactor = createRedactor({ customPatterns: [], secrets: [] });
    const cache = createVoteCache({
      dir: folder.path('cache'),
      withoutSecrets: (value) => redactor.value(value),
      userKey,
    });
    const named = [{ name: 'api_key', description: 'Keeps it.', weight: 1 }];
    const models = fakeModels(() => scoring({ api_key: 1 }));
    expect(await paidVotes(request({ cache, models, criteria: named }))).toBe(1);
    expect(await paidVotes(request({ cache, models, criteria: named }))).toBe(0);
  });
});

test('a key differs when any part differs', () => {
  expect(voteKey({ a: 'x', b: 'y' })).toMatch(/^[0-9a-f]{64}$/);
  expect(voteKey({ a: 'x', b: 'y' })).not.toBe(voteKey({ a: 'xy', b: '' }));
});
