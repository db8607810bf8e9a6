import { z } from 'zod';
import { errorText, foreignName, laterSchema, projectName, textFree } from '../secrets/text-marks.ts';
import { atLeastSchema } from './cost-fields.ts';
import { faultRecordSchema, messageSchema, toolErrorSchema } from './message.ts';

/** How the tool calls of a trial are known. unknown: the agent returned only a text, so there may have been any. */
export const toolsSeenSchema = z.enum(['observed', 'reported', 'unknown']);

/** A tool call together with what came back. `turn` counts model turns from 1. */
const toolCallRecordSchema = z.object({
  id: foreignName(z.string()),
  name: foreignName(z.string()),
  arguments: z.record(z.string(), z.unknown()),
  turn: z.int().positive(),
  result: z.string().nullable(),
  is_error: z.boolean(),
  /**
   * observed: Salvo answered it; reported: only the agent says so; requested: the model asked for it, and nothing says that it was
   * executed. Missing in traces of earlier versions, where it means reported.
   */
  seen: z.enum(['observed', 'reported', 'requested']).optional(),
  /** The scenario mocks the tool, and the agent executed its own. */
  bypassed_mock: z.boolean().optional(),
  /** The tool is itself an agent, whose own calls were not seen. */
  agent: z.boolean().optional(),
  /** Whether the tool may change something; missing if the scenario does not say. */
  effect: z.enum(['read', 'write']).optional(),
  /** What went wrong with the call because the scenario or the run says so. The agent does not see it. */
  fault: laterSchema(faultRecordSchema).optional(),
});

/** One request that was sent again, and why. */
const retryRecordSchema = laterSchema(() =>
  z.object({
    turn: z.int().positive(),
    attempt: z.int().positive(),
    reason: errorText(z.string(), 'code'),
    /** What kind of error it was. */
    code: textFree(z.string()).optional(),
    status: z.int().nullable(),
    delay_seconds: z.number(),
  }),
);

