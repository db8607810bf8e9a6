import { chmod, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type ProjectFixture, projectFixture } from '../../../../../test/project-fixture.ts';
import { salvoVersion } from '../../text/modules/salvo-version.ts';
import { offerPackage } from './install-package.ts';
import type { Terminal } from './terminal.ts';

/** Writes down how it was called. */
const MANAGER = '#!/bin/sh\necho "$(basename "$0") $*" > installed\nexit $FAKE_EXIT\n';
/** In place of Salvo, which is started again. */
const PROGRAM = `import { writeFileSync } from 'node:fs';
writeFileSync('started', process.argv.slice(2).join(' '));
process.exitCode = 2;
`;

const [, program = ''] = process.argv;
afterEach(() => {
  process.argv[1] = program;
});

async function offered(answer: string | null, files: Record<string, string> = {}, env: Record<string, string> = {}) {
  await using project: ProjectFixture = await projectFixture({ 'program.mjs': PROGRAM, ...files });
  for (const name of ['npm', 'pnpm', 'yarn', 'bun']) await chmod(await project.write(`bin/${name}`, MANAGER), 0o755);
  process.argv[1] = project.path('program.mjs');
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answer ?? '';
  };
  const output = { write: () => {}, isTTY: true, columns: 80, color: false };
  const never = new AbortController().signal;
  const terminal: Terminal = {
    ...{ cwd: project.root, stdout: output, stderr: output, stop: never, abort: never },
    env: { FAKE_EXIT: '0', ...env, PATH: `${project.path('bin')}:/usr/bin:/bin` },
    ask: answer === null ? undefined : ask,
  };
  const code = await offerPackage('salvo-arena', { words: ['game', '--seed', '7'], terminal });
  const textOf = (name: string) =>
    readFile(project.path(name), 'utf8').then(
      (text) => text.trim(),
      () => null,
    );
  return { code, asked, installed: await textOf('installed'), started: await textOf('started') };
}

describe('a package that a command needs', () => {
  it.each([
    [{}, 'npm install --save-dev'],
    [{ 'package-lock.json': '{}' }, 'npm install --save-dev'],
    [{ 'pnpm-lock.yaml': '' }, 'pnpm add --save-dev'],
    [{ 'yarn.lock': '' }, 'yarn add --dev'],
    [{ 'bun.lock': '' }, 'bun add --dev'],
  ])('is installed by the package manager of a project with %j, and the command goes on', async (files, command) => {
    expect(await offered('y', files)).toEqual({
      code: 2,
      asked: ['Install salvo-arena now? (y/N) '],
      installed: `${command} salvo-arena@${salvoVersion()}`,
      started: 'game --seed 7',
    });
  });

  it.each(['', 'n', 'later'])('is not installed if the answer is "%s"', async (answer) => {
    expect(await offered(answer)).toMatchObject({ code: null, installed: null, started: null });
  });

  it('is not offered where nobody can answer', async () => {
    expect(await offered(null)).toMatchObject({ code: null, asked: [], installed: null, started: null });
  });

  it('is not used if it could not be installed', async () => {
    expect(await offered('yes', {}, { FAKE_EXIT: '1' })).toMatchObject({ code: null, started: null });
  });
});
