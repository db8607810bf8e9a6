import { readFileSync, symlinkSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCli } from '../../../../test/cli/cli-fixture.ts';
import { createDatabase } from '../../../../test/postgres.ts';
import { projectFixture } from '../../../../test/project-fixture.ts';

const EXTENSION = `
import { defineExtension } from 'salvo/kit/extension';
import { createWorkProgress, detached, salvoCommand } from 'salvo/kit/progress';
import { countKind, countWords } from './word-count.js';

function countProgress(terminal, settings) {
  const progress = createWorkProgress(terminal, { ...settings, stopNote: 'Finishing the texts under way.' });
  return {
    finish: progress.finish,
    onEvent(event) {
      if (event.type === 'count_started') progress.start(event.texts);
      else if (event.type === 'text_counted') progress.state.done += 1;
      else progress.onWorkEvent(event);
      progress.show();
    },
  };
}

function write({ status, words }, { terminal }) {
  terminal.stdout.write(status === 'finished' ? words + ' words\\n' : 'not all texts were counted\\n');
  return status === 'finished' ? 0 : 3;
}

const help = { count: { group: 'salvo-count:', examples: [['salvo count a "b c"', 'count words']], exitCodes: { 0: 'counted' } } };

export default defineExtension({
  name: 'salvo-count',
  doors: {
    work: async () => [countKind],
    display: async () => [{ kind: 'count', progress: countProgress, write: async (...given) => write(...given) }],
    commands: async () => ({
      help,
      add(program, { terminal, exit }) {
        program
          .command('count')
          .argument('[texts...]')
          .option('--resume <id>')
          .option('--detach', 'leave it to the workers', false)
          .action(async (texts, { resume, detach }) => {
            const count = async () => {
              const { onEvent, finish } = countProgress(terminal, {});
              const workers = { detach, command: salvoCommand(), leave: terminal.leave };
              const given = { ...terminal, texts: resume ? { resume } : texts, workers, onEvent };
              return write(await countWords(given).finally(finish), { terminal });
            };
            exit(await detached(count, { detach, json: false }, terminal));
          });
      },
    }),
  },
});
`;

const WORD_COUNT = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'word-count.ts'), 'utf8'));

test('processes do the work of a package that their salvo.yaml names', async () => {
  await using database = await createDatabase();
  await using project = await projectFixture({
    'salvo.yaml': 'plugins: [salvo-count]\n',
    'node_modules/salvo-count/package.json': JSON.stringify({
      ...{ name: 'salvo-count', version: '1.0.0', type: 'module', exports: './extension.js' },
    }),
    'node_modules/salvo-count/extension.js': EXTENSION,
    'node_modules/salvo-count/word-count.js': WORD_COUNT,
  });
  symlinkSync(join(import.meta.dirname, '../../../../node_modules/zod'), project.path('node_modules/zod'));
  const env = { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: project.path('cache') };
  const salvo = (...args: string[]) => startCli(args, { cwd: project.root, env });

  const left = await salvo('count', 'one', 'one two', 'one two three', '--detach').result;
  expect([left.code, left.stderr]).toEqual([0, expect.stringContaining('The workers go on with count')]);
  const id = left.stdout.trim();
  const attached = salvo('attach', id);
  const worker = salvo('worker', '--concurrency', '2');
  await using _worker = { [Symbol.asyncDispose]: async () => void worker.child.kill('SIGKILL') };
  expect(await attached.result).toMatchObject({ code: 0, stdout: '6 words\n' });
  expect(await salvo('count', '--resume', id).result).toMatchObject({ code: 0, stdout: '6 words\n' });
  expect(await salvo('count', 'one', 'two').result).toMatchObject({ code: 0, stdout: '2 words\n' });
  worker.child.kill('SIGTERM');
  expect(await worker.result).toMatchObject({ code: 0, stderr: expect.stringMatching(/Count \S+: begun/) });
});
