import type { CodeEdit } from '../../../operators/operator.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { isConstant } from '../constants.ts';
import { settingName } from '../names.ts';
import type { Carrier, HidingPlace } from '../technique.ts';
import { ownVariable } from './own-variable.ts';
import { settingDeclaration } from './terraform-declarations.ts';

/** How a value gets into a table: as it is, or through a variable. */
interface ValueSource {
  value(constant: string): { code: string; edits: CodeEdit[] };
  carriers: Carrier[];
}

/** Through the template's own variable; or through a new one in half of the cases, if both values are constants. */
export function throughVariable(place: HidingPlace, spot: WeakSpot): ValueSource {
  const own = ownVariable(place);
  if (own) {
    return {
      value: (code) => (code === spot.insecure ? { code: spot.safe ?? code, edits: own.weak } : { code, edits: [] }),
      carriers: [{ address: own.address }],
    };
  }
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
