import { createCassetteWriter } from '../../../models/cassette/write-cassette.ts';
import type { Redactor } from '../../../secrets/redactor.ts';
import { formatPlural } from '../../../stats/format.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import type { ToolOutcome } from '../tool-source.ts';
import {
  type CassetteTool,
  callKey,
  callWords,
  type IdentifiedCall,
  nearestCall,
  TrialCalls,
} from './cassette-call.ts';
import { CassettePrompts } from './cassette-prompts.ts';
import { readToolCassette } from './read-tool-cassette.ts';
import {
  emptyContents,
  outcomeOfCall,
  type RecordedTool,
  type RecordedToolCall,
  recordedAnswer,
  type ToolCassetteContents,
  toolIn,
} from './tool-cassette-document.ts';
import { toolCassetteText } from './write-tool-cassette.ts';

/** What a cassette says about a tool besides its calls. */
export type ToolFields = Omit<RecordedTool, 'calls'>;

export interface ToolCassetteOptions {
  mode: 'record' | 'replay';
  /** The first part of the same run recorded what the file has: other trials of the run have these answers. */
  isResumed?: boolean | undefined;
  /** Absolute. */
  file: string;
  /** As messages name it. */
  shown: string;
  /** What the file has; null if it does not exist. */
  contents: ToolCassetteContents | null;
  redactor: Redactor;
  /** The command that records the tools again. */
  recordAgain: string;
}

/** The recorded calls of tools in one file, in one run. */
export class ToolCassette {
  readonly mode: 'record' | 'replay';
  readonly shown: string;
  readonly prompts: CassettePrompts;
  readonly #options: ToolCassetteOptions;
  readonly #contents: ToolCassetteContents;
  readonly #tools = new Map<string, CassetteTool>();
  readonly #trials = new WeakMap<object, TrialCalls>();
  readonly #writer;
  /** What was recorded in this run, also if its answer is still awaited. */
  readonly #recorded = new Map<string, Promise<ToolOutcome>>();
  readonly #used = new Set<string>();
  /** Of the file, by their keys; built when it is first needed. */
  #index: Map<string, RecordedToolCall & { tool: string }> | null = null;

