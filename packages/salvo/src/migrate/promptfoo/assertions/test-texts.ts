import type { LocatedValue } from '../../../scenario/diagnostics/located-value.ts';
import { MigrationGap } from '../../notes.ts';
import { TemplateGap } from '../../template/expression.ts';
import { compileTextTemplate } from '../../template/template.ts';
import { refuseNames, renderText } from '../vars.ts';

/** How texts of a test become texts of a scenario. */
export interface TestTexts {
  /** The variables of the test. */
  vars: Readonly<Record<string, unknown>>;
  /** New names of variables whose own name has a meaning in rows. */
  renamed: ReadonlyMap<string, string>;
  /** Whether the scenario has data: otherwise nothing in it is a template. */
  hasData: boolean;
  /** Called with the names of the columns that a template reads. */
  uses: (name: string) => void;
  /** Called if a text depends on this test alone. */
  rendered: () => void;
}

/** A text with a template of Salvo if it can be one; otherwise as it is for this test. */
export function ownText(text: string, node: LocatedValue, texts: TestTexts): string {
  if (!/\{[{%#]/.test(text)) return text;
  if (texts.hasData && isKept(text, node)) {
    return text.replaceAll(/\{\{\s*([A-Za-z_]\w*)((?:\.\w+)*)\s*\}\}/g, (_, name: string, rest: string) => {
      texts.uses(name);
      return `{{${texts.renamed.get(name) ?? name}${rest}}}`;
    });
  }
  texts.rendered();
  return literalText(renderText(text, texts.vars, node), texts);
}

/** A text in which nothing is a template. */
export function literalText(text: string, { hasData }: Pick<TestTexts, 'hasData'>): string {
  return hasData ? text.replaceAll('{{', '\\{{') : text;
}

function isKept(text: string, node: LocatedValue): boolean {
  try {
    const { isPlain, names } = compileTextTemplate(text);
    if (isPlain) refuseNames(names, node);
    return isPlain;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TemplateGap) return false;
    if (error instanceof MigrationGap) throw error;
    throw error;
  }
}
