import {
  Crumbs,
  Figure,
  Figures,
  formatCost,
  formatCount,
  formatTime,
  LoadState,
  RateBar,
  twoDigits,
  usePageTitle,
  visibleText,
  WorkActions,
  WorkProgress,
} from 'salvo/viewer-parts';
import { Link } from 'wouter';
import type { ExperimentView } from '../../../../src/app/view/experiment-view.ts';
import { gameHref, gamesHref, PAGE } from '../../../../src/app/view/page-hrefs.ts';
import { experimentCost } from '../../../../src/experiment/results/experiment-cost.ts';
import { resumeExperiment, stopExperiment, useExperiment } from '../experiments/api.ts';
import { ExperimentBadge } from '../experiments/experiment-badge.tsx';
import { BlueTable } from './blue-table.tsx';
import { DetailTables } from './detail-tables.tsx';
import { Differences } from './differences.tsx';
import styles from './experiment-page.module.css';
import { GroupMatrix, RateMatrix } from './matrices.tsx';
import { ScorecardTables } from './scorecard-tables.tsx';

export function ExperimentPage({ params }: { params: { experiment: string } }) {
  const view = useExperiment(params.experiment);
  usePageTitle(view.data ? view.data.results.experiment.name : 'Experiment');
  return <LoadState query={view}>{(data) => <Loaded view={data} />}</LoadState>;
}

function Loaded({ view }: { view: ExperimentView }) {
  const { results, scorecard } = view;
  const { categories, techniques } = results;
  return (
    <div className="page">
      <Head view={view} />
      {results.games.scored > 0 && (
        <>
          {scorecard ? <ScorecardTables scorecard={scorecard} /> : <BlueTable results={results} />}
          <DetailTables results={results} />
          <Differences results={results} />
          <div className={styles.wide} style={{ columnWidth: `${11 + 11 * results.experiment.plan.blue.length}rem` }}>
            <RateMatrix results={results} />
            <GroupMatrix title="By category" corner="Category" recalls={categories} results={results} />
            <GroupMatrix title="By technique" corner="Hidden by" recalls={techniques} results={results} />
          </div>
        </>
      )}
      <Failures view={view} />
    </div>
  );
}

function Head({ view }: { view: ExperimentView }) {
  const { results, scorecard, is_running } = view;
  const { experiment, games, overall } = results;
  const { experiment_id, plan } = experiment;
  const { unreadable = [] } = games;
  const played = games.scored + games.failed;
  const hasMore = !is_running && games.failed + games.missing > 0;
  const only = plan.blue.length === 1 ? overall : null;
  return (
    <header>
      <Crumbs above={[{ href: PAGE.experiments, name: 'Experiments' }]} />
      <div className={styles.title}>
        <h1>{visibleText(experiment.name)}</h1>
        <ExperimentBadge status={experiment.status} isRunning={is_running} />
        <span className="soft">{formatTime(experiment.created_at)}</span>
        <WorkActions
          view={view}
          units="games"
          stop={() => stopExperiment(experiment_id)}
          resume={hasMore ? (budgetUsd) => resumeExperiment(experiment_id, budgetUsd) : undefined}
        />
      </div>
      <WorkProgress units="games" done={played} planned={games.planned} isRunning={is_running} />
      {experiment.stop_reason !== null && (
        <p className={styles.notice}>Stopped: {visibleText(experiment.stop_reason)}</p>
      )}
      {hasMore && (
        <p className={styles.notice}>
          {games.failed} failed and {games.missing} missing games are not part of the results.{' '}
          <code>salvo experiment --resume {experiment_id}</code> plays them.
        </p>
      )}
      {unreadable.length > 0 && (
        <p className={styles.notice}>
          {unreadable.length} stored games could not be read, and are not part of the results:{' '}
          {unreadable.slice(0, 10).map(visibleText).join(' ')}
        </p>
      )}
      <Figures>
        <Figure name="Games scored">
          <Link href={gamesHref(experiment_id)}>
            {formatCount(games.scored)} of {formatCount(games.planned)}
          </Link>
        </Figure>
        {scorecard && <Figure name="Score (mean J over categories)">{twoDigits(scorecard.score.value)}</Figure>}
        {only && (
          <Figure name="Recall">
            <RateBar rate={only.pooled.recall.value} interval={only.pooled.recall.interval} />
          </Figure>
        )}
        <Figure name="Flaws">{formatCount(overall.vulnerabilities)}</Figure>
        <Figure name="Tasks">{plan.tasks.length}</Figure>
        <Figure name="Seed">{plan.seed}</Figure>
        <Figure name="Cost">{formatCost(experimentCost(results))}</Figure>
      </Figures>
    </header>
  );
}

const MOST_FAILED = 20;

function Failures({ view: { results } }: { view: ExperimentView }) {
  const { failed, games, manifests, experiment } = results;
  const wrong = manifests.filter(({ phantoms, unchecked }) => phantoms + unchecked > 0);
  return (
    <>
      {wrong.length > 0 && (
        <section>
          <h2 className="heading">What Red claimed</h2>
          <ul className={styles.list}>
            {wrong.map(({ red, claimed, confirmed, phantoms, unchecked }) => (
              <li key={red}>
                {visibleText(red)}: {confirmed} of {claimed} claims confirmed, {phantoms} not in the code, {unchecked}{' '}
                could not be checked.
              </li>
            ))}
          </ul>
        </section>
      )}
      {games.failed > 0 && (
        <section>
          <h2 className="heading">Failed games</h2>
          <ul className={styles.list}>
            {failed.slice(0, MOST_FAILED).map(({ game_id, failed_stage, task, blue, error }) => (
              <li key={game_id}>
                <Link href={gameHref(experiment.experiment_id, game_id)}>
                  {visibleText(blue)} on {visibleText(task)}
                </Link>
                , at the stage {failed_stage}: {visibleText((error ?? 'no reason given').slice(0, 300))}
              </li>
            ))}
          </ul>
          {games.failed > MOST_FAILED && (
            <p className={styles.note}>
              <Link href={gamesHref(experiment.experiment_id, { outcome: 'failed' })}>All {games.failed}</Link>
            </p>
          )}
        </section>
      )}
    </>
  );
}
