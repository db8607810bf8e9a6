import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { createBudget, withBudget } from 'salvo/kit/models';
import { loadProject, openProjectModels, type Workplace } from 'salvo/kit/project';
import { seededRandom } from 'salvo/kit/stats';
import { SalvoError, suggestionSentence } from 'salvo/kit/text';
import { type BlueRequest, type BlueTeam, type DetectionMode, toolMetadata } from '../../blue/blue-team.ts';
import type { OwnCode } from '../../code/own-code.ts';
import { checkGameFolder, gameFiles, writeGameFolder } from '../../game/game-folder.ts';
import type { GameSetup } from '../../game/game-setup.ts';
import { playGame } from '../../game/play-game.ts';
import type { GameEvent, PlayedGame } from '../../game/played-game.ts';
import { looksAtTwin, truthGate } from '../../game/truth-gate.ts';
import type { Finding } from '../../match/claims/finding.ts';
import { type GateOutcome, gateScore, type ScorePolicy } from '../../match/results/score-gate.ts';
import { weaknessCategories } from '../../match/weaknesses/weaknesses.ts';
import { isInCategory } from '../../red/mutation/flaw-order.ts';
import type { RedRequest, RedTeam } from '../../red/red-team.ts';
import { RedTeamError } from '../../red/red-team-error.ts';
import type { Strategy, TruthChecker, TwinPolicy } from '../../tasks/game-settings.ts';
import { allTasks, taskById } from '../../tasks/tasks.ts';
import { asksModel } from '../../teams/team-name.ts';
import { createMatchJudge, judgeAsksModels, type MatchJudgeOptions } from '../scoring/match-judge.ts';
import { openOwnCode } from './own-code.ts';
import { createTeams, type TeamSettings } from './teams.ts';

/** The simplest Blue of one's own: files in, findings out. */
export type BlueFunction = (request: BlueRequest) => Finding[] | Promise<Finding[]>;

export interface NamedGameOptions
  extends Workplace,
    TeamSettings,
    ScorePolicy,
    MatchJudgeOptions,
    Partial<Omit<RedRequest, 'provider' | 'template'>> {
  /** A folder or git address of code of your own, in which Red plants flaws; or what `readOwnCode` returned. */
  template?: string | OwnCode | undefined;
  /** The id of a task in the catalogue, or a sentence. If not given, the seed chooses a task that fits. */
  task?: string | undefined;
  /** `mutation`, `llm:MODEL` or `llm:ADAPTER/MODEL`; or a team of your own. */
  red?: string | RedTeam | undefined;
  /** `rules`, a scanner, `llm:MODEL`, `command:PROGRAM {dir}`, or several with a plus between them; or your own. */
  blue?: string | BlueTeam | BlueFunction | undefined;
  /** Reduces a Blue that is given by its name. */
  mode?: DetectionMode | undefined;
  /** Random if not given. */
  seed?: number | undefined;
  judgeCache?: boolean | undefined;
  /** For all models of the game; `budget_usd` of salvo.yaml if not given. */
  budgetUsd?: number | undefined;
  checker?: TruthChecker | undefined;
  /**
   * Which Blues also look at the clean twin, so that it can tell what a flaw caused (default: `scanners`). A team of
   * your own does so only with `always`, since it may ask a model.
   */
  twin?: TwinPolicy | undefined;
  /** The folder that the game is written to. */
  out?: string | undefined;
  /** Replaces an earlier game in that folder. */
  force?: boolean | undefined;
  onEvent?: ((event: GameEvent) => void) | undefined;
}

export interface NamedGame {
  played: PlayedGame;
  /** Whether the scores are good enough. `unscored` when the game failed. */
  gate: GateOutcome;
}

/** Plays one game between teams that are named or passed in. Rejects when `signal` is aborted. */
export async function playNamedTeams(options: NamedGameOptions = {}): Promise<NamedGame> {
  const { cwd = process.cwd(), env = process.env, difficulty = 'medium' } = options;
  const { red = 'mutation', category, count, size, density, housekeeping, signal, onEvent, force = false } = options;
  const blue = typeof options.blue === 'function' ? functionBlue(options.blue) : (options.blue ?? 'rules');
  const strategy = chooseStrategy(options);
  const seed = options.seed ?? randomInt(2 ** 31);
  const own = await openOwnCode(options, { red, cwd, env, signal });
  const language = own?.language ?? options.language ?? 'terraform';
  const tasks = own ? [options.task ?? own.template.task] : candidateTasks(options.task, seed);
  const out = options.out === undefined ? undefined : resolve(cwd, options.out);
  if (out !== undefined) await checkGameFolder(out, { force });

  await using opened = needsModels({ ...options, red, blue })
    ? await openProjectModels({ project: await loadProject(cwd), env, cache: options.judgeCache })
    : null;
  const budgetUsd = options.budgetUsd ?? opened?.project.config.budget_usd;
  const budget = createBudget(budgetUsd ?? null);
  const services = opened && { ...opened, models: withBudget(opened.models, budget) };
  const names = { red: [red].filter(isName), blue: [blue].filter(isName), mode: options.mode };
  const teams = await createTeams(names, options, { services, env, cwd });
  const judge = await createMatchJudge(options, services);
  const called = [...teams.models, ...judge.models].map((model) => ({ ...model, file: 'game' }));
  await services?.budgetUsd(budgetUsd, called);
  // A team of the caller may do anything.
  const mayAskModel = !isName(blue) || (asksModel(blue) && options.mode !== 'tools_only');
  const played = await playFirstThatFits(tasks, {
    red: isName(red) ? teams.red(red) : red,
    blue: isName(blue) ? teams.blue(blue) : blue,
    difficulty,
    language,
    strategy,
    category,
    count,
    size,
    density,
    housekeeping,
    seed,
    template: own?.template,
    gate: truthGate(teams.blueNames, options.checker ?? (usesRules(blue) ? 'none' : undefined), { env, root: cwd }),
    judge: judge.agent,
    onTwin: looksAtTwin(options.twin ?? 'scanners', mayAskModel),
    repeatable: !mayAskModel,
    signal,
    onStage: onEvent,
  });
  // What Red made may have been paid for: it is kept even when the game failed later.
  if (out !== undefined && played.red) await writeGameFolder(out, gameFiles(played), { force });
  const outcome: GateOutcome = played.results
    ? gateScore(played.results, options)
    : { status: 'unscored', messages: [] };
  return { played, gate: outcome };
}

