import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Message } from '../../trace/message.ts';
import type { ConversationEnd, RoleBreak, SimulatedUser, Trace } from '../../trace/trace.ts';
import { type SaidText, textsOf } from './user-prompt.ts';

/** What a user does next. */
export interface NextMessage {
  /** Empty if it says nothing more. */
  text: string;
  /** It is done, perhaps with a last word. */
  done?: ConversationEnd['by'] | undefined;
  /** It broke its role with this text. */
  broke?: RoleBreak | undefined;
}

/** Whoever plays the user: a model or a script. */
export interface UserVoice {
  next(said: readonly SaidText[]): Promise<NextMessage>;
  /** What it took so far. */
  facts(): Omit<SimulatedUser, 'messages' | 'broke_role'>;
}

type UserMessage = { role: 'user'; content: string };

/** Thrown when the user says something that the user of the scenario could not say. */
class RoleBroken extends SalvoError {
  constructor({ message, why }: RoleBreak) {
    super('USER_BROKE_ROLE', `the simulated user broke its role: in its message ${message} it ${why}`);
    this.name = 'RoleBroken';
  }
}

/** The simulated user of one trial. */
export class TrialUser {
  readonly #voice: UserVoice;
  readonly #limits: { maxMessages: number; mustEnd: boolean };
  readonly #said: string[] = [];
  #end: ConversationEnd | undefined;
  #broke: RoleBreak | undefined;

  /** `mustEnd`: a user that never says that it is done has broken its role. */
  constructor(voice: UserVoice, limits: { maxMessages: number; mustEnd: boolean }) {
    this.#voice = voice;
    this.#limits = limits;
  }

  /** The next message of the user; undefined if it says nothing more. */
  async next(messages: readonly Message[]): Promise<[UserMessage] | undefined> {
    const { maxMessages, mustEnd } = this.#limits;
    if (this.#said.length >= maxMessages) {
      if (mustEnd) this.#broke = neverEnded(maxMessages);
      else this.#ends({ by: 'limit', limit: 'max_messages' });
      return this.#unlessBroken(undefined);
    }
    const { text: content, done, broke } = await this.#voice.next(textsOf(withSaid(messages, this.#said)));
    if (content !== '') this.#said.push(content);
    this.#broke = broke;
    if (done && !broke) this.#ends({ by: done });
    return content === '' ? this.#unlessBroken(undefined) : [{ role: 'user', content }];
  }

  /** Whether the agent has to answer the last message. Throws if the user broke its role with it. */
  waitsForAnswer(): boolean {
    return this.#unlessBroken(this.#end === undefined);
  }

  /** The agent has no turn left for an answer. */
  outOfTurns(): void {
    this.#ends({ by: 'limit', limit: 'max_turns' });
  }

  /** The trace with what is known of its user, and with its messages marked. */
  addTo(trace: Trace): Trace {
    const broke = this.#broke && { broke_role: this.#broke };
    const messages = marked(trace.messages, this.#said);
    const isComplete = messages.filter(isSimulated).length === this.#said.length;
    const said = !isComplete && { said: [...this.#said] };
    return {
      ...trace,
      messages,
      ...(this.#end && { conversation_end: this.#end }),
      simulated_user: { ...this.#voice.facts(), messages: this.#said.length, ...said, ...broke },
    };
  }

  #ends(end: Omit<ConversationEnd, 'messages'>): void {
    this.#end = { ...end, messages: this.#said.length };
  }

  #unlessBroken<T>(value: T): T {
    if (this.#broke) throw new RoleBroken(this.#broke);
    return value;
  }
}

function neverEnded(maxMessages: number): RoleBreak {
  const why = `still had not said that it is done (max_messages: ${maxMessages})`;
  return { message: maxMessages, kind: 'never_ended', why };
}

/** An agent may report the conversation itself, so that messages are found by their texts, in order. */
function marked(messages: readonly Message[], said: readonly string[]): Message[] {
  const open = [...said].reverse();
  // From the end: earlier messages of the scenario may have the same text.
  const result = messages.toReversed().map((message): Message => {
    if (message.role !== 'user') return message;
    const { simulated: _, ...own } = message;
    if (message.content !== open[0]) return own;
    open.shift();
    return { ...own, simulated: true };
  });
  return result.reverse();
}

function isSimulated(message: Message): boolean {
  return message.role === 'user' && message.simulated === true;
}

/** The conversation as the user knows it: an agent that reports it in other words does not change what the user said. */
function withSaid(messages: readonly Message[], said: readonly string[]): Message[] {
  const open = [...said];
  return messages
    .toReversed()
    .flatMap((message): Message[] => {
      if (message.role !== 'user') return [message];
      const content = open.pop();
      return [content === undefined ? message : { ...message, content }];
    })
    .reverse();
}
