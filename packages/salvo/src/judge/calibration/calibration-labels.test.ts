import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { traceSchema } from '../../trace/trace.ts';
import { readLabels } from './calibration-labels.ts';

const file = 'labels.jsonl';
const GOOD = '{"response": "Yes.", "passed": true}';

/** The message of the error that a file gives. */
function problemsOf(text: string, criteria?: string[]): string {
  try {
    readLabels(text, { file, criteria });
  } catch (error) {
    if (error instanceof SalvoError) return error.message;
    throw error;
  }
  return 'none';
}

describe('lines of a draw', () => {
  const drawn = { rate: 1.5, at: 0.1, position: 1, of: 9, draw: 'd' };
  const line = (more: Record<string, unknown>) => JSON.stringify({ response: 'Yes.', passed: null, drawn, ...more });

  it('are left out if they have no label yet, and keep how they were drawn', () => {
    const text = [line({ passed: true }), line({ drawn: { ...drawn, position: 2 } })].join('\n');
    expect(readLabels(text, { file })).toEqual([expect.objectContaining({ line: 1, passed: true, drawn })]);
    expect(problemsOf(line({}))).toContain('no line of labels.jsonl has a label yet');
  });

  it.each([[{ rate: 0 }], [{ at: -1 }], [{ position: 'first' }], [{ of: 0 }]])('refuses %j', (wrong) => {
    const [key] = Object.keys(wrong);
    expect(problemsOf(line({ passed: true, drawn: { ...drawn, ...wrong } }))).toContain(
      `labels.jsonl:1: "drawn.${key}"`,
    );
  });

  it.each([['yes'], [[]], [3]])('refuses a draw that is %j', (wrong) => {
    expect(problemsOf(line({ passed: true, drawn: wrong }))).toContain('labels.jsonl:1: "drawn"');
  });
});

