import { expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../../test/hostile-texts.ts';
import { judged } from '../../../../../../test/sample-against.ts';
import { sampleReport, sampleReportedScenario } from '../../../../../../test/sample-report.ts';
import type { Baseline } from '../../../run/compare/baseline.ts';
import { githubAnnotations } from './annotations.ts';

test('every scenario that did not pass is an error on its line, with the rule that decided and the causes', () => {
  const lines = githubAnnotations(sampleReport(), ({ file }) => ({ file: `app/${file}`, line: 7 })).split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(
    /^::error file=app\/scenarios\/refund-fraud.yaml,line=7,title=refund-fraud%3A HARD FAIL::a required assertion failed in 1 trial; 16 of 20 trials passed%0Alookup_account was never called/,
  );
  expect(lines[0]).toContain('%0Asalvo replay 01k7x9f3qz/refund-fraud 3%0A');
  expect(lines[1]).toContain('UNSCORED::6 of 6 scored trials passed, but 2 trials could not be scored%0AThe provider');
});

test('a run in which all passed has none', () => {
  const scenarios = [
    sampleReportedScenario(),
    sampleReportedScenario({ verdict: 'RECORDED', decided_by: 'record_only' }),
  ];
  expect(githubAnnotations({ ...sampleReport(), scenarios }, ({ file }) => ({ file, line: 1 }))).toBe('');
});

test('no text can end its command or begin another', () => {
  const scenarios = HOSTILE_TEXTS.slice(0, 10).map((text) =>
    sampleReportedScenario({
      name: `${text}\n::error::x`,
      verdict: 'FAIL',
      crashes: [{ message: `${text}\r\n::stop-commands::x`, count: 1, trial_numbers: [1] }],
    }),
  );
  const text = githubAnnotations({ ...sampleReport(), scenarios }, ({ file }) => ({ file, line: 1 }));
  expect(text.split('\n')).toHaveLength(scenarios.length + 1);
  for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^::error file=/);
});

test('that all scenarios together are worse than the baseline is the first error, without a line', () => {
  const results = (trials: string): Baseline => ({
    ...{ salvo_baseline: 1, salvo_version: '', run_id: 'r1', created_at: '2026-01-01T10:00:00Z', commit: null },
    scenarios: Array.from({ length: 12 }, (_, index) => ({
      ...{ name: `s${index}`, file: `s${index}.yaml`, adapter: 'openai', model: 'a', seed: null },
      yardstick: { threshold: 0.8, assertions: {}, judges: {}, mocks: null, task: null, system_prompt: null },
      ...{ cost_usd: null, latency_seconds: null, cases: [{ case: null, row: null, trials }] },
    })),
  });
  const against = judged(results('1111'), results('1101'));
  const lines = githubAnnotations({ ...sampleReport(), against }, ({ file }) => ({ file, line: 1 })).split('\n');
  expect(lines[0]).toMatch(/^::error title=all scenarios \(12\)%3A compared with the baseline::Worse: 75%25 /);
  expect(lines[1]).toContain('title=refund-fraud');
});
