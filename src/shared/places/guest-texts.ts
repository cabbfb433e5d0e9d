// What guests read, in English and Welsh. A Welsh speaker must check the Welsh before it is used.
import type { HazardKind } from './hazards.ts';
import type { Hurt } from './messages.ts';

type Text = { en: string; cy: string };

/** What labels for guests say. */
export const labelTexts = {
  question: { en: 'Something dangerous here? Tell us.', cy: 'Rhywbeth peryglus yma? Rhowch wybod i ni.' },
  emergency: { en: 'In an emergency ring 999.', cy: 'Mewn argyfwng ffoniwch 999.' },
} as const;

export const kindTexts: Record<HazardKind, Text> = {
  'Trip or slip': { en: 'Trip or slip', cy: 'Baglu neu lithro' },
  'Broken or loose': { en: 'Broken or loose', cy: 'Wedi torri neu’n rhydd' },
  Electrical: { en: 'Electrical', cy: 'Trydan' },
  'Gas or smell': { en: 'Gas or smell', cy: 'Nwy neu arogl' },
  'Water or pool': { en: 'Water or pool', cy: 'Dŵr neu bwll' },
  Fire: { en: 'Fire', cy: 'Tân' },
  'People or vehicles': { en: 'People or vehicles', cy: 'Pobl neu gerbydau' },
  Other: { en: 'Other', cy: 'Rhywbeth arall' },
};

export const hurtTexts: Record<Hurt, Text> = {
  no: { en: 'No', cy: 'Naddo' },
  nearly: { en: 'Nearly', cy: 'Bron iawn' },
  hurt: { en: 'Someone was hurt', cy: 'Cafodd rhywun niwed' },
};

/**
 * `{number}` and `{day}` stand for a telephone number and a day with its time. Names that end in `Here`
 * are texts for parks with a telephone number.
 */
