import type { TrialContext } from '../../scenario/code/scenario-definition.ts';
import type { WrittenFile } from '../../scenario/schema/tool-schema.ts';
import type { ToolCall } from '../../trace/message.ts';
import type { ToolError } from '../../trace/trace.ts';

export interface ToolOutcome {
  content: string;
  /** As the mock names them. */
  files?: readonly WrittenFile[] | undefined;
  is_error: boolean;
  /** Why the call was answered with an error; null for the result of a mock or of a real tool. */
  problem: Pick<ToolError, 'kind' | 'message'> | null;
}

/** What answers the calls of a tool: mocks of the scenario, a function of a module, or a server. */
export interface ToolSource {
  /** Begins a trial, with what functions of the user receive. */
  start(context: Omit<TrialContext, 'signal'>): Promise<TrialToolSource> | TrialToolSource;
}

/** A tool in one trial. */
export interface TrialToolSource {
  /** Throws if the call could not be answered at all, such as by a server that died: the trial is not scored. */
  answer(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome>;
  /** Ends what the trial started, such as a server of its own. */
  end?(): Promise<void>;
}
