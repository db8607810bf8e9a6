import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import type { ValidateCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { validateCommand } from './validate.ts';

async function validate(
  files: Record<string, string>,
  options: Partial<ValidateCommandOptions> = {},
  env: Terminal['env'] = {},
) {
  await using fixture = await projectFixture(files);
  const printed: string[] = [];
  const output = { write: (text: string) => void printed.push(text), isTTY: false, columns: 80, color: false };
  const terminal = { cwd: fixture.root, env, stdout: output, stderr: output, stop: never, abort: never };
  const code = await validateCommand({ files: [], format: 'text', ...options }, terminal);
  return { code, printed: printed.join('') };
}

const never = new AbortController().signal;

const good = 'prompt: hi\nassertions: [{type: output_json}]\n';

test('valid files exit with 0 and are counted', async () => {
  const { code, printed } = await validate({ 'salvo.yaml': '', 'scenarios/a.yaml': good, 'scenarios/b.yaml': good });
  expect([code, printed]).toEqual([0, '3 files are valid\n']);
});

test('all problems of all files are printed, and the exit code is 4', async () => {
  const { code, printed } = await validate({
    'salvo.yaml': 'concurency: 1',
    'scenarios/a.yaml': `${good}modle: x\nthreshold: 2\n`,
    'scenarios/b.yaml': good,
  });
  expect(code).toBe(4);
  expect(printed).toContain('salvo.yaml:1:1 error [unknown-key]');
  expect(printed).toContain(
    'scenarios/a.yaml:3:1 error [unknown-key] unknown key "modle"\n  3 | modle: x\n    | ^^^^^\n    did you mean "model"?',
  );
  expect(printed).toMatch(/\n3 files checked: 3 problems in 2 files\n$/);
});

test('warnings alone do not fail', async () => {
  const { code, printed } = await validate({ 'scenarios/a.yaml': 'prompt: hi' });
  expect(code).toBe(0);
  expect(printed).toMatch(/1 file is valid \(1 warning\)\n$/);
});

test('a broken salvo.yaml does not make its adapters unknown', async () => {
  const { printed } = await validate({
    'salvo.yaml': 'adapters: {mine: {type: opnai}}',
    'scenarios/a.yaml': `${good}adapter: mine\n`,
  });
  expect(printed).not.toContain('unknown-adapter');
});

test('a fragment that two scenarios include has its problems once', async () => {
  const { printed } = await validate({
    'scenarios/a.yaml': `${good}tools: !include _t.yaml\n`,
    'scenarios/b.yaml': `${good}tools: !include _t.yaml\n`,
    'scenarios/_t.yaml': '- {name: "a b"}\n',
  });
  expect(printed.match(/_t\.yaml:1:10/g)).toHaveLength(1);
});

test('JSON is one document', async () => {
  const { code, printed } = await validate({ 'scenarios/a.yaml': 'promt: hi' }, { format: 'json' });
  expect(code).toBe(4);
  expect(JSON.parse(printed)).toMatchObject({
    files: 1,
    errors: 1,
    warnings: 1,
    diagnostics: expect.arrayContaining([
      expect.objectContaining({ file: 'scenarios/a.yaml', line: 1, column: 1, code: 'unknown-key' }),
    ]),
  });
});

test('GitHub gets annotations and nothing else', async () => {
  const { printed } = await validate({ 'scenarios/a.yaml': 'promt: hi' }, { format: 'github' });
  expect(
    printed
      .trimEnd()
      .split('\n')
      .every((line) => /^::(error|warning) file=scenarios\/a\.yaml,line=1,/.test(line)),
  ).toBe(true);
});

test('files that are named are looked at, and one that is not there is an error', async () => {
  const files = { 'x/a.yaml': good };
  expect(await validate(files, { files: ['x/*.yaml'] })).toMatchObject({ code: 0 });
  await expect(validate(files, { files: ['y'] })).rejects.toThrow(/"y"/);
});

test('salvo.yaml among the files is checked as what it is', async () => {
  const files = { 'salvo.yaml': 'concurrency: 2\n', 'other/salvo.yaml': 'concurency: 2\n', 'scenarios/a.yaml': good };
  expect(await validate(files, { files: ['salvo.yaml', 'scenarios/a.yaml'] })).toEqual({
    code: 0,
    printed: '2 files are valid\n',
  });
  const { code, printed } = await validate(files, { files: ['other/salvo.yaml'] });
  expect(code).toBe(4);
  expect(printed).toMatch(/^other\/salvo\.yaml:1:1 error \[unknown-key\]/);
});

test('a manifest that a findings assertion names is checked, too', async () => {
  const scenario = 'prompt: hi\nassertions: [{type: findings, manifest: manifest.json}]\n';
  const right = await validate({ 'scenarios/a.yaml': scenario, 'scenarios/manifest.json': '[]' });
  expect(right.code).toBe(0);
  const broken = await validate({
    'scenarios/a.yaml': scenario,
    'scenarios/manifest.json': '{"vulnerabilities": [\n{]}',
  });
  expect(broken.code).toBe(4);
  expect(broken.printed).toContain('scenarios/manifest.json:2:2 error [invalid-value]');
  const missing = await validate({ 'scenarios/a.yaml': scenario });
  expect(missing.printed).toContain('scenarios/a.yaml:2:41 error [missing-file]');
});

test('a password in the address of the database is a warning that does not repeat it', async () => {
  const url = (password: string) => ({
    'salvo.yaml': `database_url: postgres://me:${password}@db/salvo`,
    'scenarios/a.yaml': good,
  });
  const { code, printed } = await validate(url('hunter2-hunter2'));
  expect([code, printed]).toEqual([0, expect.stringMatching(/salvo\.yaml:1:15 warning \[credential\] the password/)]);
  expect(printed).not.toContain('hunter2');
  expect((await validate(url(`\${DB_PASSWORD}`))).printed).not.toContain('warning');
});
