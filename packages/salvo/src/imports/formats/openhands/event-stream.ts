import { isRecord } from '../../../text/json/is-record.ts';
import type { FileRecord, ImportedConversation } from '../../import-format.ts';
import { textOf } from '../record-fields.ts';
import { timeOf } from '../session/session-clock.ts';
import { SessionLog } from '../session/session-log.ts';
import { readAction, readObservation } from './events.ts';
import { OpenHandsFigures } from './figures.ts';
import { readSdkEvent } from './sdk-events.ts';
import type { StreamEvent } from './stream-event.ts';

type Fields = Record<string, unknown>;

interface RowFacts {
  id: string | null;
  model: string | null;
  metrics: Fields;
  error: string | null;
}

/** The conversation that events tell. */
export class EventStream {
  readonly #log = new SessionLog();
  readonly #figures = new OpenHandsFigures();
  readonly #line: number;
  /** The list that has the events; null if the records are the events. */
  readonly #list: string | null;
  #count = 0;

  constructor(line: number, list: string | null = null) {
    this.#line = line;
    this.#list = list;
  }

  read({ value, line }: FileRecord): void {
    const place = this.#list === null ? 'it' : `${this.#list}[${this.#count}]`;
    this.#count += 1;
    if (!isRecord(value)) {
      this.#log.lose({ line, place }, 'is no event');
      return;
    }
    const time = timeOf(value.timestamp);
    const event = { event: value, line, place, time, log: this.#log, figures: this.#figures };
    this.#log.attempt({ line, place }, () => {
      if (!this.#isRead(event)) {
        this.#log.clock.seen(time);
        this.#log.leave(textOf(value, 'kind', 'action', 'observation') ?? 'event');
      }
    });
  }

  finish(row?: RowFacts): ImportedConversation | null {
    if (row) this.#figures.whole(row.metrics);
    const figures = this.#figures;
    return this.#log.finish({
      line: this.#line,
      id: row?.id ?? null,
      facts: {
        ...{ usage: figures.usage, cost_usd: figures.cost, final_content: figures.finalContent },
        model: this.#log.conversation.model ?? figures.model ?? row?.model,
        error: row?.error ?? figures.error,
      },
      fields: {},
    });
  }

  #isRead(event: StreamEvent): boolean {
    const { kind, action, observation } = event.event;
    this.#figures.note(event.event);
    if (typeof kind === 'string') return readSdkEvent(kind, event);
    if (typeof observation === 'string') return readObservation(observation, event);
    return typeof action === 'string' && readAction(action, event);
  }
}
