import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import type { Scope } from '../../../iac/evaluate/scope.ts';
import { type Json, knownPart } from '../../../iac/evaluate/value.ts';
import type { Expression } from '../../../iac/syntax/expression.ts';
import type { PathStep } from './attribute-path.ts';
import type { CodePlace } from './operator.ts';

/** Something with named values, as it comes out: an instance, a nested block, an object in JSON. */
export interface EvaluatedHolder {
  place: CodePlace;
  get(name: string): EvaluatedValue | null;
  children(name: string): EvaluatedHolder[];
}

interface EvaluatedValue {
  /** With `${...}` in the place of what is not known. */
  value: Json;
  place: CodePlace;
}

/** What stands at the end of a path, once for each way that leads there. */
export interface EvaluatedSlot {
  /** Null when a block on the way is missing. */
  holder: EvaluatedHolder | null;
  /** Null when the attribute is. */
  found: EvaluatedValue | null;
  place: CodePlace;
}

export function holderOf(scope: Scope, view: BlockView): EvaluatedHolder {
  const { file, line, end_line } = view;
  return {
    place: { file, line, end_line },
    get: (name) => {
      const attribute = view.get(name);
      return attribute && { value: knownPart(attribute.value), place: placeOf(attribute) };
    },
    children: (name) => {
      // Maps of CloudFormation are values: they are read as JSON, in which conditions are worked out.
      const nested = view.type.includes('::') ? [] : view.blocks(name);
      if (nested.length > 0) return nested.map((block) => holderOf(scope, block));
      const attribute = view.get(name);
      if (!attribute) return [];
      const json = scope.json(view, name) ?? knownPart(attribute.value);
      return objectsIn(json, attribute.attribute.value, placeOf(attribute));
    },
  };
}

export function slotsAt(holder: EvaluatedHolder, path: readonly PathStep[]): EvaluatedSlot[] {
  const [step, ...rest] = path;
  if (!step) return [];
  if (rest.length === 0) {
    const found = holder.get(step.name);
    return [{ holder, found, place: found?.place ?? holder.place }];
  }
  const children = childrenAt(holder, step);
  if (children.length === 0) return [{ holder: null, found: null, place: holder.place }];
  return children.flatMap((child) => slotsAt(child, rest));
}

function childrenAt(holder: EvaluatedHolder, { name, where }: PathStep): EvaluatedHolder[] {
  const children = holder.children(name);
  return where ? children.filter((child) => String(child.get(where.name)?.value) === where.value) : children;
}

/** The expression goes along as far as it mirrors the value, since it knows the lines. */
function objectsIn(json: Json, written: Expression | null, place: CodePlace, isItem = false): EvaluatedHolder[] {
  const expression = written?.kind === 'call' && written.name === 'jsonencode' ? (written.args[0] ?? null) : written;
  if (Array.isArray(json)) {
    const items = expression?.kind === 'list' && expression.items.length === json.length ? expression.items : [];
    return json.flatMap((item, index) => objectsIn(item, items[index] ?? null, place, true));
  }
  if (typeof json !== 'object' || json === null) return [];
  const entries = expression?.kind === 'object' ? expression.entries : [];
  const [first, last] = [entries[0], entries.at(-1)];
  // An object has the lines of its name; an element of a list has none.
  const own = isItem && first && last ? { file: place.file, line: first.line, end_line: last.end_line } : place;
  const entryOf = (name: string) => entries.find((entry) => entry.name === name);
  const placeOfEntry = (name: string): CodePlace => {
    const entry = entryOf(name);
    return entry ? { file: place.file, line: entry.line, end_line: entry.end_line } : own;
  };
  const jsonAt = (name: string): Json | null => (Object.hasOwn(json, name) ? (json[name] ?? null) : null);
  return [
    {
      place: own,
      get: (name) => {
        const value = jsonAt(name);
        return value === null ? null : { value, place: placeOfEntry(name) };
      },
      children: (name) => objectsIn(jsonAt(name), entryOf(name)?.value ?? null, placeOfEntry(name)),
    },
  ];
}

function placeOf({ file, line, end_line }: CodePlace): CodePlace {
  return { file, line, end_line };
}
