import { FUNCTION_ADAPTER, type ModelFunction, withFunctionModels } from '../models/call/function-models.ts';
import { type ModelCaller, withModels } from '../models/call/model-caller.ts';
import type { CriterionLike } from '../scenario/schema/criterion-schema.ts';
import { FEWEST_CONTEXT_CHARACTERS, type JudgeMode } from '../scenario/schema/shared-fields.ts';
import { sumCosts } from '../stats/cost.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { agentCost, judgeCostFields } from '../trace/cost-fields.ts';
import { contextLimit } from './context-limit.ts';
import { defaultMaxTokens, resolveJudgeConfig, votesPerJudge } from './judge-config.ts';
import { judgeHash } from './judge-hash.ts';
import { type JudgedMaterial, judgedMaterial } from './prompt/judged-material.ts';
import { leftOutNote } from './prompt/left-out.ts';
import { aggregateKVotes, describeVotes, verdictNote } from './votes/aggregation.ts';
import { type Ballot, ballotsFor, castVote, type Judge, quorumOf, votersOf, votesIn } from './votes/cast-vote.ts';
import { type Election, isSettled, nextWave } from './votes/early-stop.ts';
import type { VoteRecord } from './votes/judge-metadata.ts';
import type { Judgement, JudgeRequest } from './votes/judge-request.ts';
import { panelOutcome } from './votes/panel.ts';

export type { Judgement, JudgeRequest };

/** A model by its adapter, or a plain function that answers as a model would. */
export type JudgeInput =
  | ({ adapter: string; model: string } & JudgeInputOptions)
  | ModelFunction
  | ({ judge: ModelFunction; name?: string | undefined } & JudgeInputOptions);

interface JudgeInputOptions {
  weight?: number | undefined;
  /** `decide`: it answers typed questions with probabilities, and votes once. */
  mode?: JudgeMode | undefined;
}

/** What `judgeTrace` needs: a trace and criteria. Everything else has a default. */
export interface JudgeTraceOptions extends Partial<Omit<JudgeRequest, 'criteria' | 'judges' | 'newNonce'>> {
  trace: JudgeRequest['trace'];
  /** `weight` is 1 when missing. */
  criteria: readonly (Omit<CriterionLike, 'weight'> & { weight?: number | undefined })[];
  /** The judge; the default of salvo.yaml, a model of OpenAI, when missing. */
  judge?: JudgeInput | undefined;
  /** A panel instead of one judge; each gives `k` votes. */
  judges?: readonly JudgeInput[] | undefined;
  /** Calls the judges; by default with the built-in adapters and the keys of the environment. */
  models?: ModelCaller | undefined;
}

/** Judges a trace by a rubric: k votes of each judge, the median of each criterion, the verdict of the majority. */
export async function judgeTrace(options: JudgeTraceOptions): Promise<Judgement> {
  const { trace } = options;
  return withModels(options.models, (models) => judge({ ...withDefaults(options, models), trace }));
}

/** The options with their defaults, and functions in the place of adapters. */
export function withDefaults(
  options: Omit<JudgeTraceOptions, 'trace'>,
  models: ModelCaller,
): Omit<JudgeRequest, 'trace'> {
  const defaults = resolveJudgeConfig({});
  const { judges = options.judge ? [options.judge] : [], k = defaults.k } = options;
  if (options.criteria.length === 0) {
    throw new SalvoError('CRITERIA_MISSING', 'There is nothing to judge by: give at least one criterion.');
  }
  if (!Number.isInteger(k) || k < 1) {
    throw new SalvoError('OPTIONS_INVALID', `k is the number of votes of each judge: at least 1, not ${k}.`);
  }
  const { maxContextCharacters: limit = FEWEST_CONTEXT_CHARACTERS } = options;
  if (!Number.isInteger(limit) || limit < FEWEST_CONTEXT_CHARACTERS) {
    const message = `maxContextCharacters is how much of a trial the judge sees at once: at least ${FEWEST_CONTEXT_CHARACTERS}, not ${limit}.`;
    throw new SalvoError('OPTIONS_INVALID', message);
  }
  const functions = new Map<string, ModelFunction>();
  const resolved = judges.map((input) => resolveJudge(input, functions));
  const { judge_adapter: adapter, judge_model: model } = defaults;
  const asked = resolved.length > 0 ? resolved : [{ adapter, model, weight: 1 }];
  return {
    ...options,
    criteria: options.criteria.map((criterion) => ({ ...criterion, weight: criterion.weight ?? 1 })),
    judges: asked,
    k: votesPerJudge(k, asked),
    threshold: options.threshold ?? defaults.threshold,
    temperature: options.temperature ?? defaults.temperature,
    maxTokens: options.maxTokens ?? Math.max(...asked.map((each) => defaultMaxTokens(each.model))),
    models: functions.size > 0 ? withFunctionModels(functions, models) : models,
  };
}

function resolveJudge(input: JudgeInput, functions: Map<string, ModelFunction>): Judge {
  if (typeof input !== 'function' && 'adapter' in input) return { ...input, weight: input.weight ?? 1 };
  const {
    judge: ask,
    name,
    weight = 1,
    mode,
  } = typeof input === 'function' ? { judge: input, name: input.name, mode: undefined } : input;
  const wanted = name || ask.name || 'judge';
  let model = wanted;
  for (let number = 2; functions.has(model); number += 1) model = `${wanted}#${number}`;
  functions.set(model, ask);
  return { adapter: FUNCTION_ADAPTER, model, weight, ...(mode && { mode }) };
}

