import { describe, expect, test } from 'vitest';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { namedAssertions, namedCases } from '../evaluators/assertion-ids.ts';
import { scenarioCases } from './cases/scenario-cases.ts';
import { inspectScenario, loadScenario } from './load-scenario.ts';

const BASE = 'prompt: "{{q}}"\nassertions:\n  - { type: output_contains, value: "{{a}}" }\n';

async function problems(scenario: string, files: Record<string, string | Uint8Array> = {}) {
  await using fixture = await projectFixture({ 'a.yaml': scenario });
  for (const [name, content] of Object.entries(files)) await fixture.write(name, content);
  const { diagnostics } = await inspectScenario({ file: fixture.path('a.yaml'), project: await fixture.project() });
  return diagnostics.map(({ file, line, column, code, severity, message }) => {
    const place = `${file.slice(fixture.root.length + 1)}:${line}:${column}`;
    return { place, code: severity === 'warning' ? `warning ${code}` : code, message };
  });
}

const places = async (...given: Parameters<typeof problems>) =>
  (await problems(...given)).map(({ place, code }) => `${place} ${code}`);

async function casesOf(scenario: string, files: Record<string, string> = {}) {
  await using fixture = await projectFixture({ 'a.yaml': scenario, ...files });
  const loaded = await loadScenario({ file: fixture.path('a.yaml'), project: await fixture.project() });
  const cases = scenarioCases(loaded.scenario);
  return { ...cases, loaded, scenarios: Array.from({ length: cases.count }, (_, index) => cases.scenarioOf(index)) };
}

describe('data', () => {
  const files = {
    'rows.csv': '\ufeffq,a,n\r\n"Hi, you",hello,2\r\nbye,"so ""long""",3\r\n',
    'rows.jsonl': '{"q": "Hi, you", "a": "hello", "n": 2}\n\n{"q": "bye", "a": "so \\"long\\"", "n": 3}\n',
    'rows.json': '[{"q": "Hi, you", "a": "hello", "n": 2}, {"q": "bye", "a": "so \\"long\\"", "n": 3}]',
    'rows.yaml': '- { q: "Hi, you", a: hello, n: 2 }\n- { q: bye, a: so "long", n: 3 }\n',
  };
  test.each(Object.keys(files))('of %s are the same rows', async (name) => {
    const { scenarios } = await casesOf(
      `${BASE}  - { path: metadata.turn_count, lt: "{{n}}" }\ndata: ${name}\n`,
      files,
    );
    expect(scenarios.map(({ prompt }) => prompt)).toEqual(['Hi, you', 'bye']);
    expect(scenarios.map(({ assertions }) => assertions.map((assertion) => Reflect.get(assertion, 'value')))).toEqual([
      ['hello', 2],
      ['so "long"', 3],
    ]);
  });

  test('can be written in the scenario, and replace templates wherever these may be', async () => {
    const { scenarios } = await casesOf(`
system_prompt: For {{who.name}}.
messages: [{ role: user, content: "{{n}}" }]
tags: ["{{who.name}}"]
tools:
  - name: t
    mock_responses: [{ when: { id: "{{n}}" }, respond: { total: "{{n}}", text: "n={{n}}" } }]
adapter: scripted
script: [{ content: "{{n}}" }]
assertions:
  - { type: tool_called, tool: t, times: "{{n}}", arguments: { id: "{{n}}" } }
  - { type: output_contains, value: "{{n}}" }
  - { path: response.content, regex: "{{n}}" }
data:
  - { n: 1, who: { name: Ada }, threshold: 50%, trials: 7, skip: later, name: first, tags: "x, y" }
  - { n: 2, who: { name: Bob } }
`);
    const [first, second] = scenarios;
    expect(first).toMatchObject({
      system_prompt: 'For Ada.',
      messages: [{ content: '1' }],
      tags: ['Ada'],
      tools: [{ mock_responses: [{ when: { id: 1 }, respond: { total: 1, text: 'n=1' } }] }],
      script: [{ content: '1' }],
      threshold: 0.5,
      assertions: [{ times: 1, arguments: { id: 1 } }, { value: '1' }, { value: '1' }],
    });
    expect(second).toMatchObject({ threshold: undefined, messages: [{ content: '2' }] });
  });

  test('name their cases, or number them, and say what is skipped', async () => {
    const data = 'data: [{q: a, a: b, name: x, skip: slow, tags: [t], trials: 2}, {q: c, a: d, skip: false, name: ""}]';
    const cases = await casesOf(`${BASE}${data}\n`);
    expect([cases.fieldsOf(0), cases.fieldsOf(1)]).toEqual([
      { name: 'x', tags: ['t'], skip: 'slow', threshold: null, trials: 2, quarantine: null },
      { name: '2', tags: [], skip: null, threshold: null, trials: null, quarantine: null },
    ]);
    expect(['x', '2', 'y', null].map((name) => cases.indexOf(name))).toEqual([0, 1, -1, -1]);
  });

  test('are part of what a scenario is', async () => {
    const hashes = await Promise.all(
      ['{q: a, a: b}', '{q: a, a: c}'].map(async (row) => (await casesOf(`${BASE}data: [${row}]\n`)).loaded.hash),
    );
    expect(new Set(hashes).size).toBe(2);
  });
});

