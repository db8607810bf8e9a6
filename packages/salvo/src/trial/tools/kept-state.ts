import { stateHash } from '../../scenario/scenario-identity.ts';
import type { ErrorCode } from '../../text/errors/error-codes.ts';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { changesBetween, copyJson } from '../../text/json/json-changes.ts';
import type { Trace } from '../../trace/trace.ts';
import type { TrialState } from './tool-source.ts';

/** The state document of one trial of a scenario that has a `state`. */
export class KeptState implements TrialState {
  readonly #initial: Record<string, unknown>;
  #document: Record<string, unknown> | null = null;

  constructor(initial: Record<string, unknown>) {
    this.#initial = initial;
  }

  /** Copied when a tool first needs it: it may have several megabytes. */
  get document(): Record<string, unknown> {
    this.#document ??= copyJson(this.#initial);
    return this.#document;
  }

  /** Which document the trial began with, and what its tools changed. Throws if what they left is no JSON. */
  changes(): NonNullable<Trace['state']> {
    const changes = this.#document === null ? [] : changesBetween(this.#initial, this.#document);
    return { sha256: stateHash(this.#initial), changes };
  }

  /** The trace with the changes; one that is not scored if they cannot be written as JSON. */
  addTo(trace: Trace): Trace {
    try {
      return { ...trace, state: this.changes() };
    } catch (error) {
      const message = `a tool left a state that is no JSON document: ${errorMessage(error)}`;
      const error_code: ErrorCode = 'STATE_INVALID';
      return trace.error === null ? { ...trace, finish_reason: 'error', error: message, error_code } : trace;
    }
  }
}
