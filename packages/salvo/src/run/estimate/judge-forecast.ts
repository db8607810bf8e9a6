import { namedCases } from '../../evaluators/assertion-ids.ts';
import type { EvaluationContext } from '../../evaluators/evaluator.ts';
import { needsExactScores, type ScoreRange } from '../../evaluators/score-stakes.ts';
import { judgeRequest } from '../../evaluators/types/judge/judge.ts';
import { forecastPair, forecastVotes, type VoteForecast } from '../../judge/forecast-votes.ts';
import { scenarioJudges } from '../../judge/scenario-judges.ts';
import type { Pricing } from '../../models/budget/prices.ts';
import type { ModelCaller } from '../../models/call/model-caller.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { Trace } from '../../trace/trace.ts';
import { addCosts, type CostEstimate, type JudgeEstimate } from './estimate.ts';

/** A vote is a few sentences and the scores. */
const TYPICAL_OUTPUT_TOKENS = 150;
/** What asks for the repair of an unreadable answer, with what is wrong with it. */
const REPAIR_PROMPT_TOKENS = 300;
/** A vote that cannot be read is asked for once more. */
const MOST_CALLS_PER_VOTE = 2;

interface ForecastTrace extends Pick<EvaluationContext, 'traceId' | 'trialNumber' | 'recordedScenario'> {
  /** Default: the first case represents all. */
  caseIndex?: number | undefined;
  share?: number | undefined;
}

/** Adds up the calls and the cost of a scenario's judges, trace by trace. */
export function createJudgeForecast(options: {
  loaded: LoadedScenario;
  project: Project;
  pricing: Pricing;
  judgeServices: Pick<EvaluationContext, 'voteCache'> & { models: ModelCaller };
}) {
  const { loaded, project, pricing, judgeServices } = options;
  const { scenario, file } = loaded;
  const cases = namedCases(scenario);
  // Only a mean that has to reach `min_score` needs more votes than the verdict does.
  const isScoreSettled = needsExactScores(scenario, project.config.defaults) ? isOneScore : undefined;
  const context = { ...judgeServices, scenarioFile: file, project, isScoreSettled };
  const askedIn = (own: Scenario) =>
    scenarioJudges(own, project.config.judge).map(({ assertion }) => {
      return { assertion, id: assertion.id ?? assertion.type };
    });
  const estimates = new Map<string, JudgeEstimate>();

  async function costOf(
    { provider, judge, inputTokens, calls }: VoteForecast,
    maxTokens: number,
  ): Promise<CostEstimate> {
    const price = (input_tokens: number, output_tokens: number) =>
      pricing.priceTurn({ model: judge.model, provider, usage: { input_tokens, output_tokens } });
    const typical = await price(inputTokens, Math.min(TYPICAL_OUTPUT_TOKENS, maxTokens));
    const most = await price(inputTokens, maxTokens);
    // An unreadable answer is sent back with the request to repair it.
    const repair = await price(inputTokens + maxTokens + REPAIR_PROMPT_TOKENS, maxTokens);
    if (typical === null || most === null || repair === null) return null;
    return { typical: typical * calls.most, most: (most + repair) * calls.most };
  }

  return {
    /** Adds a trace to be judged. It counts `share` times: a fraction or a multiple if it represents others. */
    async add(trace: Trace, { share = 1, caseIndex = 0, ...trial }: ForecastTrace = {}): Promise<void> {
      const own = cases.scenarioOf(caseIndex);
      for (const { assertion, id } of askedIn(own)) {
        const request = judgeRequest(assertion, trace, { ...context, scenario: own, ...trial });
        // Another run may answer something else, but about as much.
        const forecasts =
          assertion.against === undefined
            ? await forecastVotes(request)
            : await forecastPair({ ...request, other: trace, against: { kind: 'reference' }, require: 'tie' });
        for (const [position, forecast] of forecasts.entries()) {
          const { judge, calls, cached, inputTokens } = forecast;
          const key = `${id}\0${position}`;
          const before = estimates.get(key);
          const cost = await costOf(forecast, request.maxTokens);
          estimates.set(key, {
            assertion_id: id,
            adapter: judge.adapter,
            model: judge.model,
            calls: {
              fewest: (before?.calls.fewest ?? 0) + calls.fewest * share,
              most: (before?.calls.most ?? 0) + calls.most * MOST_CALLS_PER_VOTE * share,
            },
            cached_votes: (before?.cached_votes ?? 0) + cached * share,
            input_tokens: (before?.input_tokens ?? 0) + inputTokens * calls.most * share,
            cost_usd: addCosts(before ? before.cost_usd : { typical: 0, most: 0 }, scaled(cost, share)),
          });
        }
      }
    },
    judges: (): JudgeEstimate[] =>
      [...estimates.values()].map((estimate) => ({
        ...estimate,
        // Sums of shares such as 1/3 have rounding errors.
        calls: { fewest: Math.round(estimate.calls.fewest), most: Math.round(estimate.calls.most) },
        cached_votes: Math.round(estimate.cached_votes),
        input_tokens: Math.round(estimate.input_tokens),
      })),
  };
}

function isOneScore({ lowest, highest }: ScoreRange): boolean {
  return lowest === highest;
}

function scaled(cost: CostEstimate, share: number): CostEstimate {
  return cost && { typical: cost.typical * share, most: cost.most * share };
}
