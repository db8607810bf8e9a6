import type { Json } from '../../iac/evaluate/value.ts';
import type { SourceFile } from '../../iac/syntax/source-file.ts';
import type { WeakValue } from './operator.ts';

/** A value as code of the file's language. In YAML, every map entry is on a line of its own, and a list on one line. */
export function codeValue({ syntax }: Pick<SourceFile, 'syntax'>, value: Json): string {
  if (syntax === 'json') return JSON.stringify(value);
  return syntax === 'hcl' ? hclValue(value) : yamlValue(value);
}

function hclValue(value: Json): string {
  // A function, because `$$` in a replacement text would be written as one `$`.
  if (typeof value === 'string') return JSON.stringify(value).replaceAll(/[$%]\{/g, (start) => `${start[0]}${start}`);
  if (Array.isArray(value)) return `[${value.map(hclValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(([name, item]) => `${hclName(name)} = ${hclValue(item)}`);
  return `{ ${entries.join(', ')} }`;
}

function hclName(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name);
}

function yamlValue(value: Json): string {
  if (typeof value === 'string') return isPlainYaml(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(yamlValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, item]) => `${name}:${isLarge(item) ? `\n  ${deeper(yamlValue(item))}` : ` ${yamlValue(item)}`}`)
    .join('\n');
}

function isLarge(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function deeper(lines: string): string {
  return lines.replaceAll('\n', '\n  ');
}

function isPlainYaml(text: string): boolean {
  if (/^\d+\.\d+\.\d+\.\d+\/\d+$/.test(text)) return true;
  if (!/^[A-Za-z/][\w ./:@+-]*$/.test(text) || /:(?:\s|$)|\s$/.test(text)) return false;
  return !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text);
}

/** A block of Terraform with these attributes. */
export function blockCode(type: string, attributes: { [name: string]: Json }): string {
  const lines = Object.entries(attributes).map(([name, value]) => `  ${name} = ${hclValue(value)}`);
  return [`${type} {`, ...lines, '}'].join('\n');
}

/** The type that a variable for this value is declared with; null for a value that no single variable should carry. */
export function variableType(value: Json): WeakValue['type'] | null {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? 'list(string)' : null;
}
