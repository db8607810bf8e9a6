import { milliseconds } from '../../../trace/forms/recorded/recorded-step.ts';

/** Before this, a number is seconds since 1970 and not milliseconds. */
const FIRST_MILLISECONDS = 1e11;

/** Milliseconds since 1970; null if the value is no time. */
export function timeOf(value: unknown): number | null {
  const time = milliseconds(value);
  return typeof value === 'number' && time !== null && time < FIRST_MILLISECONDS ? milliseconds(time * 1000) : time;
}

/** How long the agent worked in a session, without the time in which it waited for its user. */
export class SessionClock {
  #first: number | null = null;
  #asked: number | null = null;
  #active: number | null = null;
  #worked: number | null = null;
  #requested: number | null = null;
  /** When the model was asked for an answer that has several parts. */
  readonly #requests = new Map<string, number | null>();

  /** Something happened that is no work of the agent. */
  seen(time: number | null): void {
    this.#first ??= time;
  }

  /** The user wrote a message. */
  asked(time: number | null): void {
    this.seen(time);
    this.#endTurn();
    this.#asked = time;
    this.#requested = time;
  }

  /** A tool gave its result, so that the model is asked next. */
  returned(time: number | null): void {
    this.seen(time);
    this.#active = time ?? this.#active;
    this.#requested = time;
  }

  /** The model gave an answer, or a part of the one with this key. Returns the seconds since it was asked. */
  answered(time: number | null, key?: string): number | null {
    this.seen(time);
    this.#active = time ?? this.#active;
    const known = key !== undefined && this.#requests.has(key) ? this.#requests.get(key) : undefined;
    const requested = known === undefined ? this.#requested : known;
    if (key !== undefined && known === undefined) this.#requests.set(key, requested);
    return time === null || requested === null || time < requested ? null : (time - requested) / 1000;
  }

  get timestamp(): string | null {
    return this.#first === null ? null : new Date(this.#first).toISOString();
  }

  /** Null if the session says no times. */
  latencySeconds(): number | null {
    this.#endTurn();
    return this.#worked === null ? null : this.#worked / 1000;
  }

  #endTurn(): void {
    if (this.#asked !== null && this.#active !== null && this.#active >= this.#asked) {
      this.#worked = (this.#worked ?? 0) + this.#active - this.#asked;
    }
    this.#asked = null;
    this.#active = null;
  }
}
