import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorCode, errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import type { AdapterTurnResult } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterFactory } from '../adapter-factory.ts';
import { withDeadline } from '../call/call-deadline.ts';
import { MAX_ANSWER_BYTES, tooLargeError } from '../call/guarded-fetch.ts';
import { commandOf } from '../program/command-line.ts';
import { EXIT_TEMPORARY_FAILURE, outageInStderr } from '../program/outage-in-stderr.ts';
import { programEnvironment } from '../program/program-environment.ts';
import { missingResource, type ProgramResult, runProgram } from '../program/run-program.ts';
import { agentRequest, parseAgentJson } from './agent-json.ts';
import type { AgentReplySource } from './agent-reply.ts';
import { KeptPrograms } from './kept-programs.ts';
import { agentProviderError } from './thrown-error.ts';

/**
 * An agent that is a command: JSON on stdin, a turn or a trace as JSON on stdout, logs on stderr. It is started for each
 * request, or kept and asked line by line.
 */
export const createExecAdapter: AdapterFactory<'exec'> = (options, context) => {
  const { command, cwd } = commandOf(options, context.root);
  // In a workspace, the files of the project are not there.
  const fromProject = (word: string) => (options.run_in && /^\.\.?[/\\]/.test(word) ? resolve(cwd, word) : word);
  const [file = '', ...args] = command.map(fromProject);
  const { timeout_seconds: timeoutSeconds, tools_seen: toolsSeen } = options;
  const callee = `The command ${quoteOutput([file, ...args].join(' '), { length: 80 })}`;
  const program = {
    file,
    args,
    cwd,
    env: programEnvironment(context.env, options.env),
    maxOutputBytes: MAX_ANSWER_BYTES,
  };
  if (options.keep === 'run' && options.observe !== undefined) throw notObservable(file);
  if (options.keep === 'run' && options.run_in) throw notInWorkspace(file);
  const kept = options.keep === undefined ? undefined : new KeptPrograms(program, options.keep);
  return {
    providerName: () => 'exec',
    async sendTurn(messages, tools, config) {
      const request = agentRequest(messages, tools, { ...config, form: options.messages_as });
      const source = { callee, request: config.conversation?.request ?? 0, asked: messages, toolsSeen };
      const result = await withDeadline({ callee, timeoutSeconds, signal: config.signal }, async (signal) => {
        try {
          const listener = { onStderr: config.log, signal };
          const conversation = config.conversation?.id ?? '';
          const { environment } = config.conversation ?? {};
          const variables = { ...config.given?.variables, ...environment?.variables };
          const own = { cwd: options.run_in && environment?.workspace ? environment.workspace : cwd };
          if (kept) return await kept.ask(request, { conversation, variables, ...own, ...listener });
          const env = { ...program.env, ...variables };
          return await runProgram({ ...program, ...own, env, input: JSON.stringify(request), ...listener });
        } catch (cause) {
          throw startError({ file, cwd, cause });
        }
      });
      if (result.outputTooLarge) throw tooLargeError(source.callee);
      if (result.exitCode === 0) return parseAgentJson(result.stdout, source);
      const answer = answerBefore(result, source);
      config.log?.(`[${callee} ${endOf(result)} after its answer]\n`);
      return answer;
    },
    endConversation: async (id) => kept?.endConversation(id),
    close: async () => kept?.close(),
  };
};

function notInWorkspace(file: string): SalvoError {
  const problem =
    'a program that is kept for the run has one folder for all trials, and each trial has its own workspace';
  return new SalvoError('ADAPTER_NOT_READY', `${file}: ${problem}. Write "keep: conversation", or remove "run_in".`);
}

function notObservable(file: string): SalvoError {
  const problem = 'a program that is kept for the run has one recorder for all trials, so they cannot be told apart';
  return new SalvoError('ADAPTER_NOT_READY', `${file}: ${problem}. Write "keep: conversation", or remove "observe".`);
}

/**
 * A program may give its answer and fail while it cleans up: the answer counts. Without one, the agent crashed, unless it
 * says that a provider or the network is the reason: by its exit code, or by the error at the end of its stderr.
 */
function answerBefore(result: ProgramResult, source: AgentReplySource): AdapterTurnResult {
  const { stderrTail, stdout } = result;
  try {
    return parseAgentJson(stdout, source);
  } catch (error) {
    // The answer itself reports an outage.
    if (error instanceof AdapterError && error.kind === 'agent_provider') throw error;
    const agentStack = quoteOutput(stderrTail, { keep: 'end', length: 4000 });
    const [lastLine = ''] = agentStack.split('\n').slice(-1);
    const why = lastLine === '' ? ' and wrote nothing to stderr.' : `: ${lastLine}`;
    const isTemporary = result.exitCode === EXIT_TEMPORARY_FAILURE;
    const trouble = outageInStderr(stderrTail) ?? (isTemporary ? lastLine || endOf(result) : undefined);
    if (trouble !== undefined) throw agentProviderError({ callee: source.callee, trouble }, { agentStack });
    throw new AdapterError('crashed', `${source.callee} ${endOf(result)}${why}`, {
      agentStack: agentStack || undefined,
    });
  }
}

function endOf({ endedBy, exitCode }: ProgramResult): string {
  return endedBy ? `was ended by ${endedBy}` : `ended with exit code ${exitCode}`;
}

function startError({ file, cwd, cause }: { file: string; cwd: string; cause: unknown }): AdapterError {
  const code = errorCode(cause);
  const program = quoteOutput(file, { length: 80 });
  const fail = (message: string) => new AdapterError('missing_dependency', message, { cause });
  const missing = missingResource(cause);
  // Not a problem of the program: there may be room for it a little later.
  if (missing !== undefined) {
    return new AdapterError('overloaded', `The program ${program} could not be started: ${missing}.`, { cause });
  }
  if (!existsSync(cwd)) return fail(`The folder ${cwd}, in which ${program} is to run, does not exist.`);
  if (code === 'ENOENT') {
    return fail(
      `The program ${program} was not found. Install it, or correct "command" of the adapter in salvo.yaml; a path is relative to ${cwd}.`,
    );
  }
  if (code === 'EACCES') return fail(`The program ${program} may not be executed. Try: chmod +x ${program}`);
  return fail(`The program ${program} could not be started: ${quoteOutput(errorMessage(cause))}`);
}
