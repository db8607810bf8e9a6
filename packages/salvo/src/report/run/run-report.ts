import type { TrialStatus } from '../../evaluators/eval-result.ts';
import type { AgainstOutcome } from '../../run/compare/judge-against.ts';
import type { RunMatrix } from '../../run/compare/run-matrix.ts';
import { candidateNoun, scenarioKey } from '../../run/record/candidate-labels.ts';
import type { FlakyCase } from '../../run/record/flaky-case.ts';
import {
  costOfAgents,
  costOfJudges,
  costOfUsers,
  type RunDocument,
  type ScenarioSummary,
} from '../../run/record/run-document.ts';
import { sumCosts } from '../../stats/cost.ts';
import { formatCosts, formatCount, formatPlural, formatSeconds, MISSING } from '../../stats/format.ts';
import type { TrialResult } from '../../trial/trial-result.ts';

/** A scenario's summary, with what only reports for people need. */
export interface ReportedScenario extends ScenarioSummary {
  /** In order of cases and trial numbers. A trial that was not run has none. */
  statuses?: readonly (TrialStatus | undefined)[] | undefined;
  /** The trial to look at first: one that failed, or else one that could not be scored. Only if its trace is stored. */
  worst?: { case: string | null; trial_number: number; status: TrialStatus } | undefined;
  /** By case index, of cases without a name that did not pass: how the first text of their row begins. */
  beginnings?: ReadonlyMap<number, string> | undefined;
}

/** A run as it is shown to a person. */
export interface RunReport extends Pick<RunDocument, 'run_id' | 'verdict' | 'exit_code' | 'overall'> {
  /** Null or missing unless scenarios ran with several models. */
  matrix?: RunMatrix | null | undefined;
  /** False or missing: the short report, without statistics and lists that explain no failure. */
  full?: boolean | undefined;
  /** True right after the run: commands about it need not name it. */
  isLatest?: boolean | undefined;
  scenarios: readonly ReportedScenario[];
  /** What both passed and failed at the commit of the run. */
  flaky?: readonly FlakyCase[] | undefined;
  duration_seconds: number | null;
  /** How many trials were stored before `--resume`. */
  resumed?: number | undefined;
  /** Further notes for the reader, one line each: a teardown that failed, say. */
  notes?: readonly string[] | undefined;
  /** The comparison with a baseline, right after the run. */
  against?: AgainstOutcome | null | undefined;
}

/**
 * A finished run whose trials are read while they are written, so that a report of 10,000 trials needs no more memory
 * than one of ten. Each report calls `trials`, some more than once.
 */
export interface RunStream extends Pick<RunReport, 'matrix' | 'against' | 'notes'> {
  run: Omit<RunDocument, 'version' | 'scenarios'>;
  scenarios: readonly ScenarioStream[];
}

export interface ScenarioStream {
  summary: ScenarioSummary;
  /** In order of case and trial number. */
  trials: () => AsyncIterable<TrialResult> | Iterable<TrialResult>;
}

/** What the details of one scenario need to know besides the scenario. */
export interface DetailOptions {
  /** Of the terminal. */
  width: number;
  runId: string;
  /** On a terminal, commands about the run need not name it. */
  isLatest: boolean;
  /** What to call the scenario in a command. */
  handle: string;
  title: string;
  /** False if the table above already shows each trial. */
  strip: boolean;
  /** False: the short report. */
  full: boolean;
  /** The short report of a run of one scenario: what a terminal shows at the end of the report is not said here, too. */
  isAlone: boolean;
  /** The command that the end of the short report has, so that it is not here, too. */
  told?: string | undefined;
}