describe('what is wrong with data has its place', () => {
  test.each<[string, string, Record<string, string>, string[]]>([
    [
      'a missing column',
      'data: [{q: 1, b: 2}]',
      {},
      ['a.yaml:3:38 missing-column', 'a.yaml:4:15 warning unused-column'],
    ],
    [
      'one row without it',
      'data: r.jsonl',
      { 'r.jsonl': '{"q":"x","a":"y"}\n{"a":"y"}\n' },
      ['a.yaml:1:10 missing-column'],
    ],
    ['an unused column', 'data: r.csv', { 'r.csv': 'q,a,other\n1,2,3\n' }, ['r.csv:1:5 warning unused-column']],
    [
      'a column that an agent may read',
      'data: r.csv\nadapter: ./agent.mjs',
      { 'r.csv': 'q,a,other\n1,2,3\n', 'agent.mjs': 'export default ({ row }) => row.other;\n' },
      [],
    ],
    [
      'an unused column of a script',
      'data: [{q: 1, a: 2, b: 3}]\nadapter: scripted\nscript: [{ content: x }]',
      {},
      ['a.yaml:4:21 warning unused-column'],
    ],
    ['no rows', 'data: []', {}, ['a.yaml:4:7 empty-data']],
    ['an empty file', 'data: r.csv', { 'r.csv': '' }, ['a.yaml:4:7 empty-data']],
    ['a header alone', 'data: r.csv', { 'r.csv': 'q,a\n' }, ['a.yaml:4:7 empty-data']],
    ['no such file', 'data: r.csv', {}, ['a.yaml:4:7 missing-file']],
    ['another kind of file', 'data: r.xlsx', { 'r.xlsx': 'x' }, ['a.yaml:4:7 invalid-value']],
    ['a file outside', 'data: ../r.csv', {}, ['a.yaml:4:7 outside-project']],
    ['a number', 'data: 5', {}, ['a.yaml:4:7 wrong-type']],
    ['rows that are texts', 'data: [a, b]', {}, ['a.yaml:4:8 invalid-row']],
    ['an open quote', 'data: r.csv', { 'r.csv': 'q,a\n1,"2\n' }, ['r.csv:2:3 csv-syntax']],
    ['too few values', 'data: r.csv', { 'r.csv': 'q,a\n1,2\n3\n' }, ['r.csv:3:1 csv-syntax']],
    ['semicolons', 'data: r.csv', { 'r.csv': 'q;a\n1;2\n' }, ['r.csv:1:1 csv-syntax']],
    ['two equal columns', 'data: r.csv', { 'r.csv': 'q,a,q\n1,2,3\n' }, ['r.csv:1:5 csv-syntax']],
    ['truncated JSON lines', 'data: r.jsonl', { 'r.jsonl': '{"q":1,"a":2}\n{"q":1,' }, ['r.jsonl:2:8 yaml-syntax']],
    ['a list in JSON lines', 'data: r.jsonl', { 'r.jsonl': '[1]\n' }, ['r.jsonl:1:1 invalid-row']],
    ['truncated JSON', 'data: r.json', { 'r.json': '[{"q":1,"a":2},' }, ['r.json:1:16 yaml-syntax']],
    ['a map in JSON', 'data: r.json', { 'r.json': '{"q":1}' }, ['r.json:1:1 invalid-row']],
    ['a number in JSON', 'data: r.json', { 'r.json': '[{"q":"[","a":2},\n 3]' }, ['r.json:2:2 invalid-row']],
    ['wrong YAML', 'data: r.yaml', { 'r.yaml': '- {q: 1\n' }, ['r.yaml:2:1 yaml-syntax']],
    [
      'a key twice in JSON lines',
      'data: r.jsonl',
      { 'r.jsonl': '{"q":1,"a":2}\n{"q":1,"a":2,"q":3}\n' },
      ['r.jsonl:2:14 duplicate-key'],
    ],
    [
      'a key twice in JSON',
      'data: r.json',
      { 'r.json': '[{"q":1,\n"a":{"b":1,"b":2}}]' },
      ['r.json:2:12 duplicate-key'],
    ],
    ['a key twice in YAML', 'data: r.yaml', { 'r.yaml': '- {q: 1, a: 2, q: 3}\n' }, ['r.yaml:1:16 duplicate-key']],
    ['equal rows', 'data: r.csv', { 'r.csv': 'q,a\n1,2\n3,4\n1,2\n1,2\n' }, ['r.csv:4:1 warning equal-rows']],
    [
      'rows that differ in their names only',
      'data: [{q: a, a: b, name: x}, {q: a, a: b, name: y, tags: t}]',
      {},
      ['a.yaml:4:31 warning equal-rows'],
    ],
    ['the same name', 'data: [{q: a, a: b, name: x}, {q: c, a: d, name: x}]', {}, ['a.yaml:4:31 duplicate-case']],
    ['the name of another number', 'data: [{q: a, a: b}, {q: c, a: d, name: "1"}]', {}, ['a.yaml:4:22 duplicate-case']],
    ['a wrong threshold', 'data: [{q: a, a: b, threshold: 2}]', {}, ['a.yaml:4:21 invalid-row']],
    ['wrong trials', 'data: r.csv', { 'r.csv': 'q,a,trials\n1,2,0\n' }, ['r.csv:2:5 invalid-row']],
    ['wrong tags', 'data: [{q: a, a: b, tags: 5}]', {}, ['a.yaml:4:21 invalid-row']],
  ])('%s', async (_, data, files, expected) => {
    expect(await places(`${BASE}${data}\n`, files)).toEqual(expected);
  });

  test('also if it is not text, is too large or nested too deeply', async () => {
    const file = (content: string | Uint8Array, name = 'r.jsonl') =>
      places(`${BASE}data: ${name}\n`, { [name]: content });
    expect(await file(new Uint8Array([0xff, 0xfe, 0x00]))).toEqual(['a.yaml:4:7 invalid-encoding']);
    expect(await file('{}\n'.repeat(100_001))).toEqual(['r.jsonl:100001:1 too-large']);
    expect(await file(`q,a\n${'1,2\n'.repeat(100_001)}`, 'r.csv')).toEqual(['r.csv:100002:1 too-large']);
    expect(await file(`${'['.repeat(50_000)}`, 'r.json')).toEqual([expect.stringContaining('yaml-syntax')]);
    expect(await file(`- ${'['.repeat(500)}`, 'r.yaml')).toEqual([expect.stringContaining('too-deep')]);
  });
});

