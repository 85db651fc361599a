// A mail is a template with values. A mail is stored with the change that it reports, and is rendered when it is sent.

const mailLanguages = ['en', 'zh'] as const
export type MailLanguage = (typeof mailLanguages)[number]

/** The alerts in people's settings. Some of these alerts cannot be switched off. */
export const alertKinds = [
  'delivery-failed',
  'dispute-opened',
  'dispute-due',
  'payout-result',
  'key-changed',
  'payout-account',
  'new-device',
] as const
export type AlertKind = (typeof alertKinds)[number]

/** All alerts. `approved` and `key-permission` have no setting: everybody who may edit the company gets both. */
export type AnyAlert = AlertKind | 'approved' | 'key-permission'

const otherTemplates = [
  'invitation',
  'invitation-taken',
  'reset',
  'registration',
  'already-registered',
  'approved',
  'key-permission',
  'owner-made',
  'password-changed',
  'account-changed',
  'report',
  'payment-link',
  'test',
] as const

export type Template = AlertKind | (typeof otherTemplates)[number]

/** The values of a template: short texts, never a secret. */
export type Values = Readonly<Record<string, string>>

export type NewMail = {
  /** The number of the merchant that the mail concerns, or 0 for the platform. */
  readonly merNo: number
  readonly to: string
  readonly template: Template
  /** The recipient's language. A language without texts gets English. */
  readonly language: string | null
  readonly values: Values
  readonly now: Date
  /** A one-time link, which is stored encrypted. */
  readonly link?: string
}

export type MailState = 'waiting' | 'sent' | 'failed'

export type StoredMail = {
  readonly merNo: number
  readonly mailId: string
  readonly to: string
  readonly template: Template
  readonly language: MailLanguage
  readonly values: Values
  readonly sealedLink: Buffer | null
  readonly state: MailState
  readonly createdAt: Date
  readonly tries: number
  readonly error: string | null
}

export function mailLanguage(language: string | null): MailLanguage {
  return mailLanguages.find((one) => one === language) ?? 'en'
}

/** True for a plain mail address. A line break would begin a new header of the mail, so white space is refused. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>()",:;\\[\]\p{C}]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$/iu.test(text)
}

/** Writes a time in UTC, because the reader's time zone is not known. */
export function mailMoment(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
