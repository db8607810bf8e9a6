import type { RedOutcome, RedRequest, RedTeam } from '../red/red-team.ts';
import type { ExperimentRecorder } from './experiment-record.ts';
import type { Cell } from './plan/expand-plan.ts';

/** Code that several games are played on: made once, and charged to one game. */
export interface SharedCode {
  /** Announces how many games will be played on this code. */
  open(codeKey: string, games: number, paid: boolean): void;
  /** The Red of one game: returns the code if it was made before, and makes it otherwise. */
  redFor(cell: Cell): RedTeam;
  /** One of the games is over. The code is dropped after the last one. */
  close(codeKey: string): void;
}

interface Entry {
  outcome: Promise<RedOutcome> | null;
  games: number;
  /** Whether a game was charged for it. */
  paid: boolean;
}

export function createSharedCode(options: {
  experimentId: string;
  recorder: Pick<ExperimentRecorder, 'saveCode' | 'getCode'>;
  redOf: (name: string) => RedTeam;
  /** Whether a Red makes the same code from the same request again, at no cost. */
  isRepeatable: (red: string) => boolean;
}): SharedCode {
  const { experimentId, recorder, redOf, isRepeatable } = options;
  const entries = new Map<string, Entry>();

  async function makeOrRestore({ codeKey, red }: Cell, request: RedRequest): Promise<RedOutcome> {
    if (isRepeatable(red)) return redOf(red).generate(request);
    const kept = await recorder.getCode(experimentId, codeKey);
    if (kept) return kept;
    const outcome = await redOf(red).generate(request);
    await recorder.saveCode(experimentId, codeKey, outcome);
    return outcome;
  }

  return {
    open(codeKey, games, paid) {
      entries.set(codeKey, { outcome: null, games, paid });
    },
    redFor: (cell) => ({
      name: cell.red,
      async generate(request) {
        const entry = entries.get(cell.codeKey);
        if (!entry) return makeOrRestore(cell, request);
        entry.outcome ??= makeOrRestore(cell, request);
        const outcome = await entry.outcome;
        const { paid } = entry;
        entry.paid = true;
        return paid ? withoutBill(outcome) : outcome;
      },
    }),
    close(codeKey) {
      const entry = entries.get(codeKey);
      if (!entry) return;
      entry.games -= 1;
      if (entry.games <= 0) entries.delete(codeKey);
    },
  };
}

function withoutBill(outcome: RedOutcome): RedOutcome {
  const nothing = { model_calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  return { ...outcome, metadata: { ...outcome.metadata, ...nothing } };
}
