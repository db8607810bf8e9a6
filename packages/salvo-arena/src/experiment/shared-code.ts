import { knownUsd } from 'salvo/kit/stats';
import { agentCost } from 'salvo/kit/trace';
import type { RedOutcome, RedRequest, RedTeam } from '../red/red-team.ts';
import { asksModel } from '../teams/team-name.ts';
import type { ExperimentRecorder } from './experiment-record.ts';
import type { Cell } from './plan/expand-plan.ts';

export type SharedCode = ReturnType<typeof createSharedCode>;

interface MadeCode {
  outcome: RedOutcome;
  /** Whether it was made now, and paid for. */
  isNew: boolean;
  /** Whether it is there for a later attempt. */
  isKept: boolean;
}

interface Entry {
  making: Promise<MadeCode> | null;
  made: MadeCode | null;
  games: number;
  /** Whether a game of an earlier attempt was charged for it. */
  wasPaid: boolean;
  /** The position of the game that is charged for it now. */
  chargedTo: number | null;
}

/** Code that several games are played on: made once, and charged to one game. */
export function createSharedCode(options: {
  experimentId: string;
  recorder: Pick<ExperimentRecorder, 'saveCode' | 'getCode'>;
  redOf: (name: string) => RedTeam;
}) {
  const { experimentId, recorder, redOf } = options;
  const entries = new Map<string, Entry>();

  async function makeOrRestore({ codeKey, red }: Cell, request: RedRequest): Promise<MadeCode> {
    if (!asksModel(red)) return { outcome: await redOf(red).generate(request), isNew: true, isKept: false };
    const kept = await recorder.getCode(experimentId, codeKey);
    if (kept) return { outcome: kept, isNew: false, isKept: true };
    const outcome = await redOf(red).generate(request);
    return { outcome, isNew: true, isKept: await recorder.saveCode(experimentId, codeKey, outcome) };
  }

  return {
    /** Announces how many games will be played on this code. `wasPaid`: a stored game was charged for the code that is kept. */
    open(codeKey: string, games: number, wasPaid: boolean): void {
      entries.set(codeKey, { making: null, made: null, games, wasPaid, chargedTo: null });
    },
    /** The Red of one game: returns the code if it was made before, and makes it otherwise. */
    redFor: (cell: Cell): RedTeam => ({
      name: cell.red,
      async generate(request) {
        const entry = entries.get(cell.codeKey);
        if (!entry) return (await makeOrRestore(cell, request)).outcome;
        entry.making ??= makeOrRestore(cell, request);
        entry.made = await entry.making;
        const { outcome, isNew } = entry.made;
        // Code that was lost and made again has a price of its own.
        if (entry.chargedTo !== null || (entry.wasPaid && !isNew)) return withoutBill(outcome);
        entry.chargedTo = cell.index;
        return outcome;
      },
    }),
    /**
     * The game will not be stored. If it was charged for the code, and the code is kept, the next game is charged for it.
     * Returns the part of what the game has cost that is not lost with it.
     */
    drop({ codeKey, index }: Cell): number {
      const entry = entries.get(codeKey);
      if (!entry?.made?.isKept || entry.chargedTo !== index) return 0;
      entry.chargedTo = null;
      return entry.made.isNew ? knownUsd(agentCost(entry.made.outcome.metadata)) : 0;
    },
    /** One of the games is over. The code is dropped after the last one. */
    close(codeKey: string): void {
      const entry = entries.get(codeKey);
      if (!entry) return;
      entry.games -= 1;
      if (entry.games <= 0) entries.delete(codeKey);
    },
  };
}

function withoutBill(outcome: RedOutcome): RedOutcome {
  const nothing = { model_calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0, cost_at_least: undefined };
  return { ...outcome, metadata: { ...outcome.metadata, ...nothing } };
}
