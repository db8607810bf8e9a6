/**
 * The addresses of the viewer's pages, after `#`. Pages, HTML files and the command line have them from here;
 * `web/src/app.tsx` says which page has which. Nothing is imported: this is part of the page's script.
 */

/** Where a trial is stored. */
export interface TrialPlace {
  run_id: string;
  scenario_index: number;
  case_index: number;
  trial_number: number;
}

/** Pages that need nothing but their name. */
export const PAGE = {
  runs: '/runs',
  compare: '/compare',
  experiments: '/experiments',
  judges: '/judges',
  labels: '/labels',
  traces: '/traces',
  score: '/score',
  game: '/game',
} as const;

export function runHref(run: string): string {
  return joined(PAGE.runs, run);
}

export function trialHref({ run_id, scenario_index, case_index, trial_number }: TrialPlace): string {
  return joined(runHref(run_id), 'trials', scenario_index, case_index, trial_number);
}

export function traceHref(trace: string): string {
  return joined(PAGE.traces, trace);
}

/** Two conversations side by side. */
export function tracesHref(base: TrialPlace, next: TrialPlace): string {
  return `${PAGE.traces}/${trialPath(base)}/with/${trialPath(next)}`;
}

/** A trial in an address of two. */
export function trialPath({ run_id, scenario_index, case_index, trial_number }: TrialPlace): string {
  return `${run_id}/${scenario_index}/${case_index}/${trial_number}`;
}

/** The others are compared with the first. */
export function compareHref(sources: readonly string[]): string {
  return joined(PAGE.compare, ...sources);
}

export function experimentHref(experiment: string): string {
  return joined(PAGE.experiments, experiment);
}

/** What a list of games is filtered by. An empty text stands for any. */
export type GameFilter = Record<'red' | 'blue' | 'task' | 'difficulty' | 'language' | 'outcome', string>;

/** The games of an experiment, or those that fit. */
export function gamesHref(experiment: string, filter: Partial<GameFilter> = {}): string {
  const chosen = Object.entries(filter).filter(([, value]) => value !== '');
  const words = new URLSearchParams(chosen).toString();
  return whereHref(joined(experimentHref(experiment), 'games'), encodeURIComponent(words));
}

export function gameHref(experiment: string, game: string): string {
  return joined(gamesHref(experiment), game);
}

export function judgeHref(judge: string): string {
  return joined(PAGE.judges, judge);
}

/** The trials of a run to label: of one scenario, and for one of its assertions, if these are given. */
export function labelsHref(
  run: string,
  ...subject: [] | [scenario: number] | [scenario: number, assertion: string]
): string {
  return joined(PAGE.labels, run, ...subject);
}

export function scoreBlueHref(blue: number): string {
  return joined(PAGE.score, blue);
}

/** A flaw or a finding on the page of a game or of a Blue. */
export function claimHref(page: string, { kind, index }: { kind: 'flaw' | 'finding'; index: number }): string {
  return joined(page, kind, index);
}

/** A page with what is chosen on it. */
export function whereHref(page: string, chosen: string): string {
  return chosen === '' ? page : `${page}/where/${chosen}`;
}

function joined(page: string, ...parts: readonly (string | number)[]): string {
  return [page, ...parts.map((part) => encodeURIComponent(part))].join('/');
}
