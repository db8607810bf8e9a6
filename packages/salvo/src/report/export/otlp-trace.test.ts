import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleExport } from '../../../../../test/sample-export.ts';
import { traceArbitrary } from '../../../../../test/trace-arbitrary.ts';
import { missingFields, wholeTraces } from '../../../../../test/whole-traces.ts';
import { otelFormat } from '../../imports/formats/otel.ts';
import { salvoTraceOfSpans } from '../../imports/formats/salvo-otel.ts';
import { FORMATS } from '../../imports/formats.ts';
import { withoutMarkers } from '../../trace/files/message-file.ts';
import { otlpSpans } from '../../trace/forms/recorded/otel-spans.ts';
import { type Trace, traceSchema } from '../../trace/trace.ts';
import { traceFrom } from '../../trace/trace-from.ts';
import { CONVENTIONS, otlpRequest } from './otlp-trace.ts';

/** What a receiver has of it, after it was sent as JSON. */
function sent(trace: Trace) {
  const document = JSON.parse(JSON.stringify(otlpRequest(sampleExport({ trace }))));
  return { document, spans: otlpSpans(document) };
}

function attribute(trace: Trace, operation: string, name: string): unknown {
  return sent(trace).spans.find(({ attributes }) => attributes['gen_ai.operation.name'] === operation)?.attributes[
    name
  ];
}

