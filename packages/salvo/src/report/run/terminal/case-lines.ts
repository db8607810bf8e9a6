import type { AssertionFailure, CaseSummary } from '../../../run/record/run-document.ts';
import { formatCount, formatPlural, MISSING } from '../../../stats/format.ts';
import { displayWidth, safeLine, shorten } from '../../../text/output/safe-text.ts';
import { judgeScores } from '../../judge/result-words.ts';
import { type Column, renderTable } from '../../terminal/table.ts';
import { wrap } from '../../terminal/wrap.ts';
import type { ReportedScenario } from '../run-report.ts';
import { isCounted, isGreen, verdictSymbol, verdictTone } from '../verdict.ts';
import { caseLabel } from '../words/case-label.ts';
import { replayCommand } from '../words/replay-command.ts';
import { reasonKind } from '../words/trial-failure.ts';
import type { DetailOptions } from './detail-options.ts';

const MOST_CASES = 20;

/** How the cases of a scenario ended, in numbers. Empty without data. */
export function casesInWords({ cases }: Pick<ReportedScenario, 'cases'>): string {
  if (cases.length === 0) return '';
  const count = (fits: (each: CaseSummary) => boolean) => cases.filter(fits).length;
  const parts = [
    [count(({ verdict }) => verdict === 'PASS'), 'passed'],
    [count(({ verdict }) => verdict === 'RECORDED'), 'recorded'],
    [count(({ verdict }) => ['FAIL', 'PARTIAL', 'HARD_FAIL'].includes(verdict)), 'failed'],
    [count(({ verdict }) => verdict === 'UNSCORED'), 'not scored'],
    [count(({ verdict }) => verdict === 'SKIPPED'), 'skipped'],
    [count(({ verdict }) => verdict === 'QUARANTINED'), 'in quarantine'],
  ] as const;
  const words = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return `${formatPlural(cases.length, 'case')}: ${words.join(', ')}`;
}

/** A case that did not pass, and further ones that failed for the same reason. */
export interface ShownCase {
  first: CaseSummary;
  alike: CaseSummary[];
}

/** So many cases with the same reason are one row and a list of names. */
const FEWEST_ALIKE = 3;

/**
 * The cases that did not pass: the ones that a reader looks for. The short report has one row for all with the same
 * reason, and none for those that its lists of crashes and of trials that were not scored tell about.
 */
export function casesToShow(
  scenario: Pick<ReportedScenario, 'cases' | 'crashes' | 'errors'>,
  { full }: { full: boolean },
): { shown: ShownCase[]; left: number } {
  const notPassed = scenario.cases.filter(({ verdict }) => !isGreen({ verdict }) && isCounted({ verdict }));
  const all = full
    ? notPassed.map((first) => ({ first, alike: [] }))
    : joinAlike(notPassed.filter((each) => !isToldBelow(each, scenario)));
  const left = all.slice(MOST_CASES).reduce((sum, { alike }) => sum + 1 + alike.length, 0);
  return { shown: all.slice(0, MOST_CASES), left };
}

function joinAlike(cases: readonly CaseSummary[]): ShownCase[] {
  return [...Map.groupBy(cases, (each) => reasonKind(caseReason(each))).values()].flatMap((group) => {
    const [first, ...alike] = group;
    if (!first || group.length < FEWEST_ALIKE) return group.map((each) => ({ first: each, alike: [] }));
    return [{ first, alike }];
  });
}

/** A reason is cut, so its beginning has to do. */
const COMPARED = 150;

function isToldBelow(
  { verdict, reason }: CaseSummary,
  { crashes, errors }: Pick<ReportedScenario, 'crashes' | 'errors'>,
): boolean {
  if (reason === null) return false;
  if (verdict === 'UNSCORED' && errors.length > 0) return true;
  return crashes.some(({ message }) => message.slice(0, COMPARED) === reason.slice(0, COMPARED));
}

/** Whether the table of cases has the reason of an assertion that failed. */
export function isToldByCases(
  { assertion_id, example }: AssertionFailure,
  scenario: Pick<ReportedScenario, 'cases' | 'crashes' | 'errors'>,
): boolean {
  return casesToShow(scenario, { full: false }).shown.some(
    ({ first: { reason, judge } }) =>
      judge?.assertion_id === assertion_id || reason?.startsWith(example.slice(0, COMPARED)) === true,
  );
}

