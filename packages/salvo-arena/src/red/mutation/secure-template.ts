import { remembered } from 'salvo/kit/text';
import { createScope } from '../../iac/evaluate/scope.ts';
import { referencesByAddress } from '../../iac/read/references.ts';
import { type CodeProject, parseCode } from '../../iac/syntax/parse-code.ts';
import { weaknessById } from '../../match/weaknesses/weaknesses.ts';
import { presentBefore, type Template, templateFiles } from '../../templates/templates.ts';
import { operatorsFor } from '../operators/operators.ts';
import { withBlockLists } from './site/block-lists.ts';
import { type InjectionSite, siteKey } from './site/injection-site.ts';
import { weakSpot } from './site/weak-spot.ts';
import type { HidingPlace } from './techniques/technique.ts';

/** A parsed template with all sites for flaws in it. */
export type SecureTemplate = Awaited<ReturnType<typeof readTemplate>>;

export function secureTemplate(template: Template): Promise<SecureTemplate> {
  return remembered(readTemplates, template.id, () => readTemplate(template));
}

/** An experiment plays a thousand games on a few dozen templates. */
const readTemplates = new Map<string, Promise<SecureTemplate>>();

async function readTemplate(template: Template) {
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
  const edits = new Map<string, ReturnType<typeof findEdits>>();
  /** Computed on first use. */
  const editsFor = (site: InjectionSite) => remembered(edits, site.key, () => findEdits(project, site));
  const sitesByAddress = Map.groupBy(sites, ({ target }) => target.address);
  return {
    template,
    project,
    sites,
    references: referencesByAddress(project),
    editsFor,
    /** All resources of the code. */
    resources: project.files.flatMap(({ file, blocks }) =>
      blocks.flatMap(({ type, address }) => (type === 'resource' ? [{ address, file }] : [])),
    ),
    /** The sites at a resource. */
    sitesOf: (address: string) => sitesByAddress.get(address) ?? [],
  };
}

/** Without the sites of flaws that have no effect on security. */
export function withoutHousekeeping(secure: SecureTemplate): SecureTemplate {
  const isKept = ({ operator }: InjectionSite) => !operator.housekeeping;
  return {
    ...secure,
    sites: secure.sites.filter(isKept),
    sitesOf: (address) => secure.sitesOf(address).filter(isKept),
  };
}

/** The edits of the secure code that a site allows. */
function findEdits(project: CodeProject, { operator, target }: InjectionSite) {
  const plain = operator.apply(project, target);
  const harmless = operator.harmless(project, target);
  return {
    plain: withBlockLists(project, plain),
    /** The same with harmless values; null when there are none. */
    harmless: harmless && withBlockLists(project, harmless),
    spot: weakSpot(project, operator, target, plain),
  };
}

/** A place where an operator could plant a flaw. */
export function sitePlace(secure: SecureTemplate, site: InjectionSite): Omit<HidingPlace, 'written' | 'choice'> {
  const { operator, target, weakness } = site;
  const guard = () => operator.guard(secure.project, target);
  return { project: secure.project, operator, target, category: weakness.category, guard, ...secure.editsFor(site) };
}
