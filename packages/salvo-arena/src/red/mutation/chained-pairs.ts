import type { SecureTemplate } from './secure-template.ts';
import { areRelated, type InjectionSite } from './site/injection-site.ts';
import type { SeededChoice } from './site/seeded-choice.ts';

/** Which categories make a flaw worse: an intruder finds unencrypted data, an unlogged one goes unnoticed. */
const WORSE_WITH: Readonly<Record<string, readonly string[]>> = {
  public_access: ['encryption_at_rest', 'encryption_in_transit', 'logging', 'versioning', 'secrets'],
  network: ['encryption_in_transit', 'metadata_service', 'logging', 'access_control', 'secrets'],
  access_control: ['encryption_at_rest', 'logging', 'monitoring'],
  iam: ['public_access', 'network', 'metadata_service', 'logging', 'secrets', 'access_control', 'iam'],
  secrets: ['iam', 'logging', 'encryption_at_rest'],
  backup: ['versioning', 'availability', 'encryption_at_rest'],
  availability: ['backup', 'monitoring'],
  encryption_at_rest: ['backup', 'logging'],
};

/** Pairs of flaws that are worse together. Pairs of related resources come first. */
export function chainedPairs({ sites, references }: SecureTemplate, choice: SeededChoice): InjectionSite[][] {
  const shuffled = choice.shuffled(sites);
  const isNear = ({ target: a }: InjectionSite, { target: b }: InjectionSite) =>
    areRelated(a, b) ||
    references.get(a.address)?.has(b.address) === true ||
    references.get(b.address)?.has(a.address) === true;
  const near: InjectionSite[][] = [];
  const far: InjectionSite[][] = [];
  for (const first of shuffled) {
    const worse = WORSE_WITH[first.weakness.category] ?? [];
    const seconds = shuffled.filter((second) => second !== first && worse.includes(second.weakness.category));
    const close = seconds.filter((second) => isNear(first, second));
    // Several candidates, since the first may not fit.
    near.push(...close.slice(0, 3).map((second) => [first, second]));
    if (close.length === 0) far.push(...seconds.slice(0, 2).map((second) => [first, second]));
  }
  return [...near, ...far];
}
