import type { CodeEdit } from '../../../operators/operator.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { isConstant } from '../constants.ts';
import { settingName } from '../names.ts';
import type { Carrier, HidingPlace } from '../technique.ts';
import { settingDeclaration } from './terraform-declarations.ts';

/** How a value gets into a table: as it is, or through a variable. */
interface ValueSource {
  value(constant: string): { code: string; edits: CodeEdit[] };
  carriers: Carrier[];
}

/** Through a variable in half of the cases, if both values are constants. */
export function throughVariable(place: HidingPlace, spot: WeakSpot): ValueSource {
  const isPossible = isConstant(spot.type, spot.safe) && isConstant(spot.type, spot.insecure);
  if (place.choice.between(0, 1) === 0 || !isPossible) {
    return { value: (constant) => ({ code: constant, edits: [] }), carriers: [] };
  }
  const name = settingName(place, spot.address, spot.name);
  const declared = settingDeclaration(place, name, spot);
  return {
    value: (constant) => ({ code: `var.${name}`, edits: [declared(constant)] }),
    carriers: [{ address: `var.${name}` }],
  };
}
