import { withModels } from '../../models/call/model-caller.ts';
import { type Cost, NO_COST } from '../../stats/cost.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import type { JudgeFacts } from '../judge-facts.ts';
import { judgeFacts } from '../judge-hash.ts';
import { type JudgingOptions, judgementError } from '../judge-items.ts';
import { type Judgement, type JudgeTraceOptions, withDefaults } from '../judge-trace.ts';
import type { StoredVotes } from '../stored-votes.ts';
import { type CalibrationItem, calibrate } from './calibration.ts';
import type { CalibrationRecord, CalibrationReport, Recalibration } from './calibration-record.ts';
import { isBetterThanChance } from './calibration-verdict.ts';
import type { ComparedJudge, JudgedItem } from './compare-with-people.ts';
import { drawWeights } from './draw-trials.ts';
import { chooseAnchors } from './drift/anchors.ts';
import { answerOf, judgeLabels, type LabelledTrace, type NumberedItem, taskOf } from './judge-labels.ts';
import type { SaidItem, SayingJudge } from './recalibrate-items.ts';
import { compareRecordedVerdicts } from './recorded-verdicts.ts';

/** What is stored; the whole list is printed. */
const MOST_DISAGREEMENTS = 100;

/** The judge, as for `judgeTrace`, and the labels. */
export interface CalibrateJudgeOptions
  extends Omit<JudgeTraceOptions, 'trace' | 'criteria' | 'trialNumber' | 'signal'>,
    JudgingOptions {
  items: readonly LabelledTrace[];
  /** The rubric of items that have none of their own. */
  criteria?: JudgeTraceOptions['criteria'] | undefined;
  /** How often every item is judged; once when missing. */
  repeats?: number | undefined;
  /** True: what the judge says is also mapped to what people say, if that is better on answers that it was not fitted on. */
  recalibrate?: boolean | undefined;
  now?: (() => Date) | undefined;
}

export interface CalibrationOutcome extends ComparedJudge {
  /** The judge that was asked; null when none was. */
  judge: Pick<CalibrationRecord, 'judge_adapter' | 'judge_model' | 'k'> | null;
  /** What that judge is; null when it is unknown. */
  facts: JudgeFacts | null;
  /** To be stored; null when it tells too little, or is not about one judge. */
  record: CalibrationRecord | null;
  /** Why it must not be stored. */
  notKept: string | null;
  /** Whether pass rates can be corrected by it. */
  corrects: boolean;
  /** Items that were never judged. */
  notJudged: number;
  judgeCost: Cost;
  /** 0 usable, 1 weak or no better than chance, 3 too few labels, or too little could be scored. */
  exitCode: 0 | 1 | 3;
}

/** Judges labelled traces, and compares the judge's verdicts with those of people. */
export async function calibrateJudge(request: CalibrateJudgeOptions): Promise<CalibrationOutcome> {
  const { now = () => new Date(), seed = 0 } = request;
  const { weights, skipped } = drawWeights(request.items.map((item) => (item.drawn ? [item] : [])));
  const items = request.items.map((item, index) => ({
    ...{ ...item, line: item.line ?? index + 1, weight: item.weight ?? weights[index] },
  }));
  const [rubric = []] = [request.criteria, ...items.map(({ criteria }) => criteria)].filter((each) => !!each);
  return withModels(request.models, async (models) => {
    const defaults = withDefaults({ ...request, criteria: rubric }, models);
    const { judged, cost: judgeCost, refusal } = await judgeLabels(items, defaults, request);
    const said = items.flatMap((item) => {
      const judgements = judged.get(item);
      return judgements
        ? [{ item: calibrationItem(item, judgements), votes: judgements[0]?.metadata.votes ?? [] }]
        : [];
    });
    const criteria = request.criteria ? defaults.criteria : [];
    const compared = await comparedOf(said, {
      ...{ criteria, threshold: defaults.threshold, skipped, seed },
      recalibrated: request.recalibrate ? { ...defaults, earlyStop: request.earlyStop ?? false } : null,
    });
    const judges = [...judged.keys()].map(({ criteria }) => {
      const own = criteria?.map((criterion) => ({ ...criterion, weight: criterion.weight ?? 1 }));
      return judgeFacts({ ...defaults, criteria: own ?? defaults.criteria }, defaults.models);
    });
    const notJudged = items.length - judged.size;
    const notKept = whyNotKept({ ...compared, notJudged, refusal, judges: new Set(judges.map(contentHash)).size });
    const [facts] = judges;
    const judge = {
      judge_adapter: defaults.judges.map(({ adapter }) => adapter).join('+'),
      judge_model: defaults.judges.map(({ model }) => model).join('+'),
      k: defaults.k,
    };
    const outcome = outcomeOf(compared, {
      ...{ notJudged, notKept, judgeCost, judge: facts ? judge : null, facts, now: now() },
    });
    const anchors = outcome.record && chooseAnchors(judged, { ...defaults, scenario: request.scenario });
    return outcome.record && anchors ? { ...outcome, record: { ...outcome.record, anchors } } : outcome;
  });
}

