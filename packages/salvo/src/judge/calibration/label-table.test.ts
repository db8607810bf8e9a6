import { describe, expect, it } from 'vitest';
import { readLabels } from './calibration-labels.ts';
import { jsonLinesOfTable } from './label-table.ts';
import { readRecordedVerdicts } from './recorded-verdicts.ts';

const labelsOf = (text: string) => readLabels(jsonLinesOfTable(text, { file: 'l.csv' }), { file: 'l.csv' });
const verdictsOf = (text: string) =>
  readRecordedVerdicts(jsonLinesOfTable(text, { file: 'l.csv' }), { file: 'l.csv', threshold: 0.8 });

describe('a table of labels', () => {
  it('has an answer in each row, and scores in columns that name a criterion', () => {
    const [first, second] = labelsOf(
      '\ufefftask,response,labels.polite,labels.brief,passed,note\r\n"Where, please?","Here,\nsir.",1,0.5,,x\r\n,42,,,Fail,\r\n',
    );
    expect(first).toMatchObject({ line: 2, labels: { polite: 1, brief: 0.5 }, passed: null });
    expect(first?.trace).toMatchObject({ final_content: 'Here,\nsir.' });
    // The row before it has two lines.
    expect(second).toMatchObject({ line: 4, labels: null, passed: false, trace: { final_content: '42' } });
  });

  it.each([
    ['TRUE', 'false', [true, false]],
    ['pass', 'Fail', [true, false]],
    ['"yes"', 'no', [true, false]],
    ['1', '0.2', [true, false]],
  ])('reads the verdicts %s and %s as people write them', (human, judge, expected) => {
    const [item] = verdictsOf(`human,judge\n${human},${judge}\n`);
    expect([item?.comparison?.human.passed, item?.comparison?.judge.passed]).toEqual(expected);
  });

  it('has a column for each judge of a panel; an empty cell is no verdict', () => {
    const [item] = verdictsOf('human,votes.gpt-4o,votes.claude\npass,pass,\n');
    expect(item?.panel).toEqual([
      { judge: 'gpt-4o', passed: true },
      { judge: 'claude', passed: null },
    ]);
  });

  it.each([
    ['human,judge\nmaybe,pass\n', 'l.csv:2: "human" should be true, false or a score from 0 to 1, but is "maybe"'],
    ['response,passed\nHi\n', 'l.csv:2:1: this row has 1 values, but the first line names 2 columns'],
    ['response,passed\n"Hi,true\n', 'l.csv:2:1: this quote is never closed'],
    ['response;passed\nHi;true\n', 'l.csv:1:1: columns must be separated by commas'],
    ['', 'l.csv holds no labels'],
    ['response,passed\n', 'l.csv holds no labels'],
    ['__proto__,passed\nx,true\n', 'l.csv:2:'],
  ])('%j is refused with its place', (text, problem) => {
    expect(() => (text.startsWith('human') ? verdictsOf(text) : labelsOf(text))).toThrow(problem);
  });
});
