import { memoByKey } from 'salvo/kit/text';
import { blockAt, fileNamed } from '../../iac/read/code-blocks.ts';
import type { Finding } from '../claims/finding.ts';
import { readClaim } from '../claims/read-claim.ts';
import { sameResource } from '../claims/resource-address.ts';
import type { Vulnerability } from '../claims/vulnerability.ts';
import { normalisePath } from '../importers/normalise-path.ts';
import { type FindAddress, nameFinder } from './names-in-code.ts';
import { siteFinder } from './sites-in-code.ts';
import { readSourceCode } from './source-code.ts';

/**
 * Says where in the code findings are. One that has a file and a line but no resource gets the address of the block
 * there. One that calls its resource by another name, as it is called in the cloud or in a description, gets the address
 * as well. `files` are the scanned files by path. A finding's path may start in another folder, so the longest common end
 * decides.
 */
export async function locateFindings(
  findings: readonly Finding[],
  files: Readonly<Record<string, string>>,
): Promise<Finding[]> {
  if (findings.length === 0) return [];
  const code = await readSourceCode(files);
  const byFile = Map.groupBy(code.blocks, ({ file }) => file);
  const names = new Set(Object.keys(files));
  const fileOf = memoByKey((path) => fileNamed(names, normalisePath(path)));
  const addressOf = nameFinder(code);
  return findings.map((finding) => {
    const { file, line } = finding;
    if (!needsResource(finding)) return withAddresses(finding, addressOf);
    const source = file ? fileOf(file) : null;
    const block = source === null || !line ? null : blockAt(byFile.get(source) ?? [], source, line);
    return block ? { ...finding, resource: block.address } : finding;
  });
}

/**
 * Says where in the code vulnerabilities are: like findings, and with all places where a correct report may point
 * (`locations`), unless the manifest lists them.
 */
export async function locateVulnerabilities(
  vulnerabilities: readonly Vulnerability[],
  files: Readonly<Record<string, string>>,
): Promise<Vulnerability[]> {
  if (vulnerabilities.every(hasLocations)) return [...vulnerabilities];
  const code = await readSourceCode(files);
  const addressOf = nameFinder(code);
  const sitesOf = siteFinder(code);
  return vulnerabilities.map((vulnerability) => {
    if (hasLocations(vulnerability)) return vulnerability;
    const named = withAddresses(vulnerability, addressOf);
    const locations = sitesOf(readClaim(named).resources);
    return locations.length > 0 ? { ...named, locations } : named;
  });
}

function hasLocations({ locations }: Vulnerability): boolean {
  return locations !== undefined && locations !== null && locations.length > 0;
}

/** Adds the addresses of resources that are called by another name. The names stay, for the reader of a report. */
function withAddresses<Claim extends Pick<Finding, 'resource'>>(claim: Claim, addressOf: FindAddress): Claim {
  const { resource_type: type } = { resource_type: undefined, ...claim };
  // With the type beside it, a name is found more surely.
  const names = readClaim(claim).resources;
  const found = names.map((name) => addressOf(name, typeof type === 'string' ? type : undefined));
  if (found.every((address) => address === null)) return claim;
  const resource = names.flatMap((name, index) => withAddress(name, found[index] ?? null));
  return { ...claim, resource: resource.length === 1 ? resource[0] : resource };
}

function withAddress(name: string, address: string | null): string[] {
  if (address === null) return [name];
  return sameResource([name], [address]) ? [address] : [name, address];
}

function needsResource({ resource, file, line }: Finding): boolean {
  const named = Array.isArray(resource) ? resource.some((one) => one !== '') : resource;
  return !named && typeof file === 'string' && typeof line === 'number';
}
