import type { ScenarioSummary } from '../../run/record/run-document.ts';
import {
  formatCost,
  formatCount,
  formatInterval,
  formatMoney,
  formatPercent,
  formatPlural,
  twoDigits,
} from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { judgeCost } from '../../trace/cost-fields.ts';

type JudgeSummary = ScenarioSummary['judges'][number];

/** The results of each judge of a scenario over its trials, in parts that are safe to print. */
export function judgeSummaries({ judges }: Pick<ScenarioSummary, 'judges'>): string[][] {
  return judges.map((judge) => [
    `${nameOf(judge)}: ${passed(judge)}`,
    ...preferences(judge),
    ...unseen(judge),
    ...cascade(judge),
    ...drift(judge),
    ...(judge.pairwise ? [] : calibration(judge)),
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
      ...preferences(judge),
      ...unseen(judge),
      ...cascade(judge),
      ...drift(judge),
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

/** Of a judge that compares two answers: how often this one was preferred, and what the order had to do with it. */
function preferences({ pairwise }: JudgeSummary): string[] {
  if (!pairwise) return [];
  const { wins, order } = preferenceParts(pairwise);
  return [...wins, ...order];
}

/** The figures of pairwise judgements: how often an answer was preferred, and what the order had to do with it. */
export function preferenceParts(pairwise: NonNullable<JudgeSummary['pairwise']>): { wins: string[]; order: string[] } {
  const { wins, ties, losses, win_rate, win_rate_ci, tie_rate, tie_rate_ci, changed_rate, changed_rate_ci, identical } =
    pairwise;
  const share = (rate: number, interval: readonly [number, number] | null) =>
    `${formatPercent(rate)}${interval ? ` (${formatInterval(interval)})` : ''}`;
  return {
    wins:
      win_rate === null || tie_rate === null
        ? []
        : [
            `win rate ${share(win_rate, win_rate_ci)}${preferred(win_rate_ci)}`,
            `${wins} won, ${losses} lost, ${ties} tied: ${share(tie_rate, tie_rate_ci)}`,
          ],
    order: [
      ...(changed_rate === null
        ? []
        : [
            `${share(changed_rate, changed_rate_ci)} of preferences changed with the order${biasWords(pairwise.first_preferred_by, pairwise.first_preferred_by_ci)}`,
          ]),
      ...(identical > 0 ? [`${formatPlural(identical, 'answer')} the same as the other`] : []),
    ],
  };
}

/** Nothing is said that the interval does not say. */
function preferred(interval: readonly [number, number] | null): string {
  if (interval === null) return '';
  if (interval[0] > 0.5) return ', preferred';
  return interval[1] < 0.5 ? ', not preferred' : ', undecided';
}

/** How far the answer that was shown first is favoured; empty if the interval contains 0. */
export function biasWords(by: number | null, interval: readonly [number, number] | null): string {
  if (by === null || interval === null || (interval[0] <= 0 && interval[1] >= 0)) return '';
  const points = interval.map((value) => Math.round(Math.abs(value) * 100)).toSorted((a, b) => a - b);
  return `: it favours the ${by > 0 ? 'first' : 'second'} answer by ${Math.round(Math.abs(by) * 100)} points (${points.join(' to ')})`;
}

/** What the judge did not see is said even if everything passed: nobody else would look for it. */
function unseen({ trials_cut = 0, trials_in_parts = 0 }: JudgeSummary): string[] {
  return [
    ...(trials_cut > 0 ? [`did not see all of ${formatPlural(trials_cut, 'trial')}`] : []),
    ...(trials_in_parts > 0 ? [`${formatPlural(trials_in_parts, 'trial')} in parts`] : []),
  ];
}

function drift({ drift: check }: JudgeSummary): string[] {
  if (!check) return [];
  const cost = check.calls === 0 ? '' : ` (${formatPlural(check.calls, 'call')}, ${formatCost(judgeCost(check))})`;
  return [`${safeLine(check.sentence, 500)}${cost}`];
}

/** How many trials each stage of a cascade decided, at what cost, and who decides the rest. */
function cascade({ cascade: found }: JudgeSummary): string[] {
  if (!found) return [];
  const { stages, people, undecided, cost_usd, last_alone_usd } = found;
  const stageWords = stages.map(({ judge_model, asked, decided, unscored, cost_usd: usd }, index) => {
    const lost = unscored > 0 ? `, no verdict on ${formatCount(unscored)}` : '';
    return `stage ${index + 1} (${safeLine(judge_model, 40)}) decided ${formatCount(decided)} of ${formatCount(asked)}${lost} for ${formatMoney(usd)}`;
  });
  const waiting = people?.waiting ?? 0;
  const open = undecided - waiting;
  return [
    ...stageWords,
    ...(people && people.decided > 0 ? [`people decided ${formatCount(people.decided)}`] : []),
    ...(waiting > 0 ? [`${formatPlural(waiting, 'trial')} waiting for labels of people (salvo view, Labels)`] : []),
    ...(open > 0 ? [`${formatPlural(open, 'trial')} decided by nobody`] : []),
    ...(last_alone_usd === null || cost_usd === null || stages.length < 2
      ? []
      : [
          `${formatMoney(cost_usd)} in all, where stage ${stages.length} alone would have cost about ${formatMoney(last_alone_usd)}`,
        ]),
  ];
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
