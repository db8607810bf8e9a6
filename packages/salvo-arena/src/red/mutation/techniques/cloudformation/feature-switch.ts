import { ambiguousWord, freshName, ownName, pascalName } from '../names.ts';
import type { Hidden, HidingPlace, Technique } from '../technique.ts';
import { conditionalProperty, type DeclaredCondition } from './conditional-property.ts';
import { switchedResource } from './switched-resource.ts';

/** The resource, or the property, that prevents the flaw is still in the code, and depends on a parameter. */
export const templateSwitch: Technique = {
  id: 'feature_switch',
  language: 'cloudformation',
  difficulty: 'medium',
  hide: (place) => switchedOnOrOff(place) ?? presentOrNot(place),
};

function switchedOnOrOff(place: HidingPlace): Hidden | null {
  const found = switchedResource(place);
  if (!found) return null;
  const { source, name, write } = found;
  const { parameter, condition } = parameterSwitch(place, source.file, name);
  const edits = [write(condition.name)];
  return {
    safe: { edits, entries: condition.declare(true) },
    weak: { edits, entries: condition.declare(false) },
    carriers: [parameter, condition.name, name].map((address) => ({ address })),
  };
}

function presentOrNot(place: HidingPlace): Hidden | null {
  const { spot } = place;
  if (!spot?.isAbsence) return null;
  const switched = pascalName(ownName(spot.address), spot.name);
  const { parameter, condition } = parameterSwitch(place, spot.file, switched);
  const hidden = conditionalProperty(place, spot, condition);
  return hidden && { ...hidden, carriers: [{ address: parameter }, ...hidden.carriers] };
}

/** A condition that holds if a parameter has a value, which neither is better nor looks better than the other one. */
function parameterSwitch(place: HidingPlace, file: string, name: string) {
  const parameter = freshName(place, pascalName(ambiguousWord(place.choice), name));
  const isOn = place.choice.between(0, 1) === 0;
  const condition: DeclaredCondition = {
    name: freshName(place, `Has${name}`, `With${name}`),
    declare: (holds) => {
      const lines = [
        `${parameter}:`,
        '  Type: String',
        '  AllowedValues: ["true", "false"]',
        `  Default: "${holds === isOn}"`,
      ];
      const code = `${condition.name}: !Equals [!Ref ${parameter}, "${isOn}"]`;
      return [
        { file, section: 'Parameters', code: lines.join('\n') },
        { file, section: 'Conditions', code },
      ];
    },
  };
  return { parameter, condition };
}
