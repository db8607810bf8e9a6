import type { ScenarioSummary } from '../../run/record/run-document.ts';
import { formatCount, formatInterval, formatPercent, formatPlural, twoDigits } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';

type JudgeSummary = ScenarioSummary['judges'][number];

/** The results of each judge of a scenario over its trials, in parts that are safe to print. */
export function judgeSummaries({ judges }: Pick<ScenarioSummary, 'judges'>): string[][] {
  return judges.map((judge) => [
    `${nameOf(judge)}: ${passed(judge)}`,
    ...unseen(judge),
    ...recalibration(judge),
    ...calibration(judge),
    ...otherCorrection(judge),
    ...unusedLabels(judge),
    ...votes(judge),
    ...panel(judge),
  ]);
}

/** What the short report says of judges: what they did not see, and of those that were compared with people, the result. */
export function judgeRemarks({ judges }: Pick<ScenarioSummary, 'judges'>): string[][] {
  return judges.flatMap((judge) => {
    const isCompared = judge.calibrated === true || judge.corrected_by !== undefined;
    const remarks = [
      ...unseen(judge),
      ...recalibration(judge),
      ...(isCompared ? calibration(judge) : []),
      ...unusedLabels(judge),
    ];
    return remarks.length === 0 ? [] : [[`${nameOf(judge)}: ${passed(judge)}`, ...remarks]];
  });
}

function nameOf({ assertion_id }: JudgeSummary): string {
  const id = safeLine(assertion_id, 40);
  return id.includes('judge') ? id : `${id} (judge)`;
}

function passed({ judge_model, pass_rate, trials_judged }: JudgeSummary): string {
  const trials = formatPlural(trials_judged, 'trial');
  return `${safeLine(judge_model, 60)} passed ${pass_rate === null ? 'none' : formatPercent(pass_rate)} of ${trials}`;
}

/** What the judge did not see is said even if everything passed: nobody else would look for it. */
function unseen({ trials_cut = 0, trials_in_parts = 0 }: JudgeSummary): string[] {
  return [
    ...(trials_cut > 0 ? [`did not see all of ${formatPlural(trials_cut, 'trial')}`] : []),
    ...(trials_in_parts > 0 ? [`${formatPlural(trials_in_parts, 'trial')} in parts`] : []),
  ];
}

function recalibration({ recalibration: used }: JudgeSummary): string[] {
  if (!used) return [];
  const name = used.method === 'platt' ? 'Platt scaling' : 'isotonic regression';
  const changed = `${formatPlural(used.verdicts_changed, 'verdict')} changed by it`;
  return [`recalibrated by ${name} on ${formatPlural(used.answers, 'labelled answer')}, ${changed}`];
}

function calibration(judge: JudgeSummary): string[] {
  const { calibrated, calibration_verdict: verdict, calibration_note: note, corrected_pass_rate, corrected_ci } = judge;
  if (calibrated === false && corrected_pass_rate === null) {
    return [note === null ? 'never calibrated' : `not calibrated (${safeLine(note, 200)})`];
  }
  const interval = corrected_ci === null ? '' : ` (${formatInterval(corrected_ci)})`;
  return [
    ...(corrected_pass_rate === null ? [] : [`people would pass ${formatPercent(corrected_pass_rate)}${interval}`]),
    ...(judge.corrected_by?.method === 'error_rates'
      ? [`by its error rates on ${formatPlural(judge.corrected_by.labels, 'label')}`]
      : []),
    ...(verdict === null || verdict === 'usable' ? [] : [calibratedAs(verdict)]),
    ...(note === null ? [] : [safeLine(note, 300)]),
  ];
}

/** What its calibration would have said, where labels of the run's own trials decided. */
function otherCorrection({ corrected_by_error_rates: other }: JudgeSummary): string[] {
  if (!other) return [];
  return [`by its error rates ${formatPercent(other.rate)} (${formatInterval(other.interval)})`];
}

function unusedLabels({ labels_note: note }: JudgeSummary): string[] {
  return note === undefined ? [] : [safeLine(note, 200)];
}

function calibratedAs(verdict: NonNullable<JudgeSummary['calibration_verdict']>): string {
  return verdict === 'too few labels' ? 'calibrated with too few labels' : `calibrated as ${verdict}`;
}

function votes(judge: JudgeSummary): string[] {
  const { votes_cast, votes_saved, votes_cached, votes_repaired, retries, dissent_rate } = judge;
  return [
    formatPlural(votes_cast, 'vote'),
    ...(dissent_rate === null ? [] : [`${formatPercent(dissent_rate)} dissented`]),
    ...(votes_cached > 0 ? [`${formatCount(votes_cached)} from the cache`] : []),
    ...(votes_saved > 0 ? [`${formatCount(votes_saved)} saved`] : []),
    ...(votes_repaired > 0 ? [`${formatCount(votes_repaired)} asked again`] : []),
    ...(retries > 0 ? [formatPlural(retries, 'retry')] : []),
  ];
}

function panel({ krippendorff_alpha: alpha, pairwise_kappa }: JudgeSummary): string[] {
  const kappas = pairwise_kappa.flatMap(({ a, b, kappa }) =>
    kappa === null ? [] : [`${safeLine(a, 30)} and ${safeLine(b, 30)} kappa ${twoDigits(kappa)}`],
  );
  return [...(alpha === null ? [] : [`alpha ${twoDigits(alpha)}`]), ...kappas];
}
