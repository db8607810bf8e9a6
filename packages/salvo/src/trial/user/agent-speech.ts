/** What a user may ask the agent for as well: "Could you give me your phone number?". */
const CONTACTS = '(?:e-?mail(?: address)?|phone(?: number)?|full name|address)';
const THINGS =
  '(?:order|reservation|booking|account|refund|request|ticket|case|card|flight|subscription|details|information|zip ?code|identity|payment(?: method)?|return|exchange|replacement|itinerary|profile|appointment|plan|claim)';
const DONE =
  '(?:cancel?led|processed|refunded|updated|issued|booked|changed|modified|submitted|approved|scheduled|confirmed|created|removed|located|found|verified|reset|shipped|forwarded|escalated|initiated|transferred|rescheduled|moved|arranged|added|applied|credited|activated|unlocked|resolved|completed|registered|placed|reserved|upgraded|extended|renewed)';

/** What a service has for everybody, so that its user may speak of it: "I'll review your refund policy". */
const NOT_PUBLIC =
  '(?! (?:polic|terms|process|page|form|rules|conditions|options|offer|confirmation|e-?mail|code|label|instructions|website|app\\b))';
/** A user asks for the address or the number of the service as well. */
const NOT_TO_COME =
  '(?![^.]*(?:\\b(?:so|where) (?:that )?(?:i|we) (?:can|could) (?!look|find|verify|locate|pull|assist|help|check|access|proceed|continue|process|confirm|send you)|\\bfor (?:returns|complaints|questions)\\b))';

