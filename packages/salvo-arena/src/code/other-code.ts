/** Languages that a file's name alone gives away. */
const BY_NAME: readonly (readonly [name: RegExp, language: string])[] = [
  [/\.bicep(?:param)?$/i, 'Bicep'],
  [/^terragrunt\.hcl$/i, 'Terragrunt'],
  [/\.pkr\.hcl$/i, 'Packer'],
  [/\.hcl$/i, 'HCL'],
  [/^Pulumi(?:\.[\w-]{1,100})?\.ya?ml$/i, 'Pulumi'],
  [/^cdk\.json$/i, 'AWS CDK'],
  [/^serverless\.ya?ml$/i, 'Serverless Framework'],
  [/^Chart\.ya?ml$/, 'Helm'],
];

/** Languages that the beginning of a YAML or JSON file gives away. */
const BY_TEXT: readonly (readonly [text: RegExp, language: string])[] = [
  [/^[{,\s]{0,50}["']?apiVersion["']?[ \t]*:/m, 'Kubernetes'],
  [/schema\.management\.azure\.com\/schemas\/[^"'\s]{1,100}deployment/i, 'Azure Resource Manager'],
  [/^-[ \t]{1,20}(?:hosts|import_playbook)[ \t]*:/m, 'Ansible'],
];

const LONGEST_BEGINNING = 20_000;

/**
 * The language of infrastructure code that is neither Terraform nor CloudFormation, or null. Without it, a folder of
 * such code would look like a folder without flaws.
 */
export function otherLanguage(file: string, text: string): string | null {
  const name = file.split('/').at(-1) ?? file;
  const named = BY_NAME.find(([pattern]) => pattern.test(name));
  if (named) return named[1];
  if (!/\.(?:ya?ml|json)$/i.test(name)) return null;
  const beginning = text.slice(0, LONGEST_BEGINNING);
  return BY_TEXT.find(([pattern]) => pattern.test(beginning))?.[1] ?? null;
}
