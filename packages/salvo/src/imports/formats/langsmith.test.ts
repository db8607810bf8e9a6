import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readRecord, readRecords } from '../../../../../test/import-reader.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { FORMATS } from '../formats.ts';
import { langsmithFormat } from './langsmith.ts';

const time = (second: number) => `2026-03-01T10:00:0${second}.000000`;
const human = {
  lc: 1,
  type: 'constructor',
  id: ['langchain', 'schema', 'HumanMessage'],
  kwargs: { content: 'Cold in Oslo?' },
};
const ai = (kwargs: object) => ({ lc: 1, type: 'constructor', id: ['langchain', 'schema', 'AIMessage'], kwargs });
const CALLING = ai({
  content: '',
  tool_calls: [{ id: 'c1', name: 'weather', args: { city: 'Oslo' } }],
  usage_metadata: { input_tokens: 9, output_tokens: 4 },
});
const result = {
  lc: 1,
  type: 'constructor',
  id: ['langchain', 'schema', 'ToolMessage'],
  kwargs: { content: '3 degrees', tool_call_id: 'c1', name: 'weather' },
};
const SAID = ai({ content: 'Yes.', usage_metadata: { input_tokens: 20, output_tokens: 1 } });
const answer = (message: object) => ({ generations: [[{ text: '', message }]] });

function run(id: string, parent: string | null, run_type: string, from: number, more: object) {
  return {
    id,
    parent_run_id: parent,
    trace_id: 'r1',
    run_type,
    name: run_type,
    start_time: time(from),
    end_time: time(from + 1),
    inputs: {},
    outputs: {},
    ...more,
  };
}

const ROOT = run('r1', null, 'chain', 0, {
  ...{
    name: 'graph',
    end_time: time(8),
    inputs: { messages: [human] },
    outputs: { messages: [human, CALLING, result, SAID] },
  },
  ...{ session_name: 'weather', reference_example_id: 'e1', tags: ['x'], extra: { metadata: {} } },
  feedback_stats: { correct: { n: 1, avg: 1 }, tone: { n: 2, avg: null, values: { kind: 2 } } },
});
const RUNS = [
  run('r2', 'r1', 'llm', 0, {
    inputs: { messages: [[human]] },
    outputs: answer(CALLING),
    extra: { metadata: { ls_model_name: 'gpt', ls_provider: 'openai' } },
  }),
  run('r3', 'r1', 'tool', 2, { name: 'weather', inputs: { input: "{'city': 'Oslo'}" }, outputs: { output: result } }),
  run('r4', 'r1', 'llm', 4, {
    inputs: { messages: [[human, CALLING, result]] },
    outputs: answer(SAID),
    extra: { metadata: { ls_model_name: 'gpt' } },
  }),
];
const WITHOUT_IDS = RUNS.map(({ trace_id: _, ...each }) => ({
  ...each,
  dotted_order: `20260301T100000000000Zr1.20260301T100001000000Z${each.id}`,
}));

describe('runs of LangSmith', () => {
  it.each<[string, unknown[]]>([
    ['with their children', [{ ...ROOT, child_runs: RUNS }]],
    ['in a list', [[...RUNS.toReversed(), ROOT]]],
    ['in lines', [...RUNS, ROOT]],
    ['in lines that have their order only', [...WITHOUT_IDS, ROOT]],
  ])('are read %s', (_, values) => {
    for (const value of values) expect(FORMATS.find((format) => format.recognises(value))).toBe(langsmithFormat);
    const [conversation, ...others] = readRecords(
      langsmithFormat,
      values.map((value, index) => ({ value, line: index + 1 })),
    );
    expect(others).toEqual([]);
    expect(conversation).toMatchObject({
      ...{
        id: 'r1',
        suite: 'weather',
        case: 'e1',
        losses: [],
        given: { passed: null, scores: { correct: 1, tone: 'kind' } },
      },
      fields: { name: 'graph', tags: ['x'] },
      trace: {
        ...{
          input_tokens: 29,
          output_tokens: 5,
          model: 'gpt',
          latency_seconds: 8,
          timestamp: '2026-03-01T10:00:00.000Z',
        },
        messages: [
          { role: 'user', content: 'Cold in Oslo?' },
          { role: 'assistant', tool_calls: [{ id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }] },
          { role: 'tool_result', tool_call_id: 'c1', content: '3 degrees' },
          { role: 'assistant', content: 'Yes.' },
        ],
      },
    });
  });

  it('of several traces are several conversations', () => {
    const other = run('x1', null, 'llm', 0, { trace_id: 'x1', inputs: { messages: [[human]] }, outputs: answer(SAID) });
    expect(readRecord(langsmithFormat, [...RUNS, ROOT, other]).map(({ id }) => id)).toEqual(['r1', 'x1']);
  });

  it('of one tool are its call', () => {
    const alone = readRecord(langsmithFormat, RUNS[1])[0];
    expect(alone?.trace.tool_calls_made).toMatchObject([{ id: 'c1', name: 'weather', result: '3 degrees' }]);
  });

  it('with anything wrong anywhere are read or refused', () => {
    expect(expectToSurviveDamage(langsmithFormat, { ...ROOT, child_runs: RUNS })).toBeGreaterThan(100);
  });

  it('of wrong types are refused, and others are none', () => {
    expect(() => readRecord(langsmithFormat, { ...ROOT, child_runs: 5 })).toThrow(FormError);
    expect(() => readRecord(langsmithFormat, { ...ROOT, child_runs: [{ name: 'x' }] })).toThrow(FormError);
    for (const value of [null, [], {}, { run_type: 3, inputs: {} }, { inputs: {}, outputs: {} }]) {
      expect(langsmithFormat.recognises(value)).toBe(false);
      expect(readRecord(langsmithFormat, value)).toEqual([]);
    }
  });
});
