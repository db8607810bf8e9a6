import type { CodePlace } from '../../iac/read/code-node.ts';
import { type References, scopeOfNames } from '../../iac/read/references.ts';
import type { Attribute } from '../../iac/syntax/expression.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import type { FlawLocation } from '../../match/claims/flaw-location.ts';
import { concernedResources } from '../../match/source/concerned-resources.ts';
import type { PlantedFlaw } from './mutated-code.ts';
import type { Carrier } from './techniques/technique.ts';

/** A place that a correct finding may name. */
type PlantedLocation = CodePlace & Required<Pick<FlawLocation, 'kind' | 'resource'>>;

/**
 * The flawed resource first, or all that a relation is between, then what carries the flaw's value, then related
 * resources. Each place is listed once.
 */
export function flawLocations(
  project: CodeProject,
  references: References,
  { target, hidden, site, relation }: PlantedFlaw,
): PlantedLocation[] {
  const own = project.files.find(({ file }) => file === target.file);
  const places = (kind: PlantedLocation['kind'], carrier: Carrier) =>
    project.files.flatMap((source) =>
      carrierPlaces(source, carrier, own).map(({ line, end_line, address }) => ({
        kind,
        resource: address,
        file: source.file,
        line,
        end_line,
      })),
    );
  const all = [
    ...(relation?.resources ?? [target.address]).flatMap((address) => places('resource', { address })),
    ...hidden.carriers.flatMap((carrier) => places('definition', carrier)),
    ...[...target.related, ...concernedResources(references, target.address), site.target.address].flatMap((address) =>
      places('related', { address }),
    ),
  ];
  const isFirst = ({ file, line }: PlantedLocation, index: number) =>
    all.findIndex((one) => one.file === file && one.line === line) === index;
  return all.filter(isFirst);
}

type Declaration = Pick<Block, 'line' | 'end_line' | 'address'>;

/** Where a file declares something. An override is a place of its own, which only its carrier names. */
function carrierPlaces(source: SourceFile, { address, file }: Carrier, flawed: SourceFile | undefined): Declaration[] {
  const isElsewhere =
    (flawed !== undefined && scopeOfNames(source) !== scopeOfNames(flawed)) || source.file.endsWith('_override.tf');
  if (file === undefined ? isElsewhere : source.file !== file) return [];
  const name = address.slice(address.lastIndexOf('.') + 1);
  const declared = (attributes: readonly Attribute[]) =>
    attributes.flatMap((one) => (one.name === name ? [{ line: one.line, end_line: one.end_line, address }] : []));
  return [
    ...declared(source.attributes),
    ...source.blocks.flatMap((block) => {
      if (block.address === address) return [block];
      if (block.type === 'locals') return address.startsWith('local.') ? declared(block.attributes) : [];
      if (source.language !== 'cloudformation' || address.includes('.')) return [];
      // In a template, a name is enough.
      if (block.type === 'mappings' || block.type === 'conditions') return declared(block.attributes);
      return block.labels.at(-1) === name ? [{ ...block, address }] : [];
    }),
  ];
}
