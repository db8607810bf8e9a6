import { parse } from 'yaml';
import type { CodeProject } from '../../../../../iac/syntax/parse-code.ts';
import type { SourceFile } from '../../../../../iac/syntax/source-file.ts';
import type { TemplateEntry } from '../../site/template-entry.ts';
import type { WeakSpot } from '../../site/weak-spot.ts';
import { freshName } from '../names.ts';

/** The parameter with the name of the environment, and its default. */
interface TemplateEnvironment {
  parameter: string;
  standard: string;
  entries: TemplateEntry[];
}

export function templateEnvironment(project: CodeProject, { file, blocks }: SourceFile): TemplateEnvironment {
  const declared = blocks.find(({ type, labels }) => type === 'variable' && labels[0] === 'Environment');
  const standard = declared?.attributes.find((one) => one.name === 'Default')?.value;
  if (standard?.kind === 'literal') return { parameter: 'Environment', standard: String(standard.value), entries: [] };
  const isFree = !blocks.some(({ labels }) => labels.includes('Environment'));
  const parameter = isFree ? 'Environment' : freshName({ project, written: '' }, 'DeploymentStage');
  const code = `${parameter}:\n  Type: String\n  Default: prod`;
  return { parameter, standard: 'prod', entries: [{ file, section: 'Parameters', code }] };
}

/** A condition that compares the environment with a name that no deployment has. */
export function neverTrueCondition(
  project: CodeProject,
  source: SourceFile,
): { condition: string; entries: TemplateEntry[] } {
  const { parameter, standard, entries } = templateEnvironment(project, source);
  const other = standard === 'production' ? 'prod' : 'production';
  const condition = freshName({ project, written: '' }, 'IsProduction');
  const code = `${condition}: !Equals [!Ref ${parameter}, ${other}]`;
  return { condition, entries: [...entries, { file: source.file, section: 'Conditions', code }] };
}

/**
 * The weak value as a text, or as the texts of a list: parameters and mappings contain nothing else. Null when there is
 * no such value.
 */
export function weakValueText(spot: WeakSpot | null): string | string[] | null {
  if (!spot || spot.isAbsence) return null;
  const value: unknown = parse(spot.insecure);
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'object' ? null : String(value);
}
