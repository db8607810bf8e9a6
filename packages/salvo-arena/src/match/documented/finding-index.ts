import { remembered } from 'salvo/kit/text';
import { addressKey, type ResourceAddress, sameAddress } from '../claims/resource-address.ts';
import type { ClaimNumbers } from './claim-numbers.ts';

/** Findings that differ only in resource and keywords: those at the places from `start` to before `end`. */
export interface FindingGroup extends Pick<ClaimNumbers, 'type' | 'categories' | 'severity'> {
  start: number;
  end: number;
}

/**
 * Findings arranged for the search of candidates. They are numbered by *place*: an order in which the members of a
 * group are next to each other.
 */
export type FindingIndex = ReturnType<typeof createFindingIndex>;

export function createFindingIndex(claims: readonly ClaimNumbers[], keywordCount: number) {
  const byKind = Map.groupBy(claims.keys(), (finding) => kindKey(claims[finding]));
  const findings = Int32Array.from([...byKind.values()].flat());
  const groups: FindingGroup[] = [];
  const groupOf = new Int32Array(claims.length);
  let start = 0;
  for (const members of byKind.values()) {
    const [first = 0] = members;
    const { type = -1, categories = 0, severity = -1 } = claims[first] ?? {};
    const end = start + members.length;
    groupOf.fill(groups.length, start, end);
    groups.push({ type, categories, severity, start, end });
    start = end;
  }

  const placed = Array.from(findings, (finding) => claims[finding]).filter((claim) => claim !== undefined);
  return {
    groups,
    /** The finding at each place. */
    findings,
    /** The group of each place, and how many keywords its finding has. */
    groupOf,
    keywordCounts: Int32Array.from(placed, ({ keywords }) => keywords.length),
    ...postingLists(placed, keywordCount),
    /** Lists of the places that name one of these resources. A place can be in several. */
    membersNaming: createResourceIndex(placed.map(({ addresses }) => addresses)),
  };
}

/** One number for type, categories and severity. Only types are unlimited, so they take the highest bits. */
function kindKey(claim: ClaimNumbers | undefined): number {
  return claim === undefined ? -1 : (claim.type + 1) * 2 ** 16 + claim.categories * 2 ** 4 + claim.severity + 1;
}

/** The places that have keyword `k` are `postings` from `starts[k]` to before `starts[k + 1]`. */
function postingLists(placed: readonly ClaimNumbers[], keywordCount: number) {
  const starts = new Int32Array(keywordCount + 1);
  for (const { keywords } of placed) for (const keyword of keywords) increase(starts, keyword + 1, 1);
  for (let keyword = 0; keyword < keywordCount; keyword += 1) increase(starts, keyword + 1, starts[keyword] ?? 0);

  const postings = new Int32Array(starts[keywordCount] ?? 0);
  const next = starts.slice();
  for (const [place, { keywords }] of placed.entries()) {
    for (const keyword of keywords) {
      postings[next[keyword] ?? 0] = place;
      increase(next, keyword, 1);
    }
  }
  return { starts, postings };
}

function increase(numbers: Int32Array, at: number, more: number): void {
  numbers[at] = (numbers[at] ?? 0) + more;
}

interface Entry {
  address: ResourceAddress;
  members: number[];
}

/** Finds members by resource, without comparing all of them. `addressesOf` are the resources that each member names. */
function createResourceIndex(addressesOf: readonly (readonly ResourceAddress[])[]) {
  /** Addresses that may be the same, each once, however many members name it. */
  const byKey = new Map<string, Entry[]>();
  const entryOf = new Map<string, Entry>();
  for (const [member, addresses] of addressesOf.entries()) {
    for (const address of addresses) {
      const whole = [address.module, address.type ?? '', address.name ?? ''].join('\n');
      let entry = entryOf.get(whole);
      if (entry === undefined) {
        entry = { address, members: [] };
        entryOf.set(whole, entry);
        remembered(byKey, addressKey(address), () => []).push(entry);
      }
      if (entry.members.at(-1) !== member) entry.members.push(member);
    }
  }

  return (addresses: readonly ResourceAddress[]): readonly (readonly number[])[] =>
    addresses.flatMap((address) =>
      (byKey.get(addressKey(address)) ?? [])
        .filter((entry) => sameAddress(address, entry.address))
        .map(({ members }) => members),
    );
}
