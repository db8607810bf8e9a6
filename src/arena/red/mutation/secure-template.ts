import { createScope } from '../../../iac/evaluate/scope.ts';
import { countReferences, type References, referencesByAddress } from '../../../iac/read/references.ts';
import { writtenBlock } from '../../../iac/read/written-code.ts';
import { type CodeProject, parseCode } from '../../../iac/syntax/parse-code.ts';
import { weaknessById } from '../../../match/weaknesses/weaknesses.ts';
import { remembered } from '../../../text/memo.ts';
import { presentBefore, type Template, templateFiles } from '../../templates/templates.ts';
import type { CodeEdit } from '../operators/operator.ts';
import { operatorsFor } from '../operators/operators.ts';
import { withBlockLists } from './site/block-lists.ts';
import { type InjectionSite, siteKey } from './site/injection-site.ts';
import { ordinarySpot, type WeakSpot, weakSpot } from './site/weak-spot.ts';

/** A parsed template with all sites for flaws in it. */
export interface SecureTemplate {
  template: Template;
  project: CodeProject;
  sites: readonly InjectionSite[];
  references: References;
  /** Computed on first use. */
  editsFor(site: InjectionSite): SiteEdits;
  /** All resources of the code. */
  resources: readonly Pick<OrdinaryPlace, 'address' | 'file'>[];
  /** The sites at a resource. */
  sitesOf(address: string): readonly InjectionSite[];
  /** The constants of a resource, whether or not a flaw could be in them. Computed on first use. */
  ordinaryPlaces(address: string): readonly OrdinaryPlace[];
}

/** A constant in the secure code. */
export interface OrdinaryPlace {
  /** Unique in a template, and different from the keys of sites. */
  key: string;
  /** Of the resource. */
  address: string;
  file: string;
  /** Null for the resource as a whole. */
  spot: WeakSpot | null;
  /** Whether nothing refers to the resource. */
  isUnused(): boolean;
}

/** The edits of the secure code that a site allows. */
interface SiteEdits {
  plain: readonly CodeEdit[];
  spot: WeakSpot | null;
}

export function secureTemplate(template: Template): Promise<SecureTemplate> {
  return remembered(readTemplates, template.id, () => readTemplate(template));
}

/** An experiment plays a thousand games on a few dozen templates. */
const readTemplates = new Map<string, Promise<SecureTemplate>>();

async function readTemplate(template: Template): Promise<SecureTemplate> {
  const project = await parseCode(templateFiles(template));
  const scope = createScope(project);
  const present = presentBefore(template);
  const sites = operatorsFor(template.language).flatMap((operator): InjectionSite[] => {
    const weakness = weaknessById(operator.weakness);
    if (!weakness) return [];
    return operator
      .targets(project, scope)
      .filter((target) => !operator.isPresent(scope, target))
      .filter(({ address }) => !present.some((one) => one.weakness === weakness.id && one.resource === address))
      .map((target) => ({ key: siteKey(operator.id, target), operator, target, weakness }));
  });
  const edits = new Map<string, SiteEdits>();
  const editsFor = (site: InjectionSite) => remembered(edits, site.key, () => findEdits(project, site));
  const sitesByAddress = Map.groupBy(sites, ({ target }) => target.address);
  const ordinary = new Map<string, OrdinaryPlace[]>();
  return {
    template,
    project,
    sites,
    references: referencesByAddress(project),
    editsFor,
    resources: project.files.flatMap(({ file, blocks }) =>
      blocks.flatMap(({ type, address }) => (type === 'resource' ? [{ address, file }] : [])),
    ),
    sitesOf: (address) => sitesByAddress.get(address) ?? [],
    ordinaryPlaces: (address) => remembered(ordinary, address, () => findOrdinaryPlaces(project, address)),
  };
}

function findEdits(project: CodeProject, { operator, target }: InjectionSite): SiteEdits {
  const plain = operator.apply(project, target);
  return { plain: withBlockLists(project, plain), spot: weakSpot(project, operator, target, plain) };
}

function findOrdinaryPlaces(project: CodeProject, address: string): OrdinaryPlace[] {
  const found = writtenBlock(project, address);
  if (!found) return [];
  const { source, block } = found;
  const isUnused = () => countReferences(project, address) === 0;
  const nested = block.blocks.filter(({ type }) => !LITERAL_BLOCKS.has(type)).flatMap(({ attributes }) => attributes);
  const spots = [...block.attributes, ...nested].flatMap((attribute) => {
    if (LITERAL_NAMES.has(attribute.name)) return [];
    const spot = ordinarySpot(source, { attribute, top: block, inBlock: true });
    return spot ? [{ key: `${address} ${attribute.range.start}`, spot }] : [];
  });
  return [...spots, { key: address, spot: null }].map((place) => ({ ...place, address, file: source.file, isUnused }));
}

/** Terraform reads these before it evaluates anything; tags are the same everywhere. */
const LITERAL_BLOCKS: ReadonlySet<string> = new Set(['lifecycle', 'provisioner', 'connection', 'dynamic']);
const LITERAL_NAMES: ReadonlySet<string> = new Set(['count', 'for_each', 'provider', 'depends_on', 'tags']);
