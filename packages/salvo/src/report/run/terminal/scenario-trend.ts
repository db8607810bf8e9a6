import { entryKey, scenarioKey } from '../../../run/record/candidate-labels.ts';
import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import type { RunScenario } from '../../../run/record/run-record.ts';
import { formatDifference, formatMoney, formatPercent, MISSING } from '../../../stats/format.ts';
import type { RunListing } from '../../../store/store.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { type Block, figure, type Text, table } from '../../document/document.ts';
import { sparkline } from '../../terminal/bar.ts';
import { isCounted, isGreen } from '../verdict.ts';
import { intervalText } from '../words/run-notes.ts';
import { scenarioTitles } from '../words/scenario-handles.ts';

interface Result extends Pick<RunScenario, 'name' | 'file' | 'adapter' | 'model' | 'scenario_hash'> {
  summary: ScenarioSummary;
}

interface Row {
  name: Text;
  trend?: string;
  rate?: string;
  interval?: string;
  cost?: string;
  change?: Text;
}

/**
 * One line per scenario, adapter and model: the pass rates from the oldest run to the newest, and the change in the
 * newest. Results of different models are never in one line.
 */
export function scenarioTrends(runs: readonly RunListing[], width: number): Block {
  const trendWidth = width >= 100 ? 24 : width >= 70 ? 16 : 8;
  const entries = resultsByEntry(runs);
  const titles = entryTitles(entries.flatMap(([latest]) => latest ?? []));
  const rows = entries.flatMap((results, index): Row[] => {
    const [latest, previous] = results;
    const oldestFirst = results.slice(0, trendWidth).reverse();
    const row = {
      name: { text: safeLine(titles[index] ?? '', 60), tone: 'bold' as const },
      trend: sparkline(oldestFirst.map(({ summary }) => summary.pass_rate)),
      rate: formatPercent(latest?.summary.pass_rate ?? null),
      interval: latest ? intervalText(latest.summary) : MISSING,
      cost: formatMoney(latest?.summary.cost_per_trial_usd ?? null),
      change: change(latest, previous),
    };
    return [row, ...caseRows(results, trendWidth)];
  });
  return table(rows, [
    { header: 'Scenario', priority: 10, min: 24, cell: ({ name }) => name },
    { header: 'Trend', priority: 6, cell: ({ trend: text = '' }) => ({ text, tone: 'cyan' }) },
    figure('Rate', 9, ({ rate = '' }) => rate),
    figure('95% CI', 5, ({ interval: text = '' }) => ({ text, tone: 'dim' })),
    figure('Per trial', 4, ({ cost: text = '' }) => ({ text, tone: 'dim' })),
    { header: 'Change', priority: 8, cell: ({ change: text = '' }) => text },
  ]);
}

const MOST_CASES = 10;

/** A row for each case that does not pass now, or did not in the run before. */
function caseRows(results: readonly Result[], trendWidth: number): Row[] {
  const [latest, previous] = results;
  if (!latest) return [];
  const isOpen = (result: Result | undefined, name: string) => {
    const verdict = result?.summary.cases.find((each) => each.case === name)?.verdict;
    return verdict !== undefined && isCounted({ verdict }) && !isGreen({ verdict });
  };
  const names = latest.summary.cases.map((each) => each.case);
  const open = names.filter((name) => isOpen(latest, name) || isOpen(previous, name));
  const rows = open.slice(0, MOST_CASES).map((name): Row => {
    const rates = results.slice(0, trendWidth).map((result) => caseRate(result, name));
    const [now = null, before] = rates;
    return {
      name: { text: `  ${safeLine(name, 56)}`, own: true },
      trend: sparkline(rates.toReversed()),
      rate: formatPercent(now),
      change: { text: caseChange(now, before ?? null), tone: 'dim' },
    };
  });
  const rest = open.length - rows.length;
  return rest > 0 ? [...rows, { name: { text: `  and ${rest} more cases`, tone: 'dim', own: true } }] : rows;
}

function caseRate({ summary }: Result, name: string): number | null {
  const found = summary.cases.find((each) => each.case === name);
  return found && found.trials_scored > 0 ? found.trials_passed / found.trials_scored : null;
}

function caseChange(now: number | null, before: number | null): string {
  if (now === null || before === null) return '';
  if (now === before) return 'same';
  return changeInPoints(now, before);
}

/** `↑ +12 points` */
function changeInPoints(now: number, before: number): string {
  return `${now > before ? '↑' : '↓'} ${formatDifference(now - before)}`;
}

/** Newest first, as the runs are. All models of a scenario follow each other. */
function resultsByEntry(runs: readonly RunListing[]): Result[][] {
  const results = runs.flatMap(({ scenarios }) =>
    scenarios.flatMap(({ summary, ...entry }): Result[] => (summary === null ? [] : [{ ...entry, summary }])),
  );
  return [...Map.groupBy(results, scenarioKey).values()].flatMap((same) => [...Map.groupBy(same, entryKey).values()]);
}

/** Names, with the model where there are several of the same name, and the file where that does not tell them apart. */
function entryTitles(entries: readonly Result[]): string[] {
  const titles = scenarioTitles(entries);
  const sameTitle = Map.groupBy(titles, (title) => title);
  return titles.map((title, index) =>
    sameTitle.get(title)?.length === 1 ? title : `${title} (${entries[index]?.file ?? ''})`,
  );
}

function change(latest: Result | undefined, previous: Result | undefined): Text {
  if (!latest || !previous) return { text: 'first run', tone: 'dim' };
  const [rate, before] = [latest.summary.pass_rate, previous.summary.pass_rate];
  const [interval, intervalBefore] = [latest.summary.pass_rate_ci, previous.summary.pass_rate_ci];
  if (rate === null || before === null) return { text: 'not scored in both', tone: 'dim' };
  const edited = latest.scenario_hash === previous.scenario_hash ? '' : ', edited';
  if (rate === before) return { text: `same${edited}`, tone: 'dim' };
  const points = changeInPoints(rate, before);
  // A run of some cases only, after --failed or --grep, says nothing about the others.
  if (latest.summary.cases.length !== previous.summary.cases.length) {
    return { text: `${points}, other cases${edited}`, tone: 'dim' };
  }
  const oneDraw = latest.summary.identical_trials || previous.summary.identical_trials;
  // The interval of trials that are one draw does not hold, so nothing can be said about noise.
  if (oneDraw || interval === null || intervalBefore === null) return `${points}, one draw${edited}`;
  const overlap = interval[0] <= intervalBefore[1] && intervalBefore[0] <= interval[1];
  const text = `${points}${overlap ? ', within noise' : ''}${edited}`;
  if (overlap) return { text, tone: 'dim' };
  return { text, tone: rate > before ? 'green' : 'red' };
}
