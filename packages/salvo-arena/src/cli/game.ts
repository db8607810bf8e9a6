import { join } from 'node:path';
import { checkWritable, printResult, type Terminal, writeWholeFile } from 'salvo/kit/cli';
import type { Look } from 'salvo/kit/report';
import { harmlessJson } from 'salvo/kit/text';
import { kindOf } from '../app/documents/document-kinds.ts';
import { playNamedTeams } from '../app/games/play-game.ts';
import { gameResult, renderGame } from '../report/game/game-report.ts';
import { gameSarif } from '../report/game/game-sarif.ts';
import { withBlueCommand } from './program/blue-command.ts';
import type { GameCommandOptions } from './program/command-options.ts';
import { gateExitCode, unlessStopped } from './terminal/exit-code.ts';
import { createGameProgress } from './terminal/game-progress.ts';

/** `salvo game` */
export async function gameCommand(options: GameCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop: signal } = terminal;
  // A game may cost money: its folder is checked before it is played.
  await checkWritable(
    [options.out === undefined ? undefined : join(options.out, 'game.json'), options.sarif],
    terminal,
  );
  const { onEvent, finish } = createGameProgress(terminal, options);
  const game = await unlessStopped(
    'The game',
    terminal,
    playNamedTeams({ ...withBlueCommand(options), cwd, env, signal, onEvent }).finally(finish),
    'scored',
  );
  if (game === null) return 3;
  const { played, gate } = game;
  const document = { ...gameResult(played), gate };
  const folder = options.out !== undefined && played.red ? `\nThe game is in ${options.out}.\n` : '';
  const text = (look: Look) => renderGame(played, { ...look, messages: gate.messages }) + folder;
  const sarif = gameSarif(played, options.out);
  if (sarif) await writeWholeFile(options.sarif, terminal, (write) => write(`${harmlessJson(sarif, 2)}\n`));
  printResult({ json: options.json, kind: kindOf('game'), document, text }, terminal);
  if (options.view) {
    // Imported only here: without --view, no server is needed.
    const { serveResult } = await import('salvo/kit/viewer-command');
    const { viewedGame } = await import('../server/result-routes.ts');
    await serveResult(viewedGame({ played, matcher: options.matcher ?? 'evidence' }), terminal);
  }
  return gateExitCode([gate]);
}