/** How long the agent took for an answer, and its tokens. Null where it is unknown. */
const turnRecordSchema = z.object({
  /** The first turn of the answer: an agent that runs a whole task answers with several. */
  turn: z.int().positive(),
  /** When the agent was asked, counted from the beginning of the trial. */
  started_seconds: z.number().nonnegative(),
  /** With retries, and with the tools that an agent calls itself. */
  latency_seconds: z.number().nonnegative().nullable(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  /** Missing in traces of earlier versions. */
  cost_usd: z.number().nonnegative().nullable().optional(),
});

/** What the recorder of an observed agent saw. */
function observedSchema() {
  return z.object({
    /** model: requests of the agent to its model, so that calls are those that the model requested; otel: spans. */
    by: z.enum(['model', 'otel']),
    model_calls: z.int().nonnegative(),
    /** Calls of models that do not continue each other are several conversations. */
    conversations: z.int().nonnegative(),
    /** Trials ran one at a time, because nothing told their requests apart. */
    alone: z.boolean().optional(),
    /** Why the tool calls are not known. */
    problem: z.string().optional(),
  });
}

function stateSchema() {
  return z.object({
    sha256: textFree(z.string()),
    changes: z.array(
      z.object({
        /** A JSON pointer. */
        path: z.string(),
        /** Missing: it is new. */
        before: z.unknown().optional(),
        /** Missing: it is gone. */
        after: z.unknown().optional(),
      }),
    ),
    /** Set if the agent reports calls that Salvo did not answer: they were played into a fresh state. */
    reported: z
      .object({
        /** Whether the tools answered as recorded. writes: only tools that read differ; none: the changes are not known. */
        agree: z.enum(['all', 'writes', 'none']),
        /** The first call that differs. */
        difference: z.string().optional(),
      })
      .optional(),
  });
}

/** How a conversation with a simulated user ended. Missing if something else ended the trial, such as an error. */
const conversationEndSchema = laterSchema(() =>
  z.object({
    /** user: it said that it is done; script: it has nothing more to say; limit: `limit` was reached before. */
    by: z.enum(['user', 'script', 'limit']),
    limit: z.enum(['max_messages', 'max_turns']).optional(),
    /** How many messages the simulated user wrote. */
    messages: z.int().nonnegative(),
  }),
);

/** Why a message is not one that the user of the scenario could have written. */
export const roleBreakKindSchema = () =>
  z.enum(['unknown_fact', 'agent_role', 'ended_early', 'never_ended', 'by_model']);

/** What is known of the simulated user of a trial. */
const simulatedUserSchema = laterSchema(() =>
  z.object({
    /** Missing for a script. */
    model: projectName(z.string()).optional(),
    provider: projectName(z.string()).optional(),
    /** Identifies its instructions, its goal and its facts. */
    prompt_hash: textFree(z.string()).optional(),
    /** How many messages it wrote. */
    messages: z.int().nonnegative(),
    /** What it said, where the agent reported the conversation in other words. */
    said: z.array(z.string()).optional(),
    /** How many of its answers were paid for earlier. */
    cached: z.int().nonnegative(),
    input_tokens: z.number().nullable(),
    output_tokens: z.number().nullable(),
    cost_usd: z.number().nullable(),
    /** What is known of the cost, if it is not known exactly. */
    cost_at_least: atLeastSchema.optional(),
    /** Set if it broke its role: the trial is not scored then. */
    broke_role: z
      .object({
        /** Which of its messages, from 1. */
        message: z.int().positive(),
        kind: textFree(roleBreakKindSchema()),
        why: z.string(),
      })
      .optional(),
  }),
);

/** How often the users of a scenario broke their role, and how. */
export const simulatedUsersSchema = laterSchema(() =>
  z.object({
    trials: z.int().nonnegative(),
    broke_role: z.int().nonnegative(),
    kinds: z.record(textFree(z.string()), z.int().positive()),
  }),
);

export type ConversationEnd = z.infer<typeof conversationEndSchema>;
export type SimulatedUser = z.infer<typeof simulatedUserSchema>;
export type RoleBreak = NonNullable<SimulatedUser['broke_role']>;

/**
 * Everything that happened in one run of one scenario.
 * Tokens, cost and time are null when they are unknown, which is never 0.
 */
export const traceSchema = z.object({
  messages: z.array(messageSchema),
  tool_calls_made: z.array(toolCallRecordSchema),
  /** How the tool calls are known; see `tools-seen.ts`. Missing in traces of earlier versions, where it means reported. */
  tools_seen: toolsSeenSchema.optional(),
  /** The agent, or its entry in salvo.yaml, says that these are all its calls. */
  tools_declared: z.boolean().optional(),
  /** What `observe` of the adapter recorded. */
  observed: laterSchema(observedSchema).optional(),
  /** Of a scenario with a state: which document the trial began with, and what its tools changed in it. */
  state: laterSchema(stateSchema).optional(),
  turn_count: z.int().nonnegative(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  total_tokens: z.number().nullable(),
  /** Unknown in a conversation that was recorded elsewhere, unless its data tells. */
  latency_seconds: z.number().nullable(),
  final_content: z.string().nullable(),
  finish_reason: foreignName(z.string()),
  model: foreignName(z.string()),
  /** The model that was to answer, if the provider says that another one did, which is `model` then. */
  asked_model: foreignName(z.string()).optional(),
  provider: projectName(z.string()),
  timestamp: textFree(z.string()),
  scenario_hash: textFree(z.string()),
  cost_usd: z.number().nullable(),
  /** What is known of the cost, if it is not known exactly; missing in traces of earlier versions. */
  cost_at_least: atLeastSchema.optional(),
  max_turns_hit: z.boolean(),
  tool_errors: z.array(toolErrorSchema),
  retries: z.array(retryRecordSchema).default([]),
  /** One entry for each answer of the agent; missing in a trace that was recorded elsewhere or by an earlier version. */
  turns: z.array(turnRecordSchema).optional(),
  /** Why the run ended before the agent was done: a provider that failed, a timeout. Null when the agent ended it. */
  error: errorText(z.string(), 'error_code').nullable().default(null),
  /** What kind of error it was; only with an error. */
  error_code: textFree(z.string()).optional(),
  /** Where the agent's own code threw, its own frames first; only when the agent crashed (AGENT_CRASHED). */
  error_stack: z.string().optional(),
  /** What the agent printed while it ran, shortened; missing when it printed nothing. */
  agent_log: z.string().optional(),
  /** Only in a conversation with a simulated user. */
  conversation_end: conversationEndSchema.optional(),
  simulated_user: simulatedUserSchema.optional(),
  workspace: laterSchema(workspaceRecordSchema).optional(),
  services: laterSchema(serviceRecordsSchema).optional(),
  imported: laterSchema(importedSchema).optional(),
});

/** Where a conversation is from that was recorded elsewhere, and what was said about it there. */
function importedSchema() {
  return z.object({
    format: projectName(z.string()),
    /** What its file calls it. */
    id: foreignName(z.string()).nullable(),
    /** How it ended, as its file says: given by others, and not judged. Null if the file does not say. */
    given: z
      .object({
        passed: z.boolean(),
        reward: z.number().nullable(),
        /** The reward from which it passes; null if the file itself says whether it passed. */
        pass_at: z.number().nullable(),
        scores: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])),
      })
      .nullable(),
    /** Fields of its record that no part of a trace stands for. */
    aside: z.record(z.string(), z.unknown()),
  });
}