/** The sums over all scenarios of a run. */
export function runTotals(scenarios: readonly ScenarioSummary[]) {
  const counted = scenarios.filter(({ verdict }) => verdict !== 'QUARANTINED');
  const sum = (of: (scenario: ScenarioSummary) => number) => counted.reduce((total, each) => total + of(each), 0);
  return {
    planned: sum((each) => each.trials_planned),
    ran: sum((each) => each.trials_total),
    scored: sum((each) => each.trials_scored),
    passed: sum((each) => each.trials_passed),
    crashed: sum((each) => each.trials_crashed),
    unscored: sum((each) => each.trials_unscored),
    notJudged: sum((each) => each.trials_not_judged),
    /** These are in none of the numbers above. */
    quarantined: scenarios.reduce(
      (total, each) => total + (each.verdict === 'QUARANTINED' ? each.trials_total : each.trials_quarantined),
      0,
    ),
    retries: sum((each) => each.retries),
    /** What the agents cost, and apart from them the judges and the simulated users. */
    cost: sumCosts(scenarios.map(costOfAgents)),
    judgeCost: sumCosts(scenarios.map(costOfJudges)),
    userCost: sumCosts(scenarios.map(costOfUsers)),
  };
}

/** The sums of a run in words, each a part of one line. */
export function totalParts(report: RunReport): string[] {
  const totals = runTotals(report.scenarios);
  const models = report.matrix?.models.length ?? 1;
  // With several models, a scenario and its cases are there several times.
  const scenarios = models === 1 ? report.scenarios : onePerScenario(report.scenarios);
  const cases = scenarios.reduce((sum, each) => sum + each.cases.length, 0);
  const skipped = report.scenarios.filter((each) => each.skipped !== null).length;
  const notRun = totals.planned - totals.ran - totals.notJudged;
  // Pass rates of different models are not added up.
  const scored =
    totals.scored > 0 && models === 1 ? `${formatCount(totals.passed)}/${formatCount(totals.scored)} passed` : '';
  return [
    `${formatPlural(scenarios.length, 'scenario')}${models > 1 ? ` × ${formatPlural(models, candidateNoun(report.scenarios))}` : ''}`,
    cases > 0 ? formatPlural(cases, 'case') : '',
    skipped > 0 ? `${formatCount(skipped)} skipped` : '',
    scored || formatPlural(totals.ran, 'trial'),
    totals.crashed > 0 ? `${formatCount(totals.crashed)} crashed` : '',
    totals.unscored > 0 ? `${formatCount(totals.unscored)} not scored` : '',
    totals.notJudged > 0 ? `${formatCount(totals.notJudged)} not judged` : '',
    totals.quarantined > 0 ? `${formatCount(totals.quarantined)} in quarantine` : '',
    notRun > 0 ? `${formatCount(notRun)} not run` : '',
    totals.retries > 0 ? formatPlural(totals.retries, 'retry') : '',
    report.resumed ? `${formatCount(report.resumed)} from before the resume` : '',
    formatCosts(totals.cost, totals.judgeCost, totals.userCost),
    report.duration_seconds === null ? '' : formatSeconds(report.duration_seconds),
  ].filter((part) => part !== '');
}

function onePerScenario(scenarios: readonly ReportedScenario[]): ReportedScenario[] {
  return [...new Map(scenarios.map((each) => [scenarioKey(each), each])).values()];
}

/** `16/20`: how many of the scored trials passed. */
export function passedOf({ trials_passed, trials_scored }: Pick<ScenarioSummary, 'trials_passed' | 'trials_scored'>) {
  return trials_scored === 0 ? MISSING : `${trials_passed}/${trials_scored}`;
}

/** Whether a judge was asked, paid or not. */
export function isJudged({ judges, judge_cost_usd }: Pick<ScenarioSummary, 'judges' | 'judge_cost_usd'>): boolean {
  return judges.length > 0 || judge_cost_usd !== 0;
}

/** The cases whose trials are left out of the numbers of their scenario. */
export function leftOutCases({ trials_quarantined, cases }: ScenarioSummary): ReadonlySet<number> {
  if (trials_quarantined === 0) return new Set();
  return new Set(cases.flatMap(({ case_index, quarantine }) => (quarantine?.active ? [case_index] : [])));
}
