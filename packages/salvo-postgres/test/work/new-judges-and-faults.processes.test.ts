import { expect, test } from 'vitest';
import { startCli } from '../../../../test/cli/cli-fixture.ts';
import { createDatabase } from '../../../../test/postgres.ts';
import { projectFixture } from '../../../../test/project-fixture.ts';

/** Calls its tool twice at most. What it says depends on the faults of its calls alone. */
const AGENT = `
export default async ({ messages, callTool }) => {
  const [id] = /[A-Z]-[0-9]+/.exec(messages.at(-1).content);
  const first = await callTool('refund', { id });
  if (!first.is_error) return { content: 'GOOD: refunded ' + id };
  const second = await callTool('refund', { id });
  return { content: (second.is_error ? 'bad: no refund ' : 'fair: refunded ') + id };
};`;

/** Scores words, in both modes: it is not sure of a fair answer, and its votes about A-2 differ. Of two answers, GOOD is better. */
const JUDGE = `
const likely = (text) => (text.includes('GOOD:') ? 0.98 : text.includes('fair:') ? 0.6 : 0.02);
const answerIn = (text, letter) => text.split('response of answer ' + letter + '>>>')[1]?.split('<<<END')[0] ?? '';
const scoreOf = (text, vote) => {
  const [a, b] = [answerIn(text, 'A'), answerIn(text, 'B')].map(likely);
  if (text.includes('response of answer A')) return a === b ? 0.5 : a > b ? 1 : 0;
  return text.includes('GOOD:') || (text.includes('fair:') && (vote < 3 || !text.includes('A-2'))) ? 1 : 0.25;
};
export default {
  async sendTurn(messages, [tool], { decision, conversation }) {
    const text = messages.at(-1).content;
    const answers = decision?.map(({ type, name }) => ({ type, name, probability: likely(text) }));
    const vote = { reasoning: 'By its words.', score: scoreOf(text, conversation?.voteNumber ?? 1) };
    const scores = Object.fromEntries(Object.keys(tool?.parameters.properties ?? {}).map((name) => [name, vote]));
    const call = answers ? { name: 'decide', arguments: { answers } } : { name: 'score_criteria', arguments: scores };
    const usage = { input_tokens: 100, output_tokens: 10 };
    return { content: null, tool_calls: [{ id: 'v', ...call }], usage, finish_reason: 'tool_calls', raw_response: null };
  },
};`;

const SCENARIO = `
name: refunds
trials: 6
adapter: agent.mjs
tools_seen: all
prompt: Please refund {{id}}.
data: [{ id: A-1 }, { id: A-2 }, { id: A-3 }]
tools: [{ name: refund, effect: write, parameters: { type: object }, mock_response: { refunded: true } }]
assertions:
  - { id: quality, type: judge, judge_adapter: house, judge_model: m, k: 3, criteria: [{ name: good, description: Is it good? }] }
`;

const MORE = `
  - id: staged
    type: judge
    criteria: [{ name: good, description: Is it good?, binary: true }]
    cascade:
      - { adapter: house, model: cheap, mode: decide, sure: 0.9 }
      - { adapter: house, model: dear, k: 3, sure: 0.9 }
      - { people: true }
  - { id: as-before, type: judge, judge_adapter: house, judge_model: m, k: 1, against: latest }
  - { type: recovers }
`;

const FILES = {
  'salvo.yaml': `
adapters: { house: { type: module, path: ./judge.mjs } }
prices: { m: &price { input_per_million: 1, output_per_million: 1 }, cheap: *price, dear: *price }
`,
  'agent.mjs': AGENT,
  'judge.mjs': JUDGE,
  'base.yaml': SCENARIO,
  's.yaml': SCENARIO + MORE,
  'faults.yaml': '- { kind: timeout, rate: 40%, after: true }\n- { kind: http_500, rate: 20% }\n',
  'labels.jsonl': Array.from({ length: 40 }, (_, index) => {
    const isGood = index % 2 === 1;
    return JSON.stringify({ task: `Task ${index}`, response: `${isGood ? 'GOOD:' : 'bad:'} ${index}`, passed: isGood });
  }).join('\n'),
};

/** What a run says of each trial and of its judges, without ids, times and the process that asked. */
function told(stdout: string) {
  const { scenarios } = JSON.parse(stdout);
  return scenarios.map(({ trials, judges, verdict }: Record<string, Record<string, unknown>[]>) => ({
    verdict,
    judges: judges?.map(({ drift, cascade, pairwise, calibrated, corrected_pass_rate }) => ({
      drift: { ...Object(drift), calibrated_at: undefined },
      cascade,
      pairwise,
      calibrated,
      corrected_pass_rate,
    })),
    trials: trials?.map(({ case: name, trial_number, status, passed, score, faults, eval_results }) => ({
      ...{ name, trial_number, status, passed, score, faults },
      results: (eval_results as Record<string, Record<string, Record<string, unknown>>>[]).map((result) => ({
        ...{ id: result.assertion_id, passed: result.passed, status: result.status, score: result.score },
        decided: result.metadata?.cascade?.decided_by,
        pairwise: result.metadata?.pairwise?.preference,
      })),
    })),
  }));
}

test('workers give the faults, stages, preferences and checks of judges that one process gives', async () => {
  await using database = await createDatabase();
  await using elsewhere = await projectFixture();
  const shared = { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: elsewhere.path('cache') };
  const places: Record<string, string>[] = [{}, shared];
  const documents = await Promise.all(
    places.map(async (env) => {
      await using project = await projectFixture(FILES);
      const salvo = (...args: string[]) => startCli([...args, '-q'], { cwd: project.root, env }).result;
      const isShared = 'SALVO_DATABASE_URL' in env;
      const worker = isShared ? startCli(['worker', '-c', '4', '--allow-code'], { cwd: elsewhere.root, env }) : null;
      await using _worker = { [Symbol.asyncDispose]: async () => void worker?.child.kill('SIGKILL') };
      await salvo('calibrate', 'labels.jsonl', '--scenario', 'base.yaml');
      const base = await salvo('run', 'base.yaml', '--seed', '1');
      expect(base.code, base.stdout + base.stderr).toBe(0);
      const run = ['run', 's.yaml', '--faults', 'faults.yaml', '--seed', '7', '--check-judge', '--json'];
      const { stdout, stderr, code } = await salvo(...run);
      expect(code, stderr).toBe(1);
      const again = await salvo('reeval', 'latest');
      expect(again.stdout).toContain('No trial was judged differently');
      if (isShared) {
        const by = await database.query('SELECT count(*) FROM salvo.trials');
        expect(Number(by[0]?.count)).toBeGreaterThanOrEqual(36);
      }
      return told(stdout);
    }),
  );
  const [one, workers] = documents;
  expect(workers).toEqual(one);
  const [{ judges, trials }] = one;
  const [pairs, quality, staged] = judges;
  expect(pairs.pairwise).toMatchObject({ trials: 18, ties: expect.any(Number), losses: expect.any(Number) });
  expect(quality).toMatchObject({ calibrated: true, drift: { outcome: 'unchanged', calls: 20 } });
  for (const { decided } of staged.cascade.stages) expect(decided).toBeGreaterThan(0);
  expect(staged.cascade.people.waiting).toBeGreaterThan(0);
  const kinds = trials.flatMap(({ faults }: { faults?: object }) => Object.keys(faults ?? {}));
  expect([...new Set(kinds)].sort()).toEqual(['http_500', 'timeout after the call']);
}, 120_000);
