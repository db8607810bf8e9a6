import { isRecord } from '../../../text/json/is-record.ts';
import { textOf } from '../record-fields.ts';

/** Finds parts of messages that a file has again, under another id, as a session that was continued may have them. */
export class RepeatedParts {
  readonly #said = new Map<string, Set<string>>();
  readonly #results = new Map<string, unknown>();

  /** The parts of an answer that were not among those with this key before. */
  newOfAnswer(key: string, content: unknown): unknown {
    if (!Array.isArray(content)) return content;
    const said = this.#said.get(key) ?? new Set();
    const isRepeated = said.size > 0;
    this.#said.set(key, said);
    const parts = content.filter((part) => {
      const text = isRecord(part) ? textOf(part, 'id', 'text', 'thinking') : null;
      if (text === null) return true;
      if (isRepeated && said.has(text)) return false;
      said.add(text);
      return true;
    });
    return parts.length < content.length && parts.length === 0 ? undefined : parts;
  }

  /** The parts of a message without results that were given before in the same words. */
  newOfUser(content: unknown): unknown {
    if (!Array.isArray(content)) return content;
    const parts = content.filter((part) => !isRecord(part) || part.type !== 'tool_result' || !this.#wasGiven(part));
    return parts.length < content.length && parts.length === 0 ? undefined : parts;
  }

  #wasGiven(part: Record<string, unknown>): boolean {
    const id = textOf(part, 'tool_use_id');
    if (id === null) return false;
    const isKnown = this.#results.has(id);
    const isSame = isKnown && JSON.stringify(this.#results.get(id)) === JSON.stringify(part.content);
    if (!isKnown) this.#results.set(id, part.content);
    return isSame;
  }
}
