import { findExperiment } from '../../../../salvo-arena/src/app/view/experiment-view.ts';
import { experimentsOf } from '../../../../salvo-arena/src/store/experiment-tables.ts';
import { findRun } from '../../app/project/open-project.ts';
import { experimentHref, gameHref, runHref } from '../../app/view/page-hrefs.ts';
import type { ViewedPage } from '../../app/view/viewed-project.ts';
import { latestRunId } from '../../store/resolve-id.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';

/** What an HTML file is about. */
export type Subject = { kind: 'run'; run: string } | { kind: 'experiment'; experiment: string; game: string | null };

/** `latest`, the id of a run or of an experiment or the beginning of one, or `EXPERIMENT/GAME`. */
export async function findSubject(store: Store, words: string): Promise<Subject> {
  const [id = '', game] = words.split('/', 2);
  if (game !== undefined) return await experimentSubject(store, id, game);
  if (id === 'latest')
    return (await latestRunId(store)) !== null ? runSubject(store, id) : experimentSubject(store, id, null);
  // Ids of both kinds are drawn alike, so the beginning of one may fit either.
  const [[run], [experiment]] = await Promise.all([
    store.findRunIds(id, 1),
    experimentsOf(store).findExperimentIds(id, 1),
  ]);
  if (run !== undefined && experiment !== undefined && id !== run && id !== experiment) {
    const both = `run ${run} and experiment ${experiment}`;
    throw new SalvoError('TARGET_AMBIGUOUS', `Both ${both} begin with ${JSON.stringify(id)}. Give more of the id.`);
  }
  const isExperiment = experiment !== undefined && (run === undefined || id === experiment);
  return isExperiment ? await experimentSubject(store, id, null) : await runSubject(store, id);
}

async function runSubject(store: Store, id: string): Promise<Subject> {
  return { kind: 'run', run: (await findRun(store, id)).run_id };
}

async function experimentSubject(store: Store, id: string, game: string | null): Promise<Subject> {
  const { experiment_id: experiment } = await findExperiment(store, id);
  if (game !== null && !(await experimentsOf(store).getGame(experiment, game))) {
    throw new SalvoError('GAME_UNKNOWN', `Experiment ${experiment} has no game ${JSON.stringify(game)}.`);
  }
  return { kind: 'experiment', experiment, game };
}

/** The page of the viewer that shows it. */
export function subjectPage(subject: Subject): ViewedPage {
  if (subject.kind === 'run') return { name: `Run ${subject.run}`, href: runHref(subject.run) };
  const { experiment, game } = subject;
  if (game === null) return { name: `Experiment ${experiment}`, href: experimentHref(experiment) };
  return { name: `Game ${game}`, href: gameHref(experiment, game) };
}
