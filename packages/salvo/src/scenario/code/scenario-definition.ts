import type { z } from 'zod';
import type { AgentReply, AgentTask } from '../../adapters/agent/agent-function.ts';
import type { Trace } from '../../trace/trace.ts';
import type { DataRow } from '../cases/template.ts';
import type { ASSERTION_SCHEMAS, BuiltInAssertionType, shorthandSchema } from '../schema/assertion-schema.ts';
import type { scenarioFieldsSchema, writtenDataSchema } from '../schema/scenario-schema.ts';

type BuiltInAssertionInput = {
  [T in BuiltInAssertionType]: z.input<(typeof ASSERTION_SCHEMAS)[T]>;
}[BuiltInAssertionType];

/** A judge in one sentence: `{judge: 'The answer is polite.'}`. */
type JudgeSentence = { judge: string } & Omit<
  z.input<(typeof ASSERTION_SCHEMAS)['judge']>,
  'type' | 'criteria' | 'rubric'
>;

/** A built-in assertion, a shorthand, or one of a type added with `registerEvaluator`. */
export type AssertionInput =
  | BuiltInAssertionInput
  | z.input<typeof shorthandSchema>
  | JudgeSentence
  | { type: string; [field: string]: unknown };

/** A scenario with the fields of a scenario file, before defaults are filled in. */
type ScenarioInput = Omit<z.input<typeof scenarioFieldsSchema>, 'assertions' | 'data'> & {
  assertions?: AssertionInput[] | undefined;
  data?: z.input<typeof writtenDataSchema>;
};

/** What the hooks that ran before returned; undefined where there is no such hook, or it returned nothing. */
export interface HookResults<Scenario = unknown, Trial = unknown> {
  /** Of `setup` in the hooks file of salvo.yaml. */
  run: unknown;
  /** Of `setup` of the scenario. */
  scenario: Scenario;
  /** Of `setupTrial`. */
  trial: Trial;
}

/** What the hooks of a scenario receive. */
export interface ScenarioContext<Hooks = HookResults> {
  runId: string;
  /** The name of the scenario. */
  scenario: string;
  hooks: Hooks;
  /** Fires when the time of the hook is up. */
  signal: AbortSignal;
}

/** What functions of a trial receive. */
export interface TrialContext<Row = DataRow, Hooks = HookResults> extends ScenarioContext<Hooks> {
  /** The name of the case; empty if the scenario has no data. */
  case: string;
  /** The row of the case; empty if the scenario has no data. */
  row: Row;
  /** From 1. */
  trialNumber: number;
  /** The absolute path of the trial's own folder, if the scenario has a `workspace`. */
  workspace?: string | undefined;
  /** Where the services of the scenario are, by their names. */
  services?: Record<string, { url: string; port: number }> | undefined;
}

/** What functions that answer calls of tools receive. */
export interface ToolContext<Row = DataRow, Hooks = HookResults, State = Record<string, unknown>>
  extends TrialContext<Row, Hooks> {
  /** The state document of the trial, which the function may change in place; empty if the scenario has no `state`. */
  state: State;
}

/** What a function that checks a trial receives. */
export interface TrialView<Row = DataRow, Hooks = HookResults, State = Record<string, unknown>>
  extends TrialContext<Row, Hooks> {
  /** The state document at the end of the trial; empty if the scenario has no `state`. */
  state: State;
  /** The final answer; empty if there is none. */
  output: string;
  trace: Trace;
}

/**
 * A verdict, a score from 0 to 1, or either of them with a reason. A score without a verdict passes from `pass_at`. A
 * score of null means: could not be scored.
 */
export type CheckResult =
  | boolean
  | number
  | { passed: boolean; details?: string | undefined }
  | {
      score: number | null;
      passed?: boolean | undefined;
      details?: string | undefined;
      metadata?: Record<string, unknown> | undefined;
    };

export type CheckFunction<Trial = TrialView> = (trial: Trial) => CheckResult | Promise<CheckResult>;

/** An assertion that is code. */
export interface CheckInput<Trial = TrialView> {
  check: CheckFunction<Trial>;
  /** Its name in reports. Default: the name of the function. */
  id?: string | undefined;
  weight?: number | undefined;
  required?: boolean | undefined;
  /** The score from which it passes, if the function gives only a score. Default: 0.8. */
  pass_at?: number | string | undefined;
}

/** Answers a call in code. What it throws is answered as a tool error. */
export type ToolFunction<Args = Record<string, unknown>, Context = ToolContext> = (
  args: Args,
  context: Context,
) => unknown;

export type AgentOfScenario<Row = DataRow, Hooks = HookResults> = (
  task: Omit<AgentTask, 'row'> & { row: Row; hooks: Hooks },
) => AgentReply | Promise<AgentReply>;

