import type { ViewedProject } from './viewed-project.ts';

const GAME_ID = /^(?<experiment>.+)-\d{7}$/;

/** The page of what a user names: the beginning of the id of a run or of an experiment, or the id of a game. */
export async function pageAddress(viewed: Pick<ViewedProject, 'store'>, target: string | undefined): Promise<string> {
  if (target === undefined) return '';
  const store = await viewed.store();
  const encoded = encodeURIComponent(target);
  const run = `#/runs/${encoded}`;
  if (store === null || (await store.findRunIds(target, 1)).length > 0) return run;
  if ((await store.findExperimentIds(target, 1)).length > 0) return `#/experiments/${encoded}`;
  const experiment = GAME_ID.exec(target)?.groups?.experiment;
  if (experiment === undefined || !(await store.getGame(experiment, target))) return run;
  return `#/experiments/${encodeURIComponent(experiment)}/games/${encoded}`;
}