async function judge(request: JudgeRequest): Promise<Judgement> {
  const { cascade } = request;
  if (cascade) {
    const { judgeByCascade } = await import('./cascade/judge-by-cascade.ts');
    // A stage is sure by what it says, as `sure` was chosen.
    return judgeByCascade({ ...request, cascade, recalibrationOf: undefined }, judge);
  }
  const { criteria, judges, threshold, aggregation = 'median' } = request;
  const material = await materialOf(request);
  const ballots = material.refusal === null ? ballotsFor(request, material) : [];
  const quorum = quorumOf(ballots);
  const votes = request.earlyStop
    ? await castInWaves(ballots, electionOf(request, quorum))
    : await Promise.all(ballots.map(castVote));
  const readable = votes.flatMap((vote) => (vote.scores ? [{ vote, scores: vote.scores }] : []));
  const isReadable = ({ voteNumber }: Ballot) => readable.some(({ vote }) => vote.vote_number === voteNumber);
  const scores = readable.map((each) => each.scores);
  const options = { aggregation, voteWeights: readable.map(({ vote }) => weightOf(vote, ballots)) };
  const result = aggregateKVotes(scores, criteria, threshold, options);
  const hasQuorum = votesIn(ballots.filter(isReadable)) >= quorum;
  const probability = votes.length === 1 ? votes[0]?.probability : undefined;
  const judge_hash = judgeHash(request, request.models);
  const recalibrated = hasQuorum ? await recalibratedOf(request, { judge_hash, votes, probability, result }) : null;
  const { passed } = recalibrated ?? result;
  const described = describeVotes(scores, criteria, threshold, { ...options, passed });
  const verdict = { score: result.overallScore, passed, threshold, probability };
  const note = hasQuorum ? (recalibrated?.note ?? verdictNote(verdict)) : null;
  const notSeen = material.refusal === null ? leftOutNote(material.leftOut) : null;
  return {
    score: hasQuorum ? result.overallScore : null,
    passed: hasQuorum && passed,
    metadata: {
      judge_model: judges.map(({ model }) => model).join('+'),
      judge_adapter: judges.map(({ adapter }) => adapter).join('+'),
      judge_k: request.k,
      ...(judges.every(({ mode }) => mode === 'decide') && { judge_mode: 'decide' as const }),
      ...(probability !== undefined && { probability }),
      ...(recalibrated && { recalibration: recalibrated.kept }),
      ...judgeCostFields(sumCosts(votes.map(agentCost))),
      per_criterion: described.perCriterion,
      votes,
      aggregation,
      threshold,
      dissenting_votes: described.dissentingVotes,
      saved_calls: (ballots.length - votes.length) * material.parts.length,
      cached_votes: votes.filter(({ cached }) => cached).length,
      repaired_votes: votes.filter(({ cached, repaired }) => repaired && !cached).length,
      retries: votes.reduce((total, vote) => total + vote.retries, 0),
      notes: [note, notSeen].filter((each) => each !== null),
      material: { characters: material.characters, limit: material.limit, parts: material.parts.length },
      left_out: material.leftOut,
      ...(material.refusal !== null && { not_asked: material.refusal }),
      judge_hash,
      panel:
        judges.length > 1
          ? panelOutcome({ judges, voters: votersOf(request), votes, criteria, threshold, aggregation })
          : null,
    },
  };
}

/** The verdict by the recalibration of the judge; null if it has none. */
async function recalibratedOf(
  { recalibrationOf, judges }: JudgeRequest,
  found: { judge_hash: string; votes: VoteRecord[]; probability: number | undefined; result: { passed: boolean } },
) {
  const recalibration = judges.length === 1 && (await recalibrationOf?.(found.judge_hash));
  if (!recalibration) return null;
  const { recalibratedVerdict, saidProbability } = await import('./votes/recalibrated-verdict.ts');
  const said = saidProbability(found.votes, found.probability);
  return said === null ? null : recalibratedVerdict(said, { passed: found.result.passed, recalibration });
}

/** What the judges see of the trial. */
export async function materialOf(request: JudgeRequest): Promise<JudgedMaterial> {
  return judgedMaterial(request, await contextLimit(request));
}

export function electionOf(request: JudgeRequest, quorum: number): Election {
  const { criteria, threshold, aggregation = 'median', isScoreSettled } = request;
  return { criteria, threshold, aggregation, quorum, isScoreSettled };
}

async function castInWaves(ballots: Ballot[], election: Election): Promise<VoteRecord[]> {
  const votes: VoteRecord[] = [];
  for (;;) {
    const cast = votes.map((vote, index) => ({
      scores: vote.scores,
      weight: weightOf(vote, ballots),
      counts: ballots[index]?.counts,
    }));
    const open = ballots.slice(votes.length);
    const openVotes = open.map(openVote);
    if (open.length === 0 || isSettled(election, cast, openVotes)) return votes;
    votes.push(...(await Promise.all(open.slice(0, nextWave(election, cast, openVotes)).map(castVote))));
  }
}

/** What an open ballot would count, as `weightOf` counts it when it is cast. */
export function openVote({ judge, counts }: Ballot): { weight: number; counts: number } {
  return { weight: judge.weight * counts, counts };
}

function weightOf({ vote_number }: VoteRecord, ballots: readonly Ballot[]): number {
  const ballot = ballots[vote_number - 1];
  return ballot ? openVote(ballot).weight : 1;
}
