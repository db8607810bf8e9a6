/**
 * The resource that a message is about, when it says so: `Resource 'aws_s3_bucket.data' has …`. Some versions of tfsec
 * put a colon behind each module: `module.net:aws_vpc.main`.
 */
export function resourceInText(text: string): string | undefined {
  const address = QUOTED.exec(text)?.[2] ?? LABELLED.exec(text)?.[1];
  return address?.replaceAll(/:(?=(?:module|data)\.|[a-z][a-z0-9]*_)/g, '.');
}

/** Only what looks like an address, so that `resource 'type'` is none. An index in it may hold quotes of another kind. */
const QUOTED = /\b(?:resource|block):? (['"`])((?:[\w-]{1,100}(?:\[[^\]'`\n]{1,100}\])?[.:]){1,20}[\w[\]"-]{1,100})\1/i;
const LABELLED = /^Resource: ((?:[\w:-]{1,100}\.){1,10}[\w[\]"-]{1,100})\s*$/m;
