import type { AssertionFailure, CaseSummary } from '../../../run/record/run-document.ts';
import { formatCount, formatPlural } from '../../../stats/format.ts';
import { displayWidth, safeLine, shorten } from '../../../text/output/safe-text.ts';
import { type Block, column, commandWords, figure, table, toned } from '../../document/document.ts';
import { judgeScores } from '../../judge/result-words.ts';
import { type DetailOptions, passedOf, type ReportedScenario } from '../run-report.ts';
import { isCounted, isGreen, verdictSign } from '../verdict.ts';
import { caseLabel } from '../words/case-label.ts';
import { replayCommand } from '../words/replay-command.ts';
import { reasonKind } from '../words/trial-failure.ts';

const MOST_CASES = 20;

/** How the cases of a scenario ended, in numbers. Empty without data. */
function casesInWords({ cases }: Pick<ReportedScenario, 'cases'>): string {
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
interface ShownCase {
  first: CaseSummary;
  alike: CaseSummary[];
}

/** So many cases with the same reason are one row and a list of names. */
const FEWEST_ALIKE = 3;

/**
 * The cases that did not pass: the ones that a reader looks for. The short report has one row for all with the same
 * reason, and none for those that its lists of crashes and of trials that were not scored tell about.
 */
function casesToShow(
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
function alikeWords({ alike }: ShownCase): string {
  if (alike.length === 0) return '';
  const names = alike.slice(0, MOST_ALIKE).map((each) => safeLine(each.case, LONGEST_NAME));
  const more = alike.length > MOST_ALIKE ? ', ...' : '';
  return `and ${formatCount(alike.length)} more like it: ${names.join(', ')}${more}`;
}

/**
 * Why a case did not pass. Of a judge it is the score of each criterion.
 * @internal Exported for its tests.
 */
export function caseReason({ reason, judge }: Pick<CaseSummary, 'reason' | 'judge'>): string {
  return judge ? `${judgeScores(judge)} (${judge.assertion_id})` : (reason ?? 'not run');
}

/** Why cases were skipped, with how many for each reason. */
function skipReasons({ cases }: Pick<ReportedScenario, 'cases'>): string[] {
  const skipped = cases.filter((each) => each.skipped !== null);
  return [...Map.groupBy(skipped, (each) => each.skipped ?? '')].map(([reason, of]) => {
    const [only, ...others] = of;
    const which = only && others.length === 0 ? only.case : formatPlural(of.length, 'case');
    return safeLine(`skipped: ${which} (${reason})`);
  });
}

const LONGEST_NAME = 40;
const ROOM_FOR_BEGINNING = 70;

/** The cases of a scenario: a line of numbers, then a row for each that did not pass. */
export function caseTable(scenario: ReportedScenario, options: DetailOptions): Block {
  const { width, runId, isLatest, handle, full, isAlone } = options;
  const words = casesInWords(scenario);
  if (words === '') return { lines: [] };
  const { shown, left } = casesToShow(scenario, { full });
  const labels = shown.map(({ first }) => labelOf(first, scenario, width));
  const whyWidth = Math.max(20, width - Math.max(0, ...labels.map(({ text }) => displayWidth(text))) - 16);
  const cases = table(shown, [
    column('', { priority: 3 }, ({ first }) => verdictSign(first.verdict)),
    column('case', { priority: 4, min: 12 }, (_, index) => labels[index] ?? ''),
    figure('passed', 2, ({ first }) => passedOf(first)),
    column('why', { priority: 1, min: 20 }, ({ first }) => {
      const why = caseReason(first);
      return { text: shorten(safeLine(why), full ? whyWidth : 2 * whyWidth), print: why, tone: 'dim', most: 4000 };
    }),
    column('alike', { place: 'below' }, (each) => ({ text: alikeWords(each), tone: 'dim' })),
  ]);
  const caseName = shown[0]?.first.case;
  const place = { runId: isLatest ? null : runId, scenario: handle, caseName, trialNumber: null };
  return {
    lines: [
      words,
      ...toned('dim', skipReasons(scenario)),
      cases,
      ...toned('dim', [left > 0 ? `and ${formatPlural(left, 'more case')} that did not pass` : null]),
      commandWords(caseName === undefined || isAlone ? '' : replayCommand(place), ''),
    ],
  };
}

/** With the beginning of its row, if there is room for the reason beside it. */
function labelOf({ case: name, case_index: index }: CaseSummary, { beginnings }: ReportedScenario, width: number) {
  const beginning = beginnings?.get(index);
  const label = shorten(caseLabel(name, width < ROOM_FOR_BEGINNING ? undefined : beginning), LONGEST_NAME);
  return { text: label, print: caseLabel(name, beginning), tone: 'bold' as const };
}
