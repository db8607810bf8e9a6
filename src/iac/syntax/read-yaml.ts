import { parseYaml } from '../../text/parse-yaml.ts';
import { type DataDocument, MAX_DATA_DEPTH } from './data-node.ts';
import { yamlNodes } from './yaml-nodes.ts';

/** About 5 MB of an ordinary template. */
const MAX_LEXEMES = 1_600_000;
const MOST_PROBLEMS = 20;

/** Reads YAML with the position of every value. Never throws: errors and exceeded limits are listed in `problems`. */
export function readYaml(text: string): DataDocument {
  const read = parseYaml(text, { maxDepth: MAX_DATA_DEPTH, maxLexemes: MAX_LEXEMES });
  if ('exceeded' in read) {
    const message =
      read.exceeded === 'depth'
        ? `values are nested more than ${MAX_DATA_DEPTH} levels deep`
        : `the file has more than ${MAX_LEXEMES} values and punctuation characters`;
    return { root: null, comments: [], problems: [{ offset: read.offset, message }] };
  }
  const { first, second, comments } = read;
  if (!first) return { root: null, comments, problems: [{ offset: 0, message: 'the file is empty' }] };
  const problems = first.errors
    .slice(0, MOST_PROBLEMS)
    .map(({ pos, message }) => ({ offset: pos[0], message: message.replaceAll(/\s+/g, ' ') }));
  const root = yamlNodes(text, first.contents, problems);
  if (second) problems.push({ offset: second.range[0], message: 'only the first document of this file is read' });
  return { root, comments, problems };
}
