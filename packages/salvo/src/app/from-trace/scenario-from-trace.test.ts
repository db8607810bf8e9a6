import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { HOSTILE_TEXTS } from '../../../../../test/hostile-texts.ts';
import { type ProjectFixture, projectFixture } from '../../../../../test/project-fixture.ts';
import { samplePng } from '../../../../../test/sample-images.ts';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import { traceArbitrary } from '../../../../../test/trace-arbitrary.ts';
import { scriptOf } from '../../scenario/from-trace/script-of-trace.ts';
import { loadScenario } from '../../scenario/load-scenario.ts';
import { fileOfBytes } from '../../trace/files/message-file.ts';
import type { Trace } from '../../trace/trace.ts';
import { traceFrom } from '../../trace/trace-from.ts';
import { runFiles } from '../runs/run.ts';
import { type ScenarioFromTrace, type ScenarioFromTraceOptions, scenarioFromTrace } from './scenario-from-trace.ts';

let project: ProjectFixture;

beforeAll(async () => {
  project = await projectFixture({ 'salvo.yaml': 'default_adapter: scripted\ndefaults: { trials: 1 }\n' });
});
afterAll(() => project[Symbol.asyncDispose]());

const call = (id: string, name: string, args: Record<string, unknown>) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});
const asks = (...tool_calls: ReturnType<typeof call>[]) => ({ role: 'assistant', content: null, tool_calls });
const answers = (tool_call_id: string, content: string) => ({ role: 'tool', tool_call_id, content });

const PAID = '{"order_id":"A-1001","paid":49.9,"day":"2026-05-12"}';
const REFUND = [
  { role: 'system', content: 'You are a support agent. Refund only what was paid.' },
  { role: 'user', content: 'My kettle (order A-1001) arrived broken.' },
  asks(call('1', 'lookup_order', { order_id: 'A-1001' })),
  answers('1', PAID),
  asks(
    call('2', 'issue_refund', {
      order_id: 'A-1001',
      amount: 49.9,
      reason: 'The kettle of the customer arrived broken.',
    }),
  ),
  answers('2', '{"refund_id":"R-77"}'),
  { role: 'assistant', content: 'I have refunded 49.90 euros for order A-1001. The number is R-77.' },
];

const made = (messages: object[], options: ScenarioFromTraceOptions = {}) =>
  scenarioFromTrace({ trace: traceFrom({ messages }), cwd: project.root, env: {}, ...options });

const verdicts = ({ assertions }: ScenarioFromTrace) => new Set(assertions.map(({ verdict }) => verdict));
const demands = ({ assertions }: ScenarioFromTrace) => assertions.map(({ assertion }) => assertion);

/** Runs the written file with an agent that says and does what it did in the trace. */
async function replayed({ text }: ScenarioFromTrace, trace: Trace) {
  const scenario: { messages?: { role: 'user'; content: string }[] } = parse(text);
  const said = scriptOf({ trace, messages: scenario.messages ?? [] });
  const script = said.at(-1)?.tool_calls ? [...said, { content: '' }] : said;
  await writeFile(project.path('s.yaml'), `${text}\nscript: ${JSON.stringify(script)}\n`);
  await using run = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'], judgeCache: false });
  return run.outcome.verdict;
}

