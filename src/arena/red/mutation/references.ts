import { referencesIn } from '../../../iac/read/references.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';

/** The addresses that each resource and data source refers to, by its own address. */
export type References = ReadonlyMap<string, ReadonlySet<string>>;

export function referencesByAddress({ files }: CodeProject): References {
  const references = new Map<string, Set<string>>();
  for (const [{ address }, targets] of referencesIn(files)) {
    const others = [...targets].map((target) => target.address).filter((other) => other !== address);
    references.set(address, new Set([...(references.get(address) ?? []), ...others]));
  }
  return references;
}
