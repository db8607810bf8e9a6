import { experimentsOf } from '../../../../salvo-arena/src/store/experiment-tables.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { experimentHref, gameHref, runHref } from './page-hrefs.ts';
import type { ViewedProject } from './viewed-project.ts';

const GAME_ID = /^(?<experiment>.+)-\d{7}$/;

/**
 * The page of what a user names: the beginning of the id of a run or of an experiment, `latest`, or the id of a game.
 * Throws `RUN_UNKNOWN` if nothing has this id.
 */
export async function pageAddress(viewed: Pick<ViewedProject, 'store'>, target: string | undefined): Promise<string> {
  if (target === undefined) return '';
  const store = await viewed.store();
  if (store !== null) {
    const beginning = target === 'latest' ? '' : target;
    if ((await store.findRunIds(beginning, 1)).length > 0) return `#${runHref(target)}`;
    const experiments = experimentsOf(store);
    if ((await experiments.findExperimentIds(beginning, 1)).length > 0) return `#${experimentHref(target)}`;
    const experiment = GAME_ID.exec(target)?.groups?.experiment;
    if (experiment !== undefined && (await experiments.getGame(experiment, target))) {
      return `#${gameHref(experiment, target)}`;
    }
  }
  throw new SalvoError(
    'TARGET_UNKNOWN',
    `No run, experiment or game has an id that begins with ${JSON.stringify(target)}. \`salvo view\` lists what there is.`,
  );
}