  constructor(options: ToolCassetteOptions) {
    this.#options = options;
    this.mode = options.mode;
    this.shown = options.shown;
    this.#contents = options.contents ?? emptyContents();
    this.#writer = createCassetteWriter<ToolCassetteContents>(options.file, {
      empty: emptyContents,
      read: readToolCassette,
      text: toolCassetteText,
    });
    this.prompts = new CassettePrompts({
      ...{ contents: this.#contents, writer: this.#writer, redactor: options.redactor, shown: options.shown },
      notRecorded: (problem) => this.notRecorded(problem),
    });
  }

  /** The names of the recorded tools of a server; null if the server was not recorded. */
  serverTools(server: string): readonly string[] | null {
    return this.#contents.servers.get(server) ?? null;
  }

  /** What was recorded about a tool; null if nothing was. */
  toolFields(name: string): ToolFields | null {
    const tool = this.#contents.tools.get(name);
    return tool ? { description: tool.description, parameters: tool.parameters, effect: tool.effect } : null;
  }

  /** Adds a tool whose calls are recorded or replayed. */
  add(tool: CassetteTool): void {
    this.#tools.set(tool.name, tool);
    this.#index = null;
  }

  async keepServer(server: string, tools: readonly string[]): Promise<void> {
    const names = [...tools].sort();
    await this.#writer.write((contents) => contents.servers.set(server, names));
  }

  async keepTool(name: string, fields: ToolFields): Promise<void> {
    const kept = this.#options.redactor.value(fields);
    await this.#writer.write((contents) => {
      contents.tools.set(name, { ...withoutUndefined(kept), calls: toolIn(contents, name).calls });
    });
  }

  /** The call as the file identifies it. Counts it: `trial` is the same object for all calls of a trial. */
  identify(tool: CassetteTool, args: Record<string, unknown>, trial: object): IdentifiedCall {
    const calls = this.#trials.get(trial) ?? new TrialCalls();
    this.#trials.set(trial, calls);
    // As it is read from the file: without what is undefined.
    const plain: Record<string, unknown> = JSON.parse(JSON.stringify(this.#options.redactor.value(args)));
    return calls.next(tool, plain, this.#keyOf);
  }

  /** The recorded answer. Throws if there is none. */
  replay(tool: CassetteTool, call: IdentifiedCall): ToolOutcome {
    const key = callKey(tool.name, call, this.#keyOf);
    const found = this.#entries().get(key);
    if (found) {
      this.#used.add(key);
      return outcomeOfCall(found);
    }
    const recorded = this.#contents.tools.get(tool.name)?.calls ?? [];
    const nearest = nearestCall(call, { tool: tool.name, recorded, keyOf: this.#keyOf });
    throw this.notRecorded(`The call ${callWords(tool.name, call)} is not on the cassette ${this.shown}. ${nearest}`);
  }

  notRecorded(problem: string): SalvoError {
    return new SalvoError('TOOL_NOT_RECORDED', `${problem} To record it: ${this.#options.recordAgain}`);
  }

  /**
   * Makes a call once in this run, and gives the same answer to every trial. A call that changes something is made in each
   * trial, so that what comes after it is true; its first answer counts.
   */
  async record(tool: CassetteTool, call: IdentifiedCall, live: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
    const key = callKey(tool.name, call, this.#keyOf);
    const known = this.#recorded.get(key) ?? this.#recordedBefore(key);
    if (known) {
      if (tool.effect === 'write') await live();
      // Another trial that made the call may have been stopped.
      return known.catch(() => this.record(tool, call, live));
    }
    const answered = live().then(async (outcome) => {
      await this.#keep(tool, call, outcome);
      return outcome;
    });
    this.#recorded.set(key, answered);
    this.#used.add(key);
    answered.catch(() => this.#recorded.delete(key));
    return answered;
  }

  /** `isWhole`: all trials of the scenario were run. Returns what went wrong, and which entries nothing used. */
  finish(isWhole: boolean): string[] {
    const unused = [...this.#entries()].filter(([key]) => !this.#used.has(key));
    const names = unused.slice(0, MOST_NAMED).map(([, { tool, ...call }]) => callWords(tool, call));
    const more = unused.length > MOST_NAMED ? `, and ${unused.length - MOST_NAMED} more` : '';
    const warning = `The cassette ${this.shown} has ${formatPlural(unused.length, 'call')} that no trial made: ${names.join('; ')}${more}. Remove them if they are out of date.`;
    return [...(isWhole && unused.length > 0 ? [warning] : []), ...this.#writer.problems()];
  }

  readonly #keyOf = (name: string) => this.#tools.get(name)?.key;

  #entries(): Map<string, RecordedToolCall & { tool: string }> {
    this.#index ??= new Map(
      [...this.#contents.tools]
        .filter(([tool]) => this.#tools.has(tool))
        .flatMap(([tool, { calls }]) =>
          calls.map((call) => [callKey(tool, call, this.#keyOf), { ...call, tool }] as const),
        ),
    );
    return this.#index;
  }

  #recordedBefore(key: string): Promise<ToolOutcome> | undefined {
    const found = this.#options.isResumed ? this.#entries().get(key) : undefined;
    if (!found) return undefined;
    this.#used.add(key);
    return Promise.resolve(outcomeOfCall(found));
  }

  async #keep(tool: CassetteTool, call: IdentifiedCall, outcome: ToolOutcome): Promise<void> {
    const key = callKey(tool.name, call, this.#keyOf);
    const answer = recordedAnswer(outcome);
    const entry: RecordedToolCall = {
      ...call,
      ...answer,
      ...this.#options.redactor.value({ answer: answer.answer, error: answer.error }),
    };
    await this.#writer.write((contents) => {
      const recorded = toolIn(contents, tool.name);
      const others = recorded.calls.filter((each) => callKey(tool.name, each, this.#keyOf) !== key);
      contents.tools.set(tool.name, { ...recorded, calls: [...others, withoutUndefined(entry)] });
    });
  }
}

const MOST_NAMED = 5;

function withoutUndefined<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
