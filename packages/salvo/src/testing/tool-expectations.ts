import { z } from 'zod';
import { getEvaluator } from '../evaluators/registry.ts';
import { ASSERTION_SCHEMAS } from '../scenario/schema/assertion-schema.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { safeLine } from '../text/output/safe-text.ts';
import type { TrialExpectation } from './expect-trials.ts';
import type { MatcherOptions } from './test-options.ts';

/** The arguments that a call must have, with matchers such as `{ $regex: '^A-' }`, and possibly others; or a JMESPath expression over them. */
export type ToolArguments = Record<string, unknown> | string;

export interface ToolCallOptions extends MatcherOptions {
  /** How often the tool is called in each trial. At least once if not given. */
  times?: number | { min?: number | undefined; max?: number | undefined } | undefined;
}

/** A tool by its name, or a call with arguments. */
export type ToolStep = string | { tool: string; arguments?: ToolArguments | undefined };

export interface ToolOrderOptions extends MatcherOptions {
  /** True: no other tool is called, neither before, nor between, nor after. */
  exact?: boolean | undefined;
}

/** What `toCallTool` demands of each trial. */
export function toolCallExpectation(
  tool: string,
  given: ToolArguments | undefined,
  { times }: ToolCallOptions,
): TrialExpectation {
  const args = typeof given === 'object' && Object.keys(given).length === 0 ? undefined : given;
  const assertion = checkedInput(
    ASSERTION_SCHEMAS.tool_called,
    { type: 'tool_called', tool, arguments: args, times },
    'toCallTool',
  );
  const wanted =
    args === undefined ? '' : ` with ${safeLine(typeof args === 'string' ? args : JSON.stringify(args), 200)}`;
  return {
    what: `call "${tool}"${wanted}${times === undefined ? '' : `, ${timesText(times)}`}`,
    check: {
      type: 'tool_called',
      id: `toCallTool ${tool}`,
      evaluate: (trace, context) => getEvaluator('tool_called')(assertion, trace, context),
    },
    ...(typeof args === 'object' && {
      difference: {
        expected: [{ tool, arguments: args }],
        actual: ({ trace }) =>
          (trace?.tool_calls_made ?? [])
            .filter(({ name }) => name === tool)
            .map((call) => ({ tool: call.name, arguments: onlyDemanded(call.arguments, args) })),
      },
    }),
  };
}

/** What `toCallToolsInOrder` demands of each trial. */
export function toolOrderExpectation(
  tools: readonly ToolStep[],
  { exact = false }: ToolOrderOptions,
): TrialExpectation {
  const assertion = checkedInput(
    ASSERTION_SCHEMAS.tool_sequence,
    { type: 'tool_sequence', sequence: [...tools], mode: exact ? 'exact' : 'in_order' },
    'toCallToolsInOrder',
  );
  const steps = tools.map((step) => (typeof step === 'string' ? step : safeLine(JSON.stringify(step), 200)));
  const demandsArguments = tools.some((step) => typeof step !== 'string');
  return {
    what: `call ${steps.join(', then ')}${exact ? ', and nothing else' : ''}`,
    check: {
      type: 'tool_sequence',
      id: `toCallToolsInOrder ${steps.join(', ')}`.slice(0, 200),
      evaluate: (trace, context) => getEvaluator('tool_sequence')(assertion, trace, context),
    },
    difference: {
      expected: [...tools],
      actual: ({ trace }) =>
        trace?.tool_calls_made.map(({ name, arguments: args }) =>
          demandsArguments ? { tool: name, arguments: args } : name,
        ) ?? [],
    },
  };
}

/** What a test demands, checked as in a scenario file. */
export function checkedInput<T extends z.ZodType>(schema: T, value: unknown, matcher: string): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new SalvoError('OPTIONS_INVALID', `${matcher}: ${z.prettifyError(parsed.error)}`);
}

/** Other arguments may be anything, so they are no part of the difference. */
function onlyDemanded(given: Record<string, unknown>, demanded: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(demanded, name)));
}

function timesText(times: NonNullable<ToolCallOptions['times']>): string {
  if (typeof times === 'number') return times === 1 ? 'once' : `${times} times`;
  if (times.max === undefined) return `at least ${times.min ?? 1} times`;
  return `${times.min ?? 1} to ${times.max} times`;
}
