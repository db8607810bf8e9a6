import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { compareRecordedVerdicts, holdsRecordedVerdicts, readRecordedVerdicts } from './recorded-verdicts.ts';

const file = 'verdicts.jsonl';
const read = (...lines: string[]) => readRecordedVerdicts(lines.join('\n'), { file, threshold: 0.8 });

function problemsOf(...lines: string[]): string {
  try {
    read(...lines);
  } catch (error) {
    if (error instanceof SalvoError) return error.message;
    throw error;
  }
  return 'none';
}

describe('readRecordedVerdicts', () => {
  it('takes verdicts as pass or fail, or as scores', () => {
    const [plain, scored] = read('{"human": true, "judge": false}', '{"human": 0.9, "judge": 0.3}');
    expect(plain?.comparison).toEqual({
      human: { passed: true, score: null },
      judge: { passed: false, score: null },
      votes: [[false]],
    });
    expect(scored?.comparison).toMatchObject({
      human: { passed: true, score: 0.9 },
      judge: { passed: false, score: 0.3 },
    });
  });

  it('takes votes, of which the majority decides; a tie fails', () => {
    const [majority, tie] = read('{"human": true, "votes": [true, false, 0.8]}', '{"human": true, "votes": [1, 0]}');
    expect(majority?.comparison).toMatchObject({ judge: { passed: true }, votes: [[true, false, true]] });
    expect(tie?.comparison).toMatchObject({ judge: { passed: false } });
  });

  it.each([
    '{"human": false, "votes": {"a": true, "b": false, "c": null}}',
    '{"human": false, "votes": [{"judge": "a", "passed": true}, {"judge": "b", "score": 0.2}, {"judge": "c"}]}',
  ])('takes the votes of a panel: %s', (line) => {
    const [item] = read(line);
    expect(item?.panel).toEqual([
      { judge: 'a', passed: true },
      { judge: 'b', passed: false },
      { judge: 'c', passed: null },
    ]);
    expect(item?.comparison?.votes).toEqual([[true, false, null]]);
  });

  it('an item on which the judge has no verdict could not be scored', () => {
    const [item, lost] = read('{"human": true, "judge": null}', '{"human": true, "votes": [true, null, null]}');
    expect(item).toMatchObject({ comparison: null, error: 'there is no verdict' });
    expect(lost?.comparison).toBeNull();
  });

  it('takes scenario, task, response and reasoning', () => {
    const [item] = read(
      '{"human": true, "judge": true, "scenario": "s", "task": "t", "response": "r", "reasoning": "why", "id": 7}',
    );
    expect(item).toMatchObject({ scenario: 's', task: 't', response: 'r', said: [{ reasoning: 'why' }] });
  });

  it.each([
    ['{"human": true}', 'verdicts.jsonl:1: has neither "judge" nor "votes"'],
    ['{"human": "yes", "judge": true}', '"human" should be true, false or a score from 0 to 1, but is "yes"'],
    ['{"human": null, "judge": true}', '"human" should be true, false or a score'],
    ['{"human": true, "judge": 85}', '"judge" should be true, false or a score from 0 to 1, but is 85'],
    ['{"human": true, "votes": [true, "no"]}', 'vote 2 should be true, false or a score'],
    ['{"human": true, "votes": []}', '"votes" is empty'],
    ['{"human": true, "votes": {}}', '"votes" is empty'],
    ['{"human": true, "votes": 3}', '"votes" should be a list, or a map of judges and their verdicts'],
    ['{"human": true, "votes": [{"passed": true}]}', 'vote 1 should name its "judge"'],
    [`{"human": true, "votes": [${Array(201).fill('true')}]}`, '"votes" has 201 entries, and at most 200 are read'],
    ['{"human": true, "judge": true, "scenario": 3}', '"scenario" should be a text'],
    ['{"human": true, "votes": {"a": true, "a": false}}', '"a" is there twice'],
    ['{"human": true, "judge"', 'the file is not complete'],
    ['[]', 'should be a JSON object such as {"human": true, "judge": false}'],
  ])('complains of %s', (line, problem) => {
    expect(problemsOf(line)).toContain(problem);
  });

  it('refuses lines with answers that are to be judged, at their place', () => {
    expect(problemsOf('{"human": true, "judge": false}', '{"response": "x", "passed": true}')).toBe(
      'verdicts.jsonl:2: has no "human", and the first line has: put answers that are to be judged into a file of their own',
    );
  });

  it('either reads a text or says what is wrong with it, and nothing else', () => {
    const verdict = fc.oneof(fc.boolean(), fc.double({ min: -1, max: 2 }), fc.jsonValue());
    const line = fc.record(
      {
        human: verdict,
        judge: verdict,
        votes: fc.oneof(fc.array(verdict), fc.dictionary(fc.string(), verdict), fc.jsonValue()),
        reasoning: fc.oneof(fc.string(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const right = fc.record({ human: fc.boolean(), votes: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }) });
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(right, { minLength: 1 }).map((lines) => lines.map((each) => JSON.stringify(each)).join('\n')),
      fc.array(line, { maxLength: 5 }).map((lines) => lines.map((each) => JSON.stringify(each)).join('\n')),
    );
    let compared = 0;
    fc.assert(
      fc.property(text, (content) => {
        try {
          const items = readRecordedVerdicts(content, { file, threshold: 0.8 });
          compared += compareRecordedVerdicts(items, { threshold: 0.8 }).report.scored;
        } catch (error) {
          expect(error).toBeInstanceOf(SalvoError);
        }
      }),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(0);
  });
});

describe('holdsRecordedVerdicts', () => {
  it('looks at the first object of the file', () => {
    expect(holdsRecordedVerdicts('\n{"human": true, "judge": true}\n')).toBe(true);
    expect(holdsRecordedVerdicts('{"response": "x", "passed": true}\n{"human": true}')).toBe(false);
    for (const text of ['', '[', '"human"', 'human', '{"__proto__": {"human": true}}']) {
      expect(holdsRecordedVerdicts(text)).toBe(false);
    }
  });
});
