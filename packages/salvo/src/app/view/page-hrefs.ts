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

/** The place of something that says more than its place. */
export function placeOf({ run_id, scenario_index, case_index, trial_number }: TrialPlace): TrialPlace {
  return { run_id, scenario_index, case_index, trial_number };
}

/** Pages that need nothing but their name. */
export const PAGE = {
  runs: '/runs',
  compare: '/compare',
  judges: '/judges',
  mutations: '/mutations',
  labels: '/labels',
  traces: '/traces',
} as const;

export function runHref(run: string): string {
  return joinedHref(PAGE.runs, run);
}

/** The answers of a run side by side: of one scenario, from a row on. */
export function outputsHref(run: string, group = 0, offset = 0): string {
  return joinedHref(runHref(run), 'outputs', group, offset);
}

export function trialHref({ run_id, scenario_index, case_index, trial_number }: TrialPlace): string {
  return joinedHref(runHref(run_id), 'trials', scenario_index, case_index, trial_number);
}

export function traceHref(trace: string): string {
  return joinedHref(PAGE.traces, trace);
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
  return joinedHref(PAGE.compare, ...sources);
}

export function judgeHref(judge: string): string {
  return joinedHref(PAGE.judges, judge);
}

/** Judges that were compared on the same labels. */
export function comparisonHref(comparison: string): string {
  return joinedHref(PAGE.judges, 'compared', comparison);
}

export function mutationHref(mutation: string): string {
  return joinedHref(PAGE.mutations, mutation);
}

/** The trials of a run to label: of one scenario, and for one of its assertions, if these are given. */
export function labelsHref(
  run: string,
  ...subject: [] | [scenario: number] | [scenario: number, assertion: string]
): string {
  return joinedHref(PAGE.labels, run, ...subject);
}

/** A page with what is chosen on it. */
export function whereHref(page: string, chosen: string): string {
  return chosen === '' ? page : `${page}/where/${chosen}`;
}

/** A page below another one. */
export function joinedHref(page: string, ...parts: readonly (string | number)[]): string {
  return [page, ...parts.map((part) => encodeURIComponent(part))].join('/');
}
