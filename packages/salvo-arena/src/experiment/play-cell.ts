import { remembered } from 'salvo/kit/text';
import type { BlueTeam } from '../blue/blue-team.ts';
import type { OwnCode } from '../code/own-code.ts';
import type { ManifestGate } from '../game/game-setup.ts';
import { buildGameSheet } from '../game/game-sheet.ts';
import { playGame } from '../game/play-game.ts';
import { looksAtTwin } from '../game/truth-gate.ts';
import type { JudgeAgent } from '../match/judge-agent.ts';
import { asksModel } from '../teams/team-name.ts';
import type { ExperimentPlan } from './plan/experiment-plan.ts';
import { withRememberedLooks } from './remembered-looks.ts';
import type { GameRequest } from './run-experiment.ts';

/** Plays the games of an experiment, all with the same gate and the same judge, until the signal is aborted. */
export function createCellPlayer(options: {
  plan: ExperimentPlan;
  blueOf: (name: string) => BlueTeam;
  gate: ManifestGate;
  judge: Pick<JudgeAgent, 'scoreAsync'>;
  /** Code of the user, by the name of its task. */
  templates?: ReadonlyMap<string, OwnCode> | undefined;
}): (signal: AbortSignal) => GameRequest['play'] {
  const { plan, blueOf, gate, judge, templates } = options;
  const repeatable = new Map<string, BlueTeam>();
  const lookOf = (name: string): BlueTeam =>
    asksModel(name) ? blueOf(name) : remembered(repeatable, name, () => withRememberedLooks(blueOf(name)));
  return (signal) => async (cell, red, place) => {
    const played = await playGame({
      ...cell,
      red,
      // Named as in the plan: games are found and compared by that name.
      blue: { name: cell.blue, analyze: (request) => lookOf(cell.blue).analyze(request) },
      category: cell.strategy === 'targeted' ? plan.category : undefined,
      count: plan.flaws,
      template: templates?.get(cell.task),
      size: plan.size,
      density: plan.density,
      housekeeping: plan.housekeeping,
      gate,
      judge,
      onTwin: looksAtTwin(plan.twin, asksModel(cell.blue)),
      repeatable: !asksModel(cell.blue),
      place,
      signal,
    });
    return { game: played.game, sheet: buildGameSheet(played) };
  };
}
