import { expect, it } from 'vitest';
import { uncalibratedWarnings } from './uncalibrated-warnings.ts';

const judge = { judge_hash: 'h', judge_model: 'judge-1', relativeFile: 'scenarios/refund.yaml', isScript: false };

it('names the judge and the cure, in a line', () => {
  expect(uncalibratedWarnings([judge])).toEqual([
    'Warning: the judge judge-1 of scenarios/refund.yaml was never compared with people. `salvo calibrate labels.jsonl --scenario scenarios/refund.yaml` tells how far to trust it.',
  ]);
});

it('lists a few and counts the rest', () => {
  const lines = uncalibratedWarnings(Array.from({ length: 8 }, () => judge));
  expect(lines).toHaveLength(6);
  expect(lines.at(-1)).toBe('Warning: 3 more judges never compared with people.');
});

it('stays one safe line, whatever a model or a file is called', () => {
  const [line] = uncalibratedWarnings([{ ...judge, judge_model: 'a\n\u001b[2Jb', relativeFile: 'x\ny.yaml' }]);
  expect(line).not.toMatch(/[\u0000-\u001f]/);
});
