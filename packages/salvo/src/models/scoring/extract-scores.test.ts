import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLike } from '../../../../../test/json-like.ts';
import { extractScores, extractScoresFromToolCall } from './extract-scores.ts';
import type { VoteScores } from './read-scores.ts';

const criteria = [
  { name: 'accuracy', description: 'Is right.', weight: 1 },
  { name: 'cites sources', description: 'Says where from.', weight: 1 },
];
const vote = {
  accuracy: { score: 0.9, reasoning: 'Right.' },
  'cites sources': { score: 0.5, reasoning: 'Some.' },
};
const asKeys = { accuracy: vote.accuracy, cites_sources: vote['cites sources'] };

function call(args: Record<string, unknown>, raw_arguments?: string, name = 'score_criteria') {
  return { id: '1', name, arguments: args, ...(raw_arguments !== undefined && { raw_arguments }) };
}

const fromText = (content: string | null, of = criteria) => extractScores({ content, tool_calls: [] }, of);
const fromCall = (args: Record<string, unknown>, of: Parameters<typeof extractScores>[1] = criteria) =>
  extractScoresFromToolCall([call(args)], of);

describe('extractScoresFromToolCall', () => {
  it('test_extract_from_tool_call_valid: reads every score under the name of its criterion', () => {
    expect(fromCall(asKeys)).toEqual(vote);
  });

  it('test_extract_from_tool_call_clamps_out_of_range: to 0 and 1', () => {
    const args = { accuracy: { score: 1.5, reasoning: '' }, cites_sources: { score: -2, reasoning: '' } };
    expect(fromCall(args)).toEqual({
      accuracy: { score: 1, reasoning: '' },
      'cites sources': { score: 0, reasoning: '' },
    });
  });

  it('test_extract_from_tool_call_no_match: another tool is no vote', () => {
    expect(extractScoresFromToolCall([call(asKeys, undefined, 'search')], criteria)).toBeNull();
    expect(extractScoresFromToolCall([], criteria)).toBeNull();
  });

  it('takes one call for each criterion as one vote; the first score of a criterion counts', () => {
    const calls = [call({ accuracy: 0.9 }), call({ cites_sources: 0.5 }), call({ accuracy: 0 })];
    expect(extractScoresFromToolCall(calls, criteria)).toEqual({
      accuracy: { score: 0.9, reasoning: '' },
      'cites sources': { score: 0.5, reasoning: '' },
    });
  });

  it('reads raw arguments that contain JSON', () => {
    const raw = `Here: ${JSON.stringify(asKeys)} !`;
    expect(extractScoresFromToolCall([call({}, raw)], criteria)).toEqual(vote);
    expect(extractScoresFromToolCall([call({}, '{"accuracy": {"score": 0.')], criteria)).toBeNull();
  });

  it.each([
    ['the name itself', { 'cites sources': 0.5 }],
    ['the key', { cites_sources: 0.5 }],
    ['another case', { 'Cites Sources': 0.5 }],
    ['other spaces', { ' cites-  sources': 0.5 }],
    ['camel case', { citesSources: 0.5 }],
  ])('knows a criterion by %s', (_, args) => {
    expect(fromCall(args)).toEqual({ 'cites sources': { score: 0.5, reasoning: '' } });
  });

  it('prefers the exact name to a similar one, and skips a criterion when two are similar', () => {
    expect(fromCall({ Accuracy: 0.1, accuracy: 0.9 })).toEqual({ accuracy: { score: 0.9, reasoning: '' } });
    expect(fromCall({ Accuracy: 0.1, ACCURACY: 0.9 })).toBeNull();
    const alike = [
      { name: 'Tone', description: '', weight: 1 },
      { name: 'tone', description: '', weight: 1 },
    ];
    expect(fromCall({ TONE: 0.5 }, alike)).toBeNull();
    expect(fromCall({ tone: 0.5, Tone: 1 }, alike)).toEqual({
      Tone: { score: 1, reasoning: '' },
      tone: { score: 0.5, reasoning: '' },
    });
  });

  it.each([
    ['a bare number', 0.7, 0.7],
    ['a number as text', '0.7', 0.7],
    ['a number as text in an object', { score: ' 7e-1 ' }, 0.7],
    ['an object as text', '{"score": 0.7}', 0.7],
    ['another case', { Score: 0.7 }, 0.7],
    ['too much', '80', 1],
  ])('takes %s for a score', (_, accuracy, score) => {
    expect(fromCall({ accuracy })).toEqual({ accuracy: { score, reasoning: '' } });
  });

  it.each([
    ['a word', 'high'],
    ['a word in an object', { score: 'high', reasoning: 'x' }],
    ['nothing', null],
    ['null in an object', { score: null }],
    ['NaN', Number.NaN],
    ['infinity', { score: Number.POSITIVE_INFINITY }],
    ['infinity as text', '1e999'],
    ['true', true],
    ['a percentage', '80%'],
    ['a fraction', '4/5'],
    ['a number in another notation', '0x1'],
    ['no text', ''],
    ['a list', [0.5]],
    ['an object without a score', { reasoning: 'x' }],
  ])('takes %s for no score', (_, accuracy) => {
    expect(fromCall({ accuracy })).toBeNull();
    expect(fromCall({ accuracy, cites_sources: 0.5 })).toEqual({ 'cites sources': { score: 0.5, reasoning: '' } });
  });

  it.each([
    ['criteria', { criteria: asKeys }],
    ['scores', { scores: vote }],
    [
      'a list',
      {
        scores: [
          { name: 'accuracy', ...vote.accuracy },
          { criterion: 'cites sources', ...vote['cites sources'] },
        ],
      },
    ],
    ['text', { arguments: JSON.stringify(asKeys) }],
    ['two wrappers', { function: { name: 'score_criteria', arguments: asKeys } }],
  ])('unwraps %s', (_, args) => {
    expect(fromCall(args)).toEqual(vote);
  });

  it('reads a criterion that has the name of a wrapper', () => {
    const odd = [{ name: 'scores', description: '', weight: 1 }];
    expect(fromCall({ scores: { score: 0.3, reasoning: 'x' } }, odd)).toEqual({
      scores: { score: 0.3, reasoning: 'x' },
    });
  });

  it('rounds the score of a binary criterion at 0.5', () => {
    const binary = [{ name: 'a', description: '', weight: 1, binary: true }];
    expect(fromCall({ a: 0.5 }, binary)?.a?.score).toBe(1);
    expect(fromCall({ a: 0.49 }, binary)?.a?.score).toBe(0);
  });

  it('does not mistake properties of every object for scores', () => {
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
    const odd = names.map((name) => ({ name, description: '', weight: 1 }));
    expect(fromCall({}, odd)).toBeNull();
    const scores = fromText(`{"proto": 0.5, "__proto__": {"score": 0.1}, "constructor": 0.25}`, odd);
    expect(Object.entries(scores ?? {})).toEqual([
      ['constructor', { score: 0.25, reasoning: '' }],
      ['__proto__', { score: 0.5, reasoning: '' }],
    ]);
  });
});