describe('a trial as spans', () => {
  it('is tried with every field that a trace can have', () => {
    expect(missingFields()).toEqual([]);
  });

  it.each(Object.entries(wholeTraces))('comes back to the last field: %s', (_, trace) => {
    const { spans } = sent(trace);
    expect(salvoTraceOfSpans(spans)).toEqual(traceSchema.parse(trace));
    expect(JSON.stringify(salvoTraceOfSpans(spans.toReversed())?.messages)).toBe(
      JSON.stringify(salvoTraceOfSpans(spans)?.messages),
    );
  });

  it('is imported as the trial that it was', () => {
    const trace = wholeTraces['a crash'] ?? expect.fail();
    const line = JSON.parse(JSON.stringify(otlpRequest(sampleExport({ trace, case: 'late', trial_number: 4 }))));
    expect(FORMATS.find((format) => format.recognises(line))).toBe(otelFormat);
    const parts = [...(otelFormat.partsOf?.({ value: line, line: 7 }) ?? [])].map(({ part }) => part);
    expect([...otelFormat.read(parts)]).toMatchObject([
      { line: 7, suite: 'refund', case: 'late', trial: 4, given: { passed: false, reward: 0.5 }, losses: [], trace },
    ]);
  });

  it('comes back, whatever is in its trace', () => {
    fc.assert(
      fc.property(traceArbitrary, (trace) => {
        expect(salvoTraceOfSpans(sent(trace).spans)).toEqual(traceSchema.parse(JSON.parse(JSON.stringify(trace))));
      }),
    );
  });

  it('is not restored from spans that were changed on their way, or are those of others', () => {
    const trace = wholeTraces['tools that Salvo answered'] ?? expect.fail();
    const { spans } = sent(trace);
    const changed = (change: Record<string, unknown>) =>
      salvoTraceOfSpans(spans.map((span) => ({ ...span, attributes: { ...span.attributes, ...change } })));
    const [root] = spans;
    const only = (change: Record<string, unknown>) =>
      salvoTraceOfSpans([{ attributes: { ...root?.attributes, ...change } }]);
    expect(only({})).toEqual(trace);
    expect(only({ 'gen_ai.input.messages': '[]' })).toBeUndefined();
    expect(only({ 'gen_ai.input.messages': undefined })).toBeUndefined();
    expect(only({ 'salvo.trace.sha256': '00' })).toBeUndefined();
    expect(changed({ 'salvo.trace.rest': '[]' })).toBeUndefined();
    expect(salvoTraceOfSpans([])).toBeUndefined();
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    for (const rest of [
      ...[
        '',
        'x',
        '{',
        '{}',
        'null',
        '[1]',
        '[{}]',
        '[{"path":1}]',
        '[{"path":"/messages/4294967290","after":1}]',
        deep,
      ],
      ...[
        '[{"path":"/a/b","after":1}]',
        '[{"path":"","after":[]}]',
        `[{"path":"/model","after":${deep}}]`,
        3,
        null,
        {},
      ],
    ]) {
      expect(only({ 'salvo.trace.rest': rest })).toBeUndefined();
    }
  });

  it('names the version of the conventions', () => {
    const { document } = sent(wholeTraces['a crash'] ?? expect.fail());
    expect(document.resourceSpans[0].scopeSpans[0].schemaUrl).toBe(CONVENTIONS);
  });

  it('has the same ids each time, in hex, and others for another trial', () => {
    const trace = wholeTraces['tools that Salvo answered'] ?? expect.fail();
    const ids = (changes: object) =>
      otlpSpans({ ...otlpRequest(sampleExport({ trace, ...changes })) }).map(({ id, traceId }) => `${traceId} ${id}`);
    expect(ids({})).toEqual(ids({}));
    expect(new Set(ids({})).size).toBe(4);
    for (const id of ids({})) expect(id).toMatch(/^[0-9a-f]{32} [0-9a-f]{16}$/);
    expect(ids({ trial_number: 2 }).filter((id) => ids({}).includes(id))).toEqual([]);
    expect(ids({ run_id: 'other' }).filter((id) => ids({}).includes(id))).toEqual([]);
  });

  it('has the recorded times, and marks those that nobody recorded', () => {
    const trace = wholeTraces['tools that Salvo answered'] ?? expect.fail();
    const [request] = sent(trace).document.resourceSpans[0].scopeSpans;
    const times = request.spans.map((span: Record<string, unknown>) => [
      span.name,
      ...[span.startTimeUnixNano, span.endTimeUnixNano].map((nano) =>
        Number(BigInt(String(nano)) - 1767225600000000000n),
      ),
    ]);
    expect(times).toEqual([
      ['invoke_agent shop', 0, 1_250_000_000],
      ['chat some-model', 1_000_000, 413_345_679],
      ['chat some-model', 500_000_000, 1_200_000_000],
      ['execute_tool lookup', 413_345_679, 413_345_679],
    ]);
    expect(attribute(trace, 'execute_tool', 'salvo.times.unknown')).toEqual(['start', 'end']);
    expect(attribute(trace, 'chat', 'salvo.times.unknown')).toBeUndefined();
    const other = wholeTraces['given answers before the agent'] ?? expect.fail();
    expect(attribute(other, 'invoke_agent', 'salvo.times.unknown')).toEqual(['start', 'end']);
    expect(attribute(other, 'chat', 'salvo.times.unknown')).toEqual(['start', 'end']);
  });

  it('has an event for the trial and for each assertion, and no score for what was not scored', () => {
    const [root] = sent(wholeTraces['an answer at once'] ?? expect.fail()).spans;
    expect(root?.events.map(({ name, attributes }) => ({ name, ...attributes }))).toMatchObject([
      {
        name: 'gen_ai.evaluation.result',
        'gen_ai.evaluation.name': 'salvo.trial',
        'gen_ai.evaluation.score.value': 0.5,
        'gen_ai.evaluation.score.label': 'fail',
      },
      {
        'gen_ai.evaluation.name': 'polite',
        'gen_ai.evaluation.score.value': 1,
        'gen_ai.evaluation.score.label': 'pass',
        'gen_ai.evaluation.explanation': 'It is.',
      },
      { 'gen_ai.evaluation.name': 'calls', 'gen_ai.evaluation.score.label': 'unscored', 'error.type': 'unscored' },
    ]);
    expect(root?.events[2]?.attributes).not.toHaveProperty('gen_ai.evaluation.score.value');
  });

  it.each([
    'an answer at once',
    'tools that Salvo answered',
    'a tool that failed, and one that a person refused',
    'files in messages',
    'a simulated user',
    'a handoff between agents',
  ])('is read by whoever knows only the conventions: %s', (name) => {
    const trace = wholeTraces[name] ?? expect.fail();
    const { document } = sent(trace);
    const texts = (messages: Trace['messages']) =>
      messages
        .filter(({ content }) => content !== '' && content !== null)
        .map(({ role, content }) => [role, content?.replace(/\n?\[(?:image|file|document)(?:: [^\]]*)?\]/g, '')]);
    const read = traceFrom(document);
    const plain = (result: string | null) => (result === null ? null : withoutMarkers(result).trim());
    const asked = trace.messages.findLastIndex(({ role }) => role === 'assistant') + 1;
    expect(texts(read.messages)).toEqual(texts(trace.messages.slice(0, asked)));
    expect(read.tool_calls_made.map(({ name: tool, result }) => [tool, plain(result)])).toEqual(
      trace.tool_calls_made.length > 0
        ? trace.tool_calls_made.map(({ name: tool, result }) => [tool, result])
        : read.tool_calls_made.map(({ name: tool, result }) => [tool, plain(result)]),
    );
    expect(read.model).toBe(
      trace.messages.findLast((message) => message.role === 'assistant')?.step?.model ?? trace.model,
    );
  });
});