test('of equal rows it is said which they are, and how to run a case more often', async () => {
  const found = await problems(`${BASE}data: r.csv\n`, { 'r.csv': `q,a\n${'1,2\n'.repeat(12)}` });
  expect(found).toEqual([
    {
      place: 'r.csv:3:1',
      code: 'warning equal-rows',
      message: expect.stringMatching(
        /^rows 2, 3, .* are equal to row 1: together they are one case, and are counted as 12$/,
      ),
    },
  ]);
});

describe('what is wrong with a template has its place', () => {
  test.each([
    ['prompt: "Hi {{q"\nassertions: []\ndata: [{q: 1}]\n', ['a.yaml:1:13 invalid-template']],
    ['prompt: "{{q}}"\nassertions: [{type: "{{q}}", value: x}]\ndata: [{q: a}]\n', ['a.yaml:2:22 invalid-template']],
    ['prompt: "{{q}}"\ntools: [{name: "{{q}}"}]\ndata: [{q: a}]\n', ['a.yaml:2:17 invalid-template']],
    [`name: x {{q}}\n${BASE}data: [{q: a, a: b}]\n`, ['a.yaml:1:9 warning invalid-template']],
  ])('%j', async (scenario, expected) => {
    expect(await places(scenario)).toEqual(expect.arrayContaining(expected));
  });

  test('if a value does not fit, with the case that it is of', async () => {
    const scenario = 'prompt: "{{q}}"\nassertions:\n  - { type: latency_limit, max_seconds: "{{n}}" }\ndata: r.csv\n';
    const rows = Array.from({ length: 50 }, (_, index) => `${index},${index === 40 ? 'ten' : '10'}\n`).join('');
    expect(await problems(scenario, { 'r.csv': `q,n\n${rows}` })).toEqual([
      {
        place: 'a.yaml:3:41',
        code: 'wrong-type',
        message: '"max_seconds" should be a number, but is a text (in the case "41")',
      },
    ]);
  });

  test('and is about the value that the row has, not about the text that it could be', async () => {
    const scenario =
      'prompt: "{{q}}"\nassertions:\n  - { type: latency_limit, max_seconds: "{{n}}" }\ndata: [{q: 1, n: -5}]\n';
    expect(await problems(scenario)).toMatchObject([{ message: '"max_seconds" must be at least 0 (in the case "1")' }]);
  });

  test('also of a pattern that does not compile in one row', async () => {
    const scenario = 'prompt: "{{q}}"\nassertions:\n  - { type: output_matches, pattern: "{{p}}" }\ndata: r.csv\n';
    const rows = Array.from({ length: 20 }, (_, index) => `${index},${index === 15 ? '(' : 'x'}\n`).join('');
    expect(await places(scenario, { 'r.csv': `q,p\n${rows}` })).toEqual(['a.yaml:3:38 invalid-pattern']);
  });

  test('and a mistake that has nothing to do with rows is said once, without a case', async () => {
    const found = await problems(`${BASE}max_trns: 3\ndata: [{q: a, a: b}, {q: c, a: d}]\n`);
    expect(found).toEqual([{ place: 'a.yaml:4:1', code: 'unknown-key', message: 'unknown key "max_trns"' }]);
  });
});

