import type { SourceFile } from '../../../../iac/syntax/source-file.ts';
import type { TemplateEntry } from '../../site/template-entry.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { environmentTest } from '../environment.ts';
import { freshName } from '../names.ts';
import { type Hidden, type HidingPlace, switched } from '../technique.ts';

/** The parameter with the name of the environment, its default, and what declares it if it is new. */
export function templateEnvironment(place: HidingPlace, { file, blocks }: SourceFile) {
  const declared = blocks.find(({ type, labels }) => type === 'variable' && labels[0] === 'Environment');
  const standard = declared?.attributes.find((one) => one.name === 'Default')?.value;
  if (standard?.kind === 'literal') return { parameter: 'Environment', standard: String(standard.value), entries: [] };
  const isFree = !blocks.some(({ labels }) => labels.includes('Environment'));
  const parameter = isFree ? 'Environment' : freshName({ ...place, written: '' }, 'DeploymentStage');
  const code = `${parameter}:\n  Type: String\n  Default: prod`;
  const entries: TemplateEntry[] = [{ file, section: 'Parameters', code }];
  return { parameter, standard: 'prod', entries };
}

/** A condition on the environment. Neither its name nor its form shows whether it holds. */
export function environmentCondition(place: HidingPlace, source: SourceFile, name: string): DeclaredCondition {
  const { parameter, standard, entries } = templateEnvironment(place, source);
  const test = environmentTest(standard, place.choice);
  return {
    name,
    declare: (holds) => {
      const equals = `!Equals [!Ref ${parameter}, ${test.nameIf(holds)}]`;
      const code = `${name}: ${test.isNegated ? `!Not [${equals}]` : equals}`;
      return [...entries, { file: source.file, section: 'Conditions', code }];
    },
  };
}

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
  const carriers = [{ address: condition.name }];
  return switched(carriers, (isSafe) => ({ edits, entries: condition.declare(isSafe === isFirst) }));
}

function deeper(code: string): string {
  return code.replaceAll('\n', '\n    ');
}