describe('a good conversation', () => {
  test('becomes a scenario with its task, its tools and what it did', async () => {
    const scenario = await made(REFUND);
    expect(verdicts(scenario)).toEqual(new Set(['passed']));
    expect(parse(scenario.text)).toMatchObject({
      system_prompt: 'You are a support agent. Refund only what was paid.',
      prompt: 'My kettle (order A-1001) arrived broken.',
      tools: [
        {
          name: 'lookup_order',
          parameters: { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] },
          mock_responses: [{ when: { order_id: 'A-1001' }, respond: { paid: 49.9 } }],
        },
        { name: 'issue_refund', mock_responses: [{ when: { order_id: 'A-1001', amount: 49.9 } }] },
      ],
    });
    expect(demands(scenario)).toEqual([
      { type: 'tool_called', tool: 'lookup_order', arguments: { order_id: 'A-1001' } },
      { type: 'tool_called', tool: 'issue_refund', arguments: { order_id: 'A-1001', amount: 49.9 }, times: 1 },
      { type: 'tool_sequence', sequence: ['lookup_order', 'issue_refund'] },
      { id: 'no-tool-errors', path: 'length(tool_calls[?is_error])', eq: 0 },
      { type: 'output_contains', value: ['49.9', 'A-1001', 'R-77'] },
      { id: 'number-of-turns', path: 'metadata.turn_count', lte: 6 },
    ]);
    expect(await replayed(scenario, traceFrom({ messages: REFUND }))).toBe('PASS');
  });

  test('of several turns, with the same call answered differently, errors and calls without arguments', async () => {
    const messages = [
      { role: 'user', content: 'Is it there yet?' },
      asks(call('1', 'get_status', { id: 'P-1' }), call('2', 'ping', {})),
      answers('1', 'on the way'),
      answers('2', 'pong'),
      asks(call('3', 'get_status', { id: 'P-2' })),
      { role: 'tool', tool_call_id: '3', content: 'There is no P-2.', is_error: true },
      { role: 'assistant', content: 'Not yet.' },
      { role: 'user', content: 'And now?' },
      { role: 'user', content: 'It is urgent.' },
      asks(call('4', 'get_status', { id: 'P-1' })),
      answers('4', 'delivered on 2026-05-12'),
      { role: 'assistant', content: 'It was delivered on 2026-05-12.' },
    ];
    const trace = traceFrom({ messages });
    const scenario = await made(messages);
    expect(parse(scenario.text)).toMatchObject({
      messages: [
        { role: 'user', content: 'Is it there yet?' },
        { role: 'user', content: 'And now?\n\nIt is urgent.' },
      ],
      tools: [
        {
          name: 'get_status',
          mock_responses: [
            { when: { id: 'P-1' }, respond: 'on the way', times: 1 },
            { when: { id: 'P-1' }, respond: 'delivered on 2026-05-12' },
            ...(trace.tool_calls_made[2]?.is_error
              ? [{ when: { id: 'P-2' }, error: 'There is no P-2.' }]
              : [{ when: { id: 'P-2' }, respond: 'There is no P-2.' }]),
          ],
        },
        { name: 'ping', mock_response: 'pong' },
      ],
    });
    expect(demands(scenario)).toContainEqual({ type: 'output_contains', value: '2026-05-12' });
    expect(await replayed(scenario, trace)).toBe('PASS');
  });

  test('is cut: turns before the range are history, those after it are left out', async () => {
    const turn = (number: number) => [
      { role: 'user', content: `Question ${number}` },
      asks(call(`c${number}`, 'look', { id: `N-${number}00` })),
      answers(`c${number}`, `found N-${number}00`),
      { role: 'assistant', content: `Answer N-${number}00` },
    ];
    const messages = [1, 2, 3].flatMap(turn);
    const scenario = await made(messages, { turns: { first: 2, last: 2 } });
    const written = parse(scenario.text);
    expect(written.messages.map(({ role, content }: { role: string; content: string }) => [role, content])).toEqual([
      ['user', 'Question 1'],
      ['assistant', undefined],
      ['tool_result', 'found N-100'],
      ['assistant', 'Answer N-100'],
      ['user', 'Question 2'],
    ]);
    expect(written.tools[0].mock_responses).toEqual([{ when: { id: 'N-200' }, respond: 'found N-200' }]);
    expect(demands(scenario)).toContainEqual({ type: 'output_contains', value: 'N-200' });
    expect(await replayed(scenario, traceFrom({ messages: messages.slice(0, 8) }))).toBe('PASS');
    await expect(made(messages, { turns: { first: 2, last: 4 } })).rejects.toThrow('3 turns of the user');
  });

  test.each<[string, Partial<Trace>, string | null]>([
    [
      'one message of the user',
      { messages: [{ role: 'user', content: 'Hi' }], final_content: null, turn_count: 0 },
      'nothing is checked',
    ],
    ['an answer alone', { messages: [{ role: 'assistant', content: 'Hello', tool_calls: [] }] }, 'complete the prompt'],
    ['nothing', { messages: [], final_content: null, turn_count: 0 }, 'complete the prompt'],
    ['a crash', { error: 'boom', error_code: 'AGENT_CRASHED', final_content: null }, 'has failed, whatever'],
    ['an outage', { error: 'down', error_code: 'ADAPTER_SERVER' }, 'is not scored'],
    ['an agent that was not seen', { tools_seen: 'unknown' }, null],
    [
      'calls of tools whose names no provider takes',
      {
        messages: [
          { role: 'user', content: 'Go' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: '1', name: 'shop.look up', arguments: { $id: { $gt: 1 } } }],
          },
          { role: 'tool_result', tool_call_id: '1', name: 'shop.look up', content: 'ok', is_error: false },
          { role: 'assistant', content: 'Done.', tool_calls: [] },
        ],
        tool_calls_made: [
          {
            id: '1',
            name: 'shop.look up',
            arguments: { $id: { $gt: 1 } },
            turn: 1,
            result: 'ok',
            is_error: false,
            seen: 'reported',
          },
        ],
      },
      'is called shop_look_up',
    ],
  ])('%s is no problem', async (_, changes, note) => {
    const scenario = await scenarioFromTrace({ trace: sampleTrace(changes), cwd: project.root, env: {} });
    expect(verdicts(scenario).has('failed')).toBe(false);
    if (note === null) expect(scenario.notes).toEqual([]);
    else expect(scenario.notes.join('\n')).toContain(note);
  });

  test('keeps its images, those of tools as well', async () => {
    const image = fileOfBytes(samplePng(), { name: 'kettle.png' });
    const files = image ? [image] : [];
    const trace = sampleTrace({
      messages: [
        { role: 'user', content: '', files },
        { role: 'assistant', content: null, tool_calls: [{ id: '1', name: 'photo', arguments: {} }] },
        { role: 'tool_result', tool_call_id: '1', name: 'photo', content: 'Done.', files, is_error: false },
        { role: 'assistant', content: 'A kettle.', tool_calls: [] },
      ],
      tool_calls_made: [{ id: '1', name: 'photo', arguments: {}, turn: 1, result: 'Done.', is_error: false }],
    });
    const { text } = await scenarioFromTrace({ trace, cwd: project.root, env: {} });
    const base64 = image?.data;
    expect(parse(text)).toMatchObject({
      messages: [{ role: 'user', content: '', files: [{ base64, media_type: 'image/png', name: 'kettle.png' }] }],
      tools: [{ name: 'photo', mock_responses: [{ respond: 'Done.', files: [{ base64 }] }] }],
    });
  });
});