type ToolFields = NonNullable<ScenarioInput['tools']>[number];
type MockFields = NonNullable<ToolFields['mock_responses']>[number];
type JsonValue = string | number | boolean | null | readonly unknown[] | { readonly [key: string]: unknown };

/** A tool as a scenario file describes it, whose answers may also be functions of the arguments. */
export interface ToolInput<Parameters = ToolParameters, Args = Record<string, unknown>, Context = ToolContext>
  extends Omit<ToolFields, 'parameters' | 'mock_response' | 'mock_responses'> {
  /** A JSON Schema, or an object of zod. */
  parameters?: Parameters | undefined;
  mock_response?: JsonValue | ToolFunction<Args, Context> | undefined;
  mock_responses?:
    | readonly (Omit<MockFields, 'respond'> & { respond?: JsonValue | ToolFunction<Args, Context> | undefined })[]
    | undefined;
}

type ToolParameters = z.ZodType | { readonly [keyword: string]: unknown };

type CodeFields = 'data' | 'tools' | 'assertions';

/** What is done before and after the trials of a scenario. What a setup returns is `state` of the functions after it. */
export interface ScenarioHooks {
  /** Runs before the first trial. */
  setup?: ((context: ScenarioContext) => unknown) | undefined;
  /** Runs after the last trial. */
  teardown?: ((context: ScenarioContext) => unknown) | undefined;
  /** Runs before every trial. */
  setupTrial?: ((context: TrialContext) => unknown) | undefined;
  /** Runs after every trial, once it is evaluated. */
  teardownTrial?: ((context: TrialContext) => unknown) | undefined;
}

/** A scenario in code: the fields of a scenario file, with functions as agent, mocks, assertions and hooks. */
export interface ScenarioDefinition extends Omit<ScenarioInput, CodeFields>, ScenarioHooks {
  data?: string | readonly DataRow[] | undefined;
  /** The agent under test, instead of an `adapter`. */
  agent?: AgentOfScenario | undefined;
  tools?: readonly ToolInput[] | undefined;
  assertions?: readonly (AssertionInput | CheckInput | CheckFunction)[] | undefined;
}

/** The same, with the types that TypeScript can infer: of rows, of arguments, and of what the hooks return. */
export interface TypedScenario<Row, Scenario, Trial, Parameters extends readonly unknown[], State>
  extends Omit<ScenarioDefinition, CodeFields | 'agent' | 'state' | keyof ScenarioHooks> {
  data?: string | readonly Row[] | undefined;
  state?: State | undefined;
  setup?: ((context: ScenarioContext<HookResults<undefined, undefined>>) => Scenario | Promise<Scenario>) | undefined;
  teardown?: ((context: ScenarioContext<HookResults<Scenario, undefined>>) => unknown) | undefined;
  setupTrial?: ((context: TrialContext<Row, HookResults<Scenario, undefined>>) => Trial | Promise<Trial>) | undefined;
  teardownTrial?: ((context: TrialContext<Row, HookResults<Scenario, Trial>>) => unknown) | undefined;
  agent?: AgentOfScenario<Row, HookResults<Scenario, Trial>> | undefined;
  tools?:
    | {
        readonly [K in keyof Parameters]: ToolInput<
          Parameters[K],
          ArgumentsOf<Parameters[K]>,
          ToolContext<Row, HookResults<Scenario, Trial>, State>
        >;
      }
    | undefined;
  assertions?:
    | readonly (
        | AssertionInput
        | CheckInput<TrialView<Row, HookResults<Scenario, Trial>, State>>
        | CheckFunction<TrialView<Row, HookResults<Scenario, Trial>, State>>
      )[]
    | undefined;
}

/** The arguments that a schema describes: of zod, or a JSON Schema with `properties`. */
type ArgumentsOf<Schema> =
  Schema extends z.ZodType<unknown, infer Input>
    ? Input
    : Schema extends { readonly properties: infer Properties }
      ? { [Name in keyof Properties & RequiredOf<Schema>]: ValueOf<Properties[Name]> } & {
          [Name in Exclude<keyof Properties, RequiredOf<Schema>>]?: ValueOf<Properties[Name]>;
        }
      : Record<string, unknown>;

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly type: 'string' }
    ? string
    : Schema extends { readonly type: 'number' | 'integer' }
      ? number
      : Schema extends { readonly type: 'boolean' }
        ? boolean
        : Schema extends { readonly type: 'array' }
          ? Schema extends { readonly items: infer Items }
            ? ValueOf<Items>[]
            : unknown[]
          : Schema extends { readonly type: 'object' }
            ? ArgumentsOf<Schema>
            : unknown;
