import { fileOfBytes } from '../packages/salvo/src/trace/files/message-file.ts';
import type { MessageFile } from '../packages/salvo/src/trace/message.ts';
import { type Trace, traceSchema } from '../packages/salvo/src/trace/trace.ts';
import { sampleSupportTrace, sampleTrace } from './sample-trace.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

function file(content: Uint8Array, name: string, type?: string): MessageFile {
  const made = fileOfBytes(content, { name, type });
  if (!made) throw new Error(`${name} is not of its type`);
  return made;
}

const observed = sampleSupportTrace({
  tools_seen: 'observed',
  tools_declared: true,
  tool_calls_made: [
    {
      ...{ id: 'c1', name: 'lookup', arguments: { order: 'A-1' }, turn: 1, result: '{"status":"lost"}' },
      ...{ is_error: false, seen: 'observed', effect: 'read', bypassed_mock: false },
    },
  ],
  turns: [
    {
      turn: 1,
      started_seconds: 0.001,
      latency_seconds: 0.4123456789,
      input_tokens: 50,
      output_tokens: 8,
      cost_usd: 0.001,
    },
    { turn: 2, started_seconds: 0.5, latency_seconds: 0.7, input_tokens: 70, output_tokens: 12, cost_usd: null },
  ],
  retries: [
    { turn: 1, attempt: 1, reason: 'busy', code: 'ADAPTER_RATE_LIMIT', status: 429, delay_seconds: 0.25 },
    { turn: 2, attempt: 1, reason: 'reset', status: null, delay_seconds: 1 },
  ],
  observed: { by: 'otel', model_calls: 2, conversations: 1, alone: true, problem: 'a span came late' },
  state: {
    sha256: 'ab12',
    changes: [
      { path: '/orders/A-1', before: { open: true }, after: { open: false } },
      { path: '/log/0', after: 'x' },
    ],
    reported: { agree: 'writes', difference: 'lookup answered otherwise' },
  },
  workspace: {
    files: [
      { path: 'src/a.ts', change: 'changed', bytes: 12, sha256: 'cd', content: 'let a = 1;\n', diff: '-0\n+1' },
      { path: 'logo.png', change: 'added', bytes: 900, without_content: 'binary' },
      { path: 'link', change: 'added', link: '/etc/passwd' },
    ],
    not_listed: 3,
    problem: 'too many files',
    commands: [{ key: 'k', command: 'npm test', exit_code: null, problem: 'timeout', seconds: 2.5, output: 'ok' }],
    kept: '/tmp/kept',
  },
  services: [{ name: 'db', output: 'ready\n' }],
  agent_log: 'a line',
  asked_model: 'some-model-latest',
  cost_usd: null,
  cost_at_least: { usd: 0.02, calls_unknown: 1 },
});