/** Sentences that only the agent of a service says, and what is wrong with them. Each is tried on every sentence. */
const AGENT_SENTENCES: readonly RegExp[] = [
  /\bhow (?:else )?(?:can|may|could) (?:i|we) (?:help|assist|be of (?:help|assistance|service to)) ?(?:you)?(?: today| with| out)?[^a-z]*$/i,
  /\bhow (?:else )?(?:can|may|could) (?:i|we) (?:help|assist) you (?:today|with|further)\b/i,
  /\bis there anything else (?:that )?(?:i|we) (?:can|could|may) (?:help|assist|do for) you\b/i,
  /\b(?:i|we)(?:'d| would| will|'ll| am|'m| are|'re)? (?:be )?(?:more than )?(?:happy|glad|delighted) to (?:help|assist) you(?: with (?:that|this|your)\b| today| further|[^a-z]*$)/i,
  /\b(?:i am|i'm|we are|we're) here to (?:help|assist) you\b/i,
  /\b(?:i|we) can (?:certainly |definitely |absolutely |gladly )?(?:help|assist) you with (?:that|this|your)\b/i,
  new RegExp(
    `\\b(?:let me|i will|i'll|i am going to|i'm going to|i can) (?:quickly |now |just )?(?:look up|pull up|check on|look into|process|cancel|update|access|review|retrieve|locate|verify) your ${THINGS}\\b${NOT_PUBLIC}(?![^.!]*\\?$)`,
    'i',
  ),
  new RegExp(
    `\\b(?:could|can|would|may i|please|kindly)\\b[^.?!]{0,30}\\b(?:provide|confirm|verify|share|give|tell)\\b(?: me| us)?(?: with)? your (?:user |billing |registered |current )?(?:${THINGS}(?: number| id)?|user (?:id|name)|order id)\\b${NOT_PUBLIC}`,
    'i',
  ),
  new RegExp(
    `\\b(?:could|can|would|please|kindly)\\b[^.?!]{0,30}\\b(?:provide|confirm|verify)\\b(?: me| us)?(?: with)? your ${CONTACTS}\\b${NOT_TO_COME}`,
    'i',
  ),
  /\bmay i have your (?:full )?(?:name|e-?mail|order|reservation|booking|account|phone|zip|user)\b/i,
  new RegExp(
    `\\b(?:i|we)(?:'ve| have)(?: now| just| successfully| already)? ${DONE} your (?:\\p{L}+ )?${THINGS}\\b${NOT_PUBLIC}`,
    'iu',
  ),
  new RegExp(
    `^(?:(?:okay|ok|great|done|alright|perfect|all set|good news|certainly|thank you)[,.!:]? )?your ${THINGS}[^.?!,]{0,40} (?:has|have) (?:now |just |been |successfully ){0,3}${DONE}`,
    'i',
  ),
  /\bthank(?:s| you) (?:so much )?for (?:(?:contacting|reaching out to|calling|choosing) (?:us|our)\b|(?:contacting|reaching out)[^a-z]*$|being a (?:loyal|valued)|your (?:business|loyalty))/i,
  /\bwe (?:sincerely )?apologi[sz]e for (?:the|any|this) (?:inconvenience|delay|trouble|confusion)\b/i,
  /\bwe (?:will|'ll|can|have|'ve) (?:now )?(?:refund(?:ed)? you|(?:process|cancel|update|issue|replace|ship)(?:l?ed)? your)\b/i,
  /\b(?:i am|i'm|i will|i'll|let me) (?:be )?(?:now )?transfer(?:ring)? you to\b/i,
  /\b(?:i am|i'm|this is) (?:\p{L}+,? )?(?:a|an|your|the) (?:virtual |ai |automated |customer )(?:service |support |care )?(?:assistant|agent|representative)\b/iu,
  /\bour (?:(?:refund|return|cancel?lation|exchange|company) policy (?:does not|doesn't|allows|states)|policy (?:does not|doesn't) allow)\b|\bour records (?:show|indicate)\b.{0,200}\byour?\b/i,
  /\bfor security (?:reasons|purposes),? (?:i|we) (?:will )?(?:need|have|must)(?: to)? (?:verify|confirm|ask you)\b/i,
];

/** Sentences about the play itself. */
const OUT_OF_PLAY: readonly RegExp[] = [
  /\bas an? (?:ai|artificial intelligence|large language|language)(?: language)?(?: model| assistant)?,? i\b/i,
  /\bi(?: am|'m) (?:just |only )?(?:an? )(?:(?:ai|large language|language)(?: language)?(?: model| assistant)?|chatbot|virtual assistant|simulated user)(?=[^\p{L}\s]|$| (?:and|so|created|trained|that|who|here)\b)/iu,
  /\bmy (?:system prompt|instructions (?:say|state|tell)|role is to (?:play|act))\b/i,
  /\b(?:i am|i'm) (?:playing|simulating|role-?playing|acting as|pretending to be) (?:a|an|the|your) (?:user|customer|client|caller)\b/i,
  /\b(?:as|in) (?:the|my) role (?:of|as) (?:a|an|the) (?:user|customer|client)\b/i,
  /\b(?:simulated|simulating|simulation of) (?:the |a )?(?:user|customer|conversation)\b/i,
];

/** Lines of a dialogue in which the user writes both sides. */
const AGENT_LINE = /^\s{0,9}\*{0,3}(?:agent|assistant|support|representative|bot|customer service|ai)\*{0,3}\s{0,3}:/im;

/** A user that repeats this much, and half of what the agent said, speaks as the agent. Less is an address or an option. */
const REPEATED = 60;

/** How a message speaks as somebody who is not the user, in words that follow "it"; null if it does not. */
export function notTheUser(message: string, lastAnswer: string): string | null {
  const text = withoutQuotes(message.normalize('NFKC').replaceAll('’', "'"));
  if (AGENT_LINE.test(text)) return "wrote the agent's lines";
  for (const sentence of sentencesIn(text)) {
    if (OUT_OF_PLAY.some((pattern) => pattern.test(sentence))) return `spoke about being a model: "${sentence}"`;
    if (AGENT_SENTENCES.some((pattern) => pattern.test(sentence))) return `spoke as the agent: "${sentence}"`;
  }
  const [own, theirs] = [flat(message), flat(lastAnswer)];
  return own.length >= Math.max(REPEATED, theirs.length / 2) && theirs.includes(own)
    ? "repeated the agent's answer"
    : null;
}

/** What is quoted was said by others: "the mail says: your order has been cancelled". */
function withoutQuotes(text: string): string {
  return text.replaceAll(/"[^"\n]{0,500}"|“[^”\n]{0,500}”|«[^»\n]{0,500}»/g, '…');
}

const LONGEST_SENTENCE = 300;

function sentencesIn(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim().slice(0, LONGEST_SENTENCE))
    .filter((sentence) => sentence !== '');
}

function flat(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
