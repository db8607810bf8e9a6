import { sumCosts } from '../../stats/cost.ts';
import { meetsThreshold } from '../../stats/mean.ts';
import { agentCostFields, judgeCost, judgeCostFields } from '../../trace/cost-fields.ts';
import { labelledScore } from '../calibration/calibration.ts';
import type { PeoplesVerdict } from '../calibration/people.ts';
import { judgeHash } from '../judge-hash.ts';
import type { Cascade, CascadeStage } from '../votes/cast-vote.ts';
import type { CascadeOutcome, JudgeMetadata, StageOutcome } from '../votes/judge-metadata.ts';
import type { Judgement, JudgeRequest } from '../votes/judge-request.ts';
import { cascadeSentence } from './cascade-sentence.ts';
import { surenessOf } from './sureness.ts';

interface AskedStage {
  stage: CascadeStage;
  judgement: Judgement;
  outcome: StageOutcome['outcome'];
}

/**
 * Asks the judges of a cascade one after the other, until one is sure enough. A stage that gives no verdict, such as
 * after an error, leaves it to the next one. What no stage decides is decided by the labels of people, if the cascade ends
 * with people and there are labels; otherwise it has no score.
 */
export async function judgeByCascade(
  request: JudgeRequest & { cascade: Cascade },
  judge: (request: JudgeRequest) => Promise<Judgement>,
): Promise<Judgement> {
  const { stages, people } = request.cascade;
  const asked: AskedStage[] = [];
  for (const stage of stages) {
    const judgement = await judge({
      ...request,
      cascade: undefined,
      judges: [stage.judge],
      k: stage.k,
      // The share of all votes says how sure a stage is, so all of them are asked for.
      earlyStop: stage.sure === null && request.earlyStop === true,
    });
    asked.push({ stage, judgement, outcome: outcomeOf(stage, judgement) });
    if (asked.at(-1)?.outcome === 'decided' || request.signal?.aborted) break;
  }
  const last = asked.at(-1);
  if (!last) throw new RangeError('a cascade has no stage');
  const isOpen = last.outcome !== 'decided' && asked.length === stages.length;
  const said = isOpen && people ? verdictOfPeople(await request.people?.(), request) : null;
  const cascade = outcomeOfCascade(request.cascade, { asked, said });
  const metadata = metadataOf(request, { asked, cascade });
  if (said) {
    // What judges said is with their stages: none of their votes is part of this verdict.
    return { ...said, metadata: { ...metadata, per_criterion: [], votes: [], dissenting_votes: 0 } };
  }
  const isDecided = last.outcome === 'decided';
  return { score: isDecided ? last.judgement.score : null, passed: isDecided && last.judgement.passed, metadata };
}

/** Null if they did not say whether it passes, or contradict each other. */
function verdictOfPeople(
  said: PeoplesVerdict | null | undefined,
  { criteria, threshold }: JudgeRequest,
): { score: number; passed: boolean } | null {
  if (!said) return null;
  const score = labelledScore({ labels: said.labels, rubric: criteria });
  const passed = said.passed ?? (score === null ? null : meetsThreshold(score, threshold));
  return passed === null ? null : { score: score ?? Number(passed), passed };
}

function outcomeOf({ sure }: CascadeStage, judgement: Judgement): StageOutcome['outcome'] {
  if (judgement.score === null) return 'unscored';
  if (sure === null) return 'decided';
  const sureness = surenessOf(judgement);
  return sureness !== null && meetsThreshold(sureness, sure) ? 'decided' : 'not_sure';
}

interface Asked {
  asked: readonly AskedStage[];
  /** What people say of what no stage decided; null without labels. */
  said: object | null;
}

function outcomeOfCascade({ stages, people }: Cascade, { asked, said }: Asked): Omit<CascadeOutcome, 'reason'> {
  const isDecided = asked.at(-1)?.outcome === 'decided';
  const byPeople = said !== null;
  const atPeople = isDecided || asked.length < stages.length ? 'not_asked' : byPeople ? 'decided' : 'waiting';
  return {
    decided_by: isDecided ? asked.length : byPeople ? stages.length + 1 : null,
    stages: stages.map(({ judge, k, sure }, index): StageOutcome => {
      const own = asked[index];
      const facts = {
        judge_adapter: judge.adapter,
        judge_model: judge.model,
        ...(judge.mode === 'decide' && { judge_mode: judge.mode }),
        judge_k: k,
        sure,
      };
      if (!own) return { ...facts, outcome: 'not_asked' };
      const { score, passed, metadata } = own.judgement;
      return {
        ...facts,
        outcome: own.outcome,
        score,
        passed: score === null ? null : passed,
        sureness: surenessOf(own.judgement),
        cached_votes: metadata.cached_votes,
        ...agentCostFields(judgeCost(metadata)),
        // The votes of the stage that decided are those of the judgement.
        ...(own.outcome !== 'decided' && { votes: metadata.votes }),
      };
    }),
    ...(people && { people: atPeople }),
  };
}

/** That of the stage that decided, or else of the last that was asked, with the cost of all stages. */
function metadataOf(
  request: JudgeRequest & { cascade: Cascade },
  { asked, cascade }: Pick<Asked, 'asked'> & { cascade: Omit<CascadeOutcome, 'reason'> },
): JudgeMetadata {
  const all = asked.map(({ judgement }) => judgement.metadata);
  const own = all.at(-1);
  if (!own) throw new RangeError('a cascade has no stage');
  const { not_asked, ...last } = own;
  const sumOf = (key: 'saved_calls' | 'cached_votes' | 'repaired_votes' | 'retries') =>
    all.reduce((sum, metadata) => sum + metadata[key], 0);
  const { stages } = request.cascade;
  const reason = cascadeSentence(cascade, all);
  return {
    ...last,
    judge_model: stages.map(({ judge }) => judge.model).join(' → '),
    judge_adapter: stages.map(({ judge }) => judge.adapter).join(' → '),
    ...judgeCostFields(sumCosts(all.map(judgeCost))),
    saved_calls: sumOf('saved_calls'),
    cached_votes: sumOf('cached_votes'),
    repaired_votes: sumOf('repaired_votes'),
    retries: sumOf('retries'),
    notes: [reason, ...last.notes],
    judge_hash: judgeHash(request, request.models),
    cascade: { ...cascade, reason },
  };
}
