import {
  AgentText,
  Crumbs,
  Figure,
  Figures,
  formatCost,
  formatPercent,
  formatSeconds,
  LoadState,
  usePageTitle,
  visibleText,
} from 'salvo/viewer-parts';
import type { CodeView } from '../../../../src/app/view/code-view.ts';
import type { GameView } from '../../../../src/app/view/game-view.ts';
import { claimHref, experimentHref, gameHref, gamesHref, PAGE } from '../../../../src/app/view/page-hrefs.ts';
import { gameCost } from '../../../../src/game/game-cost.ts';
import { MatchBoard } from '../../parts/match/match-board.tsx';
import { PrecisionNote } from '../../parts/match/precision-note.tsx';
import { readSelection, type Selection } from '../../parts/match/selection.ts';
import { useGame, useGameCode, usePlayedCode, usePlayedGame } from '../experiments/api.ts';
import { gameOutcome } from '../games/game-filter.ts';
import { GameOutcomeBadge } from '../games/game-outcome-badge.tsx';
import styles from './game-page.module.css';

interface Address {
  experiment: string;
  game: string;
  kind?: string | undefined;
  index?: string | undefined;
}

export function GamePage({ params }: { params: Address }) {
  const game = useGame(params.experiment, params.game);
  usePageTitle(game.data ? `${game.data.game.blue} on ${game.data.game.task}` : 'Game');
  return <LoadState query={game}>{(view) => <Loaded view={view} params={params} />}</LoadState>;
}

/** The game of `salvo game --view`. */
export function PlayedGamePage({ params }: { params: Pick<Address, 'kind' | 'index'> }) {
  const game = usePlayedGame();
  const code = usePlayedCode();
  usePageTitle(game.data ? `${game.data.game.blue} on ${game.data.game.task}` : 'Game');
  return (
    <LoadState query={game}>
      {(view) => <Game view={view} code={code.data ?? null} params={params} base={PAGE.game} />}
    </LoadState>
  );
}

function Loaded({ view, params }: { view: GameView; params: Address }) {
  const code = useGameCode(params.experiment, params.game);
  return <Game view={view} code={code.data ?? null} params={params} base={gameHref(params.experiment, params.game)} />;
}

interface GameProps {
  view: GameView;
  code: CodeView | null;
  params: Pick<Address, 'kind' | 'index'>;
  /** The address of the game, without what is selected. */
  base: string;
}

function Game({ view, code, params, base }: GameProps) {
  const { match, not_scored, game } = view;
  return (
    <div className="page">
      <Head view={view} />
      {game.error !== null && (
        <section>
          <h2>Why it failed</h2>
          <AgentText text={game.error} isCode />
        </section>
      )}
      {match ? (
        <MatchBoard
          match={match}
          code={code}
          selected={readSelection(params.kind, params.index)}
          hrefOf={(selection: Selection) => claimHref(base, selection)}
        />
      ) : (
        game.status === 'scored' && <p>This project records no texts: the details of this game are not stored.</p>
      )}
      {not_scored.length > 0 && (
        <section>
          <h2>Claims of Red that were not scored</h2>
          <ul className={styles.list}>
            {not_scored.map(({ id, status, why }, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a model may give several claims the same id.
              <li key={position}>
                {visibleText(id)}, {status === 'phantom' ? 'not in the code' : 'could not be checked'}:{' '}
                {visibleText(why.slice(0, 500))}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Head({ view: { experiment, game, scores, precision, verdict } }: { view: GameView }) {
  const isByTwin = scores?.precision_used === 'twin';
  const found = scores?.true_positives ?? 0;
  const flaws = found + (scores?.false_negatives ?? 0);
  return (
    <header>
      {experiment && (
        <Crumbs
          above={[
            { href: PAGE.experiments, name: 'Experiments' },
            { href: experimentHref(experiment.experiment_id), name: experiment.name },
            { href: gamesHref(experiment.experiment_id), name: 'Games' },
          ]}
        />
      )}
      <div className={styles.title}>
        <h1>
          {visibleText(game.red)} against {visibleText(game.blue)}
        </h1>
        <GameOutcomeBadge outcome={gameOutcome({ status: game.status, flaws, found })} />
      </div>
      <p className="soft small">
        {visibleText(
          [game.task, game.difficulty, game.language, game.strategy, game.template && `template ${game.template}`]
            .filter(Boolean)
            .join(' · '),
        )}
      </p>
      <p className={styles.verdict}>{verdict?.reason}</p>
      <Figures>
        <Figure name="Found">{scores ? `${found} of ${flaws}` : '—'}</Figure>
        {scores && (
          <>
            <Figure name={isByTwin ? 'Precision by twin' : 'Precision'}>
              {found + scores.false_positives === 0 ? '— nothing reported' : formatPercent(precision)}
            </Figure>
            <Figure name={isByTwin ? 'F1 by twin' : 'F1'}>{formatPercent(scores.f1_by_twin ?? scores.f1_score)}</Figure>
            <Figure name="False alarms">{scores.false_alarms_by_twin ?? scores.false_positives}</Figure>
            {scores.unresolved ? (
              <>
                <Figure name="Unresolved">{scores.unresolved}</Figure>
                <Figure name="Precision, unresolved out">
                  {formatPercent(scores.precision_without_unresolved ?? null)}
                </Figure>
              </>
            ) : null}
            <Figure name="Consequences">{scores.consequences}</Figure>
            <Figure name="Duplicates">{scores.duplicates}</Figure>
            <Figure name="Present before">{scores.present_before}</Figure>
          </>
        )}
        <Figure name="Cost">{formatCost(gameCost(game))}</Figure>
        <Figure name="Duration">{formatSeconds(game.duration_seconds)}</Figure>
        <Figure name="Seed">{game.seed}</Figure>
      </Figures>
      {scores && <PrecisionNote isByTwin={isByTwin} className={styles.note} />}
    </header>
  );
}
