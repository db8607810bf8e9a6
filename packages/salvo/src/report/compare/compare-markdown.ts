import type { RunComparison } from '../../run/compare/compare-runs.ts';
import type { Conclusion } from '../../run/compare/comparison.ts';
import { formatPlural } from '../../stats/format.ts';
import { markdownTable, markdownText } from '../markdown-text.ts';
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
import { type ComparisonRow, comparisonRows } from './comparison-rows.ts';

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
  const rows = comparisonRows(comparison);
  const { common, explained, rest } = comparisonNotes(comparison);
  const shown = rows.scenarios.slice(0, MOST_ROWS);
  const left = scenarios.length - shown.length;
  return [
    `### ${ICONS[conclusion]} ${overallSentence(comparison)}`,
    '',
    markdownText(`Base ${runWords(comparison.base)}, new ${runWords(comparison.next)}`),
    ...common.flatMap((text) => ['', markdownText(`In all scenarios, ${text}.`, LONGEST_TEXT)]),
    ...listed('Changed', comparison.agent_differences).flatMap((text) => ['', markdownText(text, LONGEST_TEXT)]),
    '',
    ...markdownTable(
      ['', 'Scenario', 'Base', 'New', 'Points', '95% CI', 'p (Holm)', ''],
      [...shown, ...rows.together].map(cells),
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

function cells({ label, conclusion, base, next, change, interval, p }: ComparisonRow): string[] {
  const words = CONCLUSION_WORDS[conclusion];
  return [ICONS[conclusion], markdownText(label, 200), base, next, change, interval, p.replace('<', '&lt;'), words];
}
