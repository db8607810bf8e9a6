import type { ComparedScenario, RunComparison } from '../../run/compare/compare-runs.ts';
import type { Conclusion } from '../../run/compare/comparison.ts';
import { formatP, formatPercent, formatPoints, formatPointsInterval } from '../../stats/format.ts';
import { type Block, figure, type ReportDocument, type Tone, table } from '../document/document.ts';
import { toMarkdown } from '../document/markdown.ts';
import { toTerminal } from '../document/terminal.ts';
import type { Look } from '../terminal/look.ts';
import {
  CONCLUSION_WORDS,
  listed,
  overallSentence,
  runWords,
  scenarioLabels,
  togetherLabel,
  togetherSentence,
} from './compare-words.ts';
import { comparisonNotes } from './comparison-notes.ts';

const SIGNS: Record<Conclusion, { symbol: string; tone?: Tone }> = {
  worse: { symbol: '✖', tone: 'red' },
  better: { symbol: '✔', tone: 'green' },
  no_evidence: { symbol: '·' },
  too_few_trials: { symbol: '○', tone: 'yellow' },
  not_comparable: { symbol: '◌', tone: 'yellow' },
};
const MOST_EXPLAINED = 20;

export function renderComparison(comparison: RunComparison, look: Look): string {
  return toTerminal(comparisonReport(comparison), look);
}

export function comparisonMarkdown(comparison: RunComparison): string {
  return toMarkdown(comparisonReport(comparison), '###');
}

/** A comparison of two runs. The short one leaves out the sentences that say what the table says. */
export function comparisonReport(
  comparison: RunComparison,
  { full }: { full: boolean } = { full: true },
): ReportDocument {
  const { scenarios, together, conclusion, agent_differences } = comparison;
  const labelOf = scenarioLabels(scenarios);
  const { common, explained, rest } = comparisonNotes(comparison);
  const overall = overallSentence(comparison);
  const { symbol, tone } = SIGNS[conclusion];
  return [
    { heading: `${symbol} ${overall}`, lines: [], only: 'print' },
    {
      lines: [
        `Base ${runWords(comparison.base)}, new ${runWords(comparison.next)}`,
        ...common.map((text) => `In all scenarios, ${text}.`),
        ...listed('Changed', agent_differences),
      ],
    },
    comparisonTable(comparison),
    ...explained
      .slice(0, MOST_EXPLAINED)
      .map(({ scenario, sentence, remarks }) => entry(labelOf(scenario), full ? [sentence] : [], remarks)),
    { lines: full ? rest : [] },
    ...(together && full ? [entry(togetherLabel(together), [togetherSentence(together)], [])] : []),
    { lines: full ? [{ text: overall, tone }] : [], only: 'terminal' },
  ];
}

/** A row for each scenario, and one for all together if there is one. */
function comparisonTable({ scenarios, together }: RunComparison): Block {
  const labelOf = scenarioLabels(scenarios);
  const rows = scenarios.map((each) => row(each, labelOf(each), each.base.pass_rate, each.next.pass_rate));
  const all = together
    ? [row(together, togetherLabel(together), together.base_pass_rate, together.next_pass_rate)]
    : [];
  return table(scenarios.length === 0 ? [] : [...rows, ...all], [
    { header: '', priority: 9, cell: ({ symbol: text, tone }) => ({ text, tone }) },
    { header: 'Scenario', priority: 10, min: 16, cell: ({ label: text }) => ({ text, tone: 'bold' }) },
    figure('Base', 6, ({ base }) => formatPercent(base)),
    figure('New', 7, ({ next }) => formatPercent(next)),
    figure('Points', 8, ({ difference, tone }) => ({ text: formatPoints(difference?.value ?? null), tone })),
    figure('95% CI', 5, ({ difference }) => ({
      text: formatPointsInterval(difference?.interval ?? null),
      tone: 'dim',
    })),
    figure('p (Holm)', 4, ({ p_holm }) => formatP(p_holm)),
    { header: '', priority: 7.5, cell: ({ conclusion, tone }) => ({ text: CONCLUSION_WORDS[conclusion], tone }) },
  ]);
}

function row(
  { conclusion, difference, p_holm }: Pick<ComparedScenario, 'conclusion' | 'difference' | 'p_holm'>,
  label: string,
  base: number | null,
  next: number | null,
) {
  return { ...SIGNS[conclusion], conclusion, difference, p_holm, label, base, next };
}

function entry(label: string, sentences: readonly string[], remarks: readonly string[]): Block {
  const items = [...sentences.map((text) => ({ text })), ...remarks.map((text) => ({ symbol: '→', text }))];
  return { title: { text: label, tone: 'bold' }, items, isOpen: true };
}