describe('assertions of a row', () => {
  const OWN = 'prompt: "{{q}}"\nassertions:\n  - { type: output_contains, value: hi }\n';
  const rows = [
    { q: 'a', assertions: [{ path: 'response.content', contains: '{{q}}' }] },
    { q: 'b', assertions: [{ type: 'output_not_contains', value: 'x', id: 'no x' }] },
    { q: 'c' },
  ];
  const files = {
    'rows.csv': `q,assertions\n${rows
      .map(({ q, assertions }) => `${q},${assertions ? `"${JSON.stringify(assertions).replaceAll('"', '""')}"` : ''}`)
      .join('\n')}\n`,
    'rows.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    'rows.json': JSON.stringify(rows),
    'rows.yaml': rows.map((row) => `- ${JSON.stringify(row)}\n`).join(''),
  };

  test.each(Object.keys(files))('of %s come after those of the scenario, with the values of the row', async (name) => {
    const { scenarios, loaded } = await casesOf(`${OWN}data: ${name}\n`, files);
    const common = { type: 'output_contains', value: 'hi' };
    expect(scenarios.map(({ assertions }) => assertions)).toMatchObject([
      [common, { type: 'jmespath', operator: 'contains', value: 'a' }],
      [common, { type: 'output_not_contains', value: 'x' }],
      [common],
    ]);
    expect(scenarios.map(({ assertions }) => assertions.length)).toEqual([2, 2, 1]);
    const ids = (index: number) =>
      namedCases(loaded.scenario)
        .scenarioOf(index)
        .assertions.map(({ id }) => id);
    expect([ids(0), ids(1)]).toEqual([
      ['output_contains:"hi"', 'jmespath:response.content contains "{{q}}"'],
      ['output_contains:"hi"', 'no x'],
    ]);
  });

  test('have an id that other rows do not change', async () => {
    const judge = (description: string) => ({ type: 'judge', criteria: [{ name: 'c', description }] });
    const scenario = (list: unknown[]) =>
      `prompt: hi\ndata: ${JSON.stringify(list.map((each, n) => ({ n, assertions: [each] })))}\n`;
    const idsOf = async (list: unknown[]) => {
      const { loaded } = await casesOf(scenario(list));
      return namedAssertions(loaded.scenario).map(({ id }) => id);
    };
    const long = 'The answer names all three of the conditions under which a customer may send a kettle back.';
    const both = await idsOf([judge('Polite.'), judge(long), judge(`${long} Always.`)]);
    expect(both).toEqual(['judge:Polite.', expect.stringMatching(/^judge:The .+… [0-9a-f]{6}$/), expect.any(String)]);
    expect(new Set(both).size).toBe(3);
    expect(await idsOf([judge(`${long} Always.`)])).toEqual([both[2]]);
  });

  test('are checked in all rows, each problem at its place', async () => {
    const wrong = (value: unknown) => ({
      q: Object.keys(Object(value)).join(' '),
      assertions: [{ type: 'output_contains', value: 'x' }, value],
    });
    const given = [
      wrong({ type: 'nope' }),
      { q: 'b', assertions: 'no list' },
      wrong({ type: 'output_matches', pattern: '(' }),
    ];
    const lines = given.map((row) => JSON.stringify(row));
    expect(await places(`${OWN}data: r.jsonl\n`, { 'r.jsonl': lines.join('\n') })).toEqual([
      `r.jsonl:1:${(lines[0] ?? '').indexOf('"nope"') + 1} unknown-assertion-type`,
      `r.jsonl:2:${(lines[1] ?? '').indexOf('"no list"') + 1} invalid-row`,
      `r.jsonl:3:${(lines[2] ?? '').indexOf('"("') + 1} invalid-pattern`,
    ]);
    expect(await places(`${OWN}data: r.csv\n`, { 'r.csv': 'q,assertions\na,"[{}]"\nb,"[{"\n' })).toEqual([
      'r.csv:2:3 missing-key',
      'r.csv:3:3 invalid-row',
    ]);
    const inline = `${OWN}data:\n  - q: a\n    assertions:\n      - { type: output_contains, value: "{{z}} {{q}}", id: "{{q}}" }\n`;
    expect(await places(inline)).toEqual(['a.yaml:7:42 missing-column', 'a.yaml:7:61 invalid-template']);
  });
});

