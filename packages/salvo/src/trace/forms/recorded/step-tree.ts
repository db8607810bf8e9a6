import { FormError } from '../form-error.ts';
import type { RecordedStep, RecordedTrace } from './recorded-step.ts';

/** The steps of a trace that matter for its conversation, in the order in which they began. */
export interface StepTree {
  /** Calls of the agent's model. */
  calls: RecordedStep[];
  /** Calls of models by something else: a tool that is an agent itself, or a guard. By that step. */
  inner: Map<RecordedStep, RecordedStep[]>;
  tools: RecordedStep[];
  /** The tool or guard that a step is within; null if it is in none. */
  ownerOf: (step: RecordedStep) => RecordedStep | null;
  /** All but evaluators and what is in them. */
  steps: RecordedStep[];
}

/** Sorts steps by what they are and by what they are a part of. */
export function stepTree({ steps: given, what }: RecordedTrace): StepTree {
  const byId = new Map(given.map((step) => [step.id, step]));
  const owners = ownersOf([...byId.values()], byId, what);
  const ordered = [...byId.values()].sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
  const steps = ordered.filter((step) => step.kind !== 'evaluator' && owners.get(step)?.kind !== 'evaluator');
  const wrappers = wrappersOf(steps, byId);
  const models = steps.filter((step) => step.kind === 'model' && !wrappers.has(step));
  const ownerOf = (step: RecordedStep): RecordedStep | null => owners.get(step) ?? null;
  return {
    calls: models.filter((step) => ownerOf(step) === null),
    inner: Map.groupBy(
      models.filter((step) => ownerOf(step) !== null),
      (step) => ownerOf(step) ?? step,
    ),
    tools: steps.filter(({ kind }) => kind === 'tool'),
    ownerOf,
    steps,
  };
}

/** For each step the nearest tool, guard or evaluator that it is within; null if there is none. */
function ownersOf(
  steps: readonly RecordedStep[],
  byId: ReadonlyMap<string, RecordedStep>,
  what: string,
): Map<RecordedStep, RecordedStep | null> {
  const owners = new Map<RecordedStep, RecordedStep | null>();
  for (const step of steps) {
    const way: RecordedStep[] = [];
    const seen = new Set<RecordedStep>();
    let owner: RecordedStep | null = null;
    for (let at: RecordedStep | undefined = step; at !== undefined; ) {
      if (seen.has(at)) throw new FormError(at.place, `is its own parent in ${what}`);
      const known = owners.get(at);
      if (known !== undefined) {
        owner = isOwner(at) && known?.kind !== 'evaluator' ? at : known;
        break;
      }
      seen.add(at);
      way.push(at);
      at = at.parent === null ? undefined : byId.get(at.parent);
    }
    for (const at of way.reverse()) {
      owners.set(at, owner);
      // Everything within an evaluator is the evaluator's, also its tools.
      if (isOwner(at) && owner?.kind !== 'evaluator') owner = at;
    }
  }
  return owners;
}

function isOwner({ kind }: RecordedStep): boolean {
  return kind === 'tool' || kind === 'guard' || kind === 'evaluator';
}

/** Some libraries record the call of a model twice, one within the other: only the inner one counts. */
function wrappersOf(steps: readonly RecordedStep[], byId: ReadonlyMap<string, RecordedStep>): Set<RecordedStep> {
  const wrappers = new Set<RecordedStep>();
  for (const step of steps) {
    if (step.kind !== 'model') continue;
    const parentOf = (at: RecordedStep) => (at.parent === null ? undefined : byId.get(at.parent));
    for (let at = parentOf(step); at !== undefined && !isOwner(at) && !wrappers.has(at); at = parentOf(at))
      wrappers.add(at);
  }
  return wrappers;
}
