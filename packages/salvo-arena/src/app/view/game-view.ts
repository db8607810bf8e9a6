import type { Store } from 'salvo/kit/store';
import { SalvoError } from 'salvo/kit/text';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';
import { definedGameRates } from '../../game/defined-game-rates.ts';
import type { Game } from '../../game/game-document.ts';
import { buildGameSheet, codeHash, type GameSheet } from '../../game/game-sheet.ts';
import type { PlayedGame } from '../../game/played-game.ts';
import { decideWinner } from '../../game/winner.ts';
import type { MatcherName } from '../../match/candidates/matcher.ts';
import { resolveJudgeOptions } from '../../match/judge-agent-options.ts';
import type { RedOutcome } from '../../red/red-team.ts';
import { experimentsOf } from '../../store/experiment-tables.ts';
import { createRed } from '../../teams/create-team.ts';
import { asksModel } from '../../teams/team-name.ts';
import { type CodeView, codeFiles, noCode } from './code-view.ts';
import { findExperiment } from './experiment-view.ts';
import { matchView } from './match-view.ts';

/** A game, without its code. */
export type GameView = ReturnType<typeof viewOf>;

export async function gameView(store: Store, idOrPrefix: string, gameId: string): Promise<GameView> {
  const { experiment, game: whole, sheet } = await findGame(store, idOrPrefix, gameId);
  const { experiment_id, name, plan } = experiment;
  return viewOf(whole, sheet, { experiment: { experiment_id, name }, matcher: plan.matcher ?? 'evidence' });
}

/** A game that was just played, and is not stored. */
export interface UnstoredGame {
  played: PlayedGame;
  matcher: MatcherName;
}

export function playedView({ played, matcher }: UnstoredGame): GameView {
  return viewOf(played.game, buildGameSheet(played), { experiment: null, matcher });
}

function viewOf(
  whole: Game,
  sheet: GameSheet | null,
  { experiment, matcher }: { experiment: { experiment_id: string; name: string } | null; matcher: MatcherName },
) {
  const { scores, ...game } = whole;
  const rates = scores && definedGameRates(scores);
  return {
    /** Null for a game outside of experiments. */
    experiment,
    game,
    /** Null if the game failed. */
    scores: scores && scoresAlone(scores),
    /** By the clean twin if Blue looked at it. Null if Blue reported nothing. */
    precision: rates && (rates.byTwin ?? rates.classic).precision,
    verdict: scores && decideWinner(scores),
    /** Null if the game failed, or if texts are not recorded in this project. */
    match:
      sheet &&
      matchView({
        ...sheet,
        findingsTotal: scores ? scores.true_positives + scores.false_positives : sheet.findings.length,
        settings: resolveJudgeOptions({ matcher }),
      }),
    /** Claims of Red that were not scored, with the reasons. */
    not_scored: sheet?.not_scored ?? [],
  };
}

/** Without the lists, which `match` has in full. */
function scoresAlone(scores: NonNullable<Game['scores']>) {
  const { vulnerabilities: _, other_findings: __, clean_alarms: ___, ...figures } = scores;
  return figures;
}

/** The code of a game, and its twin: made again from the seed, or as it was stored if a model wrote it. */
export async function gameCode(
  store: Store,
  idOrPrefix: string,
  gameId: string,
  root = process.cwd(),
): Promise<CodeView> {
  const { experiment, game, sheet } = await findGame(store, idOrPrefix, gameId);
  if (!sheet) return noCode('The details of this game were not recorded.');
  const outcome = asksModel(game.red)
    ? await experimentsOf(store).getCode(experiment.experiment_id, game.code_key)
    : await madeAgain(experiment, game, root);
  if (!outcome) return noCode(experiment.plan.own_code ? OWN_CODE_CHANGED : CODE_NOT_STORED);
  if (codeHash(outcome.files) !== sheet.code_hash) return noCode(otherCode(experiment));
  return codeFiles(outcome.files, outcome.metadata.twin);
}

export function playedCode({ red }: PlayedGame): CodeView {
  if (!red) return noCode('Red made no code.');
  return codeFiles(red.files, red.metadata.twin);
}

const CODE_NOT_STORED =
  'The code is not stored: it contains what looks like a secret, or this project records no texts.';

const OWN_CODE_CHANGED =
  'The code is not stored. It is made again from your folder or repository, which has changed or cannot be read.';

function otherCode({ salvo_version }: ExperimentRecord): string {
  return `The game was played with Salvo ${salvo_version}. This version makes other code from the same seed.`;
}

/** Null if this version cannot make it. */
async function madeAgain({ plan }: ExperimentRecord, game: Game, root: string): Promise<RedOutcome | null> {
  const { task, difficulty, language, strategy, seed, red } = game;
  const category = strategy === 'targeted' ? plan.category : undefined;
  const { flaws: count, size, density, housekeeping } = plan;
  const asked = { task, difficulty, language, strategy, seed, category, count, size, density, housekeeping };
  const request = { ...asked, provider: 'aws' as const };
  const template = await ownCodeOf(plan, task, root);
  if (template === null) return null;
  return await createRed(red)
    .generate({ ...request, template })
    .catch(() => null);
}

/** The code of the user that a game was played on; null if it has changed, undefined for any other game. */
async function ownCodeOf(plan: ExperimentRecord['plan'], task: string, root: string) {
  const named = plan.own_code?.filter(({ name }) => name === task);
  if (!named) return undefined;
  const { readPlanTemplates } = await import('../experiments/plan-templates.ts');
  const read = await readPlanTemplates({ own_code: named }, { root, env: process.env }).catch(() => null);
  return read?.get(task) ?? null;
}

async function findGame(store: Store, idOrPrefix: string, gameId: string) {
  const experiment = await findExperiment(store, idOrPrefix);
  const found = await experimentsOf(store).getGame(experiment.experiment_id, gameId);
  if (found) return { experiment, ...found };
  throw new SalvoError('GAME_UNKNOWN', `Experiment ${experiment.experiment_id} has no game ${gameId}.`);
}