/** With `recalibrated`, the comparison is of the judge after its recalibration, if there is a good one. */
async function comparedOf(
  said: readonly SaidItem[],
  {
    recalibrated: judge,
    ...options
  }: Omit<Parameters<typeof calibrate>[0], 'items'> & { recalibrated: SayingJudge | null },
): Promise<ComparedJudge & { recalibration?: Recalibration }> {
  if (!judge) return calibrate({ ...options, items: said.map(({ item }) => item) });
  const { recalibrateItems } = await import('./recalibrate-items.ts');
  const { items, recalibration, note } = recalibrateItems(said, { ...options, judge });
  const { report, disagreements } = calibrate({ ...options, items });
  return {
    ...{ report: { ...report, notes: [...report.notes, note] }, disagreements },
    ...(recalibration && { recalibration }),
  };
}

/** Compares verdicts that some other judge has given with those of people. No model is called, nothing is stored. */
export function calibrateRecorded(
  items: readonly JudgedItem[],
  options: { threshold: number; skipped?: number | undefined; seed?: number | undefined } & Partial<
    Pick<CalibrationOutcome, 'notKept' | 'notJudged' | 'judgeCost'>
  >,
): CalibrationOutcome {
  const { notJudged, judgeCost } = options;
  const { notKept = 'the verdicts are those of another judge, which Salvo did not ask' } = options;
  return outcomeOf(compareRecordedVerdicts(items, options), { judge: null, notKept, notJudged, judgeCost });
}

/** A stored judgement of a trace, and what people say of it. */
export interface LabelledJudgement extends LabelledTrace {
  /** The judge's; the score is null if it could not score the trace. */
  judged: Pick<Judgement, 'score' | 'passed'>;
  votes: StoredVotes;
}

/**
 * Compares stored judgements of one judge with people. No model is called. `judge` has the facts about the judge; null
 * when it cannot be told which judge it was, or when there are several, for the reason `unknownBecause`.
 */
export async function calibrateStored(
  judgements: readonly LabelledJudgement[],
  options: {
    judge: JudgeFacts | null;
    unknownBecause: string | null;
    /** Trials that were drawn to be labelled, and that people left out. */
    skipped?: number | undefined;
    seed?: number | undefined;
    recalibrate?: boolean | undefined;
    now: Date;
  },
): Promise<CalibrationOutcome> {
  const { judge: facts, unknownBecause, skipped, seed = 0, now } = options;
  const [first] = judgements;
  const said = judgements.map(({ votes, judged, ...item }, index) => ({
    item: calibrationItem({ ...item, line: index + 1, criteria: votes.per_criterion }, [
      { ...judged, passed: votes.recalibration?.passed_before ?? judged.passed, metadata: votes },
    ]),
    votes: votes.votes,
  }));
  const compared = await comparedOf(said, {
    ...{ criteria: [], threshold: first?.votes.threshold ?? 0, skipped, seed },
    recalibrated: options.recalibrate && facts ? { ...facts, earlyStop: facts.early_stop } : null,
  });
  const judge = first
    ? { judge_adapter: first.votes.judge_adapter, judge_model: first.votes.judge_model, k: first.votes.judge_k }
    : null;
  const notKept = unknownBecause ?? whyNotKept({ ...compared, notJudged: 0, refusal: null, judges: 1 });
  return outcomeOf(compared, { notKept, judge, facts, now });
}

