import { expect, it } from 'vitest';
import { JudgeAgent } from '../../match/judge-agent.ts';
import type { ScoreSheet } from '../../report/score/score-sheet.ts';
import { scoreCode, scoreView } from './score-view.ts';

const SHEET: ScoreSheet = {
  red: { file: 'red.json', vulnerabilities: [{ id: 'v1', file: './modules/meant.tf', line: 1 }] },
  blues: [],
  matcher: 'evidence',
  matchThreshold: 0.55,
  exactThreshold: 0.7,
  beta: 1,
  code: null,
};

it('the code is that of the files which are meant, then of others, up to a limit', () => {
  const big = 'x'.repeat(12_000_000);
  const code = { 'a.tf': big, 'b.tf': big, 'c.tf': '', 'modules/meant.tf': big };
  expect(scoreCode({ ...SHEET, code }).files.map(({ name }) => name)).toEqual(['modules/meant.tf']);
  const small = { ...code, 'a.tf': 'a', 'b.tf': 'b' };
  expect(scoreCode({ ...SHEET, code: small }).files.map(({ name }) => name)).toEqual([
    'modules/meant.tf',
    'a.tf',
    'b.tf',
    'c.tf',
  ]);
});

it('a report without findings has no precision, also on the page', () => {
  const results = new JudgeAgent().score(SHEET.red.vulnerabilities, []);
  const gate = { status: 'passed' as const, messages: [] };
  const blues = [{ name: 'none', file: 'none.json', findings: [], notJudged: [], results, gate }];
  expect(scoreView({ ...SHEET, blues }).blues[0]).toMatchObject({
    precision: { value: null, interval: null },
    recall: { value: 0 },
    f1: 0,
  });
});

it('without --source, it is said how to see the code', () => {
  expect(scoreCode(SHEET)).toMatchObject({ files: [], missing: expect.stringContaining('--source') });
});
