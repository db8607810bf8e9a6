import type { TemplateEntry } from '../../site/template-entry.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import type { Hidden, HidingPlace } from '../technique.ts';

/** A condition of the template, with the entries that declare it so that it holds or does not. */
export interface DeclaredCondition {
  name: string;
  declare(holds: boolean): TemplateEntry[];
}

/** A property whose value, or whose presence, depends on a condition. */
export function conditionalProperty(place: HidingPlace, spot: WeakSpot, condition: DeclaredCondition): Hidden | null {
  const { safe, insecure } = spot;
  if (safe === null) return null;
  const isFirst = place.choice.between(0, 1) === 0;
  const [one, other] = isFirst ? [safe, insecure] : [insecure, safe];
  const isShort = /^(?:[\w./:-]+|"[^"\n]*"|!Ref [\w:]+|!GetAtt [\w.]+)$/.test(safe);
  const code = isShort
    ? `!If [${condition.name}, ${one}, ${other}]`
    : `Fn::If:\n  - ${condition.name}\n  - ${deeper(one)}\n  - ${deeper(other)}`;
  const edits = spot.write(code);
  return {
    safe: { edits, entries: condition.declare(isFirst) },
    weak: { edits, entries: condition.declare(!isFirst) },
    carriers: [{ address: condition.name }],
  };
}

function deeper(code: string): string {
  return code.replaceAll('\n', '\n    ');
}
