import { runPool } from '../../queue/run-pool.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { type Judgement, type JudgeRequest, judgeTrace } from '../judge-trace.ts';
import { CANARY_KINDS, CANARY_RUBRIC, type Canary, canaryTrace, loadCanaries } from './canaries.ts';
import type { JudgingEvent } from './judging-event.ts';

export interface CanaryRequest
  extends Pick<JudgeRequest, 'judges' | 'k' | 'threshold' | 'temperature' | 'maxTokens' | 'models' | 'cache' | 'seed'> {
  /** What the answers are judged by; whether the task was done, when missing. */
  criteria?: JudgeRequest['criteria'] | undefined;
  /** Other cases than the ones that ship with the product. */
  canaries?: readonly Canary[] | undefined;
  concurrency?: number | undefined;
  /** When aborted, no further case is begun. */
  stop?: AbortSignal | undefined;
  /** When aborted, the ones under way are given up. */
  abort?: AbortSignal | undefined;
  onEvent?: ((event: JudgingEvent) => void) | undefined;
}

/** What a judge made of one case. */
export interface CanaryOutcome extends Pick<Canary, 'id' | 'kind' | 'expect'> {
  /** Null when it could not be scored. */
  score: number | null;
  /** Of the first criterion, by the vote nearest the score. Written by a model. */
  reasoning: string | null;
  error: string | null;
}

/** How far a judge can be talked round. A document: printed as it is. */
export interface CanaryReport {
  judge_model: string;
  judge_adapter: string;
  k: number;
  threshold: number;
  cases: number;
  /** Cases that were never judged, because somebody had enough. */
  not_judged: number;
  /** Answers that should not have passed, and did. */
  fell_for: CanaryOutcome[];
  /** Right answers that it failed. */
  controls_failed: CanaryOutcome[];
  unscored: CanaryOutcome[];
  /** `wrong` counts what it fell for or, of honest answers, what it failed. */
  kinds: { kind: Canary['kind']; cases: number; wrong: number; unscored: number }[];
  judge_cost_usd: number | null;
  /** 0 when it was right every time, 1 when it was wrong once, 3 when that cannot be told. */
  exit_code: 0 | 1 | 3;
}

const DEFAULT_CONCURRENCY = 4;

/** Tries to talk a judge into scores it must not give. */
export async function runCanaries(request: CanaryRequest): Promise<CanaryReport> {
  const canaries = request.canaries ?? loadCanaries();
  const never = new AbortController().signal;
  const { abort = never, onEvent = () => {} } = request;
  const judged = new Map<Canary, { outcome: CanaryOutcome; isRight: boolean | null }>();
  let costUsd: number | null = 0;
  await runPool({
    jobs: canaries.entries(),
    concurrency: request.concurrency ?? DEFAULT_CONCURRENCY,
    stop: request.stop ?? never,
    perform: async ([index, canary]) => {
      onEvent({ type: 'item_started', name: canary.id });
      const judgement = await judgeTrace({
        ...request,
        criteria: request.criteria ?? CANARY_RUBRIC,
        trace: canaryTrace(canary),
        trialNumber: index + 1,
        signal: abort,
      });
      costUsd = sumOrUnknown([costUsd, judgement.metadata.judge_cost_usd]);
      if (abort.aborted && judgement.score === null) return onEvent({ type: 'item_left' });
      const isRight = judgement.score === null ? null : judgement.passed === (canary.expect === 'must_pass');
      judged.set(canary, { outcome: outcomeOf(canary, judgement), isRight });
      onEvent({ type: 'item_finished', passed: isRight, costUsd: judgement.metadata.judge_cost_usd });
    },
  });
  const all = canaries.flatMap((canary) => judged.get(canary) ?? []);
  const outcomes = (isRight: boolean | null) =>
    all.filter((each) => each.isRight === isRight).map((each) => each.outcome);
  const wrong = outcomes(false);
  const unscored = outcomes(null);
  const notJudged = canaries.length - all.length;
  return {
    judge_model: request.judges.map(({ model }) => model).join('+'),
    judge_adapter: request.judges.map(({ adapter }) => adapter).join('+'),
    k: request.k,
    threshold: request.threshold,
    cases: canaries.length,
    not_judged: notJudged,
    fell_for: wrong.filter(({ expect }) => expect === 'must_not_pass'),
    controls_failed: wrong.filter(({ expect }) => expect === 'must_pass'),
    unscored,
    kinds: CANARY_KINDS.map((kind) => ({
      kind,
      cases: canaries.filter((canary) => canary.kind === kind).length,
      wrong: wrong.filter((outcome) => outcome.kind === kind).length,
      unscored: unscored.filter((outcome) => outcome.kind === kind).length,
    })).filter(({ cases }) => cases > 0),
    judge_cost_usd: costUsd,
    // What it fell for it fell for, whatever else could not be scored.
    exit_code: wrong.length > 0 ? 1 : unscored.length + notJudged > 0 ? 3 : 0,
  };
}

function outcomeOf({ id, kind, expect }: Canary, { score, metadata }: Judgement): CanaryOutcome {
  const error = metadata.votes.find((vote) => vote.error !== null)?.error ?? null;
  return {
    id,
    kind,
    expect,
    score,
    reasoning: metadata.per_criterion[0]?.reasoning ?? null,
    error: score === null ? (error ?? 'too few votes could be read') : null,
  };
}
