import { compareNames } from 'salvo/kit/text';

/** Common names of files and folders, which reveal nothing. */
const ORDINARY: ReadonlySet<string> = new Set(
  `main variables variable outputs output providers provider versions version locals local data backend terraform
  template stack app application infra infrastructure cloudformation modules module environments envs env dev test stage
  staging prod production src code policies network networking vpc subnets security iam roles storage s3 buckets
  database databases db rds dynamodb compute ec2 instances lambda functions api gateway ecs eks cluster kms keys secrets
  logging logs monitoring cloudwatch cloudtrail sns sqs queues messaging cdn cloudfront dns route53 alb lb
  load-balancer override`.split(/\s+/),
);
/** Terraform gives these a meaning, so a renamed file keeps its extension. */
const EXTENSION = /(?:_override)?(?:\.auto)?\.(?:tf\.json|tfvars\.json|tofu|tf|tfvars|ya?ml|json|template)$/i;
const SAFE_STEP = /^[A-Za-z0-9][\w.-]{0,80}$/;

/**
 * A name for each file that reveals nothing about its content: `main.tf` stays, `insecure-bucket.tf` becomes
 * `file-1.tf`. A name that the code refers to also stays, or the reference would break. All names are safe to write
 * below a folder.
 */
export function neutralNames(files: readonly (readonly [name: string, text: string])[]): Map<string, string> {
  const isReferenced = createReferenceTest(files.map(([, text]) => text));
  const folders = new Map<string, string>();
  const taken = new Set<string>();
  const names = new Map<string, string>();
  let count = 0;
  for (const [name] of files.toSorted(([a], [b]) => compareNames(a, b))) {
    const steps = name.split(/[\\/]+/);
    const last = steps.pop() ?? '';
    let folder = '';
    let path = '';
    for (const step of steps) {
      path += `${step}/`;
      const neutral = folders.get(path) ?? (keepsName(step, step, isReferenced) ? step : `folder-${folders.size + 1}`);
      folders.set(path, neutral);
      folder += `${neutral}/`;
    }
    const extension = EXTENSION.exec(last)?.[0] ?? '';
    const stem = last.slice(0, last.length - extension.length);
    let neutral = folder + last;
    while (!keepsName(last, stem, isReferenced) || taken.has(neutral.toLowerCase())) {
      count += 1;
      neutral = `${folder}file-${count}${extension || '.txt'}`;
      if (!taken.has(neutral.toLowerCase())) break;
    }
    taken.add(neutral.toLowerCase());
    names.set(name, neutral);
  }
  return names;
}

function keepsName(step: string, stem: string, isReferenced: (step: string) => boolean): boolean {
  if (!SAFE_STEP.test(step)) return false;
  return ORDINARY.has(stem.toLowerCase()) || isReferenced(step);
}

/**
 * Returns a test whether a path in the code has a step of this name: `source = "./modules/edge"`,
 * `file("policy.json")`.
 */
function createReferenceTest(texts: readonly string[]): (step: string) => boolean {
  const named = new Set<string>();
  for (const text of texts) {
    for (const [path] of text.matchAll(/[\w./\\-]+/g)) {
      if (/[./\\]/.test(path)) for (const step of path.split(/[\\/]/)) named.add(step);
    }
  }
  return (step) => named.has(step);
}
