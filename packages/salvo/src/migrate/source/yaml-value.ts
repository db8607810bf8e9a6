import { parseYaml } from '../../text/parse-yaml.ts';

const LIMITS = { maxDepth: 100, maxLexemes: 50_000 };

/** The value of a text that is YAML or JSON; undefined if it is neither. */
export function yamlValue(text: string): unknown {
  const parsed = parseYaml(text, LIMITS);
  if ('exceeded' in parsed) return undefined;
  const [first, ...others] = parsed.documents;
  return first && others.length === 0 && first.errors.length === 0 ? first.toJSON() : undefined;
}
