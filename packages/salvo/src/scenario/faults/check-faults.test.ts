import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { DiagnosticsError } from '../diagnostics/diagnostics-error.ts';
import { inspectScenario } from '../load-scenario.ts';
import { readFaultsFile } from './read-faults-file.ts';

async function problems(faults: string, tool = 'effect: write'): Promise<string[]> {
  await using fixture = await projectFixture({
    'salvo.yaml': 'default_adapter: scripted\n',
    's.yaml': `prompt: hi\nscript: [{ content: Hi }]\nassertions: [{ type: recovers }]\ntools:\n  - name: pay\n    ${tool}\n    mock_response: 1\n    faults: ${faults}\n`,
  });
  const { diagnostics } = await inspectScenario({ file: fixture.path('s.yaml'), project: await fixture.project() });
  return diagnostics.map(({ line, column, severity, message }) => `${line}:${column} ${severity}: ${message}`);
}

test.each([
  '[{ kind: timeout, rate: 20% }, { kind: http_500, rate: 0.5, after: true }]',
  '[{ kind: slow, calls: [1, 2], delay_ms: 5 }, { kind: stale, rate: 1, respond: { a: 1 } }]',
  '[{ kind: injection, calls: 1, texts: [urgency, HTML comment, call] }]',
  '[{ kind: timeout, calls: 1 }, { kind: timeout, calls: 2 }, { kind: http_429, rate: 100%, message: no }]',
])('%s are faults', async (faults) => {
  expect(await problems(faults)).toEqual([]);
});

test.each([
  ['[]', '8:13 error'],
  ['timeout', '8:13 error'],
  ['[timeout]', '8:14 error'],
  ['[{ rate: 1 }]', '8:14 error: "kind" is missing'],
  ['[{ kind: time_out, rate: 1 }]', '8:22 error'],
  ['[{ kind: timeout }]', '8:14 error: a fault needs "rate", the chance of each call, or "calls"'],
  ['[{ kind: timeout, rate: 1.5 }]', '8:37 error'],
  ['[{ kind: timeout, rate: often }]', '8:37 error'],
  ['[{ kind: timeout, rate: 0 }]', '8:37 warning: with a rate of 0 the fault never happens'],
  ['[{ kind: timeout, calls: 0 }]', '8:38 error'],
  ['[{ kind: timeout, calls: [] }]', '8:38 error'],
  [
    '[{ kind: http_429, calls: 1, after: true }]',
    '8:42 error: "after" is for timeout, http_500 and connection_lost, and not for http_429',
  ],
  ['[{ kind: truncated, calls: 1, after: true }]', '8:43 error: "after"'],
  ['[{ kind: timeout, calls: 1, delay_ms: 5 }]', '8:41 error: "delay_ms" is for slow, and not for timeout'],
  ['[{ kind: timeout, calls: 1, respond: 5 }]', '8:41 error: "respond" is for stale'],
  ['[{ kind: injection, calls: 1, texts: [urgent] }]', '8:51 error: the pack of injections has no text "urgent"'],
  [
    '[{ kind: timeout, rate: 60% }, { kind: http_500, rate: 50% }]',
    '8:68 error: the rates of the faults are 110% together',
  ],
  [
    '[{ kind: timeout, calls: 1 }, { kind: slow, calls: [1] }]',
    '8:43 error: the rates of the faults at call 1 are 200% together',
  ],
  ['[{ kind: timeout, calls: 1, tools: [pay] }]', '8:41 error: "tools" chooses tools of an MCP server'],
  ['[{ kind: timeout, calls: 1, afterwards: true }]', '8:41 error'],
])('%s: %s', async (faults, expected) => {
  expect((await problems(faults)).join('\n')).toContain(expected);
});

test('a tool that only reads has nothing that is done before', async () => {
  expect(await problems('[{ kind: timeout, calls: 1, after: true }]', 'effect: read')).toEqual([
    expect.stringContaining('8:41 warning: the tool only reads'),
  ]);
});

test('a file of faults is a list or a map, and any other is refused with its place', async () => {
  await using fixture = await projectFixture({
    'list.yaml': '- { kind: timeout, rate: 20%, tools: [pay] }\n',
    'map.yaml': 'faults:\n  - { kind: http_429, calls: 1 }\n',
  });
  expect(readFaultsFile('list.yaml', fixture.root)).toEqual([{ kind: 'timeout', rate: 0.2, tools: ['pay'] }]);
  expect(readFaultsFile('map.yaml', fixture.root)).toEqual([{ kind: 'http_429', calls: 1 }]);
  const broken = [
    '',
    '[',
    '{}',
    'x',
    '- 1',
    '- { kind: timeout }',
    'faults: 7',
    'fault: []',
    `${'['.repeat(2000)}`,
    '- { kind: &a [*a] }',
    '\0',
  ];
  for (const text of broken) {
    await fixture.write('broken.yaml', text);
    expect(() => readFaultsFile('broken.yaml', fixture.root), text).toThrow(DiagnosticsError);
  }
  for (const name of ['nothing.yaml', '.']) expect(() => readFaultsFile(name, fixture.root)).toThrow(DiagnosticsError);
});
