/**
 * The rules that a campaign must meet before submission: what reviewers look for, each reported as met or not with its
 * field. Pure.
 */
import { type Brand, type CampaignForm, type CampaignStatus, useCaseOf } from '../../model/registration.ts';
import { brandChecks } from './brand-rules.ts';
import { type Check, check, isPageUrl, lengthCheck } from './check.ts';

export const samplesMax = 5;

/**
 * The statuses that may be recorded after each status; the same status when only limits, carriers or the note change.
 * None before submission: for a draft, and for a campaign that must be changed and submitted again.
 */
export const outcomesOf: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: [],
  submitted: ['in_review', 'changes_needed', 'approved'],
  in_review: ['in_review', 'changes_needed', 'approved'],
  changes_needed: [],
  approved: ['approved', 'suspended', 'expired'],
  suspended: ['suspended', 'approved'],
  expired: ['expired'],
};

const link = /\bhttps?:\/\/|\bwww\.|\b[a-z0-9-]+\.(?:com|net|org|io|co|us|info|biz|app)\b(?!\w*@)/i;
const phoneNumber = /(?:\+?1[ .-]?)?\(?\b[2-9]\d{2}\)?[ .-]?\d{3}[ .-]?\d{4}\b/;
/** Carriers filter links that hide their destination. */
const shorteners = /\b(?:bit\.ly|tinyurl\.com|goo\.gl|t\.co|ow\.ly|is\.gd|buff\.ly|rebrand\.ly|cutt\.ly)\b/i;
const emailAddress = /[^\s@]+@[^\s@]+\.[^\s@]+/;
const keywordForm = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

export function campaignChecks(form: CampaignForm, brand: Brand | undefined): Check[] {
  const name = brand?.displayName.trim() ?? '';
  return [
    ...brandPart(form, brand),
    lengthCheck('description.length', 'description', 'The description', form.description, 40, 4_096),
    lengthCheck('messageFlow.length', 'messageFlow', 'How people agree', form.messageFlow, 40, 2_048),
    ...sampleChecks(form, name),
    ...textChecks(form, name),
    ...keywordChecks(form),
    ...linkChecks(form),
  ];
}

function brandPart(form: CampaignForm, brand: Brand | undefined): Check[] {
  const faults = brand === undefined ? [] : brandChecks(brand).filter(({ ok }) => !ok);
  const [fault] = faults;
  const useCase = useCaseOf(form.useCase);
  const alone = brand?.entityType === 'SOLE_PROPRIETOR';
  const fits = useCase !== undefined && (brand === undefined || alone === (useCase.name === 'SOLE_PROPRIETOR'));
  const missing =
    useCase === undefined
      ? 'Choose the use case of the campaign.'
      : alone
        ? 'A sole proprietor’s campaign has the use case “Sole proprietor”.'
        : 'The use case “Sole proprietor” is for brands of a sole proprietor. Choose another.';
  return [
    lengthCheck('name.length', 'name', 'The name', form.name, 1, 100),
    check(
      'brand.chosen',
      'brandId',
      brand !== undefined,
      'A brand is chosen.',
      'Choose the brand that texts, or add one.',
    ),
    // Without a chosen brand, only that is reported; the same for other faults that follow from one.
    ...(brand === undefined
      ? []
      : [
          check(
            'brand.complete',
            'brandId',
            fault === undefined,
            'The brand is complete.',
            `The brand is not complete. ${fault?.sentence ?? ''}`.trim(),
          ),
        ]),
    check('useCase.chosen', 'useCase', fits, 'The use case fits the brand.', missing),
  ];
}

function sampleChecks({ samples, useCase }: CampaignForm, brandName: string): Check[] {
  const chosen = useCaseOf(useCase);
  const min = chosen?.samplesMin ?? 1;
  const count = samples.filter((sample) => sample.trim() !== '').length;
  const met = `There are ${min} to ${samplesMax} sample messages.`;
  const needed = `${min} to ${samplesMax} sample messages`;
  const missing = `${chosen === undefined ? `Write ${needed}` : `This use case needs ${needed}`}; there ${count === 1 ? 'is' : 'are'} ${count}.`;
  const stop = samples.some((sample) => /\bstop\b/i.test(sample));
  return [
    check('samples.count', 'samples', count >= min && count <= samplesMax, met, missing),
    ...samples.flatMap((sample, at) => {
      const what = `Sample message ${at + 1}`;
      const isEmpty = sample.trim() === '';
      if (isEmpty && count < min) return [];
      const length = lengthCheck('samples.length', `samples.${at}`, what, sample, 20, 1_024);
      return isEmpty ? [length] : [length, ...namesBrand('samples.brand', `samples.${at}`, what, sample, brandName)];
    }),
    ...(count === 0
      ? []
      : [
          check(
            'samples.stop',
            'samples',
            stop,
            'A sample message says how to stop.',
            'At least one sample must say how to stop: “Reply STOP to end.”',
          ),
        ]),
  ];
}