export const pageTexts = {
  language: { en: 'Cymraeg', cy: 'English' },
  title: { en: 'Something dangerous here? Tell us.', cy: 'Rhywbeth peryglus yma? Rhowch wybod i ni.' },
  isHurt: { en: 'Is someone hurt? Ring 999.', cy: 'Oes rhywun wedi cael niwed? Ffoniwch 999.' },
  isHurtHere: {
    en: 'Is someone hurt? Ring 999, then the park: {number}.',
    cy: 'Oes rhywun wedi cael niwed? Ffoniwch 999, yna’r parc: {number}.',
  },
  gas: { en: 'Do you smell gas? Ring {number}.', cy: 'Ydych chi’n arogli nwy? Ffoniwch {number}.' },
  notNow: {
    en: 'We may not read this before tomorrow. If it cannot wait, tell someone who works here.',
    cy: 'Efallai na fyddwn yn darllen hwn cyn yfory. Os na all aros, dywedwch wrth rywun sy’n gweithio yma.',
  },
  notNowHere: {
    en: 'We may not read this before tomorrow. If it cannot wait, ring {number}.',
    cy: 'Efallai na fyddwn yn darllen hwn cyn yfory. Os na all aros, ffoniwch {number}.',
  },
  kind: { en: 'What is it?', cy: 'Beth ydyw?' },
  words: { en: 'What is dangerous?', cy: 'Beth sy’n beryglus?' },
  photo: { en: 'Photo (optional)', cy: 'Llun (dewisol)' },
  hurt: { en: 'Was someone hurt?', cy: 'A gafodd rhywun niwed?' },
  anonymous: {
    en: 'We do not ask who you are. If you want us to ring or write, tell us how.',
    cy: 'Nid ydym yn gofyn pwy ydych chi. Os ydych am i ni ffonio neu ysgrifennu, dywedwch wrthym sut.',
  },
  name: { en: 'Your name (optional)', cy: 'Eich enw (dewisol)' },
  contact: { en: 'Telephone or email (optional)', cy: 'Ffôn neu e-bost (dewisol)' },
  privacy: { en: 'Privacy notice', cy: 'Hysbysiad preifatrwydd' },
  send: { en: 'Send', cy: 'Anfon' },
  sending: { en: 'Sending…', cy: 'Yn anfon…' },
  worksHere: { en: 'I Work Here', cy: 'Rwy’n Gweithio Yma' },
  nothing: {
    en: 'Choose what it is, write a few words or add a photo.',
    cy: 'Dewiswch beth ydyw, ysgrifennwch ychydig eiriau neu ychwanegwch lun.',
  },
  yours: { en: 'Your message', cy: 'Eich neges' },
  thanks: { en: 'Thank you. We have your message.', cy: 'Diolch. Mae eich neges wedi cyrraedd.' },
  youSent: {
    en: 'What you sent, shown here for 30 minutes:',
    cy: 'Yr hyn a anfonoch, yn cael ei ddangos yma am 30 munud:',
  },
  withPhoto: { en: 'with 1 photo', cy: 'gydag 1 llun' },
  putAway: { en: 'You can put the phone away.', cy: 'Gallwch roi’r ffôn i gadw.' },
  received: { en: 'Received on {day}', cy: 'Daeth i law ar {day}' },
  read: { en: 'Read', cy: 'Wedi’i darllen' },
  closed: { en: 'Closed', cy: 'Wedi’i chau' },
  /** What a sender reads whose message became a report, without a sentence of a reviewer. */
  reported: { en: 'We have made a report of it.', cy: 'Rydym wedi gwneud adroddiad amdano.' },
  withoutPhoto: {
    en: 'Your message has arrived, but your photo has not.',
    cy: 'Mae eich neges wedi cyrraedd, ond nid yw eich llun.',
  },
  keep: {
    en: 'To see later whether we have read it, keep the address of this page:',
    cy: 'I weld yn ddiweddarach a ydym wedi ei darllen, cadwch gyfeiriad y dudalen hon:',
  },
  copy: { en: 'Copy Address', cy: 'Copïo’r Cyfeiriad' },
  copied: { en: 'Copied', cy: 'Wedi’i gopïo' },
  share: { en: 'Share Address', cy: 'Rhannu’r Cyfeiriad' },
  notInUse: { en: 'This label is not in use', cy: 'Nid yw’r label hwn yn cael ei ddefnyddio' },
  notSent: { en: 'Your message was not sent', cy: 'Ni chafodd eich neges ei hanfon' },
  /** Above the form, under the telephone numbers. */
  tooMany: {
    en: 'Your message was not stored, because too much has been sent today. What you wrote is still below, without the photo: send it again later. If someone could be hurt, do not wait: ring, or tell someone who works here.',
    cy: 'Ni chafodd eich neges ei chadw, am fod gormod wedi’i anfon heddiw. Mae’r hyn a ysgrifennoch yn dal isod, heb y llun: anfonwch ef eto yn nes ymlaen. Os gallai rhywun gael niwed, peidiwch ag aros: ffoniwch, neu dywedwch wrth rywun sy’n gweithio yma.',
  },
  cannotStore: {
    en: 'Your message was not stored: we cannot store messages at the moment. What you wrote is still below, without the photo: send it again later. If someone could be hurt, do not wait: ring, or tell someone who works here.',
    cy: 'Ni chafodd eich neges ei chadw: ni allwn gadw negeseuon ar hyn o bryd. Mae’r hyn a ysgrifennoch yn dal isod, heb y llun: anfonwch ef eto yn nes ymlaen. Os gallai rhywun gael niwed, peidiwch ag aros: ffoniwch, neu dywedwch wrth rywun sy’n gweithio yma.',
  },
  tryAgain: {
    en: 'Go back to find what you wrote, and try again.',
    cy: 'Ewch yn ôl i weld yr hyn a ysgrifennoch, a rhowch gynnig arall arni.',
  },
  newLabel: {
    en: 'The label may have been replaced. If you see a new one, scan it and send your message again.',
    cy: 'Efallai fod y label wedi’i newid. Os gwelwch un newydd, sganiwch ef ac anfonwch eich neges eto.',
  },
  youWrote: { en: 'What you wrote, so that you can copy it:', cy: 'Yr hyn a ysgrifennoch, er mwyn ichi ei gopïo:' },
  tellUs: {
    en: 'Please tell someone who works here, or ring the park.',
    cy: 'Dywedwch wrth rywun sy’n gweithio yma, neu ffoniwch y parc.',
  },
} satisfies Record<string, Text>;
