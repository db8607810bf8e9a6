import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Message } from '../../trace/message.ts';
import type { ConversationEnd, RoleBreak, SimulatedUser } from '../../trace/simulated-user.ts';
import type { Trace } from '../../trace/trace.ts';
import { type SaidText, textsOf } from './user-prompt.ts';

/** What a user does next: it says something, it is done, perhaps with a last word, or it broke its role. */
export type NextMessage = { text: string } | { done: ConversationEnd['by']; text: string } | { broke: RoleBreak };

/** Whoever plays the user: a model or a script. */
export interface UserVoice {
  next(said: readonly SaidText[]): Promise<NextMessage>;
  /** What it took so far. */
  facts(): Omit<SimulatedUser, 'messages' | 'broke_role'>;
}

/** The agent's side of the conversation. */
export interface AgentSide {
  messages: () => readonly Message[];
  /** Adds a message of the user. */
  hear: (text: string) => void;
  /** Lets the agent answer. False if it was still calling tools at its last turn. */
  answer: () => Promise<boolean>;
}

/** Thrown when the user says something that the user of the scenario could not say. */
export class RoleBroken extends SalvoError {
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

  /** Talks with the agent until the user is done. False if the agent was stopped at its last turn. */
  async talk(agent: AgentSide): Promise<boolean> {
    const { maxMessages, mustEnd } = this.#limits;
    while (this.#said.length < maxMessages) {
      const next = await this.#voice.next(textsOf(agent.messages()));
      if ('text' in next && next.text !== '') {
        this.#said.push(next.text);
        agent.hear(next.text);
      }
      if ('broke' in next) throw this.#breaks(next.broke);
      if ('done' in next) return this.#ends({ by: next.done });
      if (!(await agent.answer())) return !this.#ends({ by: 'limit', limit: 'max_turns' });
    }
    if (mustEnd) throw this.#breaks(neverEnded(maxMessages));
    return this.#ends({ by: 'limit', limit: 'max_messages' });
  }

  /** The trace with what is known of its user, and with its messages marked. */
  addTo(trace: Trace): Trace {
    const broke = this.#broke && { broke_role: this.#broke };
    return {
      ...trace,
      messages: marked(trace.messages, this.#said),
      ...(this.#end && { conversation_end: this.#end }),
      simulated_user: { ...this.#voice.facts(), messages: this.#said.length, ...broke },
    };
  }

  #ends(end: Omit<ConversationEnd, 'messages'>): true {
    this.#end = { ...end, messages: this.#said.length };
    return true;
  }

  #breaks(broke: RoleBreak): RoleBroken {
    this.#broke = broke;
    return new RoleBroken(broke);
  }
}

function neverEnded(maxMessages: number): RoleBreak {
  const why = `still had not said that it is done (max_messages: ${maxMessages})`;
  return { message: maxMessages, kind: 'never_ended', why };
}

/** An agent may report the conversation itself, so that messages are found by their texts, in order. */
function marked(messages: Message[], said: readonly string[]): Message[] {
  const open = [...said].reverse();
  // From the end: earlier messages of the scenario may have the same text.
  const result = messages.toReversed().map((message): Message => {
    if (message.role !== 'user' || message.content !== open[0]) return message;
    open.shift();
    return { ...message, simulated: true };
  });
  return result.reverse();
}