/** Empty while there is no name to look for, which another rule reports. */
function namesBrand(rule: string, field: string, what: string, text: string, brandName: string): Check[] {
  if (brandName === '') return [];
  const named = text.toLowerCase().includes(brandName.toLowerCase());
  return [check(rule, field, named, `${what} names the brand.`, `${what} must name your brand: ${brandName}.`)];
}

/** What an answer to a keyword must contain besides the brand, with an example. */
const wanted = {
  optOutText: [
    {
      rule: 'stopped',
      form: /unsubscribed|opted out|no (?:more|further)|removed|stopped/i,
      content: 'that no more messages come',
    },
  ],
  optInText: [
    { rule: 'help', form: /\bhelp\b/i, content: 'how to get help (HELP)' },
    { rule: 'stop', form: /\bstop\b/i, content: 'how to stop (STOP)' },
    {
      rule: 'frequency',
      form: /freq|msgs?\/|messages? (?:per|a) |recurring/i,
      content: 'how often you text (“Msg freq varies”)',
    },
    { rule: 'rates', form: /rates/i, content: '“Msg & data rates may apply”' },
  ],
  helpText: [{ rule: 'stop', form: /\bstop\b/i, content: 'how to stop (STOP)' }],
} as const;

const answerNames = {
  optInText: 'The answer to START',
  optOutText: 'The answer to STOP',
  helpText: 'The answer to HELP',
} as const;

function textChecks(form: CampaignForm, brandName: string): Check[] {
  const { helpText } = form;
  const contact = helpText.trim() === '' || [link, phoneNumber, emailAddress].some((one) => one.test(helpText));
  return [
    ...(['optInText', 'optOutText', 'helpText'] as const).flatMap((field) => {
      const text = form[field];
      const what = answerNames[field];
      const length = lengthCheck(`${field}.length`, field, what, text, 20, 320);
      // For a missing text only this is reported.
      if (text.trim() === '') return [length];
      return [
        length,
        ...namesBrand(`${field}.brand`, field, what, text, brandName),
        ...wanted[field].map(({ rule, form: words, content }) =>
          check(
            `${field}.${rule}`,
            field,
            words.test(text),
            `${what} says ${content}.`,
            `${what} must say ${content}.`,
          ),
        ),
      ];
    }),
    check(
      'helpText.contact',
      'helpText',
      contact,
      'The answer to HELP names a contact.',
      'The answer to HELP must name a telephone number, an e-mail address or a website.',
    ),
  ];
}

function keywordChecks(form: CampaignForm): Check[] {
  const lists = ['optInKeywords', 'optOutKeywords', 'helpKeywords'] as const;
  const has = (list: readonly string[], word: string) => list.some((one) => one.trim().toUpperCase() === word);
  return [
    ...lists.map((field) => {
      const fits = form[field].length > 0 && form[field].every((word) => keywordForm.test(word) && word.length <= 20);
      const missing = 'Write at least one keyword of letters and digits, at most 20 characters each.';
      return check(`${field}.form`, field, fits, 'The keywords have the right form.', missing);
    }),
    check(
      'optOutKeywords.stop',
      'optOutKeywords',
      has(form.optOutKeywords, 'STOP'),
      'STOP is among the keywords.',
      'STOP must be among the keywords that end messages.',
    ),
    check(
      'helpKeywords.help',
      'helpKeywords',
      has(form.helpKeywords, 'HELP'),
      'HELP is among the keywords.',
      'HELP must be among the keywords that ask for help.',
    ),
  ];
}

function linkChecks({ samples, flags, privacyUrl, termsUrl }: CampaignForm): Check[] {
  const all = samples.join('\n');
  const links = link.test(all.replaceAll(new RegExp(emailAddress, 'g'), ''));
  return [
    check(
      'links.told',
      'flags.embeddedLink',
      !links || flags.embeddedLink,
      'The campaign states whether its texts hold links.',
      'A sample holds a link: say so under “Links and ages”.',
    ),
    check(
      'phones.told',
      'flags.embeddedPhone',
      !phoneNumber.test(all) || flags.embeddedPhone,
      'The campaign states whether its texts hold telephone numbers.',
      'A sample holds a telephone number: say so under “Links and ages”.',
    ),
    check(
      'links.shortened',
      'samples',
      !shorteners.test(all),
      'No sample uses a public link shortener.',
      'Carriers filter public link shorteners. Link to your own domain.',
    ),
    check(
      'privacyUrl.form',
      'privacyUrl',
      isPageUrl(privacyUrl),
      'The privacy policy has an address.',
      'Write the address of your privacy policy: https://…',
    ),
    check(
      'termsUrl.form',
      'termsUrl',
      isPageUrl(termsUrl),
      'The terms have an address.',
      'Write the address of your terms: https://…',
    ),
  ];
}
