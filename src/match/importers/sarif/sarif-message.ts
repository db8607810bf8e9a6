import { readBlockPath, resourceInText } from '../block-path.ts';
import { firstText, listOf, recordOf, textOf } from '../loose-value.ts';

type Loose = Record<string, unknown>;

interface SarifMessage {
  text: string | undefined;
  /** What the scanner has nowhere but in its words. */
  severity?: string | undefined;
  resource?: string | undefined;
  attribute?: string | undefined;
}

/** What a result says, with its placeholders filled, and what can be told from the words of known scanners. */
export function sarifMessage(result: Loose, rule: Loose, component: Loose): SarifMessage {
  const text = filledText(recordOf(result.message), rule, component);
  if (text === undefined) return { text };
  return trivyMessage(text) ?? guardMessage(text) ?? { text, resource: resourceInText(text) };
}

/** The text itself, or the one that the rule or its tool keeps under the message's id. */
function filledText(message: Loose, rule: Loose, component: Loose): string | undefined {
  const id = textOf(message.id);
  const kept = (strings: unknown): Loose => {
    const all = recordOf(strings);
    return id !== undefined && Object.hasOwn(all, id) ? recordOf(all[id]) : {};
  };
  const own = firstText(message.text, message.markdown);
  const text = own ?? firstText(kept(rule.messageStrings).text, kept(component.globalMessageStrings).text);
  const values = listOf(message.arguments);
  return text?.replace(/\{(\d{1,3})\}/g, (placeholder, index) => textOf(values[Number(index)]) ?? placeholder);
}

/** Trivy writes a small form: `Artifact: main.tf`, `Type: terraform`, `Severity: HIGH`, `Message: …`. */
function trivyMessage(text: string): SarifMessage | null {
  if (!text.startsWith('Artifact: ')) return null;
  const field = (name: string) => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name}: `));
    return textOf(line?.slice(name.length + 2));
  };
  const message = field('Message') ?? field('Title') ?? text;
  return { text: message, severity: field('Severity'), resource: resourceInText(message) };
}

/** cfn-guard quotes the template after the path, which is the only place where the resource is named. */
function guardMessage(text: string): SarifMessage | null {
  const path = /\[Path=(\/Resources\/[^[\]\s]{1,500})\[L:/.exec(text)?.[1];
  if (path === undefined) return null;
  const missing = /^Check was not compliant as property \[([^\]]{1,200})\]/.exec(text)?.[1];
  const place = readBlockPath(missing === undefined ? path : `${path}/${missing.replaceAll('.', '/')}`);
  const end = text.lastIndexOf('}].');
  const custom = end < 0 ? undefined : textOf(text.slice(end + 3));
  const plain = text.split(' Value traversed to ')[0];
  return { text: custom ?? plain, resource: place?.resource, attribute: place?.attribute };
}
