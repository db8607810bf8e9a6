import type { CaseSummary } from '../../../run/record/run-document.ts';
import { displayWidth, safeLine, shorten } from '../../../text/output/safe-text.ts';
import { judgeScores } from '../../judge/judge-words.ts';
import { formatPlural, MISSING } from '../../terminal/format.ts';
import type { Style } from '../../terminal/style.ts';
import { type Column, renderTable } from '../../terminal/table.ts';
import { wrap } from '../../terminal/wrap.ts';
import type { ReportedScenario } from '../run-report.ts';
import { isCounted, isGreen, verdictPaint, verdictSymbol } from '../verdict.ts';
import { replayCommand } from '../words/replay-command.ts';

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

/** The cases that did not pass: the ones that a reader looks for. */
export function casesToShow({ cases }: Pick<ReportedScenario, 'cases'>): { shown: CaseSummary[]; left: number } {
  const notPassed = cases.filter(({ verdict }) => !isGreen({ verdict }) && isCounted({ verdict }));
  return { shown: notPassed.slice(0, MOST_CASES), left: Math.max(0, notPassed.length - MOST_CASES) };
}

/** Why a case did not pass. Of a judge it is the score of each criterion. */
export function caseReason({ reason, judge }: Pick<CaseSummary, 'reason' | 'judge'>): string {
  return judge ? `${judge.assertion_id}: ${judgeScores(judge)}` : (reason ?? 'not run');
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

/** The cases of a scenario for the terminal: a line of numbers, then a row for each that did not pass. */
export function caseLines(
  scenario: ReportedScenario,
  options: { width: number; style: Style; runId: string; isLatest: boolean; handle: string },
): string[] {
  const { width, style, runId, isLatest, handle } = options;
  const { shown, left } = casesToShow(scenario);
  const words = casesInWords(scenario);
  if (words === '') return [];
  const reasons = skipReasons(scenario)
    .flatMap((line) => wrap(line, width))
    .map(style.dim);
  const head = [...wrap(words, width), ...reasons];
  const [first] = shown;
  if (!first) return head;
  const nameWidth = Math.min(LONGEST_NAME, Math.max(...shown.map((each) => displayWidth(safeLine(each.case)))));
  const whyWidth = Math.max(20, width - nameWidth - 16);
  const table = renderTable({
    columns: COLUMNS,
    rows: shown.map((each) => ({
      symbol: { text: verdictSymbol(each.verdict), paint: verdictPaint(each.verdict, style) },
      case: { text: safeLine(each.case, LONGEST_NAME), paint: style.bold },
      passed: { text: each.trials_scored === 0 ? MISSING : `${each.trials_passed}/${each.trials_scored}` },
      why: { text: shorten(safeLine(caseReason(each)), whyWidth), paint: style.dim },
    })),
    width,
    style,
  });
  const command = replayCommand({
    runId: isLatest ? null : runId,
    scenario: handle,
    caseName: first.case,
    trialNumber: null,
  });
  const more = left > 0 ? [style.dim(`and ${formatPlural(left, 'more case')} that did not pass`)] : [];
  return ['', ...head, ...table.lines, ...more, ...wrap(command, width).map(style.cyan)];
}