/** Without `facts` about the judge, nothing is stored. */
function outcomeOf(
  { report, disagreements, recalibration }: ComparedJudge & { recalibration?: Recalibration },
  known: Pick<CalibrationOutcome, 'judge' | 'notKept'> &
    Partial<Pick<CalibrationOutcome, 'notJudged' | 'judgeCost'>> & {
      facts?: JudgeFacts | null | undefined;
      now?: Date;
    },
): CalibrationOutcome {
  const { judge, notKept, notJudged = 0, judgeCost = NO_COST, facts, now = new Date() } = known;
  const tellsEnough = notJudged === 0 && isEnough(report) && report.verdict !== 'too few labels';
  const record = facts &&
    judge && {
      ...{ judge_hash: contentHash(facts), created_at: now.toISOString(), ...judge, judge: facts },
      ...report,
      ...(recalibration && { recalibration }),
      disagreements: disagreements.slice(0, MOST_DISAGREEMENTS),
    };
  return {
    ...{ report, disagreements, judge, facts: facts ?? null, notKept, notJudged, judgeCost },
    record: (notKept === null && record) || null,
    corrects: [report.overall, ...report.scenarios].some(isBetterThanChance),
    exitCode: !tellsEnough ? 3 : report.verdict === 'usable' ? 0 : 1,
  };
}

/** A judgement, bought now or stored. */
type JudgementVotes = Pick<Judgement, 'score' | 'passed'> & {
  metadata: Pick<StoredVotes, 'per_criterion' | 'panel'> & {
    votes: readonly Pick<StoredVotes['votes'][number], 'scores' | 'raw_text' | 'error'>[];
  };
};

type WeighedItem = Omit<NumberedItem, 'criteria'> & {
  criteria?: readonly { name: string; weight?: number | undefined }[] | null | undefined;
};

function calibrationItem(
  { criteria, trace, ...item }: WeighedItem,
  judgements: readonly JudgementVotes[],
): CalibrationItem {
  const [first] = judgements;
  const cast = judgements.map(({ metadata }) => metadata.votes);
  return {
    ...item,
    task: taskOf(trace),
    response: trace.final_content,
    answer: answerOf(trace),
    criteria: criteria?.map(({ name, weight = 1 }) => ({ name, weight })),
    votes: cast.map((votes) => votes.map(({ scores }) => scores)),
    // A call that failed has no answer; an answer that can't be read is kept as text.
    failedCalls: cast.flat().filter(({ scores, raw_text }) => scores === null && raw_text === null).length,
    outcome: first && first.score !== null ? { score: first.score, passed: first.passed } : null,
    said: first?.metadata.per_criterion,
    panel: first?.metadata.panel?.judges.map((judge) => ({ judge: judge.judge_model, passed: judge.passed })),
    error: first ? judgementError(first) : null,
  };
}

/** At least half of the items: those that a judge cannot score may well be the difficult ones. */
function isEnough({ items, scored }: CalibrationReport): boolean {
  return scored > 0 && scored * 2 >= items;
}

function whyNotKept(found: {
  report: CalibrationReport;
  notJudged: number;
  refusal: string | null;
  judges: number;
}): string | null {
  if (found.notJudged > 0) {
    const why = found.refusal === null ? '' : `: ${found.refusal.replace('another trial', 'another item')}`;
    return `it is not complete${why}`;
  }
  if (!isEnough(found.report)) return 'too few items could be scored';
  return found.judges > 1 ? 'the labels have different rubrics, and a calibration is about one' : null;
}