const MOST_ALIKE = 10;

/** `and 6 more like it: 4, 7, 10, 13, 16, 19`; empty if there are none. */
export function alikeWords({ alike }: ShownCase): string {
  if (alike.length === 0) return '';
  const names = alike.slice(0, MOST_ALIKE).map((each) => safeLine(each.case, LONGEST_NAME));
  const more = alike.length > MOST_ALIKE ? ', ...' : '';
  return `and ${formatCount(alike.length)} more like it: ${names.join(', ')}${more}`;
}

/** Why a case did not pass. Of a judge it is the score of each criterion. */
export function caseReason({ reason, judge }: Pick<CaseSummary, 'reason' | 'judge'>): string {
  return judge ? `${judgeScores(judge)} (${judge.assertion_id})` : (reason ?? 'not run');
}

/** Why cases were skipped, with how many for each reason. */
export function skipReasons({ cases }: Pick<ReportedScenario, 'cases'>): string[] {
  const skipped = cases.filter((each) => each.skipped !== null);
  return [...Map.groupBy(skipped, (each) => each.skipped ?? '')].map(([reason, of]) => {
    const [only, ...others] = of;
    const which = only && others.length === 0 ? only.case : formatPlural(of.length, 'case');
    return safeLine(`skipped: ${which} (${reason})`);
  });
}

const COLUMNS: readonly Column<'symbol' | 'case' | 'passed' | 'why'>[] = [
  { key: 'symbol', header: '', priority: 3 },
  { key: 'case', header: 'case', priority: 4, min: 12 },
  { key: 'passed', header: 'passed', align: 'right', priority: 2 },
  { key: 'why', header: 'why', priority: 1, min: 20 },
];
const LONGEST_NAME = 40;
const ROOM_FOR_BEGINNING = 70;

/** The cases of a scenario for the terminal: a line of numbers, then a row for each that did not pass. */
export function caseLines(scenario: ReportedScenario, options: DetailOptions): string[] {
  const { width, style, runId, isLatest, handle, full } = options;
  const { shown, left } = casesToShow(scenario, { full });
  const words = casesInWords(scenario);
  if (words === '') return [];
  const reasons = skipReasons(scenario)
    .flatMap((line) => wrap(line, width))
    .map(style.dim);
  const head = [...wrap(words, width), ...reasons];
  const [first] = shown;
  if (!first) return ['', ...head];
  const labels = shown.map(({ first: each }) => labelOf(each, scenario, width));
  const whyWidth = Math.max(20, width - Math.max(...labels.map(displayWidth)) - 16);
  const table = renderTable({
    columns: COLUMNS,
    rows: shown.map(({ first: each }, index) => ({
      symbol: { text: verdictSymbol(each.verdict), paint: style[verdictTone(each.verdict)] },
      case: { text: labels[index] ?? '', paint: style.bold },
      passed: { text: each.trials_scored === 0 ? MISSING : `${each.trials_passed}/${each.trials_scored}` },
      why: { text: shorten(safeLine(caseReason(each)), full ? whyWidth : 2 * whyWidth), paint: style.dim },
    })),
    width,
    style,
  });
  const rows = shown.flatMap((each, index) => [
    ...(table.rows[index] ?? []),
    ...wrap(alikeWords(each), width - 3).flatMap((line) => (line === '' ? [] : [style.dim(`   ${line}`)])),
  ]);
  const place = { runId: isLatest ? null : runId, scenario: handle, caseName: first.first.case, trialNumber: null };
  const command = options.isAlone ? [] : wrap(replayCommand(place), width).map(style.cyan);
  const more = left > 0 ? [style.dim(`and ${formatPlural(left, 'more case')} that did not pass`)] : [];
  return ['', ...head, ...table.header, ...rows, ...more, ...command];
}

/** With the beginning of its row, if there is room for the reason beside it. */
function labelOf({ case: name, case_index: index }: CaseSummary, { beginnings }: ReportedScenario, width: number) {
  return shorten(caseLabel(name, width < ROOM_FOR_BEGINNING ? undefined : beginnings?.get(index)), LONGEST_NAME);
}
