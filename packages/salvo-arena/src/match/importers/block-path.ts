/** A place in infrastructure code that scanners write as a path. */
export interface BlockPath {
  /** `aws_s3_bucket.data`; in CloudFormation the logical id alone. */
  resource: string;
  /** Below the resource, without indices: `versioning.enabled`. Empty for the resource itself. */
  attribute: string;
  language: 'terraform' | 'cloudformation';
}

/** No real path is longer, and every part is read. */
const LONGEST = 2000;

/**
 * Reads `aws_s3_bucket[data].acl`, `aws_s3_bucket[{{data}}]`, `resource.aws_s3_bucket[data].acl`,
 * `data.aws_iam_policy_document[x]`, `module[x].acl`, `Resources.Bucket.Properties.Acl` and
 * `/Resources/Bucket/Properties/Acl`. Null when it is another kind of path.
 */
export function readBlockPath(text: string): BlockPath | null {
  if (text.length > LONGEST) return null;
  const steps = text.startsWith('/') ? text.slice(1).split('/') : splitPath(text);
  return readBlockSteps(steps);
}

/** The same for a path that is already a list. */
export function readBlockSteps(path: readonly string[]): BlockPath | null {
  // Snyk begins with the document and OPA's `input`.
  const start = path.findIndex((step) => !/^(?:\[DocId: ?\d+\]|input)$/.test(step));
  const steps = start < 0 ? [] : path.slice(start);
  return readCloudFormationPath(steps) ?? readTerraformPath(steps);
}

function readCloudFormationPath(steps: readonly string[]): BlockPath | null {
  const [first = '', second] = steps;
  const inBrackets = /^Resources\[(.{1,300})\]$/s.exec(first)?.[1];
  const id = inBrackets ?? (first === 'Resources' ? second : undefined);
  if (id === undefined || id === '') return null;
  const rest = steps.slice(inBrackets === undefined ? 2 : 1);
  const attribute = joinAttribute(rest[0] === 'Properties' ? rest.slice(1) : rest);
  return { resource: unwrapped(id), attribute, language: 'cloudformation' };
}

/** `type[name]`, which is how scanners write a block that is `"type" "name"` in HCL. */
const BLOCK = /^([A-Za-z][\w-]*)\[(?:\{\{)?["']?([^\]{}"']{1,300})["']?(?:\}\})?\]$/;

function readTerraformPath(steps: readonly string[]): BlockPath | null {
  const [first = ''] = steps;
  const at = first === 'resource' || first === 'data' || first === 'output' || first === 'variable' ? 1 : 0;
  const [, type = '', name = ''] = BLOCK.exec(unwrapped(steps[at] ?? '')) ?? [];
  if (type === '' || (at === 0 && type !== 'module' && !type.includes('_'))) return null;
  const prefix = first === 'data' ? 'data.' : '';
  return {
    resource: `${prefix}${type}.${name}`,
    attribute: joinAttribute(steps.slice(at + 1)),
    language: 'terraform',
  };
}

/** Without indices, and without the functions of CloudFormation that a value is written with. */
function joinAttribute(steps: readonly string[]): string {
  return steps
    .map((step) => unwrapped(step.replace(/=.*$/s, '').replace(/\[[^[\]]*\]$/, '')))
    .filter((step) => step !== '' && !/^(?:\d+|\*|Ref|Fn::\w{1,50})$/.test(step))
    .join('.');
}

function unwrapped(step: string): string {
  return step.startsWith('{{') && step.endsWith('}}') ? step.slice(2, -2) : step;
}

/** Split at the dots that are in neither brackets nor double braces. */
function splitPath(text: string): string[] {
  const steps: string[] = [];
  let start = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '[' || character === '{') depth += 1;
    else if ((character === ']' || character === '}') && depth > 0) depth -= 1;
    else if (character === '.' && depth === 0) {
      steps.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...steps, text.slice(start)];
}

/**
 * The resource that a message names: `Resource 'aws_s3_bucket.data' has …`. Some versions of tfsec put a colon after
 * each module: `module.net:aws_vpc.main`.
 */
export function resourceInText(text: string): string | undefined {
  const address = QUOTED.exec(text)?.[2] ?? LABELLED.exec(text)?.[1];
  return address?.replaceAll(/:(?=(?:module|data)\.|[a-z][a-z0-9]*_)/g, '.');
}

/** Only what looks like an address: `resource 'type'` does not. An index may contain quotes of another kind. */
const QUOTED = /\b(?:resource|block):? (['"`])((?:[\w-]{1,100}(?:\[[^\]'`\n]{1,100}\])?[.:]){1,20}[\w[\]"-]{1,100})\1/i;
const LABELLED = /^Resource: ((?:[\w:-]{1,100}\.){1,10}[\w[\]"-]{1,100})\s*$/m;