describe('a conversation in which something was wrong', () => {
  const wrong = async (messages: object[], failed: string) => {
    const scenario = await made(messages, { failed });
    return { scenario, demanded: demands(scenario), trace: traceFrom({ messages }) };
  };
  const changed = (index: number, message: object) => REFUND.map((each, at) => (at === index ? message : each));

  test.each<[string, object[], string, Record<string, unknown>]>([
    [
      'a wrong amount that is named',
      changed(4, asks(call('2', 'issue_refund', { order_id: 'A-1001', amount: 59.9 }))),
      'refunded 59.90 instead of 49.90',
      { type: 'tool_called', tool: 'issue_refund', arguments: { amount: 49.9 } },
    ],
    [
      'the wrong amount itself',
      changed(4, asks(call('2', 'issue_refund', { order_id: 'A-1001', amount: 59.9 }))),
      'refunded 59.90 instead of 49.90',
      { type: 'tool_not_called', tool: 'issue_refund', arguments: { amount: 59.9 } },
    ],
    [
      'a call that is made twice',
      [
        ...REFUND.slice(0, 6),
        asks(
          call('3', 'issue_refund', {
            order_id: 'A-1001',
            amount: 49.9,
            reason: 'The kettle of the customer arrived broken.',
          }),
        ),
        answers('3', 'ok'),
        ...REFUND.slice(6),
      ],
      'it pays again',
      {
        type: 'tool_called',
        tool: 'issue_refund',
        arguments: { order_id: 'A-1001', amount: 49.9 },
        times: { min: 0, max: 1 },
      },
    ],
    [
      'an argument that nobody has said',
      changed(2, asks(call('1', 'lookup_order', { order_id: 'B-7' }))),
      'looks at something else',
      { type: 'tool_not_called', tool: 'lookup_order', arguments: { order_id: 'B-7' } },
    ],
    [
      'a value that the answer made up',
      changed(6, { role: 'assistant', content: 'It is on its way, number Z-999.' }),
      'makes things up',
      { type: 'output_not_contains', value: 'Z-999' },
    ],
    [
      'a tool that the why names and nobody called',
      [...REFUND.slice(0, 2), { role: 'assistant', content: 'Sorry.' }],
      'it should say "49.90 euros"',
      { type: 'output_contains', value: '49.90 euros' },
    ],
    [
      'no answer',
      REFUND.slice(0, 6),
      'never says what it did',
      { id: 'has-an-answer', type: 'output_matches', pattern: '\\S' },
    ],
  ])('%s is a test that it fails', async (_, messages, why, expected) => {
    const { scenario, demanded, trace } = await wrong(messages, why);
    expect(demanded).toContainEqual(expected);
    expect(verdicts(scenario)).toEqual(new Set(['failed']));
    expect(parse(scenario.text)).toMatchObject({ description: why });
    expect(await replayed(scenario, trace)).toBe('FAIL');
  });

  test('says so if nothing shows it, and is a test to complete', async () => {
    const { scenario } = await wrong(REFUND, 'it was rude');
    expect(verdicts(scenario)).toEqual(new Set(['passed']));
    expect(scenario.notes.join('\n')).toContain('The trace passes all assertions');
    expect(scenario.text).toContain('# - { type: output_not_contains, value: what it must not say }');
    expect(await replayed(scenario, traceFrom({ messages: REFUND }))).toBe('PASS');
  });

  test('asks the judge of the project in the words of the person', async () => {
    await using judged = await projectFixture({ 'salvo.yaml': 'judge: { model: gpt-5 }\n' });
    const options = { trace: traceFrom({ messages: REFUND }), cwd: judged.root, env: {}, failed: 'it was rude' };
    expect((await scenarioFromTrace(options)).assertions[0]).toMatchObject({
      assertion: {
        type: 'judge',
        criteria: [{ name: 'the problem', description: 'This problem does not occur: it was rude' }],
      },
      verdict: 'not tried',
    });
  });

  test('needs words', async () => {
    await expect(made(REFUND, { failed: '  ' })).rejects.toThrow('Say what was wrong');
  });
});

