import { describe, expect, it } from 'vitest';
import { sampleExport } from '../../../../../test/sample-export.ts';
import { wholeTraces } from '../../../../../test/whole-traces.ts';
import { FORMATS } from '../../imports/formats.ts';
import { changesBetween } from '../../text/json/json-changes.ts';
import { withoutMarkers } from '../../trace/files/message-file.ts';
import type { Trace } from '../../trace/trace.ts';
import { atifTrajectory, carriedByAtif } from './atif-trajectory.ts';
import { carriedByLangfuse, langfuseEvents, langfuseTrial } from './langfuse-trial.ts';
import { type CarriedMessages, lostFields } from './lost-fields.ts';
import { carriedByOpenAi, openAiLine } from './openai-line.ts';

type Facts = Record<string, unknown>;

/** What a reader makes of the messages, with the facts that are beside them. */
function withFacts(read: Trace, facts: Facts): Trace {
  const known = Object.entries(facts).filter(
    ([name]) => name in read || name === 'error_code' || name === 'asked_model',
  );
  return { ...read, ...Object.fromEntries(known) };
}

/** Texts without the markers that readers write for files, which have no content that has to be read. */
function comparable(trace: Trace): unknown {
  const messages = trace.messages.map((message) => {
    const { files, ...rest } = { files: undefined, ...message };
    const kept = files?.map(({ media_type, data, url }) => ({ media_type, data, url }));
    return { ...rest, content: message.content === null ? '' : withoutMarkers(message.content).trim(), files: kept };
  });
  const tool_calls_made = trace.tool_calls_made.map((call) => {
    return { ...call, result: call.result === null ? null : withoutMarkers(call.result).trim() };
  });
  return {
    ...trace,
    messages,
    tool_calls_made,
    final_content: trace.final_content && withoutMarkers(trace.final_content).trim(),
  };
}

