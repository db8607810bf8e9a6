import { Document, isCollection, isScalar, isSeq, visit } from 'yaml';
import { isRecord } from '../../text/json/is-record.ts';
import { mapEntries, mapList } from '../../text/json/map-json.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { sourceText } from '../../text/source-text.ts';
import { yamlText } from '../../text/yaml-text.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { resolveYaml } from '../yaml/resolve-yaml.ts';
import { MAX_LEXEMES, parseYamlTree } from '../yaml/yaml-tree.ts';
import type { WrittenScenario } from './written-scenario.ts';

const LONGEST_COMMENT = 160;
const LONGEST_FLOW = 100;

export interface ScenarioComments {
  head: readonly string[];
  /** By the position of the assertion. */
  assertions: readonly string[];
  /** Below the last assertion. */
  end: readonly string[];
}

/** The file of a scenario: YAML that people read and change. Whatever a text contains, it is read as it was. */
export function scenarioText(scenario: WrittenScenario, comments: ScenarioComments): string {
  const document = new Document(scenario, { aliasDuplicateObjects: false });
  document.commentBefore = commentText(comments.head);
  const assertions = document.get('assertions');
  if (isSeq(assertions)) {
    for (const [index, item] of assertions.items.entries()) {
      const why = comments.assertions[index];
      if (why !== undefined && isCollection(item)) item.commentBefore = commentText([why]);
    }
    if (comments.end.length > 0 && assertions.items.length > 0) assertions.comment = commentText(comments.end);
  }
  visit(document, {
    Pair(_, { key }) {
      // Without quotes it would mean that another map is merged in.
      if (isScalar(key) && key.value === '<<') key.type = 'QUOTE_DOUBLE';
    },
    Collection(_, node) {
      const json: unknown = node.toJSON();
      if (node.items.length > 0 && isShort(json)) node.flow = true;
    },
  });
  const text = yamlText(document);
  const hasNone = !isSeq(assertions) || assertions.items.length === 0;
  return hasNone ? `${text}${comments.end.map((line) => `#${commentText([line])}\n`).join('')}` : text;
}

/** Lists and maps of a few words are easier to read on one line. */
function isShort(json: unknown): boolean {
  const parts = Array.isArray(json) ? json : isRecord(json) ? Object.values(json) : null;
  if (parts?.every((part) => typeof part !== 'object' || part === null) !== true) return false;
  const text = JSON.stringify(json) ?? '';
  return text.length <= LONGEST_FLOW && !text.includes('\\n');
}

/** Each line a line of its own, whatever is in it. */
function commentText(lines: readonly string[]): string {
  return lines.map((line) => ` ${safeLine(line, LONGEST_COMMENT)}`).join('\n');
}

/** The value with `{{` of its texts written so that no template is read. Only a scenario with data has templates. */
export function withoutTemplates(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('{{', '\\{{');
  if (Array.isArray(value)) return mapList(value, withoutTemplates);
  return isRecord(value) ? mapEntries(value, (_, part) => withoutTemplates(part)) : value;
}

/** The value of such a file, as a run reads it, and what is wrong with it. */
export function readScenarioText(text: string, file: string): { value: unknown; problems: Diagnostic[] } {
  const problems: Diagnostic[] = [];
  const source = sourceText({ file, text });
  const { contents, diagnostics } = parseYamlTree(source, { left: MAX_LEXEMES });
  problems.push(...diagnostics);
  if (diagnostics.length > 0) return { value: null, problems };
  const root = resolveYaml({ source, contents, report: (problem) => problems.push(problem), include: () => null });
  return { value: root?.value, problems };
}