describe('readLabels', () => {
  it('makes a minimal trace of a response and its task', () => {
    const [item] = readLabels('{"task": "Is it?", "response": "Yes.", "labels": {"tone": 0.5}, "passed": false}', {
      file,
    });
    expect(item).toMatchObject({ line: 1, labels: { tone: 0.5 }, passed: false, criteria: null });
    expect(item?.trace.final_content).toBe('Yes.');
    expect(item?.trace.messages).toEqual([
      { role: 'user', content: 'Is it?' },
      { role: 'assistant', content: 'Yes.', tool_calls: [] },
    ]);
    expect(traceSchema.parse(item?.trace)).toEqual(item?.trace);
  });

  it('takes a whole trace, and puts the task before it only if no user speaks in it', () => {
    const spoken = sampleTrace();
    const silent = sampleTrace({ messages: [{ role: 'assistant', content: 'Done.', tool_calls: [] }] });
    const text = [spoken, silent].map((trace) => JSON.stringify({ trace, task: 'Do it.', passed: true })).join('\n');
    const [first, second] = readLabels(text, { file });
    expect(first?.trace).toEqual(spoken);
    expect(second?.trace.messages[0]).toEqual({ role: 'user', content: 'Do it.' });
  });

  it('an empty answer can be labelled too', () => {
    expect(readLabels('{"response": "", "passed": false}', { file })[0]?.trace.final_content).toBe('');
  });

  it('takes a byte order mark, any line ends, blank lines and empty cells', () => {
    const text = `\ufeff${GOOD}\r\n\r\n{"response": "No.", "task": null, "labels": null, "passed": false}\r${GOOD}\n`;
    expect(readLabels(text, { file }).map(({ line, passed }) => [line, passed])).toEqual([
      [1, true],
      [3, false],
      [4, true],
    ]);
  });

  it('keeps U+2028 inside a text, which ends no line of JSON', () => {
    expect(readLabels('{"response": "a\u2028b", "passed": true}', { file })[0]?.trace.final_content).toBe('a\u2028b');
  });

  it.each(['', '\ufeff', '\n\r\n  \n'])('a file without labels is refused: %j', (text) => {
    expect(problemsOf(text)).toBe('labels.jsonl holds no labels. Write one JSON object a line.');
  });

  it('says when the last line was cut off', () => {
    expect(problemsOf(`${GOOD}\n{"response": "Ye`)).toBe('labels.jsonl:2: breaks off: the file is not complete');
  });

  it('says when the file is a list, or an object over many lines', () => {
    expect(problemsOf(`[\n${GOOD}\n]`)).toContain('labels.jsonl:1: is only the beginning of JSON');
    expect(problemsOf(`[${GOOD}]`)).toContain('labels.jsonl:1: should be a JSON object');
  });

  it.each([
    ['{"response": "x"}', 'has neither "labels" nor "passed"'],
    ['{"passed": true}', 'has neither "trace" nor "response"'],
    ['{"response": "x", "trace": {}, "passed": true}', 'has both "trace" and "response"'],
    ['{"response": 3, "passed": true}', '"response" should be a text, but is a number'],
    ['{"response": "x", "task": ["y"], "passed": true}', '"task" should be a text, but is a list'],
    ['{"response": "x", "passed": "yes"}', '"passed" should be true or false, but is "yes"'],
    ['{"response": "x", "labels": [1]}', '"labels" should be a map of criteria and scores, but is a list'],
    ['{"response": "x", "labels": {}}', '"labels" is empty'],
    ['{"response": "x", "labels": {"a": 1.01}}', 'the score of "a" should be a number from 0 to 1, but is 1.01'],
    ['{"response": "x", "labels": {"a": -0.1}}', 'but is -0.1'],
    ['{"response": "x", "labels": {"a": 1e999}}', 'but is Infinity'],
    ['{"response": "x", "labels": {"a": "high"}}', 'but is "high"'],
    ['{"response": "x", "labels": {"a": null}}', 'but is empty'],
    ['{"response": "x", "labels": {"a": true}}', 'but is true (write 1)'],
    ['{"response": "x", "labels": {"a": 1, "a": 0}}', '"a" is there twice'],
    ['{"response": "x", "passed": true, "passed": false}', '"passed" is there twice'],
    ['{"response": "x", "pased": true}', 'there is no "pased": did you mean "passed"?'],
    ['{"trace": "x", "passed": true}', '"trace"'],
    ['{"trace": {"messages": []}, "passed": true}', '"trace.tool_calls_made"'],
    ['{"response": "x", "passed": true, "criteria": []}', '"criteria"'],
    ['{"response": "x", "passed": true, "criteria": [{"name": "a"}]}', '"criteria[0].description"'],
    ['null', 'should be a JSON object'],
    ['4', 'should be a JSON object'],
    ['nonsense', 'is not JSON: "nonsense"'],
  ])('%s: %s', (text, message) => {
    expect(problemsOf(`${GOOD}\n${text}\n`)).toContain(message);
    expect(problemsOf(`${GOOD}\n${text}\n`)).toMatch(/^labels\.jsonl:2: /);
  });

  it('refuses two criteria of one name, and weights that are all 0', () => {
    const rubric = (...criteria: object[]) => JSON.stringify({ response: 'x', passed: true, criteria });
    const tone = { name: 'tone', description: 'kind' };
    expect(problemsOf(rubric(tone, tone))).toContain('two criteria are called "tone"');
    expect(problemsOf(rubric({ ...tone, weight: 0 }))).toContain('weights of all criteria are 0');
  });

  it('lists unknown criteria, with what was probably meant', () => {
    const text = '{"response": "x", "labels": {"polite": 1, "facs": 0, "spelling": 1}}';
    expect(problemsOf(text, ['politeness', 'facts'])).toBe(
      [
        'labels.jsonl:1: there is no criterion "polite": did you mean "politeness"?',
        'labels.jsonl:1: there is no criterion "facs": did you mean "facts"?',
        'labels.jsonl:1: there is no criterion "spelling": the criteria are "politeness", "facts"',
      ].join('\n'),
    );
  });

  it("uses a line's own criteria before those of the rubric", () => {
    const own = '{"response": "x", "criteria": [{"name": "tone", "description": "kind"}], "labels": {"tone": 1}}';
    expect(readLabels(own, { file, criteria: ['facts'] })[0]?.criteria).toEqual([
      { name: 'tone', description: 'kind', weight: 1 },
    ]);
    expect(problemsOf(own.replace('{"tone"', '{"facts"'), ['facts'])).toContain('no criterion "facts"');
  });

  it('allows notes under other keys, but no misspelt key', () => {
    const text = '{"response": "x", "passed": true, "id": 7, "annotator": "ann", "task_id": 3, "comment": "?"}';
    expect(readLabels(text, { file })).toHaveLength(1);
  });

  it('names all bad lines at once, but the same problem on three lines only', () => {
    const text = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? GOOD : '{"passed": true}')).join('\n');
    expect(problemsOf(text).split('\n')).toEqual([
      'labels.jsonl:2: has neither "trace" nor "response"',
      'labels.jsonl:4: has neither "trace" nor "response"',
      'labels.jsonl:6: has neither "trace" nor "response"',
      'and 12 more like this',
    ]);
  });

  it('counts lines that are not JSON, whatever they hold', () => {
    const lines = problemsOf(['a', 'b', 'c', 'd', 'e'].join('\n')).split('\n');
    expect(lines).toEqual([
      'labels.jsonl:1: is not JSON: "a"',
      'labels.jsonl:2: is not JSON: "b"',
      'labels.jsonl:3: is not JSON: "c"',
      'and 2 more like this',
    ]);
  });

  it('names at most twenty different problems', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `{"response": "x", "passed": ${index}}`);
    const problems = problemsOf(lines.join('\n')).split('\n');
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe('and 10 more problems');
  });

  it('takes the scenario of an answer, as exported trials have it', () => {
    const text = '{"response": "x", "passed": true, "scenario": "refund"}\n{"response": "x", "passed": true}';
    expect(readLabels(text, { file }).map(({ scenario }) => scenario)).toEqual(['refund', null]);
    expect(problemsOf('{"response": "x", "passed": true, "scenario": 7}')).toContain('"scenario" should be a text');
  });

  it('refuses lines that hold the verdict of a judge', () => {
    expect(problemsOf(`${GOOD}\n{"human": true, "judge": false}`)).toBe(
      'labels.jsonl:2: is the verdict of a judge, and the first line is not: put such lines into a file of their own',
    );
  });

  it('carries the place of the first problem', () => {
    expect(() => readLabels(`${GOOD}\n\n{}`, { file })).toThrow(
      expect.objectContaining({ code: 'LABELS_INVALID', location: { file, line: 3 } }),
    );
  });

  it('a criterion called "__proto__" is a name like any other', () => {
    const [item] = readLabels(
      '{"response": "x", "labels": {"__proto__": 0.25, "constructor": 1}, "__proto__": {"passed": true}}',
      {
        file,
      },
    );
    expect(Object.entries(item?.labels ?? {})).toEqual([
      ['__proto__', 0.25],
      ['constructor', 1],
    ]);
    expect(item?.passed).toBeNull();
    expect(problemsOf('{"response": "x", "labels": {"__proto__": 1}}', ['tone'])).toContain('no criterion "__proto__"');
    expect(problemsOf('{"__proto__": {"response": "x", "passed": true}}')).toContain('has neither "trace"');
  });

  it('reads a line of many megabytes, and does not repeat a broken one', () => {
    const huge = '\\"{['.repeat(1_000_000);
    expect(readLabels(`{"response": "${huge}", "passed": true}`, { file })[0]?.trace.final_content).toHaveLength(
      3_000_000,
    );
    expect(problemsOf(`${huge}\n${GOOD}`).length).toBeLessThan(200);
    expect(problemsOf(`{"response": "x", "labels": {"${huge}": 3}}`).length).toBeLessThan(300);
  });

  it('either reads a text or says what is wrong with it, and nothing else', () => {
    const anything = fc.jsonValue();
    const nearlyRight = fc.record(
      {
        response: fc.oneof(fc.string(), anything),
        task: fc.oneof(fc.string(), anything),
        labels: fc.oneof(fc.dictionary(fc.string(), fc.double({ min: 0, max: 1, noNaN: true })), anything),
        passed: fc.oneof(fc.boolean(), anything),
      },
      { requiredKeys: [] },
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.json()).map((lines) => lines.join('\n')),
      nearlyRight.map((line) => JSON.stringify(line)),
    );
    let read = 0;
    fc.assert(
      fc.property(text, (content) => {
        try {
          const items = readLabels(content, { file });
          expect(items.length).toBeGreaterThan(0);
          read += items.length;
          for (const { labels, passed } of items) expect(labels !== null || passed !== null).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(SalvoError);
        }
      }),
      { numRuns: 500 },
    );
    expect(read).toBeGreaterThan(0);
  });
});
