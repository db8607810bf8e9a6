import {
  formatCount,
  formatInterval,
  formatMoney,
  formatPercent,
  formatPlural,
  signedTwoDigits,
  twoDigitsInterval,
} from '../../stats/format.ts';
import type { CalibratedStage, CascadeCalibration, TestedCascade } from './cascade-calibration.ts';

type Found = Omit<CascadeCalibration, 'sentences' | 'exit_code'>;

/** What a busy person should know, and the exit code. No sentence says more than its interval. */
export function cascadeSentences(found: Found): Pick<CascadeCalibration, 'sentences' | 'exit_code'> {
  const { cascade, stages, yaml, goal } = found;
  const last = stages.at(-1);
  if (!cascade || !last) return notReached(found);
  const outcome = outcomeOf(cascade, goal);
  const left = stages.filter(({ sure }) => sure === 'none').map(({ name }) => `"${name}"`);
  if (yaml === null) {
    const why = `No cascade is worth it: ${left.join(', ')} would cost more than it saves, or is never sure enough. Use "${last.name}" alone.`;
    return { sentences: [why], exit_code: 1 };
  }
  const sentences = [
    `${OPENINGS[outcome]}: ${figures(cascade)}${costWords(cascade, last)}.`,
    besideLast(cascade, last),
    ...(left.length > 0 ? [`${left.join(', ')} is left out: it costs more than it saves.`] : []),
    undecidedWords(found, cascade),
    ...(outcome === 'likely' || outcome === 'doubtful'
      ? [`More labels would tell whether it reaches ${formatPercent(goal.agreement ?? 0)} for certain.`]
      : []),
  ].filter((each) => each !== null);
  return { sentences, exit_code: outcome === 'missed' ? 1 : outcome === 'doubtful' ? 3 : 0 };
}

type Outcome = 'met' | 'likely' | 'doubtful' | 'missed';

const OPENINGS: Record<Outcome, string> = {
  met: 'Use the cascade below',
  likely: 'The cascade below probably reaches the goal',
  doubtful: 'Not confirmed',
  missed: 'Do not use it',
};

/** What the labels say that it was not chosen by. */
function outcomeOf({ agreement, cost_usd_per_verdict: usd }: TestedCascade, goal: Found['goal']): Outcome {
  if (goal.agreement === undefined) return (usd ?? 0) <= (goal.cost_usd ?? 0) ? 'met' : 'missed';
  const { rate, ci } = agreement;
  if (rate === null || ci === null) return 'doubtful';
  if (ci[0] >= goal.agreement) return 'met';
  if (ci[1] < goal.agreement) return 'missed';
  return rate >= goal.agreement ? 'likely' : 'doubtful';
}

function figures({ agreement }: TestedCascade): string {
  return `it agrees with people in ${formatPercent(agreement.rate)} (95% CI ${formatInterval(agreement.ci)}) of what its judges decide, tested on labels that it was not chosen by`;
}

function costWords({ cost_usd_per_verdict: own }: TestedCascade, { name, alone }: CalibratedStage): string {
  const { cost_usd_per_verdict: other } = alone;
  if (own === null || other === null || other === 0) return '';
  return `, for ${formatMoney(own)} a verdict, ${formatPercent(own / other)} of the cost of "${name}" alone`;
}

/** How it compares with the last judge alone. */
function besideLast({ against_last: { difference, ci, n } }: TestedCascade, { name }: CalibratedStage): string | null {
  if (n === 0) return null;
  const words = `(difference ${signedTwoDigits(difference)}, 95% CI ${twoDigitsInterval(ci)})`;
  if (ci[0] >= -MARGIN)
    return `It agrees with people as well as "${name}" alone, to within ${100 * MARGIN} points ${words}.`;
  if (ci[1] < 0) return `It agrees with people less often than "${name}" alone ${words}.`;
  return `Too few labels to tell whether it agrees with people as well as "${name}" alone ${words}.`;
}

/** Judges whose agreement differs by less than this are as good as each other for most purposes. */
const MARGIN = 0.05;

function undecidedWords({ people }: Found, { undecided: { count, rate, ci } }: TestedCascade): string | null {
  if (count === 0) return null;
  const share = `${formatPercent(rate)} (95% CI ${formatInterval(ci)})`;
  return people ? `People decide the other ${share}.` : `${share} are not decided: no stage gave a verdict.`;
}

function notReached(found: Found): Pick<CascadeCalibration, 'sentences' | 'exit_code'> {
  const { goal, people, stages, labels } = found;
  const last = stages.at(-1);
  if (goal.cost_usd !== undefined || goal.agreement === undefined || !last) {
    const unknown = stages.filter(({ alone }) => alone.cost_usd_per_verdict === null).map(({ name }) => `"${name}"`);
    const why =
      unknown.length > 0
        ? `The cost of ${unknown.join(', ')} is unknown: give its price under prices: in salvo.yaml.`
        : `No choice of "sure" costs as little as ${formatMoney(goal.cost_usd ?? 0)} a verdict.`;
    return { sentences: [why], exit_code: 1 };
  }
  const stated = formatPercent(goal.agreement);
  const needed = labelsNeeded(goal.agreement);
  if (people) {
    const few = `Too few labels to show that its judges agree with people in ${stated} of what they are sure of: "sure" is chosen on one half of ${formatPlural(labels.answers, 'labelled answer')}, and tested on the other.`;
    return { sentences: [few, 'Label more answers, or state a lower agreement.'], exit_code: 3 };
  }
  const { rate, ci } = last.alone.agreement;
  const alone = `"${last.name}" alone agrees with people in ${formatPercent(rate)} (95% CI ${formatInterval(ci)})`;
  if ((ci?.[1] ?? 1) < goal.agreement) {
    const advice = 'State a lower agreement, end the cascade with {people: true}, or take a better last judge.';
    return { sentences: [`No cascade reaches ${stated}: ${alone}.`, advice], exit_code: 1 };
  }
  const more = Math.max(2 * needed, labels.answers) - labels.answers;
  const advice = `State a lower agreement, or label more answers${more > 0 ? `: at least ${formatCount(more)}` : ''}.`;
  return {
    sentences: [`Too few labels to show that a cascade reaches ${stated}: ${alone}.`, advice],
    exit_code: 3,
  };
}

/** How many answers, all agreeing, show with 95% confidence that at least this share agrees. */
function labelsNeeded(agreement: number): number {
  return agreement >= 1 ? Number.MAX_SAFE_INTEGER : Math.ceil(Math.log(0.05) / Math.log(Math.max(0.01, agreement)));
}
