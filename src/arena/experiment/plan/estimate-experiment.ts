import { mean } from '../../../stats/mean.ts';
import { sumOrUnknown } from '../../../stats/sum-or-unknown.ts';
import type { Game } from '../../game/game-document.ts';
import { codesPlanned, type ExperimentPlan, gamesPlanned } from './experiment-plan.ts';

interface TeamEstimate {
  team: 'red' | 'blue';
  name: string;
  /** Pieces of code that Red makes, or that Blue looks at. */
  times: number;
  /** At least: an answer that cannot be read is asked for again, and large code is read in parts. */
  model_calls: number;
  /** By what stored games of the same team cost; null when nobody knows. */
  cost_usd: number | null;
}

/** What an experiment would do and cost. A document. */
export interface ExperimentEstimate {
  name: string;
  games: number;
  codes: number;
  model_calls: number;
  cost_usd: number | null;
  /** One game after the other, by how long stored games of the same Blue took; null when nobody knows. */
  seconds: number | null;
  teams: TeamEstimate[];
}

/** `earlier` are games of any experiment; the newest few hundred are enough. */
export async function estimateExperiment(
  plan: ExperimentPlan,
  earlier: AsyncIterable<Game> | Iterable<Game>,
): Promise<ExperimentEstimate> {
  const costs = new Map<string, number[]>();
  const seconds = new Map<string, number[]>();
  const note = (figures: Map<string, number[]>, key: string, figure: number) => {
    const known = figures.get(key);
    if (known) known.push(figure);
    else figures.set(key, [figure]);
  };
  for await (const game of earlier) {
    if (game.status !== 'scored') continue;
    // Only the first game on a piece of code is charged for it.
    if (game.red_cost_usd !== null && game.red_cost_usd > 0) note(costs, `red ${game.red}`, game.red_cost_usd);
    if (game.blue_cost_usd !== null) note(costs, `blue ${game.blue}`, game.blue_cost_usd);
    note(seconds, game.blue, game.duration_seconds);
  }
  const codes = codesPlanned(plan);
  const games = gamesPlanned(plan);
  const teamOf = (team: 'red' | 'blue', name: string, times: number): TeamEstimate => {
    const asksModel = /(?:^|[:+])llm:/.test(name);
    const typical = asksModel ? mean(costs.get(`${team} ${name}`) ?? []) : 0;
    const cost_usd = typical === null ? null : typical * times;
    return { team, name, times, model_calls: asksModel ? times * callsOf(team, plan) : 0, cost_usd };
  };
  const teams = [
    ...plan.red.map((name) => teamOf('red', name, codes / plan.red.length)),
    ...plan.blue.map((name) => teamOf('blue', name, codes)),
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

/** Of one game. A pipeline is an architect, a selector, a writer and a reviewer; `precise` looks twice. */
function callsOf(team: 'red' | 'blue', { red_architecture, technique }: ExperimentPlan): number {
  if (team === 'red') return red_architecture === 'pipeline' ? 4 : 1;
  return technique === 'precise' ? 2 : 1;
}