describe('extractScores', () => {
  it('test_extract_scores_prefers_tool_call: to the text', () => {
    const result = { content: '{"accuracy": 0.1}', tool_calls: [call(asKeys)] };
    expect(extractScores(result, criteria)).toEqual(vote);
  });

  it('test_extract_scores_falls_back_to_text: when no tool call has scores', () => {
    expect(fromText(JSON.stringify(vote))).toEqual(vote);
    const result = { content: JSON.stringify(vote), tool_calls: [call({ nothing: 1 }), call({}, 'x', 'search')] };
    expect(extractScores(result, criteria)).toEqual(vote);
  });

  it('test_extract_scores_both_fail: is null', () => {
    expect(extractScores({ content: 'I cannot say.', tool_calls: [call({})] }, criteria)).toBeNull();
    expect(fromText(null)).toBeNull();
    expect(fromText('{"speed": 0.5}')).toBeNull();
  });

  it('clamps scores in text as well', () => {
    expect(fromText('{"accuracy": 7, "cites sources": {"score": "-1"}}')).toEqual({
      accuracy: { score: 1, reasoning: '' },
      'cites sources': { score: 0, reasoning: '' },
    });
  });

  it('needs one known criterion, and ignores unknown ones', () => {
    expect(fromText('{"accuracy": 0.5, "speed": 1}')).toEqual({ accuracy: { score: 0.5, reasoning: '' } });
  });

  it('reads a list', () => {
    const list = '[{"name": "accuracy", "score": 0.9, "reasoning": "Right."}, {"name": "x"}, 3]';
    expect(fromText(list)).toEqual({ accuracy: vote.accuracy });
    expect(fromText(`Scores: ${list}.`)).toEqual({ accuracy: vote.accuracy });
  });

  it('reads a tool call that was written as text', () => {
    expect(fromText(`{"name": "score_criteria", "arguments": ${JSON.stringify(asKeys)}}`)).toEqual(vote);
  });

  it('prefers the object that scores most criteria, and of equals the last', () => {
    expect(fromText(`{"example": 1} then {"accuracy": 0.2} then ${JSON.stringify(vote)} and {"accuracy": 1}`)).toEqual(
      vote,
    );
    expect(fromText('The agent wrote {"accuracy": 1}. I say {"accuracy": 0.2}')?.accuracy?.score).toBe(0.2);
  });

  it('never throws on any text, and never gives a number outside 0 to 1', () => {
    let scored = 0;
    fc.assert(
      fc.property(jsonLike, jsonLike, (content, raw) => {
        if (expectScores(fromText(content))) scored += 1;
        if (expectScores(extractScores({ content, tool_calls: [call({}, raw)] }, criteria))) scored += 1;
      }),
      { numRuns: 1000 },
    );
    expect(scored).toBeGreaterThan(0);
  });

  it('never throws on any arguments, and never gives a number outside 0 to 1', () => {
    const said = fc.oneof(fc.double(), fc.jsonValue(), fc.record({ score: fc.oneof(fc.double(), fc.jsonValue()) }));
    const args = fc.oneof(
      fc.dictionary(fc.constantFrom('accuracy', 'cites_sources', 'Accuracy', 'scores', '__proto__'), said),
      fc.dictionary(fc.string(), said),
    );
    let scored = 0;
    fc.assert(
      fc.property(args, (value) => {
        if (expectScores(fromCall(value))) scored += 1;
        if (expectScores(fromCall({ scores: value }))) scored += 1;
      }),
      { numRuns: 500 },
    );
    expect(scored).toBeGreaterThan(0);
  });
});

/** Checks the scores, if there are any, and returns whether there are. */
function expectScores(scores: VoteScores | null): boolean {
  if (scores === null) return false;
  expect(Object.keys(scores).length).toBeGreaterThan(0);
  for (const [name, { score, reasoning }] of Object.entries(scores)) {
    expect(criteria.map((criterion) => criterion.name)).toContain(name);
    expect(score >= 0 && score <= 1).toBe(true);
    expect(typeof reasoning).toBe('string');
  }
  return true;
}
