import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import type { Terminal } from '../../../../salvo/src/cli/terminal/terminal.ts';
import { addArenaCommands } from './arena-program.ts';
import type { ArenaCommands } from './command-options.ts';

/** The options that a command is called with; what Commander says when it is not. */
async function parse(words: string[]): Promise<{ command: string; options: unknown } | string> {
  let called: { command: string; options: unknown } | undefined;
  const commands = new Proxy<Partial<ArenaCommands>>(
    {},
    {
      get: (_, command: string) => async (options: unknown) => {
        called = { command, options };
        return 0;
      },
    },
  ) as ArenaCommands;
  const quiet = { write: () => {}, isTTY: false, columns: 80, color: false };
  const never = new AbortController().signal;
  const terminal: Terminal = { cwd: '/', env: {}, stdout: quiet, stderr: quiet, stop: never, abort: never };
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  addArenaCommands(program, { commands, terminal, exit: () => {} });
  try {
    await program.parseAsync(words, { from: 'user' });
    return called ?? 'nothing was called';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('the commands of the arena', () => {
  test.each(['game', 'play'])('%s leaves open what was not said, so that it can be asked', async (command) => {
    expect(await parse([command])).toEqual({
      command,
      options: { json: false, quiet: false, force: false, code: true, judgeCache: true, view: false },
    });
  });

  test('game takes what is said', async () => {
    const words = ['game', '--task', 'a lake', '--count', '3', '--seed', '-4', '--min-recall', '80%', '-o', 'x'];
    expect(await parse(words)).toMatchObject({
      options: { task: 'a lake', count: 3, seed: -4, minRecall: 0.8, out: 'x' },
    });
  });

  test.each([
    [['--difficulty', 'extreme']],
    [['--language', 'pulumi']],
    [['--count', '0']],
    [['--verify', 'oath']],
    [['--blue-command', 'x {dir}', '--mode', 'hybrid']],
  ])('game refuses %j', async (words) => {
    expect(await parse(['game', ...words])).toMatch(/invalid|cannot be used with/);
  });

  test('tasks and rules take words without quotes', async () => {
    expect(await parse(['tasks', 'data', 'lake', '--domain', 'media'])).toEqual({
      command: 'tasks',
      options: { text: 'data lake', domain: 'media', json: false },
    });
    expect(await parse(['rules'])).toEqual({ command: 'rules', options: { text: '', json: false } });
  });
});
