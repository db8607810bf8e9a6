import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './cli-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'salvo-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  writeFileSync(join(folder, 'a label.jsonl'), '');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await runCli(['completion', shell], { cwd: folder });
    expect(code).toBe(0);
    writeFileSync(join(folder, `salvo.${shell}`), stdout);
  }
});

/** What bash offers for the last of these words. */
function bash(...words: string[]): string[] {
  const script = `source ./salvo.bash
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_salvo
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return lines('bash', ['--noprofile', '--norc', '-c', script, 'bash', ...words]);
}

function fish(line: string): string[] {
  return lines('fish', ['--no-config', '-c', `source salvo.fish; complete -C '${line}'`]).map(
    (offer) => offer.split('\t', 1)[0] ?? '',
  );
}

function lines(shell: string, words: string[]): string[] {
  const { stdout, stderr } = spawnSync(shell, words, { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

describe.skipIf(!has('bash'))('completion in bash', () => {
  it.each([
    [
      ['salvo', 'exp'],
      ['export', 'experiment'],
    ],
    [['salvo', '--v'], ['--version']],
    [['salvo', 'run', '--ju'], ['--junit']],
    [
      ['salvo', 'game', '--difficulty', ''],
      ['easy', 'medium', 'hard'],
    ],
    [['salvo', 'game', '--difficulty', '=', 'h'], ['hard']],
    [
      ['salvo', 'validate', '--format', '='],
      ['text', 'json', 'github'],
    ],
    [['salvo', 'completion', 'z'], ['zsh']],
    [['salvo', 'schema', 'pr'], ['project']],
    [['salvo', 'help', 'cali'], ['calibrate']],
    [['salvo', 'run', '-n', ''], []],
    [['salvo', 'adapters', ''], []],
    [['salvo', 'no-such-command', '--'], []],
  ])('%j', (words, offers) => {
    expect(bash(...words)).toEqual(offers);
  });

  it('offers files where a file is expected, also after the first of several', () => {
    for (const words of [
      ['calibrate', 'a'],
      ['run', '--csv', 'a'],
      ['score', '--blue', 'x.json', 'a'],
      ['experiment', 'a'],
    ]) {
      expect(bash('salvo', ...words)).toEqual(['a label.jsonl']);
    }
  });
});

describe.skipIf(!has('fish'))('completion in fish', () => {
  it.each([
    ['salvo exp', ['experiment', 'export']],
    ['salvo run --ju', ['--junit']],
    ['salvo game --difficulty ', ['easy', 'hard', 'medium']],
    ['salvo schema p', ['project']],
    ['salvo calibrate a', ['a label.jsonl']],
  ])('%s', (line, offers) => {
    expect(fish(line).sort()).toEqual(offers);
  });
});

describe.skipIf(!has('zsh'))('completion in zsh', () => {
  it('is a script that zsh can read', () => {
    expect(lines('zsh', ['-f', '-n', 'salvo.zsh'])).toEqual([]);
  });
});
