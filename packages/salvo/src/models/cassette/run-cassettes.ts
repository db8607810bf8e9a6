import type { Adapter } from '../../adapters/adapter.ts';
import type { TrialOfCall } from './cassette-document.ts';

/** The cassettes of a run: whose calls are on one, and the adapters that record or replay them. */
export interface RunCassettes {
  /** Whether recorded answers are replayed. Such an adapter needs neither a key nor a package. */
  isReplayed(adapter: string): boolean;
  /** The adapter as an agent, with its calls on the cassette. Comes back as it is if it has none. */
  agent(name: string, adapter: Adapter): Adapter;
  /** The adapter as a judge of one trial. */
  judge(name: string, adapter: Adapter, trial: TrialOfCall): Adapter;
}
