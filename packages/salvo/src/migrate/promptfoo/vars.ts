import { extname } from 'node:path';
import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { mapEntries, mapList } from '../../text/json/map-json.ts';
import { MigrationGap } from '../notes.ts';
import { itemsOf, problemAt, textOf } from '../source/located.ts';
import { isCodeFile, type SourceFiles } from '../source/source-files.ts';
import { TemplateGap } from '../template/expression.ts';
import { compileTextTemplate } from '../template/template.ts';

interface Combining {
  files: SourceFiles;
  /** Whether a list means one test for each entry. */
  isExpanded: boolean;
  most: number;
  node: LocatedValue;
}

/** The values of the variables of a test: one map for each combination. */
export async function varCombinations(
  vars: ReadonlyMap<string, LocatedValue>,
  combining: Combining,
): Promise<Record<string, unknown>[]> {
  let all: Record<string, unknown>[] = [{}];
  for (const [name, node] of vars) {
    const values = await valuesOf(node, combining);
    if (all.length * values.length > combining.most) {
      throw problemAt(node, {
        code: 'too-large',
        message: `the variables have more than ${combining.most} combinations`,
      });
    }
    all = all.flatMap((known) => values.map((value) => ({ ...known, [name]: value })));
  }
  return all.map((known) => withRendered(known, combining.node));
}

async function valuesOf(node: LocatedValue, { files, isExpanded }: Combining): Promise<unknown[]> {
  const text = textOf(node);
  if (text?.startsWith('file://')) {
    const matches = await files.matches(text, node.span);
    return matches.map((file) => fileValue(file, node, files));
  }
  if (!Array.isArray(node.value) || !isExpanded) return [node.value];
  const lists: unknown[][] = [];
  for (const item of itemsOf(node)) {
    lists.push(
      textOf(item)?.startsWith('file://') ? await valuesOf(item, { files, isExpanded, most: 0, node }) : [item.value],
    );
  }
  return lists.flat();
}

const UNREADABLE = /\.(?:py|rb|pdf|png|jpe?g|gif|webp|svg|bmp|mp3|wav|mp4|webm|docx?|xlsx?)$/i;

/** What promptfoo puts in place of a file: its text, and YAML as JSON. */
function fileValue(file: string, node: LocatedValue, files: SourceFiles): unknown {
  if (isCodeFile(file) || UNREADABLE.test(file)) {
    const why = `the value of a variable comes from ${extname(file)}, which is not read: write it as a text, or as \`files\` of the scenario`;
    throw new MigrationGap('vars', why, node);
  }
  if (/\.ya?ml$/.test(file)) return JSON.stringify(files.named(file, node.span).value);
  return files.text(file, node.span).text.trim();
}

const MOST_ROUNDS = 5;

/** Variables may use each other. */
function withRendered(vars: Record<string, unknown>, node: LocatedValue): Record<string, unknown> {
  let rendered = vars;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const scope = rendered;
    let isChanged = false;
    const renderOwn = (text: string): string => {
      const own = renderText(text, scope, node);
      isChanged ||= own !== text;
      return own;
    };
    rendered = Object.fromEntries(Object.entries(scope).map(([name, value]) => [name, mapTexts(value, renderOwn)]));
    if (!isChanged) break;
  }
  return rendered;
}

/** A value with all of its texts changed. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return mapList(value, (part) => mapTexts(part, map));
  return isRecord(value) ? mapEntries(value, (_, part) => mapTexts(part, map)) : value;
}

/** A text with its templates replaced. What is not translated is a gap of this node. */
export function renderText(text: string, scope: Readonly<Record<string, unknown>>, node: LocatedValue): string {
  if (!/\{[{%#]/.test(text)) return text;
  try {
    const template = compileTextTemplate(text);
    refuseNames(template.names, node);
    return template.render(scope);
  } catch (error) {
    if (error instanceof TemplateGap) throw new MigrationGap('template', `${error.message} is not translated`, node);
    // Such a text is no template, as `{{` in LaTeX: promptfoo would refuse it, too.
    if (error instanceof SyntaxError) throw new MigrationGap('template', `it cannot be read: ${error.message}`, node);
    throw error;
  }
}

const REFUSED: Readonly<Record<string, string>> = {
  env: 'the value of an environment variable is not copied into a file: write it yourself',
  _conversation: 'earlier answers in a prompt are a conversation: write `messages` with several turns',
};

/** Names that no variable of a test has. */
export function refuseNames(names: ReadonlySet<string>, node: LocatedValue): void {
  const name = Object.keys(REFUSED).find((each) => names.has(each));
  if (name !== undefined) throw new MigrationGap(`{{${name}}}`, REFUSED[name] ?? '', node);
}
