import { replaceValue, valueCode } from '../../../../iac/edit/replace-value.ts';
import { countReferences } from '../../../../iac/read/references.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import { constantText } from '../constants.ts';
import type { HidingPlace } from '../technique.ts';

/** A parameter of the template with a default, which only this place uses. To bend it adds no declaration. */
export interface OwnParameter {
  name: string;
  /** Its default. */
  safe: string;
  /** Edits that make the weak value the default. */
  weak: CodeEdit[];
}

export function ownParameter({ project, spot }: Pick<HidingPlace, 'project' | 'spot'>): OwnParameter | null {
  const [, name] = /^!Ref (\w+)$/.exec(spot?.safe ?? '') ?? [];
  const value = constantText(spot?.insecure ?? null);
  const source = project.files.find(({ file }) => file === spot?.file);
  const declared = source?.blocks.find(({ type, labels }) => type === 'variable' && labels[0] === name);
  const standard = declared?.attributes.find((one) => one.name === 'Default');
  if (!spot || name === undefined || typeof value !== 'string' || !source || !standard) return null;
  if (countReferences(project, `::.${name}`) > 1) return null;
  const weak = [{ file: source.file, edits: replaceValue(source, standard, spot.insecure) }];
  return { name, safe: valueCode(source, standard), weak };
}
