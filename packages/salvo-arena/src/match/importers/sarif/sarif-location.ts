import { isRecord } from 'salvo/kit/text';
import { readBlockPath } from '../block-path.ts';
import { asLine, asList, asRecord, asText, entryAt, firstText, type Loose } from '../loose-value.ts';
import { percentDecoded } from '../normalise-path.ts';

interface SarifLocation {
  file?: string | undefined;
  line?: number | undefined;
  endLine?: number | undefined;
  resource?: string | undefined;
  attribute?: string | undefined;
}

/** Where a result is: the file of its first physical location, and the resource of its logical locations. */
export function sarifLocation(result: Loose, run: Loose): SarifLocation {
  const locations = asList(result.locations).filter(isRecord);
  const physical = locations.map(({ physicalLocation }) => physicalLocation).find(isRecord) ?? {};
  const region = asRecord(physical.region);
  const logical = [
    ...locations.flatMap((location) => asList(location.logicalLocations)),
    ...asList(result.logicalLocations),
  ];
  return {
    file: artifactPath(asRecord(physical.artifactLocation), run),
    line: asLine(region.startLine),
    endLine: asLine(region.endLine),
    ...logical.map((location) => readLogicalLocation(asRecord(location), run)).find((found) => found !== null),
  };
}

/**
 * The file of an artifact. Its base counts only if it is relative: an absolute base is a folder on the scanner's
 * machine, and paths are compared from their end.
 */
function artifactPath(artifact: Loose, run: Loose): string | undefined {
  const known = asRecord(entryAt(run.artifacts, artifact.index).location);
  const uri = firstText(artifact.uri, known.uri);
  if (uri === undefined) return undefined;
  // A file URI is decoded where paths are normalised.
  const path = /^file:/i.test(uri) ? uri : percentDecoded(uri);
  const bases = asRecord(run.originalUriBaseIds);
  const baseId = firstText(artifact.uriBaseId, known.uriBaseId) ?? '';
  const base = Object.hasOwn(bases, baseId) ? asText(asRecord(bases[baseId]).uri) : undefined;
  const isRelative = base !== undefined && !/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(base);
  return isRelative ? `${percentDecoded(base).replace(/\/$/, '')}/${path}` : path;
}

/** The resource of a logical location; null when it is something else, such as a function or a package. */
function readLogicalLocation(location: Loose, run: Loose): Pick<SarifLocation, 'resource' | 'attribute'> | null {
  const known = entryAt(run.logicalLocations, location.index);
  const name = firstText(location.name, known.name);
  const full = firstText(location.fullyQualifiedName, known.fullyQualifiedName);
  const kind = firstText(location.kind, known.kind) ?? '';
  for (const text of [full, name]) {
    const path = text === undefined ? null : readBlockPath(text);
    if (path) return { resource: path.resource, attribute: path.attribute };
  }
  // Terrascan writes the resource's type as the kind.
  if (/^[a-z][a-z0-9]*_[a-z0-9_]+$|^[A-Za-z0-9]+::/.test(kind) && name !== undefined) {
    return { resource: name.includes(kind) ? name : `${kind}.${name}` };
  }
  const address = [full, name].find((text) => text !== undefined && ADDRESS.test(text));
  if (address !== undefined) return { resource: address };
  return kind === 'resource' && (full ?? name) !== undefined ? { resource: full ?? name } : null;
}

const ADDRESS =
  /^(?:(?:[\w-]+(?:\[[^\]]{1,100}\])?\.){0,20}[a-z][a-z0-9]*_[a-z0-9_]+\.[\w-]+(?:\[[^\]]{1,100}\])?|[A-Za-z0-9]+::\S{1,300})$/;
