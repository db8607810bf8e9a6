import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { calibratePairs, peoplesPairs } from './calibrate-pairs.ts';
import { holdsPairs, readPairLabels } from './pair-labels.ts';

const file = 'pairs.jsonl';
const read = (...lines: object[]) => readPairLabels(lines.map((line) => JSON.stringify(line)).join('\n'), { file });
const turns = (...texts: string[]) =>
  texts.map((content, index) => ({ role: index % 2 ? 'assistant' : 'user', content }));

function problemsOf(text: string): string {
  try {
    readPairLabels(text, { file });
  } catch (error) {
    if (error instanceof SalvoError) return error.message;
    throw error;
  }
  return 'none';
}

describe('pairs with preferences', () => {
  test.each([
    ['a', 'win'],
    [' B ', 'loss'],
    ['Tie', 'tie'],
    ['model_a', 'win'],
    ['tie (bothbad)', 'tie'],
    ['A>B', 'win'],
    ['gpt', 'win'],
  ])('"%s" is read as %s', (winner, preferred) => {
    const [pair] = read({ prompt: 'Q', response_a: '1', response_b: '2', winner, model_a: 'gpt', model_b: 'claude' });
    expect(pair).toMatchObject({ task: 'Q', preferred, a: { final_content: '1' }, b: { final_content: '2' } });
  });

  test('conversations as of MT-bench have the turn that was judged', () => {
    const line = {
      question_id: 81,
      winner: 'model_b',
      conversation_a: turns('Q', 'a1', 'Q2', 'a2'),
      conversation_b: turns('Q', 'b1', 'Q2', 'b2'),
    };
    const [first, second] = read({ ...line, turn: 1 }, { ...line, turn: 2 });
    expect(first).toMatchObject({ case: '81', task: 'Q', a: { final_content: 'a1' }, b: { final_content: 'b1' } });
    expect(second).toMatchObject({ a: { final_content: 'a2' }, b: { final_content: 'b2' }, preferred: 'loss' });
  });

  test('tables with lists in texts and one column for each outcome are read', () => {
    const [pair] = read({
      prompt: '["p","q"]',
      response_a: '["x","y"]',
      response_b: '["z"]',
      winner_model_a: 0,
      winner_model_b: 0,
      winner_tie: 1,
    });
    expect(pair).toMatchObject({ task: 'p\n\nq', preferred: 'tie', a: { final_content: 'y' } });
  });

  test('a chosen answer is a or b, and never always the same', () => {
    const lines = Array.from({ length: 40 }, (_, index) => ({ prompt: `p${index}`, chosen: 'good', rejected: 'bad' }));
    const pairs = read(...lines);
    for (const { preferred, a, b } of pairs) expect((preferred === 'win' ? a : b).final_content).toBe('good');
    const first = pairs.filter(({ preferred }) => preferred === 'win').length;
    expect(first).toBeGreaterThan(8);
    expect(first).toBeLessThan(32);
  });

  test('written conversations are split before their last answer', () => {
    const begun = '\n\nHuman: hi\n\nAssistant: yes?\n\nHuman: help';
    const [pair] = read({ chosen: `${begun}\n\nAssistant: sure`, rejected: `${begun}\n\nAssistant: no` });
    expect(pair?.task).toBe(begun.trim());
    expect([pair?.a.final_content, pair?.b.final_content].toSorted()).toEqual(['no', 'sure']);
  });

  test('are recognised by their first line', () => {
    expect(holdsPairs('{"prompt": "x", "answer_a": "1", "answer_b": "2", "preferred": "a"}')).toBe(true);
    expect(holdsPairs('\n{"chosen": "1", "rejected": "2"}')).toBe(true);
    expect(holdsPairs('{"response": "x", "passed": true}')).toBe(false);
    expect(holdsPairs('')).toBe(false);
  });
});