/** The fields that are not the same after export and import, and that the export does not name. */
function silentlyLost(trace: Trace, read: Trace, carried: CarriedMessages): string[] {
  const named = lostFields(trace, carried);
  const isNamed = (path: string) => {
    const field = path
      .split('/')
      .slice(1)
      .map((step) => (/^\d+$/.test(step) ? '[]' : `.${step}`))
      .join('')
      .slice(1);
    return named.some((name) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`));
  };
  const isEmpty = (value: unknown) =>
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (typeof value === 'object' && Object.keys(value).length === 0);
  return changesBetween(comparable(read), comparable(trace))
    .filter(({ path, after }) => !isEmpty(after) && !isNamed(path))
    .map(({ path, before, after }) => `${path}: ${JSON.stringify(before)} was ${JSON.stringify(after)}`);
}

const READABLE = Object.entries(wholeTraces).filter(([name]) => name !== 'texts that are hard to write');

/** The conversation that `salvo import` reads from a line, with the format that recognises it. */
function imported(line: unknown): { format: string; trace: Trace } {
  const format = FORMATS.find((each) => each.recognises(line)) ?? expect.fail('no format recognises it');
  const records = [{ value: line, line: 1 }];
  const parts = format.partsOf ? [...format.partsOf({ value: line, line: 1 })].map(({ part }) => part) : records;
  const [conversation, second] = [...format.read(parts)];
  expect(second).toBeUndefined();
  expect(conversation?.losses).toEqual([]);
  return { format: format.name, trace: conversation?.trace ?? expect.fail('nothing was read') };
}

describe("a trial in OpenAI's form", () => {
  it.each(READABLE)('is read as it was, but for the fields that are named: %s', (_, trace) => {
    const line = JSON.parse(JSON.stringify(openAiLine(sampleExport({ trace }))));
    const read = withFacts(imported(line).trace, line.metadata);
    expect(silentlyLost(trace, read, carriedByOpenAi)).toEqual([]);
  });

  it('has the tools and how the trial ended, and no field that the API does not know in a message', () => {
    const trace = wholeTraces['a tool that failed, and one that a person refused'] ?? expect.fail();
    const line = openAiLine(sampleExport({ trace, case: 'late', trial_number: 3 }));
    expect(line).toMatchObject({
      tools: [{ type: 'function', function: { name: 'lookup', description: 'Finds an order.' } }],
      metadata: { scenario: 'refund', case: 'late', trial: 3, passed: false, score: 0.5, status: 'failed' },
    });
    const keys = new Set([line.messages].flat().flatMap((message) => Object.keys(Object(message))));
    expect([...keys].sort()).toEqual(['content', 'role', 'tool_call_id', 'tool_calls']);
  });
});

describe('what a form cannot carry', () => {
  it('is nothing of a trace that has nothing but messages', () => {
    const trace = {
      ...(wholeTraces['an answer at once'] ?? expect.fail()),
      tools_seen: 'reported' as const,
      scenario_hash: '',
    };
    for (const carried of [carriedByOpenAi, carriedByAtif, carriedByLangfuse])
      expect(lostFields(trace, carried)).toEqual([]);
  });

  it('is named by field, and not by what the user wrote into it', () => {
    const trace = wholeTraces['tools that Salvo answered'] ?? expect.fail();
    const named = lostFields(trace, carriedByOpenAi);
    expect(named).toEqual(expect.arrayContaining(['turns', 'state', 'workspace', 'services', 'retries', 'tools_seen']));
    expect(named.join()).not.toContain('A-1');
    const steps = wholeTraces['a tool that failed, and one that a person refused'] ?? expect.fail();
    expect(lostFields(steps, carriedByOpenAi)).toContain('messages[].step');
    expect(lostFields(steps, carriedByLangfuse)).toContain('messages[].step.cache_read_tokens');
    expect(lostFields(steps, carriedByOpenAi)).toContain('messages[].reasoning');
  });

  it('includes a field that is new in traces', () => {
    const trace = { ...(wholeTraces['an answer at once'] ?? expect.fail()), mood: 'calm' };
    expect(lostFields(trace, carriedByAtif)).toContain('mood');
  });
});

describe('a trial as a trajectory', () => {
  it.each(Object.entries(wholeTraces))('keeps the rules of the format: %s', (_, trace) => {
    const { schema_version, agent, steps } = JSON.parse(JSON.stringify(atifTrajectory(sampleExport({ trace }))));
    expect(schema_version).toBe('ATIF-v1.7');
    expect(agent).toMatchObject({ name: 'shop', version: 'unknown', model_name: trace.model });
    expect(steps.length).toBeGreaterThan(0);
    for (const [index, step] of steps.entries()) {
      expect(step.step_id).toBe(index + 1);
      const ids = (step.tool_calls ?? []).map(({ tool_call_id }: Facts) => tool_call_id);
      for (const { source_call_id } of step.observation?.results ?? [])
        if (source_call_id !== undefined) expect(ids).toContain(source_call_id);
      if (step.source !== 'agent')
        for (const key of ['tool_calls', 'metrics', 'model_name', 'reasoning_content'])
          expect(step).not.toHaveProperty(key);
    }
  });

  it.each(READABLE)('is read as it was, but for the fields that are named: %s', (_, trace) => {
    const document = JSON.parse(JSON.stringify(atifTrajectory(sampleExport({ trace }))));
    const { format, trace: found } = imported(document);
    expect(format).toBe('atif');
    expect(silentlyLost(trace, withFacts(found, document.extra), carriedByAtif)).toEqual([]);
  });

  it('has results in the step of their calls, with figures, thoughts and agents', () => {
    const trace = wholeTraces['a tool that failed, and one that a person refused'] ?? expect.fail();
    expect(JSON.parse(JSON.stringify(atifTrajectory(sampleExport({ trace }))))).toMatchObject({
      final_metrics: { total_prompt_tokens: 10, total_completion_tokens: 5, total_cost_usd: 0.01, total_steps: 3 },
      extra: { scenario: 'refund', status: 'failed' },
      steps: [
        { source: 'user', message: 'Refund and delete.' },
        {
          source: 'agent',
          model_name: 'small-1',
          reasoning_content: 'Two calls.\nOne of them is dangerous.',
          tool_calls: [
            { tool_call_id: 'r1', function_name: 'refund' },
            { tool_call_id: 'd1', function_name: 'delete', arguments: {}, extra: { raw_arguments: '{"id": 3' } },
          ],
          observation: {
            results: [
              { source_call_id: 'r1', content: 'no such order', extra: { is_error: true } },
              { source_call_id: 'd1', content: 'No.' },
            ],
          },
          metrics: { prompt_tokens: 30, completion_tokens: 4, cached_tokens: 10 },
        },
        { source: 'agent', message: 'Neither worked.' },
      ],
    });
  });
});

describe('a trial as a trace of Langfuse', () => {
  const withAnswers = READABLE.filter(([name]) => name !== 'nothing but an error');

  it.each(withAnswers)('is read as it was, but for the fields that are named: %s', (_, trace) => {
    const document = JSON.parse(JSON.stringify(langfuseTrial(sampleExport({ trace }))));
    const { format, trace: found } = imported(document);
    expect(format).toBe('langfuse');
    expect(silentlyLost(trace, withFacts(found, document.trace.metadata), carriedByLangfuse)).toEqual([]);
  });

  it('has scores for the trial and its assertions, and says what was not scored', () => {
    const { scores } = langfuseTrial(sampleExport());
    expect(scores.map(({ name, value, dataType }) => [name, value, dataType])).toEqual([
      ['salvo.status', 'failed', 'CATEGORICAL'],
      ['salvo.score', 0.5, 'NUMERIC'],
      ['polite', 1, 'NUMERIC'],
      ['calls', 'unscored', 'CATEGORICAL'],
    ]);
  });

  it('is sent as events with ids of their own, which are the same each time', () => {
    const trial = sampleExport({ trace: wholeTraces['tools that Salvo answered'] ?? expect.fail() });
    const events = langfuseEvents(trial);
    expect(events.map(({ type }) => type)).toEqual([
      ...['trace-create', 'agent-create', 'generation-create', 'generation-create', 'tool-create'],
      ...Array.from({ length: 4 }, () => 'score-create'),
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(langfuseEvents(trial)).toEqual(events);
  });
});
