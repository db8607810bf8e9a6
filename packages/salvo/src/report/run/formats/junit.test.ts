import { expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../../test/hostile-texts.ts';
import { sampleJudgement } from '../../../../../../test/sample-judgement.ts';
import { sampleRunHead, sampleSummary } from '../../../../../../test/sample-run.ts';
import { sampleEvalResult, sampleTrial } from '../../../../../../test/sample-trial.ts';
import type { TrialResult } from '../../../trial/trial-result.ts';
import type { ScenarioStream } from '../run-report.ts';
import { writeJunit } from './junit.ts';

interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const run = sampleRunHead();

async function written(scenarios: ScenarioStream[]): Promise<string> {
  const chunks: string[] = [];
  await writeJunit({ run, scenarios, write: (chunk) => void chunks.push(chunk) });
  return chunks.join('');
}

/** Throws on anything that is not well-formed XML 1.0 of the plain kind we write. */
function parseXml(xml: string): Element {
  expect(xml).not.toMatch(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  const token = /<\?xml[^<>]*\?>|<(\/?)([a-z-]+)((?: [a-z_]+="[^"<]*")*)(\/?)>|([^<>]+)/gy;
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const found = token.exec(xml);
    const parent = open.at(-1);
    if (!found || !parent) throw new Error(`not well-formed at ${xml.slice(at, at + 60)}`);
    const [, closing, name, attributes = '', empty, text] = found;
    if (text !== undefined) parent.text += unescaped(text);
    else if (closing) expect(open.pop()?.name).toBe(name);
    else if (name !== undefined) {
      const pairs = [...attributes.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
        key,
        unescaped(value),
      ]);
      const element: Element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' };
      expect(Object.keys(element.attributes)).toHaveLength(pairs.length);
      parent.children.push(element);
      if (!empty) open.push(element);
    }
  }
  expect(open).toEqual([root]);
  expect(root.children).toHaveLength(1);
  return root.children[0] ?? root;
}

function unescaped(text: string): string {
  expect(text.replaceAll(/&(?:amp|lt|gt|quot|#\d+);/g, '')).not.toContain('&');
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
    code ? String.fromCharCode(Number(code)) : (named[name] ?? ''),
  );
}

const failing = (change: Partial<TrialResult>) =>
  sampleTrial({
    status: 'failed',
    score: 0.5,
    eval_results: [
      sampleEvalResult({ assertion_id: 'soft', score: 0, details: 'said "no"\nand <left>' }),
      sampleEvalResult({
        assertion_id: 'hard',
        score: 0,
        required: change.status === 'hard_fail',
        details: 'called drop_table',
      }),
      sampleEvalResult({ assertion_id: 'fine' }),
    ],
    ...change,
  });

test('is a suite per scenario and a case per trial, with the counts and times readers expect', async () => {
  const summary = sampleSummary({
    verdict: 'UNSCORED',
    decided_by: 'unscored_trials',
    trials_total: 5,
    trials_scored: 4,
    trials_passed: 1,
    trials_failed: 1,
    trials_hard_failed: 1,
    trials_crashed: 1,
    trials_unscored: 1,
  });
  const trials = () => [
    sampleTrial(),
    failing({ trial_number: 2 }),
    failing({ trial_number: 3, status: 'hard_fail' }),
    sampleTrial({
      trial_number: 4,
      status: 'unscored',
      passed: false,
      score: null,
      error_message: 'HTTP 500',
      trace_id: null,
    }),
    sampleTrial({ trial_number: 5, status: 'crashed' }),
  ];
  const root = parseXml(await written([{ summary, trials }]));
  const counts = { tests: '6', failures: '2', errors: '3', skipped: '0', time: '5.000' };
  expect(root).toMatchObject({ name: 'testsuites', attributes: counts });
  const [suite] = root.children;
  expect(suite).toMatchObject({ name: 'testsuite', attributes: { ...counts, name: 'refund-happy-path' } });
  const [properties, passed, failed, hard, unscored, crashed, verdict] = suite?.children ?? [];
  expect(properties?.children.map(({ attributes }) => attributes)).toContainEqual({ name: 'pass_rate', value: '1' });
  expect(passed).toMatchObject({
    attributes: { name: 'trial 1', classname: 'refund-happy-path', time: '1.000' },
    children: [],
  });
  expect(failed?.children[0]).toMatchObject({
    name: 'failure',
    attributes: { type: 'failed', message: 'said "no"↵and <left> (soft)' },
  });
  expect(failed?.children[0]?.text).toContain(
    'score 0.50\nsoft (output_contains, weight 1): said "no"\nand <left>\nhard',
  );
  expect(failed?.children[0]?.text).not.toContain('fine');
  expect(failed?.children[1]).toMatchObject({ name: 'system-out', text: 'salvo replay 01k7/refund-happy-path 2' });
  expect(hard?.children[0]).toMatchObject({
    name: 'failure',
    attributes: { type: 'hard_fail', message: 'called drop_table (hard)' },
  });
  expect(unscored?.children).toMatchObject([{ name: 'error', attributes: { type: 'unscored', message: 'HTTP 500' } }]);
  expect(crashed?.children[0]).toMatchObject({
    name: 'error',
    attributes: { type: 'crashed', message: 'x is undefined' },
    text: 'TypeError: x is undefined\n    at plan (/app/agent.ts:12:9)',
  });
  const reason = 'UNSCORED: 1 of 4 scored trials passed (1 crashed), but 1 trial could not be scored';
  expect(verdict).toMatchObject({
    attributes: { name: 'verdict', classname: 'refund-happy-path' },
    children: [{ name: 'error', attributes: { type: 'unscored_trials', message: reason } }],
  });
});

test('what a passing scenario tolerates is skipped, with the rule that tolerates it', async () => {
  const summary = sampleSummary({
    min_pass_rate: 0.3,
    trials_total: 4,
    trials_scored: 3,
    trials_passed: 1,
    trials_failed: 1,
    trials_crashed: 1,
    trials_unscored: 1,
  });
  const trials = () => [
    sampleTrial(),
    failing({ trial_number: 2 }),
    sampleTrial({ trial_number: 3, status: 'crashed' }),
    sampleTrial({ trial_number: 4, status: 'unscored' }),
  ];
  const root = parseXml(await written([{ summary, trials }]));
  expect(root.attributes).toMatchObject({ tests: '5', failures: '0', errors: '0', skipped: '3' });
  const [, , failed, crashed, unscored, verdict] = root.children[0]?.children ?? [];
  expect([failed, crashed, unscored].map((each) => each?.children[0]?.attributes.message)).toEqual([
    'failed, tolerated by min_pass_rate: said "no"↵and <left> (soft)',
    'crashed, tolerated by min_pass_rate: x is undefined',
    'unscored, tolerated by the option allow-unscored: the provider was down',
  ]);
  expect(failed?.children[1]?.text).toContain('hard (output_contains');
  expect(verdict?.children[0]).toMatchObject({ name: 'system-out' });
  expect(verdict?.children[0]?.text).toMatch(/^PASS: 1 of 3 scored trials passed/);
});

test('a scenario in which every trial passed is still red if its verdict is', async () => {
  const missed = { verdict: 'PARTIAL', decided_by: 'min_score', min_score: 0.9, score_avg: 0.85 } as const;
  const xml = await written([
    {
      summary: sampleSummary({ ...missed, trials_total: 1, trials_scored: 1, trials_passed: 1 }),
      trials: () => [sampleTrial()],
    },
  ]);
  const root = parseXml(xml);
  expect(root.attributes).toMatchObject({ tests: '2', failures: '1', errors: '0' });
  expect(root.children[0]?.children.at(-1)?.children[0]).toMatchObject({
    name: 'failure',
    attributes: { type: 'min_score' },
  });
});

test('an unknown cost is unknown', async () => {
  const summary = sampleSummary({ cost_total_usd: null, pass_rate: null, pass_rate_ci: null });
  const xml = await written([{ summary, trials: () => [] }]);
  expect(xml).toContain('<property name="cost_total_usd" value="unknown"/>');
  expect(parseXml(xml).children).toHaveLength(1);
});

test('an unknown time is left out', async () => {
  const xml = await written([{ summary: sampleSummary(), trials: () => [sampleTrial({ latency_seconds: null })] }]);
  expect(xml).toMatch(/<testcase(?! [^>]*time=)[^>]*>/);
  expect(parseXml(xml).children).toHaveLength(1);
});

test('scenarios of the same name keep their trials apart', async () => {
  const scenario = (file: string) => ({
    summary: sampleSummary({ name: 'same', file }),
    trials: () => [sampleTrial()],
  });
  const root = parseXml(
    await written([scenario('a.yaml'), scenario('b.yaml'), scenario('b.yaml'), scenario('b.yaml')]),
  );
  const names = root.children.map((suite) => suite.children.at(-1)?.attributes.classname);
  expect(new Set(names).size).toBe(4);
});

test('any text gives well-formed XML', async () => {
  const trials = () =>
    HOSTILE_TEXTS.flatMap((text, index) => [
      sampleTrial({ trial_number: index + 1, status: 'unscored', error_message: text, trace_id: text }),
      failing({
        eval_results: sampleTrial().eval_results.map((result) => ({ ...result, passed: false, details: text })),
      }),
    ]);
  for (const name of HOSTILE_TEXTS) {
    const root = parseXml(await written([{ summary: sampleSummary({ name, file: name, model: name }), trials }]));
    expect(root.children[0]?.children).toHaveLength(2 + 2 * HOSTILE_TEXTS.length);
  }
});

test('says how much of huge details it left out', async () => {
  const trials = () => [
    failing({
      eval_results: sampleTrial().eval_results.map((result) => ({
        ...result,
        passed: false,
        details: 'x'.repeat(1_000_000),
      })),
    }),
  ];
  const xml = await written([{ summary: sampleSummary({ verdict: 'FAIL' }), trials }]);
  expect(xml.length).toBeLessThan(20_000);
  expect(xml).toContain('(992000 more characters)');
});

test("a judge's failure is shown criterion by criterion", async () => {
  const metadata = { ...sampleJudgement() };
  const judged = sampleEvalResult({ assertion_id: 'tone', score: 0.4, details: 'judge=M', metadata });
  const trial = sampleTrial({ status: 'failed', score: 0.4, eval_results: [judged] });
  const xml = await written([{ summary: sampleSummary({ verdict: 'FAIL' }), trials: () => [trial] }]);
  expect(xml).toContain('message="polite 0.75, honest 1.00 (tone)"');
  expect(xml).toContain('polite 0.75 (0.50–0.90): It greets the customer, but never says sorry.');
  expect(xml).not.toContain('judge=M');
});
