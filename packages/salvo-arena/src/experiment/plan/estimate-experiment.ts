import { sumOrUnknown } from 'salvo/kit/statistics';
import { mean } from 'salvo/kit/stats';
import { remembered } from 'salvo/kit/text';
import { z } from 'zod';
import type { Game } from '../../game/game-document.ts';
import { asksModel } from '../../teams/team-name.ts';
import { codesPlanned, type ExperimentPlan, gamesPlanned } from './experiment-plan.ts';

const teamSchema = z.object({
  team: z.enum(['red', 'blue', 'judge']),
  name: z.string(),
  /** Pieces of code that a Red makes or that a Blue looks at, or games that the Judge's models decide about. */
  times: z.int(),
  /**
   * At least: an unreadable answer is asked for again, and large code is read in parts. How many pairs of a game are
   * unclear is not known before, so the Judge's models are counted with one.
   */
  model_calls: z.int(),
  /** From the costs of stored games of the same team; null when there are none. */
  cost_usd: z.number().nullable(),
});

/** What an experiment would do and cost. A document. */
export const experimentEstimateSchema = z.object({
  name: z.string(),
  games: z.int(),
  codes: z.int(),
  model_calls: z.int(),
  cost_usd: z.number().nullable(),
  /** One game after the other, from the durations of stored games of the same Blue; null when there are none. */
  seconds: z.number().nullable(),
  teams: z.array(teamSchema),
});

type TeamEstimate = z.infer<typeof teamSchema>;
export type ExperimentEstimate = z.infer<typeof experimentEstimateSchema>;

/** `earlier` are games of any experiment; the newest few hundred are enough. */
export async function estimateExperiment(
  plan: ExperimentPlan,
  earlier: AsyncIterable<Game> | Iterable<Game>,
): Promise<ExperimentEstimate> {
  const costs = new Map<string, number[]>();
  const seconds = new Map<string, number[]>();
  const note = (values: Map<string, number[]>, key: string, value: number) =>
    remembered(values, key, () => []).push(value);
  for await (const game of earlier) {
    if (game.status !== 'scored') continue;
    // Only the first game on a piece of code is charged for it.
    if (game.red_cost_usd !== null && game.red_cost_usd > 0) note(costs, `red ${game.red}`, game.red_cost_usd);
    if (game.judge_cost_usd !== null && game.judge_cost_usd > 0) note(costs, 'judge', game.judge_cost_usd);
    if (game.blue_cost_usd !== null) note(costs, `blue ${game.blue}`, game.blue_cost_usd);
    note(seconds, game.blue, game.duration_seconds);
  }
  const codes = codesPlanned(plan);
  const games = gamesPlanned(plan);
  const estimateTeam = (team: 'red' | 'blue', name: string, times: number): TeamEstimate => {
    const isModel = asksModel(name);
    const typical = isModel ? mean(costs.get(`${team} ${name}`) ?? []) : 0;
    const cost_usd = typical === null ? null : typical * times;
    return { team, name, times, model_calls: isModel ? times * callsPerGame(team, plan) : 0, cost_usd };
  };
  const teams: TeamEstimate[] = [
    ...plan.red.map((name) => estimateTeam('red', name, codes / plan.red.length)),
    // A model that also looks at the twin is asked twice for each piece of code.
    ...plan.blue.map((name) =>
      estimateTeam('blue', name, plan.twin === 'always' && asksModel(name) ? 2 * codes : codes),
    ),
    ...estimateJudge(plan, games, mean(costs.get('judge') ?? [])),
  ];
  const times = plan.blue.map((blue) => mean(seconds.get(blue) ?? []));
  return {
    name: plan.name,
    games,
    codes,
    model_calls: teams.reduce((sum, { model_calls }) => sum + model_calls, 0),
    cost_usd: sumOrUnknown(teams.map(({ cost_usd }) => cost_usd)),
    seconds: sumOrUnknown(times.map((each) => (each === null ? null : each * codes))),
    teams,
  };
}

/** Votes of each model about a pair; after a debate, one is the default. */
const VOTES = 3;
/** Each side of a debate has an advocate. */
const ADVOCATES = 2;

/** The models that decide about unclear matches, if the plan has any. */
function estimateJudge({ llm, verify, votes }: ExperimentPlan, games: number, typical: number | null): TeamEstimate[] {
  if (llm === undefined && verify === undefined) return [];
  const models = llm ?? ['judge.model'];
  const callsPerPair = verify === undefined ? (votes ?? VOTES) : (votes ?? 1) + ADVOCATES;
  return [
    {
      team: 'judge',
      name: models.join(', '),
      times: games,
      model_calls: games * models.length * callsPerPair,
      cost_usd: typical === null ? null : typical * games,
    },
  ];
}

/** A pipeline is an architect, a selector, a writer and a reviewer; `precise` looks twice. */
function callsPerGame(team: 'red' | 'blue', { red_architecture, technique }: ExperimentPlan): number {
  if (team === 'red') return red_architecture === 'pipeline' ? 4 : 1;
  return technique === 'precise' ? 2 : 1;
}
