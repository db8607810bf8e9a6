import type { EvaluationContext } from '../../evaluators/evaluator.ts';
import { judgeRequest } from '../../evaluators/judge.ts';
import { createBudget } from '../../models/budget.ts';
import { voteCacheOfRepeat } from '../../models/vote-cache.ts';
import { runPool } from '../../queue/run-pool.ts';
import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import type { JudgingEvent } from '../canaries/judging-event.ts';
import { type Judgement, judgeTrace } from '../judge-trace.ts';
import { type CalibrationItem, calibrate } from './calibration.ts';
import type { LabelledItem } from './calibration-labels.ts';
import type { CalibrationRecord, CalibrationReport } from './calibration-record.ts';

type JudgeAssertion = AssertionOf<'judge'>;

export interface CalibrationRequest {
  items: readonly LabelledItem[];
  /** The judge as a scenario would ask for it. Its criteria hold for labels that bring none. */
  assertion: JudgeAssertion;
  context: Omit<EvaluationContext, 'trialNumber' | 'signal' | 'seed'>;
  threshold: number;
  /** How often every item is judged. */
  repeats: number;
  concurrency: number;
  budgetUsd: number | null;
  seed: number;
  /** When aborted, no further item is begun. */
  stop: AbortSignal;
  /** When aborted, the ones under way are given up. */
  abort: AbortSignal;
  now: () => Date;
  onEvent?: ((event: JudgingEvent) => void) | undefined;
}

export interface CalibrationOutcome {
  report: CalibrationReport;
  /** Whose votes these are; null when none was asked. */
  judge: Pick<CalibrationRecord, 'judge_adapter' | 'judge_model' | 'k'> | null;
  /** What is worth keeping; null when it tells too little, or of no judge in particular. */
  record: CalibrationRecord | null;
  /** Why it is not kept. */
  notKept: string | null;
  /** Items that were never judged. */
  notJudged: number;
  judgeCostUsd: number | null;
  /** 0 usable, 1 weak or no better than chance, 3 too little could be scored. */
  exitCode: 0 | 1 | 3;
}

/** Has labelled traces judged, and compares what the judge says with what people said. */
export async function runCalibration(request: CalibrationRequest): Promise<CalibrationOutcome> {
  const { items } = request;
  const { judged, costUsd, refusal } = await judgeAll(request);
  const report = calibrate({
    items: items.flatMap((item) => {
      const judgements = judged.get(item);
      return judgements ? [calibrationItem(item, judgements)] : [];
    }),
    criteria: request.assertion.criteria ?? [],
    threshold: request.threshold,
    seed: request.seed,
  });
  const notJudged = items.length - judged.size;
  const firsts = [...judged.values()].flatMap(([first]) => first ?? []);
  const hashes = new Set(firsts.map(({ metadata }) => metadata.judge_hash));
  const [judge_hash = null] = hashes;
  const judge = firsts[0] ? judgeOf(firsts[0]) : null;
  const notKept = whyNotKept({ report, notJudged, refusal, judges: hashes.size });
  const isKept = notKept === null && judge !== null && judge_hash !== null;
  const tellsEnough = notJudged === 0 && isEnough(report);
  return {
    report,
    judge,
    record: isKept ? { judge_hash, created_at: request.now().toISOString(), ...judge, ...report } : null,
    notKept,
    notJudged,
    judgeCostUsd: costUsd,
    exitCode: !tellsEnough ? 3 : report.verdict === 'usable' ? 0 : 1,
  };
}

interface JudgedItems {
  /** Of each item the judgements of all repeats. */
  judged: Map<LabelledItem, Judgement[]>;
  costUsd: number | null;
  /** Why the budget let no more be judged; null when it did. */
  refusal: string | null;
}

async function judgeAll(request: CalibrationRequest): Promise<JudgedItems> {
  const { abort, repeats, stop, onEvent = () => {} } = request;
  const budget = createBudget(request.budgetUsd);
  const judged: JudgedItems['judged'] = new Map();
  let total: number | null = 0;
  await runPool({
    jobs: request.items,
    concurrency: request.concurrency,
    stop,
    perform: async (item) => {
      const reservation = await budget.reserve(0);
      if (!reservation || stop.aborted) return reservation?.release();
      try {
        onEvent({ type: 'item_started', name: `line ${item.line}` });
        const judgements = await Promise.all(
          Array.from({ length: repeats }, (_, repeat) => judgeItem(item, repeat, request)),
        );
        const costUsd = sumOrUnknown(judgements.map(({ metadata }) => metadata.judge_cost_usd));
        total = sumOrUnknown([total, costUsd]);
        reservation.spend(costUsd);
        const [first] = judgements;
        const passed = first && first.score !== null ? first.passed : null;
        if (abort.aborted && passed === null) return onEvent({ type: 'item_left' });
        judged.set(item, judgements);
        onEvent({ type: 'item_finished', passed, costUsd });
      } finally {
        reservation.release();
      }
    },
  });
  return { judged, costUsd: total, refusal: budget.refusal };
}

function judgeItem(item: LabelledItem, repeat: number, request: CalibrationRequest): Promise<Judgement> {
  const { context, seed } = request;
  const assertion = { ...request.assertion, criteria: item.criteria ?? request.assertion.criteria };
  const voteCache = context.voteCache && voteCacheOfRepeat(context.voteCache, repeat);
  return judgeTrace({
    ...judgeRequest(assertion, item.trace, { ...context, voteCache }),
    threshold: request.threshold,
    // All votes are wanted: they tell how far the judge agrees with itself.
    earlyStop: false,
    seed: seed + repeat,
    trialNumber: item.line,
    signal: request.abort,
  });
}

function calibrationItem({ line, labels, passed, criteria }: LabelledItem, judgements: Judgement[]): CalibrationItem {
  const [first] = judgements;
  const votes = judgements.map(({ metadata }) => metadata.votes.map(({ scores }) => scores));
  return {
    line,
    labels,
    passed,
    criteria,
    votes,
    outcome: first && first.score !== null ? { score: first.score, passed: first.passed } : null,
    error: first?.metadata.votes.find(({ error }) => error !== null)?.error ?? null,
  };
}

/** Half of the items at least: the ones a judge cannot score may well be the difficult ones. */
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
    const why = found.refusal === null ? '' : `: ${found.refusal.replace('trial', 'item')}`;
    return `it is not complete${why}`;
  }
  if (!isEnough(found.report)) return 'too few items could be scored';
  return found.judges > 1 ? 'the labels have different rubrics, and a calibration is about one' : null;
}

function judgeOf({ metadata }: Judgement): NonNullable<CalibrationOutcome['judge']> {
  const { judge_adapter, judge_model, judge_k } = metadata;
  return { judge_adapter, judge_model, k: judge_k };
}