describe('many conversations', () => {
  const about = (order: string, paid: number) =>
    REFUND.map((message) =>
      JSON.parse(
        JSON.stringify(message)
          .replaceAll('A-1001', order)
          .replaceAll('49.90', `${paid.toFixed(2)}`)
          .replaceAll('49.9', String(paid)),
      ),
    );

  test('become one scenario with a case for each, and what all of them did', async () => {
    await using files = await projectFixture({
      'salvo.yaml': 'default_adapter: scripted',
      'chats.jsonl': [about('A-1001', 49.9), about('B-2002', 15.5), about('{{C-1}}', 120), about('A-1001', 49.9)]
        .map((messages, index) => `${JSON.stringify({ id: `chat-${index}`, messages })}\n`)
        .join(''),
    });
    const scenario = await scenarioFromTrace({ targets: ['chats.jsonl'], group: true, cwd: files.root, env: {} });
    const written = parse(scenario.text);
    expect(written.data).toHaveLength(3);
    expect(written).toMatchObject({ prompt: '{{prompt}}', tools: [{ mock_responses: '{{mocks.lookup_order}}' }, {}] });
    expect(demands(scenario)).toContainEqual({
      ...{ type: 'tool_called', tool: 'issue_refund', times: 1 },
      arguments: '{{expected.issue_refund.arguments}}',
    });
    const file = await files.write('s.yaml', `${scenario.text}\nscript: [{ content: Hi }]\n`);
    const loaded = await loadScenario({ file, project: await files.project() });
    expect(loaded.warnings).toEqual([]);
    await expect(scenarioFromTrace({ targets: ['chats.jsonl'], cwd: files.root, env: {} })).rejects.toThrow(
      'several conversations',
    );
    const third = await scenarioFromTrace({ targets: ['chats.jsonl#3'], cwd: files.root, env: {} });
    expect(parse(third.text).prompt).toContain('{{C-1}}');
  });
});

