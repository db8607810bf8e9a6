import type { SourceFile } from '../../../../iac/syntax/source-file.ts';
import type { TemplateEntry } from '../../site/template-entry.ts';
import { environmentTest } from '../environment.ts';
import { freshName } from '../names.ts';
import type { HidingPlace } from '../technique.ts';
import type { DeclaredCondition } from './conditional-property.ts';

/** The parameter with the name of the environment, and its default. */
interface TemplateEnvironment {
  parameter: string;
  standard: string;
  entries: TemplateEntry[];
}

export function templateEnvironment(place: HidingPlace, { file, blocks }: SourceFile): TemplateEnvironment {
  const declared = blocks.find(({ type, labels }) => type === 'variable' && labels[0] === 'Environment');
  const standard = declared?.attributes.find((one) => one.name === 'Default')?.value;
  if (standard?.kind === 'literal') return { parameter: 'Environment', standard: String(standard.value), entries: [] };
  const isFree = !blocks.some(({ labels }) => labels.includes('Environment'));
  const parameter = isFree ? 'Environment' : freshName({ ...place, written: '' }, 'DeploymentStage');
  const code = `${parameter}:\n  Type: String\n  Default: prod`;
  return { parameter, standard: 'prod', entries: [{ file, section: 'Parameters', code }] };
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
