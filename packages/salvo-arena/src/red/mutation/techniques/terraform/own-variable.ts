import { removeAttribute } from '../../../../iac/edit/remove-code.ts';
import { replaceValue, valueCode } from '../../../../iac/edit/replace-value.ts';
import { countReferences } from '../../../../iac/read/references.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { isConstant } from '../constants.ts';
import type { HidingPlace } from '../technique.ts';

/** A variable of the template with a default, which only this place uses. To bend it adds no declaration. */
interface OwnVariable {
  name: string;
  address: string;
  /** Its default. */
  safe: string;
  /** The value that makes the place weak. */
  insecure: string;
  /** Edits that make it the default. */
  weak: CodeEdit[];
  /** Edits that remove the default, for a value that is set elsewhere. */
  withoutDefault: CodeEdit[];
}

export function ownVariable({ project, spot }: Pick<HidingPlace, 'project' | 'spot'>): OwnVariable | null {
  const used = spot && usedVariable(spot);
  if (!used || !isConstant(used.type, used.insecure)) return null;
  const { name, insecure } = used;
  const address = `var.${name}`;
  if (countReferences(project, address) > 1) return null;
  const source = project.files.find(({ blocks }) => blocks.some((block) => block.address === address));
  const variable = source?.blocks.find((block) => block.address === address);
  const type = variable?.attributes.find((one) => one.name === 'type')?.value.text;
  const standard = variable?.attributes.find((one) => one.name === 'default');
  if (!source || !standard || type !== used.type) return null;
  const weak = [{ file: source.file, edits: replaceValue(source, standard, insecure) }];
  const withoutDefault = [{ file: source.file, edits: removeAttribute(source, standard) }];
  return { name, address, safe: valueCode(source, standard), insecure, weak, withoutDefault };
}

/** The variable that the place uses: `var.x`, or `[var.x]` for a list of one. */
function usedVariable({ safe, insecure, type }: WeakSpot): Pick<WeakSpot, 'name' | 'insecure' | 'type'> | null {
  const [, name] = /^var\.(\w+)$/.exec(safe ?? '') ?? [];
  if (name !== undefined) return { name, insecure, type };
  const [, listed] = /^\[var\.(\w+)\]$/.exec(safe ?? '') ?? [];
  const [, only] = /^\[("[^"]*")\]$/.exec(insecure) ?? [];
  return listed === undefined || only === undefined ? null : { name: listed, insecure: only, type: 'string' };
}