describe('an assertion whose demand is empty in a row', () => {
  const scenario = (data: string) =>
    `prompt: "{{q}}"\nassertions:\n  - { type: output_contains, value: "{{a}}" }\n  - { type: output_contains, value: "{{b}}!" }\n${data}`;

  test('is left out of that row, also if the row has no such column', async () => {
    const { scenarios } = await casesOf(
      scenario('data: [{q: 1, a: x, b: ""}, {q: 2, a: "", b: y}, {q: 3, a: null, b: y}, {q: 4, b: y}]\n'),
    );
    expect(scenarios.map(({ assertions }) => assertions.map((each) => Reflect.get(each, 'value')))).toEqual([
      ['x', '!'],
      ['y!'],
      ['y!'],
      ['y!'],
    ]);
  });

  test('keeps its place for problems of other rows', async () => {
    expect(await places(scenario('data: [{q: 1, a: "", b: y}, {q: 2, a: [], b: y}]\n'))).toEqual([
      'a.yaml:3:37 invalid-value',
    ]);
  });

  test('is a warning if all rows leave it out, or if nothing is left', async () => {
    const none = 'prompt: "{{q}}"\nassertions: [{ type: output_contains, value: "{{a}}" }]\n';
    expect(await places(`${none}data: [{q: 1, a: ""}, {q: 2, a: null}]\n`)).toEqual([
      'a.yaml:2:1 warning no-assertions',
      'a.yaml:2:14 warning unused-value',
    ]);
    expect(await places(`${none}data: [{q: 1, a: ""}, {q: 2, a: x}]\n`)).toEqual(['a.yaml:2:1 warning no-assertions']);
  });
});
