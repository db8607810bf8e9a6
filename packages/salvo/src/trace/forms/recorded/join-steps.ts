import { finalContent, type Message } from '../../message.ts';
import { FormError } from '../form-error.ts';
import { addFigures, type StepFigures, type Usage } from '../usage.ts';
import { addToolSteps } from './add-tool-steps.ts';
import { type CallChain, callChains, type ReadCall } from './call-chains.ts';
import { readCall, runsOfChains, toolRuns } from './open-trace.ts';
import type { RecordedStep, RecordedTrace } from './recorded-step.ts';
import { stepTree } from './step-tree.ts';

/** One call of a model. */
interface ModelStep {
  /** Which answer in the messages it gave, from 1; null if it gave none there. */
  answer: number | null;
  /** 1 is the conversation of the messages; others were held beside it. */
  conversation: number;
  /** In milliseconds; null if unknown. */
  start: number | null;
  end: number | null;
  model: string | null;
  usage: Usage | null;
  costUsd: number | null;
  error: string | null;
}

/** What was recorded while an agent worked on one turn. */
export interface JoinedSteps {
  /** What was said after the first request to the model: its answers, and the results of tools. */
  messages: Message[];
  steps: ModelStep[];
  conversations: number;
  /** What could not be read. */
  problems: string[];
}

/**
 * Joins what was recorded while an agent worked. Unlike `openTrace` it never refuses: calls of a model that do not continue
 * each other are several conversations. The one that ended with the agent's answer has the messages. The tool calls of the
 * others are calls of the answer before them, so that none is lost.
 */
export function joinSteps(
  trace: RecordedTrace,
  { final, idPrefix }: { final: string | null; idPrefix: string },
): JoinedSteps {
  const tree = stepTree(trace);
  const problems: string[] = [];
  const read = (step: RecordedStep, index: number): ReadCall => {
    try {
      return readCall(step, index, idPrefix);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      problems.push(error.message);
      return { step, sent: [], answered: [] };
    }
  };
  // Spans have milliseconds in some languages, and come in any order: of two calls that began together, the one that was
  // sent more is the later one.
  const calls = tree.calls
    .map(read)
    .sort((a, b) => (a.step.start ?? 0) - (b.step.start ?? 0) || a.sent.length - b.sent.length);
  const byStep = new Map(calls.map((call) => [call.step, call]));
  const callsOf = ({ steps }: CallChain) => steps.flatMap((step) => byStep.get(step) ?? []);
  const chains = callChains(calls);
  const main = mainChain(chains, final);
  const others = chains.filter((chain) => chain !== main);
  const given = (main ? callsOf(main)[0]?.sent.length : 0) ?? 0;
  const apart = others.flatMap((chain) => runsOfChains([chain], callsOf(chain), chain.steps[0]?.start ?? 0));
  const messages = addToolSteps(main?.messages.slice(given) ?? [], toolRuns(tree), apart);
  const inner = [...tree.inner.values()];
  for (const { step, answered } of calls) {
    const [answer] = answered;
    if (answer?.role === 'assistant') addFigures(answer, figuresOf(step));
  }
  const answerOf = answersOf(calls, messages);
  return {
    messages,
    steps: [
      ...[...(main ? [main] : []), ...others].flatMap(({ steps }, at) => steps.map((step) => ({ step, at: at + 1 }))),
      ...inner.flatMap((steps, at) => steps.map((step) => ({ step, at: chains.length + at + 1 }))),
    ]
      .map(({ step, at }) => modelStep(step, at, answerOf.get(step) ?? null))
      .sort((a, b) => (a.start ?? 0) - (b.start ?? 0)),
    conversations: chains.length + inner.length,
    problems,
  };
}

/** The conversation that ended with the agent's answer. If that is not certain, the longest, and of these the last. */
function mainChain(chains: readonly CallChain[], final: string | null): CallChain | undefined {
  const text = final?.trim() ?? '';
  const lastText = ({ messages }: CallChain) => finalContent(messages.map(({ message }) => message))?.trim();
  const ended = text === '' ? undefined : chains.findLast((chain) => lastText(chain) === text);
  const most = chains.reduce((longest, { steps }) => Math.max(longest, steps.length), 0);
  return ended ?? chains.findLast(({ steps }) => steps.length === most);
}

/** Which answer in the messages each step gave, from 1. */
function answersOf(calls: readonly ReadCall[], messages: readonly Message[]): Map<RecordedStep, number> {
  const places = new Map(messages.filter(({ role }) => role === 'assistant').map((answer, at) => [answer, at + 1]));
  return new Map(
    calls.flatMap(({ step, answered: [answer] }) => {
      const place = answer && places.get(answer);
      return place === undefined ? [] : [[step, place] as const];
    }),
  );
}

function figuresOf({ start, end, model, usage, cost_usd }: RecordedStep): StepFigures {
  const latency_seconds = start === null || end === null ? null : Math.max(0, end - start) / 1000;
  return { model, latency_seconds, ...usage, cost_usd };
}

function modelStep(step: RecordedStep, conversation: number, answer: number | null): ModelStep {
  const { start, end, model, usage, cost_usd, error } = step;
  return { answer, conversation, start, end, model, usage, costUsd: cost_usd, error };
}
