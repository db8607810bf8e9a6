/** The resource that a message is about, when it says so: `Resource 'aws_s3_bucket.data' has …`. */
export function resourceInText(text: string): string | undefined {
  return QUOTED.exec(text)?.[1] ?? LABELLED.exec(text)?.[1];
}

/** Only what looks like an address, so that `resource 'type'` is none. */
const QUOTED = /\bresource:? ['"`]((?:[\w-]{1,100}\.){1,10}[\w[\]"-]{1,100})['"`]/i;
const LABELLED = /^Resource: ((?:[\w:-]{1,100}\.){1,10}[\w[\]"-]{1,100})\s*$/m;
