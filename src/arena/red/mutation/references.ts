import type { CodeProject } from '../../../iac/syntax/parse-code.ts';

/** The addresses that each resource and data source refers to, by its own address. */
export type References = ReadonlyMap<string, ReadonlySet<string>>;

export function referencesIn({ files }: CodeProject): References {
  const blocks = files.flatMap(({ blocks: all, text }) =>
    all
      .filter(({ type }) => type === 'resource' || type === 'data')
      .map(({ address, range }) => ({ address, code: text.slice(range.start, range.end) })),
  );
  const byWord = new Map(blocks.map(({ address }) => [wordFor(address), address]));
  const references = new Map<string, Set<string>>();
  for (const { address, code } of blocks) {
    const named = references.get(address) ?? new Set<string>();
    references.set(address, named);
    for (const [word] of code.matchAll(/(?:data\.)?\baws_\w+\.[\w-]+|\b[A-Z]\w*/g)) {
      const other = byWord.get(word);
      if (other !== undefined && other !== address) named.add(other);
    }
  }
  return references;
}

/** How code refers to an address. Templates use only the name. */
function wordFor(address: string): string {
  return address.includes('::') ? (address.split('.').at(-1) ?? address) : address;
}
