import { KeptProgram } from '../program/kept-program.ts';
import type { Program, ProgramResult } from '../program/run-program.ts';

/** More trials than these at the same time share processes, one request after the other. */
const MAX_PROCESSES = 16;

interface KeptRequest extends Pick<Program, 'onStderr' | 'signal'> {
  conversation: string;
  /** Variables of a process that is started for it, beside its others. */
  variables?: Record<string, string> | undefined;
  cwd: string;
}

type ProcessRequest = Pick<KeptRequest, 'conversation' | 'variables' | 'cwd'>;
type Started = Omit<Program, 'input' | 'onStderr' | 'signal'>;

interface Process {
  program: KeptProgram;
  /** Conversations whose requests go to it. */
  conversations: Set<string>;
  /** Resolves when nothing is asked. */
  idle: Promise<unknown>;
}

/**
 * The processes of a program that is kept. All requests of a conversation go to the same process, as long as that lives. With
 * `conversation`, each has a process for itself; with `run`, a process is used again when its conversation is over.
 */
export class KeptPrograms {
  readonly #program: Started;
  readonly #isForOne: boolean;
  readonly #processes = new Set<Process>();
  readonly #ending = new Set<Promise<void>>();

  constructor(program: Started, keep: 'conversation' | 'run') {
    this.#program = program;
    this.#isForOne = keep === 'conversation';
  }

  async ask(
    request: Record<string, unknown>,
    { conversation, variables, cwd, ...options }: KeptRequest,
  ): Promise<ProgramResult> {
    for (;;) {
      const process = this.#processOf({ conversation, variables, cwd });
      const before = process.idle;
      const { promise, resolve } = Promise.withResolvers<void>();
      process.idle = promise;
      try {
        await before;
        // Another conversation may have ended it meanwhile.
        if (process.program.isOver && !options.signal.aborted) continue;
        const result = await process.program.ask(request, options);
        // It ended after an earlier answer, as programs do that are started for each request.
        const wasNotRead = result.stdout === '' && result.exitCode === 0 && process.program.hasAnswered;
        if (!wasNotRead) return result;
      } finally {
        resolve();
      }
    }
  }

  endConversation(id: string): void {
    for (const process of this.#processes) {
      if (process.conversations.delete(id) && this.#isForOne) this.#end(process);
    }
  }

  async close(): Promise<void> {
    for (const process of this.#processes) this.#end(process);
    await Promise.all(this.#ending);
  }

  #processOf({ conversation, ...start }: ProcessRequest): Process {
    for (const process of this.#processes) if (process.program.isOver) this.#processes.delete(process);
    const all = [...this.#processes].sort((a, b) => a.conversations.size - b.conversations.size);
    const own = all.find(({ conversations }) => conversations.has(conversation));
    const [least] = this.#isForOne ? [] : all;
    const isUsable = least !== undefined && (least.conversations.size === 0 || all.length >= MAX_PROCESSES);
    const process = own ?? (isUsable ? least : this.#start(start));
    process.conversations.add(conversation);
    return process;
  }

  #start({ variables, cwd }: Omit<ProcessRequest, 'conversation'>): Process {
    const process = {
      program: new KeptProgram({
        ...this.#program,
        cwd,
        env: { ...this.#program.env, ...(this.#isForOne && variables) },
      }),
      conversations: new Set<string>(),
      idle: Promise.resolve(),
    };
    this.#processes.add(process);
    return process;
  }

  #end(process: Process): void {
    this.#processes.delete(process);
    const ending = process.program.end().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}
