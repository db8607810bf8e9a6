import { insertion } from '../../../../iac/edit/edits.ts';
import { columnAt } from '../../../../iac/edit/line-layout.ts';
import { writtenBlock } from '../../../../iac/read/written-code.ts';
import { ambiguousWord, freshName, ownName, pascalName } from '../names.ts';
import { type Hidden, type HidingPlace, switched } from '../technique.ts';
import { conditionalProperty, type DeclaredCondition, environmentCondition } from './template-environment.ts';

/** The resource, or the property, that prevents the flaw is still in the code, and depends on a parameter. */
export function templateFeatureSwitch(place: HidingPlace): Hidden | null {
  return switchedOnOrOff(place) ?? presentOrNot(place);
}

function switchedOnOrOff(place: HidingPlace): Hidden | null {
  const found = switchedResource(place);
  if (!found) return null;
  const { source, name, write } = found;
  const { parameter, condition } = parameterSwitch(place, source.file, name);
  const edits = [write(condition.name)];
  const carriers = [parameter, condition.name, name].map((address) => ({ address }));
  return switched(carriers, (isSafe) => ({ edits, entries: condition.declare(isSafe) }));
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

/** The resource that prevents the flaw is still in the code, but depends on the environment. */
export function templateSwitchedOffGuard(place: HidingPlace): Hidden | null {
  const found = switchedResource(place);
  if (!found) return null;
  const { source, name, write } = found;
  const wanted = freshName(place, `Create${name}`, `Has${name}`, `With${name}`);
  const condition = environmentCondition(place, source, wanted);
  const edits = [write(condition.name)];
  const carriers = [{ address: condition.name }, { address: name }];
  return switched(carriers, (isSafe) => ({ edits, entries: condition.declare(isSafe) }));
}

/** A resource that a condition can switch on and off, and that nothing refers to. */
function switchedResource({ project, guard }: HidingPlace) {
  const address = guard();
  const found = address === null ? null : writtenBlock(project, address);
  const type = found?.block.settings.find(({ name }) => name === 'Type');
  if (!found || !type || found.block.settings.some(({ name }) => name === 'Condition')) return null;
  const { source, block } = found;
  const indent = columnAt(source.text, type.range.start);
  return {
    source,
    name: ownName(block.address),
    write: (condition: string) => ({
      file: source.file,
      edits: [insertion(type.range.end, `\n${indent}Condition: ${condition}`)],
    }),
  };
}
