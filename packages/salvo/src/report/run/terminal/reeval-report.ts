import { costOfJudges, type ScenarioSummary } from '../../../run/record/run-document.ts';
import type { ChangedTrial, ReevaluatedScenario } from '../../../run/reevaluate/reevaluation.ts';
import {
  formatAmount,
  formatPercent,
  formatPlural,
  formatPointsSize,
  formatScore,
  MISSING,
  twoDigits,
} from '../../../stats/format.ts';
import { type Block, column, figure, type Text, table, toned } from '../../document/document.ts';
import { toTerminal } from '../../document/terminal.ts';
import type { Look } from '../../terminal/look.ts';
import { neverPassedLine } from '../never-passed.ts';
import { isJudged } from '../run-report.ts';
import { verdictReason, verdictTone } from '../verdict.ts';
import { givenNote, intervalText } from '../words/run-notes.ts';
import { scenarioTitles } from '../words/scenario-handles.ts';
import { statusWords } from './trial-strip.ts';

const MOST_TRIALS = 20;
const TASK_CHANGED = 'The task itself changed since these traces were recorded; run it again for a fair verdict:';

const OTHER_ANSWERS =
  'These tools answered otherwise when stored calls were played again: they are not deterministic, or have changed. If one may write, its trials count by the changes that were stored:';

/** What a new judgement of stored traces changed, for `salvo reeval`. */
export function renderReevals(scenarios: readonly ReevaluatedScenario[], look: Look): string {
  const titles = scenarioTitles(scenarios.map(({ after }) => after));
  return toTerminal(
    scenarios.flatMap((each, index) => scenarioBlocks(each, titles[index] ?? each.name)),
    look,
  );
}

function scenarioBlocks(scenario: ReevaluatedScenario, title: string): Block[] {
  const { after, task_changes, changed_trials } = scenario;
  return [
    { heading: title, lines: [] },
    {
      title: { text: TASK_CHANGED, tone: 'yellow' },
      items: noted(task_changes),
    },
    { title: { text: OTHER_ANSWERS, tone: 'yellow' }, items: noted(scenario.other_answers ?? []) },
    comparison(scenario),
    { lines: [`Now: ${verdictReason(after)}.`, neverPassedLine(after) ?? '', givenNote(after) ?? ''] },
    trialTable(changed_trials),
  ];
}

function noted(words: readonly string[]) {
  return toned('yellow', words).map((text) => ({ symbol: { text: '-', tone: 'yellow' as const }, text }));
}

function comparison({ before, after }: ReevaluatedScenario): Block {
  const row = (what: string, cell: (summary: ScenarioSummary) => Text, change = '') => ({ what, cell, change });
  const rows = [
    row(
      'verdict',
      ({ verdict }) => ({ text: verdict.replace('_', ' '), tone: verdictTone(verdict) }),
      before.verdict === after.verdict ? 'same' : 'changed',
    ),
    row('passed', ({ trials_passed, trials_scored }) => `${trials_passed}/${trials_scored}`),
    row(
      'pass rate',
      ({ pass_rate }) => formatPercent(pass_rate),
      difference(before.pass_rate, after.pass_rate, formatPointsSize),
    ),
    row('95% interval', (summary) => ({ text: intervalText(summary), tone: 'dim' })),
    row(
      'mean score',
      ({ score_avg }) => formatScore(score_avg),
      difference(before.score_avg, after.score_avg, twoDigits),
    ),
    row(
      'not scored',
      ({ trials_unscored }) => String(trials_unscored),
      difference(before.trials_unscored, after.trials_unscored, String),
    ),
  ];
  if (before.trials_crashed > 0 || after.trials_crashed > 0) {
    rows.push(row('crashed', ({ trials_crashed }) => String(trials_crashed)));
  }
  // No agent was called again, but judges were.
  if (isJudged(before) || isJudged(after)) {
    rows.push(row('judges', (each) => (isJudged(each) ? formatAmount(costOfJudges(each)) : MISSING)));
  }
  return table(rows, [
    { header: '', priority: 4, cell: ({ what: text }) => ({ text, tone: 'dim' }) },
    figure('Before', 2, ({ cell }) => cell(before)),
    figure('After', 3, ({ cell }) => cell(after)),
    figure('Change', 1, ({ change }) => change),
  ]);
}

function difference(before: number | null, after: number | null, show: (by: number) => string): string {
  if (before === null || after === null) return '';
  if (before === after) return 'same';
  return `${after > before ? '↑ +' : '↓ -'}${show(Math.abs(after - before))}`;
}

function trialTable(trials: readonly ChangedTrial[]): Block {
  if (trials.length === 0) return { lines: ['No trial was judged differently.'] };
  // Trials with another outcome first, then by the change of their score.
  const ordered = trials.toSorted(
    (a, b) => Number(isFlip(b)) - Number(isFlip(a)) || movedBy(b) - movedBy(a) || a.trial_number - b.trial_number,
  );
  const flips = trials.filter(isFlip).length;
  const change = flips === 0 ? 'all with the same outcome' : `${flips} with another outcome`;
  const heading = { text: `${formatPlural(trials.length, 'trial')} judged differently, ${change}:`, bold: false };
  return table(
    ordered,
    [
      column(
        'Trial',
        { priority: 4, min: 10 },
        (each) => `trial ${each.case === null ? '' : `${each.case} `}${each.trial_number}`,
      ),
      column('Before', { priority: 2 }, ({ before }) => statusWords(before)),
      column('', { priority: 2.5 }, () => '→'),
      column('After', { priority: 3 }, ({ after }) => statusWords(after)),
      column('Score', { priority: 1 }, (each) => ({
        text: `${formatScore(each.score_before)} → ${formatScore(each.score_after)}`,
        tone: 'dim',
      })),
    ],
    { heading, bare: true, most: MOST_TRIALS },
  );
}

function isFlip({ before, after }: ChangedTrial): boolean {
  return before !== after;
}

function movedBy({ score_before, score_after }: ChangedTrial): number {
  return score_before === null || score_after === null ? 0 : Math.abs(score_after - score_before);
}
