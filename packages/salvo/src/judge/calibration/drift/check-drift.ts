import type { ModelCaller } from '../../../models/call/model-caller.ts';
import { type Cost, NO_COST } from '../../../stats/cost.ts';
import { formatPlural, pEquation, signedTwoDigits, twoDigits, twoDigitsInterval } from '../../../stats/format.ts';
import { seededRandom } from '../../../stats/seeded-random.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { judgeCostFields } from '../../../trace/cost-fields.ts';
import { type JudgingOptions, judgementError } from '../../judge-items.ts';
import { type Judgement, withDefaults } from '../../judge-trace.ts';
import type { JudgedScenario } from '../../prompt/context.ts';
import type { JudgeSettings } from '../../votes/cast-vote.ts';
import type { CalibrationRecord } from '../calibration-record.ts';
import { judgeLabels, type NumberedItem } from '../judge-labels.ts';
import { ANCHORS_VERSION, MOST_CALLS, scenarioHash, shownHash } from './anchors.ts';
import type { Anchor } from './anchors-schema.ts';
import type { DriftCheck } from './drift-check.ts';
import { type ComparedVote, type DriftOutcome, driftOutcome } from './drift-outcome.ts';

/** With fewer anchors nothing is said. */
const FEWEST_ANCHORS = 5;
/** Other than that of the votes that were cast, so that a provider that repeats a seed gives a new vote. */
const SEED = 7919;

/**
 * Judges the anchors of a calibration again, with one vote of each judge and at most 20 calls. Votes vary, so those of a
 * chat model are tested; those of a decision model are compared, with a tolerance. Cached votes are not used.
 */
export async function checkDrift(
  record: CalibrationRecord,
  options: JudgingOptions & {
    settings: JudgeSettings;
    models: ModelCaller;
    /** Scenarios that the judge may have been calibrated with. */
    scenarios: readonly JudgedScenario[];
  },
): Promise<DriftCheck> {
  const { settings, scenarios, models, ...judging } = options;
  const { anchors } = record;
  const context = scenarios.find((each) => scenarioHash(each) === anchors?.scenario);
  const usable = anchors?.items.filter(({ sha256, trace }) => shownHash(trace) === sha256) ?? [];
  const refusal = whyNot(record, { usable: usable.length, isKnown: anchors?.scenario === null || !!context });
  if (refusal !== null) return document(record, { outcome: 'unchecked', why: refusal });
  const counted = countedCalls(models);
  const items = usable.map((anchor, index) => ({ ...numbered(anchor, index), anchor }));
  const defaults = withDefaults({ ...settings, k: 1, cache: null, scenario: context }, counted.models);
  const { judged, cost, refusal: budget } = await judgeLabels(items, defaults, { ...judging, seed: SEED });
  const votes = items.map((item) => comparedVotes(item.anchor, judged.get(item)?.[0], settings));
  const compared = votes.filter(({ length }) => length > 0).length;
  const found = { calls: counted.calls(), compared, cost };
  if (compared < FEWEST_ANCHORS) {
    const errors = [...judged.values()].flatMap(([first]) => (first && judgementError(first)) ?? []);
    const why = budget ?? errors[0] ?? 'it was stopped';
    return document(record, { outcome: 'unchecked', why: `${compared} anchors were judged: ${why}`, ...found });
  }
  const random = seededRandom('drift', record.judge_hash);
  return document(record, { ...driftOutcome(votes.flat(), random), ...found });
}

/** Of a judge that has no calibration to compare with. */
export function neverChecked(judgeHash: string, why: string): DriftCheck {
  return document({ judge_hash: judgeHash }, { outcome: 'unchecked', why });
}

function whyNot(
  { anchors }: CalibrationRecord,
  { usable, isKnown }: { usable: number; isKnown: boolean },
): string | null {
  if (!anchors || anchors.items.length === 0) {
    return 'its calibration has no anchors: calibrate again by a file of labels';
  }
  if (anchors.version !== ANCHORS_VERSION) {
    return 'its anchors are of another version of Salvo: calibrate again';
  }
  if (!isKnown) return 'the scenario that it was calibrated with has changed, or is not in this run: calibrate again';
  if (usable >= FEWEST_ANCHORS) return null;
  return `only ${usable} of ${formatPlural(anchors.items.length, 'anchor')} can be judged again: secrets or texts are not stored`;
}

/** What each judge said of an anchor then, and says now. */
function comparedVotes(anchor: Anchor, judgement: Judgement | undefined, { judges }: JudgeSettings): ComparedVote[] {
  return (judgement?.metadata.votes ?? []).flatMap(({ vote_number, score, probability: now }): ComparedVote[] => {
    const then = anchor.votes.find(({ judge }) => judge === vote_number - 1);
    if (!then || then.scores.length === 0 || score === null) return [];
    const { scores, probabilities: earlier } = then;
    return [
      {
        isDecision: judges[then.judge]?.mode === 'decide',
        scores: { earlier: scores, now: score },
        probabilities: earlier && now !== undefined ? { earlier, now } : null,
      },
    ];
  });
}

function numbered({ trace }: Anchor, index: number): NumberedItem {
  return { trace, line: index + 1, labels: null, passed: null };
}

/** The same caller, which refuses more calls than a check may make. */
function countedCalls(models: ModelCaller): { models: ModelCaller; calls: () => number } {
  let calls = 0;
  const call: ModelCaller['call'] = async (asked) => {
    if (calls >= MOST_CALLS) throw new SalvoError('BUDGET_SPENT', `a check makes ${MOST_CALLS} calls at most`);
    calls += 1;
    return await models.call(asked);
  };
  return { models: { ...models, call }, calls: () => calls };
}

function document(
  record: Pick<CalibrationRecord, 'judge_hash'> & Partial<CalibrationRecord>,
  found: DriftOutcome & { calls?: number; compared?: number; cost?: Cost },
): DriftCheck {
  const { outcome, test, p = null, calls = 0, compared = 0, cost = NO_COST } = found;
  const check = {
    judge_hash: record.judge_hash,
    outcome,
    calibrated_at: record.created_at ?? null,
    anchors: record.anchors?.items.length ?? 0,
    ...{ compared, calls },
    shift: test?.shift ?? null,
    shift_ci: test?.interval ?? null,
    change: test?.change ?? null,
    p,
    ...judgeCostFields(cost),
  };
  return { ...check, sentence: sentenceOf(check, found.why) };
}

function sentenceOf(check: Omit<DriftCheck, 'sentence'>, why = ''): string {
  if (check.outcome === 'unchecked') return `could not be checked for changes: ${safeLine(why, 300)}`;
  const { shift, shift_ci, change, p } = check;
  const figures = [
    `mean shift ${signedTwoDigits(shift)} (95% CI ${twoDigitsInterval(shift_ci)})`,
    `mean change ${twoDigits(change)}`,
    ...(p === null ? [] : [pEquation(p)]),
  ].join(', ');
  const since = `on ${formatPlural(check.compared, 'anchor')} since its calibration of ${check.calibrated_at?.slice(0, 10)}`;
  return check.outcome === 'changed'
    ? `CHANGED ${since}: ${figures}. Its calibration is not used; calibrate again`
    : `no change shown ${since}: ${figures}`;
}
