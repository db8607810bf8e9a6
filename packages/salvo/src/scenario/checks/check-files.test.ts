import { symlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { JPEG, SVG, samplePng } from '../../../../../test/sample-images.ts';
import { inspectScenario } from '../load-scenario.ts';
import { scenarioHash } from '../scenario-identity.ts';

const data = samplePng().toString('base64');

async function inspected(text: string, further: Record<string, string | Uint8Array> = {}) {
  await using fixture = await projectFixture({ 'salvo.yaml': '' });
  const files = { 'scenarios/receipt.png': samplePng(), 'scenarios/letter.txt': 'Dear shop', ...further };
  for (const [name, content] of Object.entries(files)) await fixture.write(name, content);
  const file = await fixture.write('scenarios/a.yaml', `assertions: [{type: output_contains, value: x}]\n${text}`);
  await symlink('/etc', fixture.path('scenarios/etc'));
  const { scenario, diagnostics } = await inspectScenario({ file, project: await fixture.project() });
  const problems = diagnostics.map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`);
  return { scenario, problems };
}

test('files are looked at when the scenario is loaded, each once', async () => {
  const { scenario, problems } = await inspected(`
prompt: What did it cost?
files:
  - receipt.png
  - ./letter.txt
  - { path: receipt.png, name: other.png }
  - { url: https://example.com/a.jpg }
  - { base64: ${data}, name: inline.png }
tools:
  - name: shoot
    mock_responses: [{ respond: done, files: [receipt.png] }]
`);
  expect(problems).toEqual([]);
  const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(scenario?.attached).toEqual({
    'receipt.png': { sha256, bytes: samplePng().length, media_type: 'image/png' },
    './letter.txt': { sha256, bytes: 9, media_type: 'text/plain' },
  });
});

test('a scenario without files is what it was', async () => {
  const { scenario } = await inspected('prompt: hi\n');
  expect(Object.keys(scenario ?? {})).not.toContain('attached');
});

test('the content of a file is a part of the identity of a scenario', async () => {
  const text = 'prompt: hi\nfiles: [receipt.png]\n';
  const first = await inspected(text);
  const other = await inspected(text, { 'scenarios/receipt.png': samplePng(25) });
  const [a, b] = [first, other].map(({ scenario }) => scenario && scenarioHash(scenario));
  expect(a).toMatch(/^[0-9a-f]{64}$/);
  expect(a).not.toBe(b);
});

test('files of an included file are relative to it', async () => {
  const { scenario, problems } = await inspected('prompt: hi\ntools: !include ../shared/tools.yaml\n', {
    'shared/tools.yaml': '- name: shoot\n  mock_responses: [{ files: [shot.png] }]\n',
    'shared/shot.png': samplePng(),
  });
  expect(problems).toEqual([]);
  expect(scenario?.attached).toMatchObject({ 'shot.png': { path: '../shared/shot.png' } });
});

test('every row has its own file', async () => {
  const text = 'prompt: "{{ask}}"\nfiles: ["{{image}}"]\ndata: rows.csv\n';
  const rows = (names: string[]) => `ask,image,skip\n${names.map((name, at) => `q${at},${name}`).join('\n')}\n`;
  const { scenario, problems } = await inspected(text, {
    'scenarios/rows.csv': rows(['receipt.png,', 'other.jpg,', 'later.png,not drawn yet']),
    'scenarios/other.jpg': JPEG,
  });
  expect(problems).toEqual([]);
  expect(Object.keys(scenario?.attached ?? {})).toEqual(['receipt.png', 'other.jpg']);
  const many = rows([...Array.from({ length: 150 }, () => 'receipt.png,'), 'gone.png,', '../../x.png,']);
  const wrong = await inspected(text, { 'scenarios/rows.csv': many });
  expect(wrong.problems).toEqual([
    '3:9 missing-file gone.png does not exist (in the case "151")',
    '3:9 outside-project ../../x.png is outside the project (in the case "152")',
  ]);
});

test.each<[entry: string, problem: string]>([
  ['gone.png', 'missing-file gone.png does not exist'],
  ['../../secret.png', 'outside-project ../../secret.png is outside the project'],
  ['/etc/hostname', 'outside-project /etc/hostname is outside the project'],
  ['etc/hostname', 'outside-project etc/hostname is outside the project'],
  ['.', 'missing-file . is not a file'],
  ['fake.png', 'invalid-value fake.png is said to be image/png, but its content is something else'],
  ['empty.txt', 'invalid-value empty.txt is empty'],
  ['huge.bin', 'too-large huge.bin is larger than 10 MB'],
  ['https://example.com/a.png', 'invalid-value this is an address, and not a path'],
  ['"data:image/png;base64,AAAA"', 'invalid-value this is a data URL, and not a path'],
  ['"a\\0b"', 'invalid-value a path has no NUL character'],
  ['{url: "data:image/png;base64,AAAA"}', 'invalid-value "url" is not an http or https address'],
  ['{url: "file:///etc/passwd"}', 'invalid-value "url" is not an http or https address'],
  [
    '{url: "https://me:pw@example.com/a.png"}',
    'invalid-value "url" has a user or a password in it, which would be stored',
  ],
  ['{url: "https://example.com/a"}', 'missing-key the address does not show the type of the file'],
  ['{base64: "AAAAA", media_type: image/png}', 'invalid-value this is not base64, is cut off, or has more than 10 MB'],
  [
    '{base64: "PHN2Zy8+", media_type: image/png}',
    'invalid-value this content is said to be image/png, but its content is something else',
  ],
  [
    '{path: receipt.png, url: "https://example.com"}',
    'conflicting-keys a file has only one of "path", "url" and "base64"',
  ],
  ['{name: x}', 'missing-key a file needs "path", "url" or "base64"'],
])('%s is refused at its place', async (entry, problem) => {
  const { scenario, problems } = await inspected(`prompt: hi\nfiles:\n  - ${entry}\n`, {
    'scenarios/fake.png': SVG,
    'scenarios/empty.txt': '',
    'scenarios/huge.bin': new Uint8Array(10 * 1024 * 1024 + 1),
  });
  expect(scenario).toBeNull();
  expect(problems).toEqual([`4:5 ${problem}`]);
});

test.each([
  ['files: x', '3:8 wrong-type'],
  ['files: []', '3:8 invalid-value'],
  ['files: [7]', '3:9 wrong-type'],
  ['files: [{pth: a}]', '3:10 unknown-key'],
])('%s is a wrong value', async (text, problem) => {
  const { problems } = await inspected(`prompt: hi\n${text}\n`);
  expect(problems[0]).toMatch(new RegExp(`^${problem}`));
});

test('files belong to a message, and not to an error', async () => {
  const beside = await inspected('messages: [{role: user, content: hi}]\nfiles: [receipt.png]\n');
  expect(beside.problems).toEqual([
    '3:1 conflicting-keys "files" beside the prompt belong to it, and this scenario has messages',
  ]);
  const failing = await inspected(
    'prompt: hi\ntools: [{name: a, mock_responses: [{error: no, files: [receipt.png]}]}]\n',
  );
  expect(failing.problems).toEqual(['3:48 conflicting-keys an error has no files']);
});

test('the files of a conversation are not larger than a request can be', async () => {
  const big = new Uint8Array(9 * 1024 * 1024).fill(65);
  const { problems } = await inspected('prompt: hi\nfiles: [a.txt, a.txt, a.txt, a.txt]\n', { 'scenarios/a.txt': big });
  expect(problems).toEqual(['3:30 too-large the files of this conversation have more than 32 MB together']);
});
