import { remembered } from 'salvo/kit/text';
import { createScope } from '../../iac/evaluate/scope.ts';
import { referencesByAddress } from '../../iac/read/references.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import { type CodeProject, isInFocus, parseCode } from '../../iac/syntax/parse-code.ts';
import type { PresentBefore } from '../../match/claims/present-before.ts';
import { weaknessById } from '../../match/weaknesses/weaknesses.ts';
import { presentBefore, type Template, templateFiles } from '../../templates/templates.ts';
import { operatorsFor } from '../operators/operators.ts';
import { withBlockLists } from './site/block-lists.ts';
import { type InjectionSite, siteKey } from './site/injection-site.ts';
import { weakSpot } from './site/weak-spot.ts';
import type { HidingPlace } from './techniques/technique.ts';

/** Secure code that flaws can be planted in: of a template of this package, or any other code. */
export interface SecureCode {
  /** Its name in results. */
  id: string;
  language: CodeLanguage;
  /** Texts by file name. */
  files: Readonly<Record<string, string>>;
  /** Weaknesses that the code has already. */
  present: readonly PresentBefore[];
  /** Of generated code: the templates that parts of it come from. */
  pieces?: readonly string[] | undefined;
  /** The files that may be edited, if an address is in several folders of the code. */
  focus?: ReadonlySet<string> | undefined;
  /** Of code that nobody has checked: what our rules report of it, by `findingKey`. The twin must have nothing else. */
  reported?: ReadonlySet<string> | undefined;
}

/** Parsed secure code with all sites for flaws in it. */
export type SecureTemplate = Awaited<ReturnType<typeof secureTemplateFrom>>;

/** A template of this package as it is written. */
export function secureTemplate(template: Template): Promise<SecureTemplate> {
  const { id, language } = template;
  return remembered(readTemplates, id, () =>
    secureTemplateFrom({ id, language, files: templateFiles(template), present: presentBefore(template) }),
  );
}

/** An experiment plays a thousand games on a few dozen templates. */
const readTemplates = new Map<string, Promise<SecureTemplate>>();

export async function secureTemplateFrom({ id, language, files, present, pieces, focus, reported }: SecureCode) {
  const project: CodeProject = { ...(await parseCode(files)), ...(focus && { focus }) };
  const scope = createScope(project);
  const weak: { operator: string; address: string }[] = [];
  const sites = operatorsFor(language).flatMap((operator): InjectionSite[] => {
    const weakness = weaknessById(operator.weakness);
    if (!weakness) return [];
    const targets = operator.targets(project, scope);
    const secure = targets.filter((target) => !operator.isPresent(scope, target));
    for (const { address } of targets.filter((one) => !secure.includes(one)))
      weak.push({ operator: operator.id, address });
    return secure
      .filter(({ address }) => !present.some((one) => one.weakness === weakness.id && one.resource === address))
      .map((target) => ({ key: siteKey(operator.id, target), operator, target, weakness }));
  });
  const edits = new Map<string, ReturnType<typeof findEdits>>();
  /** Computed on first use. */
  const editsFor = (site: InjectionSite) => remembered(edits, site.key, () => findEdits(project, site));
  const sitesByAddress = Map.groupBy(sites, ({ target }) => target.address);
  return {
    id,
    language,
    present,
    pieces,
    /** Where an operator finds its flaw before anything was planted. */
    weak,
    reported,
    project,
    sites,
    references: referencesByAddress(project),
    editsFor,
    /** All resources of the code. */
    resources: project.files.flatMap(({ file, blocks }) =>
      blocks.flatMap(({ type, address }) =>
        type === 'resource' && isInFocus(project, file) ? [{ address, file }] : [],
      ),
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
