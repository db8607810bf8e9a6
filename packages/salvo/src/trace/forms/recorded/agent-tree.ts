import { sumUsage } from '../usage.ts';
import type { Problem } from './loose-messages.ts';
import type { RecordedStep } from './recorded-step.ts';

/** An agent that worked in a trace. */
export interface TracedAgent {
  name: string;
  /** The agent that it worked for; null if it is the first. */
  parent: TracedAgent | null;
}

/** A step, and what it is a part of. */
export interface PlacedStep {
  step: RecordedStep;
  /** The tool, guard or evaluator that it is within; null if it is in none. */
  owner: PlacedStep | null;
  agent: TracedAgent | null;
  /** The call of a model that it is within, without a tool in between. */
  model: PlacedStep | null;
  /** The step that it is within. */
  above: PlacedStep | null;
}

/** The steps of a trace by what they are, in the order in which they began. */
export interface AgentTree {
  /** Calls of models, each once. */
  calls: PlacedStep[];
  tools: PlacedStep[];
  all: PlacedStep[];
  problems: Problem[];
}

/**
 * Sorts the steps of a trace. Takes linear time, whatever the parents say: a step whose parent is missing or is itself begins
 * a tree of its own. What evaluators did is left out, unless nothing else is there.
 */
export function agentTree(given: readonly RecordedStep[]): AgentTree {
  const problems: Problem[] = [];
  const steps = distinctSteps(given, problems).sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
  const placed = placedSteps(steps, problems);
  const own = placed.filter(({ step, owner }) => step.kind !== 'evaluator' && owner?.step.kind !== 'evaluator');
  const all = own.length > 0 ? own : placed;
  const tools = all.filter(({ step }) => step.kind === 'tool');
  const doubled = doubledTools(tools);
  const inOrder = (list: PlacedStep[]) => list.sort((a, b) => (a.step.start ?? 0) - (b.step.start ?? 0));
  return {
    calls: inOrder([...distinctCalls(all), ...silentAgents(all)]),
    tools: inOrder(tools.filter((tool) => !doubled.has(tool))),
    all,
    problems,
  };
}

/** A step that was exported twice is one. Others with the same id are told apart. */
function distinctSteps(given: readonly RecordedStep[], problems: Problem[]): RecordedStep[] {
  const byId = new Map<string, RecordedStep>();
  let doubled = 0;
  for (const step of given) {
    const before = byId.get(step.id);
    if (!before) byId.set(step.id, step);
    else if (
      before.name === step.name &&
      (before.start === step.start || before.start === null || step.start === null)
    ) {
      byId.set(step.id, { ...before, ...known(step) });
    } else {
      doubled += 1;
      problems.push({ place: step.place, problem: 'has the id of another step, so what is within it is not known' });
      byId.set(`${step.id} ${doubled}`, { ...step, id: `${step.id} ${doubled}` });
    }
  }
  return [...byId.values()];
}

function known(step: RecordedStep): Partial<RecordedStep> {
  return Object.fromEntries(Object.entries(step).filter(([, value]) => value !== null && value !== undefined));
}

function placedSteps(steps: readonly RecordedStep[], problems: Problem[]): PlacedStep[] {
  const ids = new Set(steps.map(({ id }) => id));
  const isRoot = ({ parent }: RecordedStep) => parent === null || !ids.has(parent);
  const children = Map.groupBy(
    steps.filter((step) => !isRoot(step)),
    ({ parent }) => parent,
  );
  const placed = new Map<RecordedStep, PlacedStep>();
  const placeTree = (root: RecordedStep): void => {
    const stack: { step: RecordedStep; above: PlacedStep | null }[] = [{ step: root, above: null }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      if (placed.has(next.step)) continue;
      const at = place(next.step, next.above);
      placed.set(next.step, at);
      for (const step of children.get(next.step.id)?.toReversed() ?? []) stack.push({ step, above: at });
    }
  };
  for (const step of steps) if (isRoot(step)) placeTree(step);
  for (const step of steps) {
    if (placed.has(step)) continue;
    problems.push({ place: step.place, problem: 'is its own parent' });
    placeTree(step);
  }
  return [...placed.values()];
}

function place(step: RecordedStep, above: PlacedStep | null): PlacedStep {
  const isOwner = above !== null && ['tool', 'guard', 'evaluator'].includes(above.step.kind);
  // Everything within an evaluator is the evaluator's, also its tools.
  const owner = isOwner && above.owner?.step.kind !== 'evaluator' ? above : (above?.owner ?? null);
  const agent = above?.agent ?? null;
  return {
    step,
    owner,
    agent: step.agent && step.agent !== agent?.name ? { name: step.agent, parent: agent } : agent,
    model: isOwner ? null : above?.step.kind === 'model' ? above : (above?.model ?? null),
    above,
  };
}