describe('what cannot be read', () => {
  test.each([
    ['{"prompt": "x", "answer_a": "1", "preferred": "a"}', `${file}:1: needs two answers`],
    ['{"answer_a": "1", "answer_b": "2", "preferred": 1}', `${file}:1: "preferred" should be a, b or tie, but is 1`],
    ['{"answer_a": "1", "answer_b": "2"}', `${file}:1: has no preference`],
    ['{"answer_a": "1", "answer_b": {}, "winner": "tie"}', '"answer_b" should be a text or a list of messages'],
    ['{"answer_a": "1", "answer_b": "2", "winner": "x", "model_a": "x", "model_b": "x"}', 'should be a, b or tie'],
    ['{"prompt": [1], "answer_a": "1", "answer_b": "2", "preferred": "a"}', '"prompt" should be a text'],
    [
      '{"answer_a": "1", "answer_a": "3", "answer_b": "2", "preferred": "a"}',
      '"answer_a\\" is there twice'.replace('\\', ''),
    ],
    ['{"answer_a": [{"role": "x"}], "answer_b": "2", "preferred": "a"}', 'role'],
    ['{"answer_a": "1', 'breaks off'],
    ['[]', 'should be a JSON object'],
    ['', 'holds no labels'],
  ])('%s', (text, message) => {
    expect(problemsOf(text)).toContain(message);
  });

  test('anything at all is read or refused with the name of the file', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 3 }), fc.jsonValue(), (values, winner) => {
        const [answer_a, answer_b, prompt] = values;
        const text = JSON.stringify({ answer_a, answer_b, prompt, winner });
        const message = problemsOf(text);
        expect(message === 'none' || message.includes(file)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('deep nesting and huge texts do no harm', () => {
    const deep = `{"answer_a": ${'['.repeat(50_000)}${']'.repeat(50_000)}, "answer_b": "2", "preferred": "a"}`;
    expect(problemsOf(deep)).toContain(file);
    const huge = JSON.stringify({ answer_a: 'x'.repeat(2_000_000), answer_b: 'y', preferred: 'b' });
    expect(problemsOf(huge)).toBe('none');
  });
});

describe('a judge of pairs and people', () => {
  const label = (line: number, preferred: 'a' | 'b' | 'tie', answers = ['1', '2']) => ({
    prompt: `p${line}`,
    answer_a: answers[0],
    answer_b: answers[1],
    preferred,
  });

  test('several labels of one pair are one, in whatever order its answers are', () => {
    const { pairs, notes } = peoplesPairs(
      read(label(1, 'a'), label(1, 'b', ['2', '1']), label(1, 'b'), label(2, 'a'), label(2, 'b')),
    );
    expect(pairs).toMatchObject([{ line: 1, preferred: 'win' }]);
    expect(notes).toHaveLength(2);
  });

  test('agreement, kappa and changes with the order are those of cases', () => {
    const { pairs } = peoplesPairs(read(...Array.from({ length: 30 }, (_, at) => label(at, at % 2 === 0 ? 'a' : 'b'))));
    const order = { votes: 1, changed: 0, first: 0 };
    const judged = pairs.map((pair, index) => ({
      pair,
      preference: index < 3 ? ('tie' as const) : pair.preferred,
      order: index < 3 ? { votes: 1, changed: 1, first: 1 } : order,
    }));
    const found = calibratePairs(judged, { judgeModel: 'm', notJudged: 0, notes: [] });
    expect(found).toMatchObject({
      verdict: 'agrees',
      pairs: 30,
      same_preference: { value: 1 },
      agreement: { value: 0.9 },
    });
    expect(found.changed_rate.value).toBeCloseTo(0.1);
    expect(found.same_preference.ci?.[0]).toBeLessThan(1);
    const reversed = judged.map((each) => ({
      ...each,
      preference: each.pair.preferred === 'win' ? ('loss' as const) : ('win' as const),
    }));
    expect(calibratePairs(reversed, { judgeModel: 'm', notJudged: 0, notes: [] }).verdict).toBe('worse than chance');
    expect(calibratePairs(judged.slice(3, 8), { judgeModel: 'm', notJudged: 0, notes: [] }).verdict).toBe(
      'too few pairs',
    );
  });
});
