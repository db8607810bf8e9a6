import type { ComparedScenario, RunComparison } from '../../run/compare/compare-runs.ts';
import type { Conclusion } from '../../run/compare/comparison.ts';
import { markdownTable, markdownText } from '../markdown-text.ts';
import { formatPercent, formatPlural, MISSING } from '../terminal/format.ts';
import {
  CONCLUSION_WORDS,
  overallSentence,
  points,
  runWords,
  scenarioLabels,
  togetherLabel,
  togetherSentence,
} from './compare-words.ts';
import { comparisonNotes } from './comparison-notes.ts';

const ICONS: Record<Conclusion, string> = {
  worse: '❌',
  better: '✅',
  no_evidence: '➖',
  too_few_trials: '❔',
  not_comparable: '⚠️',
};
/** A pull request's comment may have 65,536 characters. */
const MOST_ROWS = 100;
const MOST_EXPLAINED = 20;
const LONGEST_TEXT = 1000;

/** A comparison of two runs as GitHub-flavoured Markdown. */
export function comparisonMarkdown(comparison: RunComparison): string {
  const { scenarios, conclusion, together } = comparison;
  const labelOf = scenarioLabels(scenarios);
  const rows = scenarios
    .slice(0, MOST_ROWS)
    .map((each) => row({ ...each, base: each.base.pass_rate, next: each.next.pass_rate }, labelOf(each)));
  const ofAll = together
    ? [row({ ...together, base: together.base_pass_rate, next: together.next_pass_rate }, togetherLabel(together))]
    : [];
  const { common, explained, rest } = comparisonNotes(comparison);
  const left = scenarios.length - rows.length;
  return [
    `### ${ICONS[conclusion]} ${overallSentence(comparison)}`,
    '',
    markdownText(`Base ${runWords(comparison.base)}, new ${runWords(comparison.next)}`),
    ...common.flatMap((text) => ['', markdownText(`In all scenarios, ${text}.`, LONGEST_TEXT)]),
    '',
    ...markdownTable(
      ['', 'Scenario', 'Base', 'New', 'Points', '95% CI', 'p (Holm)', ''],
      [...rows, ...ofAll],
      'llrrrrrl',
    ),
    ...(left > 0 ? ['', `_${formatPlural(left, 'more scenario')} left out._`] : []),
    ...explained
      .slice(0, MOST_EXPLAINED)
      .flatMap(({ scenario, sentence, remarks }) => [
        '',
        `**${markdownText(labelOf(scenario), 200)}**: ${markdownText(sentence, LONGEST_TEXT)}`,
        ...remarks.map((remark) => `- ${markdownText(remark, LONGEST_TEXT)}`),
      ]),
    ...rest.flatMap((sentence) => ['', markdownText(sentence, LONGEST_TEXT)]),
    ...(together ? ['', `**${togetherLabel(together)}**: ${togetherSentence(together)}`] : []),
    '',
  ].join('\n');
}

function row(
  found: Pick<ComparedScenario, 'conclusion' | 'difference' | 'p_holm'> & { base: number | null; next: number | null },
  label: string,
): string[] {
  const { conclusion, base, next, difference, p_holm } = found;
  const interval = difference?.interval;
  return [
    ICONS[conclusion],
    markdownText(label, 200),
    formatPercent(base),
    formatPercent(next),
    difference ? points(difference.value) : MISSING,
    interval ? `${points(interval[0])} to ${points(interval[1])}` : MISSING,
    p_holm === null ? MISSING : p_holm < 0.0001 ? '&lt;0.0001' : p_holm.toFixed(4),
    CONCLUSION_WORDS[conclusion],
  ];
}
