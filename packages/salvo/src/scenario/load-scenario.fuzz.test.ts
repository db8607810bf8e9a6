import fc from 'fast-check';
import { expect, test } from 'vitest';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { tried, triedOf } from '../../../../test/thorough.ts';
import { scenarioCases } from './cases/scenario-cases.ts';
import { DiagnosticsError } from './diagnostics/diagnostics-error.ts';
import { loadScenario } from './load-scenario.ts';

const GOOD = `# a comment
name: refund
data: [{n: 1, say: done, name: a}, {n: 2, say: '{{x', skip: later}]
tags: {tier: 1}
adapter: scripted
model: "m\\u00e9"
system_prompt: |
  You are helpful.
  日本
messages:
  - {role: user, content: 'it''s \\\\{{ {{say}}'}
tools: &tools
  - name: lookup
    parameters: {type: object, properties: {id: {type: integer}}, required: [id]}
    mock_responses:
      - {when: "id == \`1\`", respond: {status: ok}, times: 1}
      - error: not found
script:
  variants:
    - {weight: 2, turns: [{tool_calls: [{name: lookup, arguments: {id: 1}}]}, {content: done}]}
assertions:
  - {path: response.content, contains: done}
  - type: tool_called
    tool: lookup
    times: {min: "{{n}}"}
  - type: output_matches
    pattern: ^d.ne$
`;

/** Nothing but a DiagnosticsError, and in it always an error with a place. */
async function expectVerdict(
  write: (content: string | Uint8Array) => Promise<string>,
  content: string | Uint8Array,
  project: Parameters<typeof loadScenario>[0]['project'],
) {
  const file = await write(content);
  try {
    const { scenario } = await loadScenario({ file, project });
    expect(scenario.name).not.toBe('');
    const cases = scenarioCases(scenario);
    for (let index = 0; index < cases.count; index += 1) expect(cases.scenarioOf(index).data).toBeUndefined();
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    expect(error.diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
    for (const { line, column, message } of error.diagnostics) {
      expect(line).toBeGreaterThanOrEqual(1);
      expect(column).toBeGreaterThanOrEqual(1);
      expect(message).not.toBe('');
    }
  }
}

test('a good scenario cut off at any byte is either valid or has an error with a position', async () => {
  await using fixture = await projectFixture();
  const project = await fixture.project();
  const bytes = Buffer.from(GOOD);
  for (const length of triedOf([...Array(bytes.length + 1).keys()])) {
    await expectVerdict((content) => fixture.write('a.yaml', content), bytes.subarray(0, length), project);
  }
});

test('no text makes loading fail in another way', async () => {
  await using fixture = await projectFixture();
  const project = await fixture.project();
  const token = fc.constantFrom(
    ...[
      'prompt: hi',
      'data: [{a: 1}, {a: x}]',
      '{{a}}',
      'tools:',
      'assertions:',
      '- ',
      '  ',
      '\n',
      '\t',
      ': ',
      '? ',
      '&a ',
      '*a',
      '<<: *a',
      '!include a.yaml',
      '!include x',
      '!!int ',
      '!x ',
    ],
    ...[
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '|',
      '>',
      '---',
      '...',
      '%YAML 1.1',
      '#',
      '__proto__: 1',
      'constructor: {}',
      'null',
      '.nan',
      '1e999',
      '\u0000',
      '\ud800',
      '\ufeff',
      '\r',
    ],
    ...[
      'type: jmespath',
      'path: a',
      'exists: true',
      'messages:',
      'role: user',
      'script:',
      'extras:',
      'name: x',
      'when: "a["',
      'pattern: (',
      'schema: {type: x}',
    ],
  );
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(token, { maxLength: 25 }).map((tokens) => tokens.join('')),
    fc.array(token, { maxLength: 15 }).map((tokens) => tokens.join('\n')),
    fc.json().map((json) => `prompt: hi\ntools: ${json}\nassertions: [${json}]`),
    fc.uint8Array({ maxLength: 60 }),
  );
  await fc.assert(
    fc.asyncProperty(hostile, (content) => expectVerdict((text) => fixture.write('a.yaml', text), content, project)),
    { numRuns: tried(800) },
  );
});

test('a good scenario with a piece replaced is either valid or has an error with a position', async () => {
  await using fixture = await projectFixture();
  const project = await fixture.project();
  const change = fc.tuple(
    fc.nat(GOOD.length),
    fc.nat(20),
    fc.constantFrom('', ' ', '\n', ':', '-', '{', '[', '"', '&a', '*tools', '3', 'null', '!include a.yaml', '<<: '),
  );
  await fc.assert(
    fc.asyncProperty(change, ([at, length, piece]) =>
      expectVerdict(
        (text) => fixture.write('a.yaml', text),
        GOOD.slice(0, at) + piece + GOOD.slice(at + length),
        project,
      ),
    ),
    { numRuns: tried(300) },
  );
});