function isName(team: string | RedTeam | BlueTeam): team is string {
  return typeof team === 'string';
}

/** Whether a Blue that was passed in has the embedded rules, which must not decide then what counts. */
function usesRules(blue: string | BlueTeam): boolean {
  return !isName(blue) && /(?:^|\+)rules(?::full)?(?:\+|$)/.test(blue.name);
}

function functionBlue(find: BlueFunction): BlueTeam {
  const name = find.name || 'function';
  // The function may ask a model, so tokens and cost are unknown.
  const metadata = { ...toolMetadata(name), input_tokens: null, output_tokens: null, cost_usd: null };
  return { name, analyze: async (request) => ({ findings: await find(request), metadata }) };
}

/** Without models, a game needs nothing of salvo.yaml. */
function needsModels(options: NamedGameOptions): boolean {
  const { red, blue, mode } = options;
  const isAsked = (team: unknown): boolean => typeof team === 'string' && asksModel(team);
  return isAsked(red) || (isAsked(blue) && mode !== 'tools_only') || judgeAsksModels(options);
}

/** The strategy that the options ask for. Throws when they contradict each other. */
export function chooseStrategy({ strategy, category }: Pick<NamedGameOptions, 'strategy' | 'category'>): Strategy {
  if (category === undefined && strategy !== 'targeted') return strategy ?? 'balanced';
  const known = weaknessCategories();
  if (category === undefined) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      `The strategy targeted needs a target: {option:category} ${known.join('|')}.`,
    );
  }
  if (strategy !== undefined && strategy !== 'targeted') {
    throw new SalvoError('OPTIONS_INVALID', `{option:category} is for the strategy targeted, not ${strategy}.`);
  }
  if (known.some((each) => isInCategory(each, category))) return 'targeted';
  const hint = suggestionSentence(category, known);
  throw new SalvoError(
    'OPTIONS_INVALID',
    `There is no category ${JSON.stringify(category)}.${hint} Known are: ${known.join(', ')}.`,
  );
}

/** How many tasks are tried when none was asked for. */
const MOST_TASKS = 30;

/** The task that was asked for, or tasks of the catalogue in an order that depends on the seed. */
export function candidateTasks(asked: string | undefined, seed: number): string[] {
  if (asked === undefined) {
    const random = seededRandom(seed, 'task');
    const ranked = allTasks().map(({ id }) => ({ id, rank: random() }));
    return ranked
      .sort((a, b) => a.rank - b.rank)
      .slice(0, MOST_TASKS)
      .map(({ id }) => id);
  }
  const text = asked.trim();
  if (text === '') {
    throw new SalvoError('OPTIONS_INVALID', 'The task is empty. `salvo tasks` lists those of the catalogue.');
  }
  // A single word with hyphens is meant as an id, not as a description.
  if (taskById(text) || !/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(text)) return [text];
  const hint = suggestionSentence(
    text,
    allTasks().map(({ id }) => id),
  );
  throw new SalvoError(
    'TASK_UNKNOWN',
    `There is no task "${text}".${hint} \`salvo tasks\` lists them; a task may also be a sentence.`,
  );
}

/** When the flaws that were asked for cannot be hidden in the code of a task, the next task is tried. */
async function playFirstThatFits(
  [task = '', ...others]: readonly string[],
  setup: Omit<GameSetup, 'task'>,
): Promise<PlayedGame> {
  const isLast = others.length === 0;
  const played = await playGame({
    ...setup,
    task,
    onStage: (event) => {
      const isRetried = !isLast && event.type === 'stage_failed' && event.stage === 'red';
      if (!isRetried) setup.onStage?.(event);
    },
  });
  const fits = !(played.cause instanceof RedTeamError && played.cause.code === 'RED_NOTHING_FITS');
  return fits || isLast ? played : playFirstThatFits(others, setup);
}