/** What became of the workspace of a trial. */
function workspaceRecordSchema() {
  return z.object({
    /** Files that the agent added, changed or deleted, and those that an assertion reads. */
    files: z.array(fileRecordSchema()),
    /** How many more files were changed than are listed. */
    not_listed: z.int().positive().optional(),
    /** Why the files after the trial are not known. */
    problem: z.string().optional(),
    /** What the commands of assertions did, by a hash of the command. */
    commands: z.array(commandRecordSchema()).optional(),
    /** Where the workspace is, if it was kept. */
    kept: projectName(z.string()).optional(),
  });
}

function fileRecordSchema() {
  return z.object({
    /** From the root of the workspace, with forward slashes. */
    path: foreignName(z.string()),
    /** unchanged and missing: only listed because an assertion reads the file. */
    change: z.enum(['added', 'changed', 'deleted', 'unchanged', 'missing']),
    /** After the trial. */
    bytes: z.number().nonnegative().optional(),
    sha256: textFree(z.string()).optional(),
    /** Where a symbolic link leads. It is not followed. */
    link: z.string().optional(),
    content: z.string().optional(),
    /** Why a file after the trial has no content here. */
    without_content: z.enum(['binary', 'too_large', 'unreadable', 'too_many']).optional(),
    /** The changed lines with those around them; of a changed text only. */
    diff: z.string().optional(),
  });
}

function commandRecordSchema() {
  return z.object({
    key: textFree(z.string()),
    command: z.string(),
    exit_code: z.int().nullable(),
    /** Why there is no exit code. gone: the program, or the folder in which it runs, is not in the workspace. */
    problem: z.enum(['timeout', 'signal', 'gone', 'not_executable', 'not_found', 'not_started']).optional(),
    seconds: z.number().nonnegative(),
    /** The end of what it printed. */
    output: z.string(),
  });
}

/** What a service printed last. */
function serviceRecordsSchema() {
  return z.array(z.object({ name: projectName(z.string()), output: z.string() }));
}

export type Trace = z.infer<typeof traceSchema>;
export type ImportedRecord = z.infer<ReturnType<typeof importedSchema>>;
export type ToolCallRecord = z.infer<typeof toolCallRecordSchema>;
export type FaultRecord = z.infer<ReturnType<typeof faultRecordSchema>>;
export type ToolError = z.infer<typeof toolErrorSchema>;
export type TurnRecord = z.infer<typeof turnRecordSchema>;
export type RetryRecord = z.infer<typeof retryRecordSchema>;
export type WorkspaceRecord = z.infer<ReturnType<typeof workspaceRecordSchema>>;
export type FileRecord = z.infer<ReturnType<typeof fileRecordSchema>>;
export type CommandRecord = z.infer<ReturnType<typeof commandRecordSchema>>;