/**
 * Calls of models that two libraries recorded, one within the other, are one: the inner one, unless only the outer one has
 * what was said. So are two with the same id of the answer.
 */
function distinctCalls(all: readonly PlacedStep[]): PlacedStep[] {
  const models = all.filter(({ step }) => step.kind === 'model');
  const inner = Map.groupBy(models, ({ model }) => model);
  const isTold = new Set<PlacedStep>();
  const dropped = new Set<PlacedStep>();
  // Steps come after those that they are within.
  for (const call of models.toReversed()) {
    const within = (inner.get(call) ?? []).filter((each) => isSameCall(call, each));
    if (within.length === 0) {
      if (call.step.output !== null) isTold.add(call);
      continue;
    }
    if (within.some((each) => isTold.has(each))) {
      dropped.add(call);
      isTold.add(call);
      continue;
    }
    for (const each of within) dropped.add(each);
    if (call.step.output !== null) isTold.add(call);
    const usage = call.step.usage ?? sumUsage(within.map(({ step }) => step.usage));
    call.step = { ...call.step, usage, model: call.step.model ?? within[0]?.step.model ?? null };
  }
  return withoutRepeated(models.filter((call) => !dropped.has(call)));
}

/**
 * Agents that say what they were asked and answered, where none of their models does. Their tokens count if nothing within
 * them has any.
 */
function silentAgents(all: readonly PlacedStep[]): PlacedStep[] {
  const heard = new Set<PlacedStep>();
  const counted = new Set<PlacedStep>();
  const mark = (marks: Set<PlacedStep>, from: PlacedStep | null): void => {
    for (let at = from; at !== null && !marks.has(at); at = at.above) marks.add(at);
  };
  for (const each of all) {
    if (each.step.kind !== 'model') continue;
    if (each.step.output !== null) mark(heard, each);
    if (each.step.usage !== null) mark(counted, each);
  }
  const isSilent = (each: PlacedStep): boolean =>
    each.step.kind === 'other' && Boolean(each.step.agent) && each.step.output !== null && !heard.has(each);
  const silent = new Set(all.filter(isSilent));
  // Steps come after those that they are within.
  for (const each of [...silent].reverse()) {
    if (counted.has(each)) each.step = { ...each.step, usage: null };
    else if (each.step.usage !== null) mark(counted, each);
  }
  // An agent within an agent that says the same is the same.
  return [...silent].filter(({ above, step }) => {
    return !(above && silent.has(above) && sameValue(above.step.output, step.output));
  });
}

/** What another agent asks its model while a call is under way is another call, unless it says the same. */
function isSameCall(outer: PlacedStep, inner: PlacedStep): boolean {
  return outer.agent === inner.agent || sameValue(outer.step.output, inner.step.output);
}

/** Two libraries side by side: the one that says more is kept. */
function withoutRepeated(calls: readonly PlacedStep[]): PlacedStep[] {
  const byAnswer = new Map<string, PlacedStep>();
  const others: PlacedStep[] = [];
  for (const call of calls) {
    const { responseId, output, usage } = call.step;
    if (!responseId) {
      others.push(call);
      continue;
    }
    const before = byAnswer.get(responseId);
    if (!before) byAnswer.set(responseId, call);
    else if (before.step.output === null && output !== null) {
      call.step = { ...call.step, usage: usage ?? before.step.usage };
      byAnswer.set(responseId, call);
    } else before.step = { ...before.step, usage: before.step.usage ?? usage };
  }
  return [...byAnswer.values(), ...others];
}

/** A tool that two libraries recorded, one within the other: the outer one is kept, with what only the inner one says. */
function doubledTools(tools: readonly PlacedStep[]): Set<PlacedStep> {
  const doubled = new Set<PlacedStep>();
  for (const tool of tools.toReversed()) {
    const { owner, step } = tool;
    if (owner === null || owner.step.kind !== 'tool' || owner.step.name !== step.name) continue;
    const isSame = step.input === null || owner.step.input === null || sameValue(step.input, owner.step.input);
    const isOther = step.callId !== null && owner.step.callId !== null && step.callId !== owner.step.callId;
    if (!isSame || isOther) continue;
    doubled.add(tool);
    const { input, output, callId, error } = owner.step;
    owner.step = {
      ...owner.step,
      input: input ?? step.input,
      output: output ?? step.output,
      callId: callId ?? step.callId,
      error: error ?? step.error,
    };
  }
  return doubled;
}

function sameValue(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
