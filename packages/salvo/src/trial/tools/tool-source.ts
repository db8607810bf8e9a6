import type { TrialContext } from '../../scenario/code/scenario-definition.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { Effect, WrittenFile } from '../../scenario/schema/tool-schema.ts';
import type { ToolCall } from '../../trace/message.ts';
import type { FaultRecord, ToolError } from '../../trace/trace.ts';

export interface ToolOutcome {
  content: string;
  /** As the mock names them. */
  files?: readonly WrittenFile[] | undefined;
  is_error: boolean;
  /** Why the call was answered with an error; null for the result of a mock or of a real tool. */
  problem: Pick<ToolError, 'kind' | 'message'> | null;
  /** Set if something went wrong because the scenario says so. */
  fault?: FaultRecord | undefined;
}

/** The state document of a trial, which only its tools read and change. */
export interface TrialState {
  readonly document: Record<string, unknown>;
}

/** The trial that tools are started for. */
export interface ToolsContext extends Omit<TrialContext, 'signal'> {
  state: TrialState;
  /** Where the workspace and the services of the trial are, for programs. */
  variables?: Record<string, string> | undefined;
  /** Calls are played again, so that nobody waits for an answer that is delayed. */
  isPlayed?: boolean | undefined;
  /** What faults are drawn by; without it there are none. */
  faultSeed?: readonly (string | number)[] | undefined;
}

/** What answers the calls of a tool: mocks of the scenario, a function of a module, or a server. */
export interface ToolSource {
  /**
   * Whether the answers may read or change the state document. Such calls are answered one after the other, and are played
   * again to find out the state that they lead to.
   */
  usesState?: boolean | undefined;
  /** Begins a trial. */
  start(context: ToolsContext): Promise<TrialToolSource> | TrialToolSource;
}

/** A tool in one trial. */
export interface TrialToolSource {
  /** Throws if the call could not be answered at all, such as by a server that died: the trial is not scored. */
  answer(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome> | ToolOutcome;
  /** Ends what the trial started, such as a server of its own. */
  end?(): Promise<void>;
}

/** The beginning of a conversation: messages of the user and the agent, of which the last is the user's. */
export type PromptMessages = Extract<NonNullable<Scenario['messages']>[number], { role: 'user' | 'assistant' }>[];

/** The tools in one trial. */
export interface TrialTools {
  answer(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome> | ToolOutcome;
  effectOf(name: string): Effect | undefined;
  /** Whether answers of the tool may read or change the state. */
  usesState(name: string): boolean;
  /** Undefined if nothing has to be ended. */
  end(): Promise<unknown> | undefined;
}
