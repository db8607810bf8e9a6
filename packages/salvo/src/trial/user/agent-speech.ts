const THINGS =
  '(?:order|reservation|booking|account|refund|request|ticket|case|card|flight|subscription|details|information|e-?mail(?: address)?|phone(?: number)?|full name|zip ?code|identity|payment(?: method)?|return|exchange|replacement|itinerary|profile|address|appointment|plan|claim)';
const DONE =
  '(?:cancel?led|processed|refunded|updated|issued|booked|changed|modified|submitted|approved|scheduled|confirmed|created|removed|located|found|verified|reset|shipped|forwarded|escalated|initiated|transferred)';

/** Sentences that only the agent of a service says, and what is wrong with them. Each is tried on every sentence. */
const AGENT_SENTENCES: readonly RegExp[] = [
  /\bhow (?:else )?(?:can|may|could) (?:i|we) (?:help|assist|be of (?:help|assistance|service to)) ?(?:you)?(?: today| with| out)?[^a-z]*$/i,
  /\bhow (?:else )?(?:can|may|could) (?:i|we) (?:help|assist) you (?:today|with|further)\b/i,
  /\bis there anything else (?:that )?(?:i|we) (?:can|could|may) (?:help|assist|do for) you\b/i,
  /\b(?:i|we)(?:'d| would| will|'ll| am|'m| are|'re)? (?:be )?(?:more than )?(?:happy|glad|delighted) to (?:help|assist) you\b/i,
  /\b(?:i am|i'm|we are|we're) here to (?:help|assist) you\b/i,
  /\b(?:i|we) can (?:certainly |definitely |absolutely |gladly )?(?:help|assist) you with (?:that|this|your)\b/i,
  new RegExp(
    `\\b(?:let me|i will|i'll|i am going to|i'm going to|i can) (?:quickly |now |just )?(?:look up|pull up|check on|look into|process|cancel|update|access|review|retrieve|locate|verify) your ${THINGS}\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:could|can|would|may i|please|kindly)\\b[^.?!]{0,30}\\b(?:provide|confirm|verify|share|give|tell)\\b(?: me| us)?(?: with)? your (?:user |billing |registered |current )?(?:${THINGS}(?: number| id)?|user (?:id|name)|order id)\\b(?! (?:polic|terms|process|page|form|rules|conditions))`,
    'i',
  ),
  /\bmay i have your (?:full )?(?:name|e-?mail|order|reservation|booking|account|phone|zip|user)\b/i,
  new RegExp(`\\b(?:i|we)(?:'ve| have)(?: now| just| successfully| already)? ${DONE} your\\b`, 'i'),
  new RegExp(
    `^(?:(?:okay|ok|great|done|alright|perfect|all set|good news|certainly|thank you)[,.!:]? )?your ${THINGS}[^.?!,]{0,40} (?:has|have) (?:now |just |been |successfully ){0,3}${DONE}`,
    'i',
  ),
  /\bthank(?:s| you) (?:so much )?for (?:contacting|reaching out(?: to us)?|calling|choosing|being a (?:loyal|valued)|your (?:business|loyalty))(?! me\b)/i,
  /\b(?:we|i) (?:sincerely )?apologi[sz]e for (?:the|any|this) (?:inconvenience|delay|trouble|confusion)\b/i,
  /\b(?:i am|i'm|i will|i'll|let me) (?:be )?(?:now )?transfer(?:ring)? you to\b/i,
  /\b(?:i am|i'm|this is) (?:\p{L}+,? )?(?:a|an|your|the) (?:virtual |ai |automated |customer )(?:service |support |care )?(?:assistant|agent|representative)\b/iu,
  /\bour (?:policy|system|records|team) (?:does|do|states|state|shows?|indicates?|allows?|requires?|will)\b/i,
  /\bfor security (?:reasons|purposes),? (?:i|we) (?:need|have|must|will)\b/i,
];

/** Sentences about the play itself. */
const OUT_OF_PLAY: readonly RegExp[] = [
  /\bas an? (?:ai|artificial intelligence|large language|language)(?: language)?(?: model| assistant)?\b/i,
  /\bi(?: am|'m) (?:just |only )?(?:an? )(?:ai|language model|large language model|chatbot|virtual assistant|simulated user)\b/i,
  /\b(?:my|the) (?:system prompt|instructions (?:say|state|tell)|role is to (?:play|act))\b/i,
  /\b(?:i am|i'm) (?:playing|simulating|role-?playing|acting as|pretending to be) (?:a|an|the|your) (?:user|customer|client|caller)\b/i,
  /\b(?:as|in) (?:the|my) role (?:of|as) (?:a|an|the) (?:user|customer|client)\b/i,
  /\b(?:simulated|simulating|simulation of) (?:the |a )?(?:user|customer|conversation)\b/i,
];

/** Lines of a dialogue in which the user writes both sides. */
const AGENT_LINE = /^\s*\**(?:agent|assistant|support|representative|bot|customer service|ai)\**\s*:/im;

/** How many characters in a row show that a user repeats what the agent said. */
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
  return own.length >= REPEATED && theirs.includes(own) ? "repeated the agent's answer" : null;
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
