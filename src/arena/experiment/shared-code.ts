import type { RedOutcome, RedRequest, RedTeam } from '../red/red-team.ts';
import type { ExperimentRecorder } from './experiment-recorder.ts';
import type { Cell } from './plan/expand-plan.ts';

/** Code that several games are played on: made once, and charged to one of them. */
export interface SharedCode {
  /** So many games are going to be played on this code. */
  open(codeKey: string, games: number, paid: boolean): void;
  /** The Red of one game: it hands out the code that is there, or has it made. */
  redFor(cell: Cell): RedTeam;
  /** One of the games is over; after the last the code is forgotten. */
  close(codeKey: string): void;
}

interface Entry {
  outcome: Promise<RedOutcome> | null;
  games: number;
  /** A game has been charged for it. */
  paid: boolean;
}

export function createSharedCode(options: {
  experimentId: string;
  recorder: Pick<ExperimentRecorder, 'saveCode' | 'getCode'>;
  redOf: (name: string) => RedTeam;
  /** Makes the same code from the same request again, for nothing. */
  isRepeatable: (red: string) => boolean;
}): SharedCode {
  const { experimentId, recorder, redOf, isRepeatable } = options;
  const entries = new Map<string, Entry>();

  async function made({ codeKey, red }: Cell, request: RedRequest): Promise<RedOutcome> {
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
        if (!entry) return made(cell, request);
        entry.outcome ??= made(cell, request);
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
