import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { gameFiles } from '../arena/game/game-files.ts';
import { checkGameFolder, writeGameFolder } from '../arena/game/game-folder.ts';
import { type GameSetup, playGame } from '../arena/game/play-game.ts';
import type { PlayedGame } from '../arena/game/played-game.ts';
import { truthGate } from '../arena/game/truth-gate.ts';
import { isInCategory } from '../arena/red/mutation/flaw-order.ts';
import { RedTeamError } from '../arena/red/red-team-error.ts';
import { allTasks, taskById } from '../arena/tasks/tasks.ts';
import { type GateOutcome, gateScore } from '../match/results/score-gate.ts';
import { allWeaknesses } from '../match/weaknesses/weaknesses.ts';
import { renderGame } from '../report/game/game-report.ts';
import { gameResult } from '../report/game/game-result.ts';
import { seededRandom } from '../stats/seeded-random.ts';
import { didYouMean } from '../text/did-you-mean.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import { SalvoError } from '../text/salvo-error.ts';
import { openGameTeams } from './game-teams.ts';
import type { GameCommandOptions } from './program/commands.ts';
import { createGameProgress } from './terminal/game-progress.ts';
import type { Terminal } from './terminal/terminal.ts';

/** How many tasks are tried. */
const MOST_TASKS = 30;

/** `salvo game` */
export async function gameCommand(options: GameCommandOptions, terminal: Terminal): Promise<number> {
  const { stderr, stop } = terminal;
  const { difficulty = 'medium', language = 'terraform', category, count } = options;
  const strategy = strategyOf(options);
  const seed = options.seed ?? randomInt(2 ** 31);
  const tasks = tasksOf(options.task, seed);
  const out = options.out === undefined ? undefined : resolve(terminal.cwd, options.out);
  if (out !== undefined) await checkGameFolder(out, options);
  await using teams = await openGameTeams(options, terminal);
  const { red, blue, blueName, judge } = teams;
  const setup = { red, blue, difficulty, language, strategy, category, count, seed, judge, signal: stop };
  let played: PlayedGame;
  try {
    played = await playFirstThatFits(tasks, {
      ...setup,
      gate: truthGate(blueName, options.checker),
      onStage: createGameProgress(terminal),
    });
  } catch (error) {
    if (!stop.aborted) throw error;
    stderr.write('\nThe game was stopped, and nothing was scored.\n');
    return 3;
  }
  // What Red made may have been paid for; of a game without it there is nothing to keep.
  if (out !== undefined && played.red) await writeGameFolder(out, gameFiles(played), options);
  const gate = gateOf(played, options);
  print(played, gate, options, terminal);
  if (gate.status === 'passed') return 0;
  return gate.status === 'failed' ? 1 : 3;
}

function print(played: PlayedGame, gate: GateOutcome, options: GameCommandOptions, terminal: Terminal): void {
  const { stdout, env } = terminal;
  if (options.json) {
    stdout.write(`${harmlessJson({ ...gameResult(played), gate }, 2)}\n`);
    return;
  }
  const look = { width: stdout.columns, color: stdout.color, ascii: env.TERM === 'dumb', messages: gate.messages };
  stdout.write(renderGame(played, look));
  if (options.out !== undefined && played.red) stdout.write(`\nThe game is in ${options.out}.\n`);
}

function gateOf({ results }: PlayedGame, options: GameCommandOptions): GateOutcome {
  return results ? gateScore(results, options) : { status: 'unscored', messages: [] };
}

function strategyOf({ strategy, category }: GameCommandOptions): NonNullable<GameCommandOptions['strategy']> {
  if (category === undefined) {
    if (strategy !== 'targeted') return strategy ?? 'balanced';
    throw new SalvoError('GAME_OPTIONS', `The strategy targeted needs a target: --category ${categories().join('|')}.`);
  }
  if (strategy !== undefined && strategy !== 'targeted') {
    throw new SalvoError('GAME_OPTIONS', `--category is for the strategy targeted, not ${strategy}.`);
  }
  if (categories().some((known) => isInCategory(known, category))) return 'targeted';
  const nearest = didYouMean(category, categories());
  throw new SalvoError(
    'GAME_OPTIONS',
    `There is no category ${JSON.stringify(category)}.${nearest === undefined ? '' : ` Did you mean "${nearest}"?`} Known are: ${categories().join(', ')}.`,
  );
}

function categories(): string[] {
  return [...new Set(allWeaknesses().map(({ category }) => category))].sort();
}

/** Where nobody chose a task, one in which what is asked for cannot be hidden gives way to the next. */
async function playFirstThatFits(
  [task = '', ...others]: readonly string[],
  setup: Omit<GameSetup, 'task'>,
): Promise<PlayedGame> {
  const isLast = others.length === 0;
  const played = await playGame({
    ...setup,
    task,
    onStage: (event) => (isLast || event.type !== 'stage_failed' || event.stage !== 'red') && setup.onStage?.(event),
  });
  const fits = !(played.cause instanceof RedTeamError && played.cause.code === 'RED_NOTHING_FITS');
  return fits || isLast ? played : playFirstThatFits(others, setup);
}

/** The id of a task or a text; some of the catalogue by the seed when nothing is said. */
function tasksOf(asked: string | undefined, seed: number): string[] {
  if (asked === undefined) {
    const random = seededRandom(seed, 'task');
    const drawn = allTasks().map(({ id }) => ({ id, rank: random() }));
    return drawn
      .sort((a, b) => a.rank - b.rank)
      .slice(0, MOST_TASKS)
      .map(({ id }) => id);
  }
  const text = asked.trim();
  if (text === '') {
    throw new SalvoError('GAME_OPTIONS', 'The task is empty. `salvo tasks` lists those of the catalogue.');
  }
  // Nobody describes a task in one word with hyphens: that is an id.
  if (taskById(text) || !/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(text)) return [text];
  const nearest = didYouMean(
    text,
    allTasks().map(({ id }) => id),
  );
  throw new SalvoError(
    'TASK_UNKNOWN',
    `There is no task "${text}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`} \`salvo tasks\` lists them; a task may also be a sentence.`,
  );
}