/** Traces that have every field of the schema between them, by what they are about. */
export const wholeTraces: Record<string, Trace> = {
  'an answer at once': sampleTrace(),
  'tools that Salvo answered': observed,
  'a tool that failed, and one that a person refused': sampleTrace({
    messages: [
      { role: 'user', content: 'Refund and delete.' },
      {
        role: 'assistant',
        content: 'I try both.',
        reasoning: 'Two calls.\nOne of them is dangerous.',
        provider_state: { openai: { message: { reasoning: 'r' }, tool_calls: [{}, {}] } },
        tool_calls: [
          { id: 'r1', name: 'refund', arguments: { amount: 12.5, deep: { list: [1, null, 'x'] } } },
          { id: 'd1', name: 'delete', arguments: {}, raw_arguments: '{"id": 3' },
        ],
        step: { model: 'small-1', latency_seconds: 0.25, input_tokens: 30, output_tokens: 4, cache_read_tokens: 10 },
      },
      { role: 'tool_result', tool_call_id: 'r1', name: 'refund', content: 'no such order', is_error: true },
      { role: 'tool_result', tool_call_id: 'd1', name: 'delete', content: 'No.', is_error: false, refused: true },
      { role: 'assistant', content: 'Neither worked.', tool_calls: [], step: { output_tokens: 3, cost_usd: 0.002 } },
    ],
    tool_calls_made: [
      {
        ...{ id: 'r1', name: 'refund', arguments: { amount: 12.5, deep: { list: [1, null, 'x'] } }, turn: 1 },
        ...{ result: 'no such order', is_error: true, seen: 'reported', agent: true },
      },
      { id: 'd1', name: 'delete', arguments: {}, turn: 1, result: 'No.', is_error: false, seen: 'requested' },
    ],
    tool_errors: [{ turn: 1, tool_call_id: 'r1', name: 'refund', kind: 'tool_failed', message: 'no such order' }],
    tools_seen: 'reported',
    turn_count: 2,
    final_content: 'Neither worked.',
  }),
  'files in messages': sampleTrace({
    messages: [
      {
        role: 'user',
        content: 'What is it?',
        files: [file(PNG, 'a.png'), { media_type: 'application/pdf', url: 'https://example.com/b.pdf' }],
      },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'zoom', arguments: {} }] },
      {
        role: 'tool_result',
        tool_call_id: 'c1',
        name: 'zoom',
        content: 'zoomed',
        is_error: false,
        files: [file(PNG, 'z.png')],
      },
      {
        role: 'assistant',
        content: 'A cat.',
        tool_calls: [],
        files: [file(Buffer.from('cat'), 'cat.txt', 'text/plain')],
      },
    ],
    tool_calls_made: [
      { id: 'c1', name: 'zoom', arguments: {}, turn: 1, result: 'zoomed', is_error: false, seen: 'observed' },
    ],
    turn_count: 2,
    final_content: 'A cat.',
  }),
  'a simulated user': sampleTrace({
    messages: [
      { role: 'user', content: 'Hello', simulated: true },
      { role: 'assistant', content: 'Hi.', tool_calls: [] },
      { role: 'user', content: 'Bye', simulated: true },
      { role: 'assistant', content: 'Bye.', tool_calls: [] },
      { role: 'user', content: '', simulated: true },
    ],
    turn_count: 2,
    final_content: 'Bye.',
    conversation_end: { by: 'limit', limit: 'max_messages', messages: 3 },
    simulated_user: {
      ...{ model: 'user-1', provider: 'openai', prompt_hash: 'ff', messages: 3, said: ['Hello', 'Bye', ''], cached: 1 },
      ...{ input_tokens: 9, output_tokens: null, cost_usd: 0.001 },
      broke_role: { message: 2, kind: 'ended_early', why: 'it left' },
    },
  }),
  'a handoff between agents': sampleTrace({
    messages: [
      { role: 'system', content: '' },
      { role: 'user', content: 'Help' },
      {
        role: 'assistant',
        content: '',
        agent: 'triage',
        tool_calls: [{ id: 'h', name: 'transfer_to_billing', arguments: {} }],
      },
      {
        role: 'tool_result',
        tool_call_id: 'h',
        name: 'transfer_to_billing',
        content: '{"assistant":"billing"}',
        is_error: false,
      },
      { role: 'assistant', content: 'Billing here.', agent: 'billing', tool_calls: [] },
    ],
    turn_count: 2,
    final_content: 'Billing here.',
    max_turns_hit: true,
  }),
  'nothing but an error': sampleTrace({
    messages: [{ role: 'user', content: 'Please.' }],
    ...{ turn_count: 0, final_content: null, finish_reason: 'error', latency_seconds: null },
    ...{ input_tokens: null, output_tokens: null, total_tokens: null, cost_usd: null },
    ...{ error: 'The provider is down.', error_code: 'ADAPTER_SERVER' },
  }),
  'a crash': sampleTrace({
    ...{
      error: 'boom',
      error_code: 'AGENT_CRASHED',
      error_stack: 'Error: boom\n    at agent.ts:3:9',
      agent_log: 'before\n',
    },
    ...{ turn_count: 1, finish_reason: 'error' },
  }),
  'texts that are hard to write': sampleTrace({
    messages: [
      { role: 'user', content: 'lone \ud800 surrogate, \u2028 line, "quotes", ##[error], {{template}} and \u0000' },
      {
        role: 'assistant',
        content: '[]',
        tool_calls: [{ id: '', name: 'a/b~c', arguments: JSON.parse('{"__proto__":1}') }],
      },
      { role: 'tool_result', tool_call_id: 'elsewhere', name: 'x', content: '{"error":"no"}', is_error: false },
    ],
    ...{ turn_count: 1, final_content: '[]', latency_seconds: 0.1 + 0.2, timestamp: '2026-03-01T10:20:30.456Z' },
  }),
  'a conversation that was imported': sampleTrace({
    imported: {
      ...{ format: 'otel', id: 'ab', aside: { 'session.id': 's' } },
      given: { passed: true, reward: 0.9, pass_at: 0.5, scores: { helpful: 0.9, label: 'good', kept: true } },
    },
    tools_seen: 'reported',
  }),
  'given answers before the agent': sampleTrace({
    messages: [
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Given.', tool_calls: [] },
      { role: 'user', content: 'Two' },
      { role: 'assistant', content: 'Own.', tool_calls: [] },
    ],
    ...{ turn_count: 1, final_content: 'Own.', timestamp: '1970-01-01T00:00:00.000Z', latency_seconds: null },
  }),
};

/** The fields of the schema that none of the traces has, as `messages[].step.model`. */
export function missingFields(): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, `${path}[]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) walk(inner, path === '' ? key : `${path}.${key}`);
    }
    if (value !== undefined) found.add(path);
  };
  for (const trace of Object.values(wholeTraces)) walk(trace, '');
  return Object.keys(traceSchema.shape).filter((field) => !found.has(field));
}