describe('a file that is no conversation', () => {
  test.each([
    ['', 'c.json is empty'],
    ['{"messages": [', 'c.json:1'],
    ['[1, 2]', 'c.json:1'],
    ['{"a": 1}\n{"messages": 7}', 'c.json:1'],
    [`${'['.repeat(5000)}${']'.repeat(5000)}`, 'c.json:1'],
    ['hello', 'c.json begins neither'],
  ])('%j is refused with its place', async (text, place) => {
    await using files = await projectFixture({ 'c.json': text });
    const refused = scenarioFromTrace({ targets: ['c.json'], cwd: files.root, env: {} });
    await expect(refused).rejects.toMatchObject({ code: expect.any(String), message: expect.stringContaining(place) });
  });
});

describe('whatever a conversation contains', () => {
  const texts = [
    ...HOSTILE_TEXTS,
    '---\n...',
    '!!js/function x',
    '!include /etc/passwd',
    '{{x}}',
    '\\{{',
    '&a *a',
    '- a: b # c',
    `${'long '.repeat(20_000)}`,
    '\t- x',
    ' lead\n  trail \n',
  ];

  test.each(texts.map((text) => [text]))('%j is read as it was', async (text) => {
    const trace = sampleTrace({
      messages: [
        { role: 'system', content: text },
        { role: 'user', content: `a${text}` },
        { role: 'assistant', content: text, tool_calls: [{ id: '1', name: 'tool', arguments: { [text]: text } }] },
        { role: 'tool_result', tool_call_id: '1', name: 'tool', content: text, is_error: false },
        { role: 'assistant', content: `b${text}`, tool_calls: [] },
      ],
      tool_calls_made: [{ id: '1', name: 'tool', arguments: { [text]: text }, turn: 1, result: text, is_error: false }],
      final_content: `b${text}`,
    });
    const scenario = await scenarioFromTrace({
      trace,
      cwd: project.root,
      env: {},
      name: `n${text}`.slice(0, 150),
      failed: `why ${text}`,
    });
    const file = await project.write('hostile.yaml', `${scenario.text}\nscript: [{ content: Hi }]\n`);
    const { scenario: loaded } = await loadScenario({ file, project: await project.project() });
    expect(loaded.prompt).toBe(`a${text}`);
    expect(loaded.system_prompt ?? '').toBe(text);
    const [tool] = loaded.tools;
    expect(tool?.mock_response ?? tool?.mock_responses?.[0]?.respond).toBe(text);
    expect(scenario.file).toMatch(/[\\/][a-z0-9-]+\.yaml$/);
  });

  test('secrets are taken out', async () => {
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD';
    const { text } = await made(
      [
        { role: 'user', content: `My key is ${key}.` },
        { role: 'assistant', content: 'Thanks.' },
      ],
      { failed: `it says ${key}` },
    );
    expect(text).not.toContain(key);
    expect(text).toContain('[REDACTED');
  });

  test('its assertions hold, and the file can be read', async () => {
    await fc.assert(
      fc.asyncProperty(
        traceArbitrary,
        fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
        async (trace, why) => {
          const failed = why?.trim() === '' ? undefined : why;
          const scenario = await scenarioFromTrace({ trace, cwd: project.root, env: {}, failed });
          expect(verdicts(scenario).size).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 25 },
    );
  });
});
