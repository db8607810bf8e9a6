import type { ScenarioSummary } from '../run/run-document.ts';
import { formatCount, formatInterval, formatPercent, formatPlural } from './format.ts';
import { safeLine } from './safe-text.ts';

type JudgeSummary = ScenarioSummary['judges'][number];

/** What each judge of a scenario made of its trials, a line each. Safe to print; not yet wrapped. */
export function judgeSummaryLines({ judges }: Pick<ScenarioSummary, 'judges'>): string[] {
  return judges.map((judge) => {
    const id = judge.assertion_id.includes('judge')
      ? safeLine(judge.assertion_id, 60)
      : `${safeLine(judge.assertion_id, 60)} (judge)`;
    return `${id}: ${[...verdicts(judge), ...votes(judge), ...panel(judge)].join(' · ')}`;
  });
}

function verdicts(judge: JudgeSummary): string[] {
  const { judge_model, pass_rate, trials_judged, calibrated, corrected_pass_rate: corrected, corrected_ci } = judge;
  return [
    `${safeLine(judge_model, 60)} passed ${formatPercent(pass_rate)} of ${formatCount(trials_judged)}`,
    ...(corrected === null
      ? []
      : [`people would pass about ${formatPercent(corrected)} (95% CI ${formatInterval(corrected_ci)})`]),
    ...(calibrated === false ? ['never calibrated'] : []),
  ];
}

function votes({ votes_cast, votes_saved, votes_cached, dissent_rate }: JudgeSummary): string[] {
  return [
    formatPlural(votes_cast, 'vote'),
    ...(dissent_rate === null ? [] : [`${formatPercent(dissent_rate)} dissented`]),
    ...(votes_cached > 0 ? [`${formatCount(votes_cached)} from the cache`] : []),
    ...(votes_saved > 0 ? [`${formatCount(votes_saved)} saved`] : []),
  ];
}

function panel({ krippendorff_alpha: alpha, pairwise_kappa }: JudgeSummary): string[] {
  const kappas = pairwise_kappa.flatMap(({ a, b, kappa }) =>
    kappa === null ? [] : [`${safeLine(a, 30)} and ${safeLine(b, 30)} kappa ${kappa.toFixed(2)}`],
  );
  return [...(alpha === null ? [] : [`alpha ${alpha.toFixed(2)}`]), ...kappas];
}
