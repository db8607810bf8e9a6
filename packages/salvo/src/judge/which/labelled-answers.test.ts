import { expect, test } from 'vitest';
import { readLabels } from '../calibration/calibration-labels.ts';
import { labelledAnswers } from './labelled-answers.ts';

type Line = { task?: string; response?: string; passed?: boolean; case?: string; labels?: Record<string, number> };

const CRITERIA = ['kind', 'right'].map((name) => ({ name, description: name, weight: 1 }));

function answersOf(lines: readonly Line[]) {
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const items = readLabels(text, { file: 'labels.jsonl', criteria: ['kind', 'right'] });
  return labelledAnswers(items, { criteria: CRITERIA, threshold: 0.7, file: 'labels.jsonl' });
}

const different = (count: number, passed: (index: number) => boolean = (index) => index % 2 === 0): Line[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ task: `Task ${index}`, response: `Answer ${index}`, passed: passed(index) },
  }));

test('each answer has the verdict of people, said or by the scores of all criteria', () => {
  const { answers, notes } = answersOf([
    ...different(10),
    { task: 'a', response: 'a', labels: { kind: 1, right: 0.5 } },
    { task: 'b', response: 'b', labels: { kind: 0, right: 0.5 } },
  ]);
  expect(answers.map(({ human }) => human).slice(10)).toEqual([true, false]);
  expect(notes).toEqual([]);
});

test('copies count once, and the majority of contradicting labels counts', () => {
  const copy = { task: 'Task 0', response: 'Answer 0' };
  const { answers, notes } = answersOf([...different(12), { ...copy, passed: true }, { ...copy, passed: false }]);
  expect(answers).toHaveLength(12);
  expect(answers[0]?.human).toBe(true);
  expect(notes).toEqual([
    '2 lines on an answer that has a label already: copies of an answer count once.',
    expect.stringContaining('Labels of 1 answer contradict each other (lines 1, 13-14)'),
  ]);
});

test('an answer that as many people passed as failed is left out', () => {
  const { answers } = answersOf([...different(12), { task: 'Task 0', response: 'Answer 0', passed: false }]);
  expect(answers).toHaveLength(11);
});

test('a line without a verdict is named', () => {
  const { answers, notes } = answersOf([...different(10), { task: 'c', response: 'c', labels: { kind: 1 } }]);
  expect(answers).toHaveLength(10);
  expect(notes).toEqual([expect.stringContaining('No verdict of people on lines 11')]);
});

test('answers of one case are one cluster', () => {
  const { answers, notes } = answersOf(different(12).map((line, index) => ({ ...line, case: `case ${index % 4}` })));
  expect(new Set(answers.map(({ cluster }) => cluster)).size).toBe(4);
  expect(notes).toEqual([expect.stringContaining('The 12 answers are of 4 cases')]);
});

test.each([
  ['fewer than ten', different(9), 'labels.jsonl:1:1: there are 9 answers with a verdict of people'],
  ['ten copies of one', Array.from({ length: 10 }, () => different(1)).flat(), 'there are 1 answer'],
  ['all passed', different(20, () => true), 'people passed all 20 answers'],
  ['none passed', different(20, () => false), 'people failed all 20 answers'],
])('%s: refused before a judge is asked', (_, lines, message) => {
  expect(() => answersOf(lines)).toThrow(message);
});
