import type { OptionTexts } from '../../../money/merchants/options.ts'
import { optionOf, perTerm, type TermName, termNames, terms } from '../../../money/merchants/terms.ts'
import type { Given, Option } from '../command.ts'
import { readBinaryFile } from '../shared/read-input.ts'

/** The options that `merchant create` and `merchant set` share. */
export const merchantOptions: Readonly<Record<string, Option>> = {
  name: { value: 'NAME', help: "the merchant's name" },
  site: { value: 'HOST', multiple: true, help: 'a website of the merchant: host, host:port or *.host' },
  currencies: { value: 'USD,EUR', help: 'the enabled currencies (default: all)' },
  'settle-currency': {
    value: 'CUR',
    help: 'the currency they settle in (default: each currency settles in itself)',
  },
  ...optionsOfTerms(({ help, initial }) => `${help} (default: ${initial})`),
  methods: { value: 'card,pix', help: 'the enabled methods, or all (default: all)' },
  'card-brands': { value: 'visa,mastercard', help: 'the enabled card brands, or all (default: all)' },
  'limit-single': {
    value: 'USD',
    help: 'maximum per order in USD value; none refuses every order (default: 100000)',
  },
  'limit-daily': { value: 'USD', help: 'maximum per day; none refuses every order (default: 1000000)' },
  'limit-monthly': { value: 'USD', help: 'maximum per month; none refuses every order (default: 10000000)' },
  'refund-credit': {
    value: 'USD',
    help: 'what refunds may leave the merchant owing, all currencies together (default: 500.00)',
  },
  'approve-refunds': { value: 'on|off', help: 'refunds wait for "refund approve" (default: off)' },
  'payout-approval': { value: 'USD', help: 'payouts above this wait for "payout approve" (default: none)' },
  'review-above': {
    value: 'EUR',
    help: "SEPA payments above this are reviewed; none uses the platform's threshold (default: none)",
  },
  'payout-fee-bps': { value: 'N', help: 'percentage fee for payouts in basis points (default: 0)' },
  'payout-fee-fixed': {
    value: '0.00',
    help: "fixed fee for payouts in the payout's currency (default: 0.00)",
  },
  'chargeback-url': {
    value: 'URL',
    help: "where chargeback notifications go if the order names no address; '' sends none",
  },
  timezone: { value: 'ZONE', help: 'IANA time zone of its business days (default: UTC)' },
  ip: { value: 'CIDR', multiple: true, help: "an address or range of its servers; '' empties the list" },
  'require-ip': { value: 'on|off', help: 'accept requests from those addresses only (default: off)' },
  'require-rsa': { value: 'on|off', help: 'accept RSA signatures only (default: off)' },
  'sign-answers': { value: 'on|off', help: 'sign every response (default: off)' },
  'amounts-in-notifications': {
    value: 'on|off',
    help: "send the order's currency and amount with results (default: on)",
  },
  'notify-review': { value: 'on|off', help: 'notify when a review asks for information (default: off)' },
  accent: {
    value: '#rrggbb',
    help: 'the accent colour of its payment pages; none uses ours (default: none)',
  },
  logo: { value: 'FILE', help: 'a PNG or JPEG of at most 64 KiB for its payment pages, or none' },
}

export function optionTexts(given: Given): OptionTexts {
  return {
    name: given.text('name'),
    sites: given.texts('site'),
    currencies: given.text('currencies'),
    settleCurrency: given.text('settle-currency'),
    ...perTerm<Readonly<Record<TermName, string | undefined>>>((name) => given.text(optionOf(name))),
    methods: given.text('methods'),
    cardBrands: given.text('card-brands'),
    limitSingle: given.text('limit-single'),
    limitDaily: given.text('limit-daily'),
    limitMonthly: given.text('limit-monthly'),
    refundCredit: given.text('refund-credit'),
    approveRefunds: given.text('approve-refunds'),
    payoutApproval: given.text('payout-approval'),
    reviewAbove: given.text('review-above'),
    payoutFeeBps: given.text('payout-fee-bps'),
    payoutFeeFixed: given.text('payout-fee-fixed'),
    chargebackUrl: given.text('chargeback-url'),
    timezone: given.text('timezone'),
    ips: given.texts('ip'),
    requireIp: given.text('require-ip'),
    requireRsa: given.text('require-rsa'),
    signAnswers: given.text('sign-answers'),
    notifyReview: given.text('notify-review'),
    amountsInNotifications: given.text('amounts-in-notifications'),
    accent: given.text('accent'),
  }
}

export async function optionTextsAndLogo(given: Given): Promise<OptionTexts> {
  const file = given.text('logo')
  const logo = file === undefined || file === 'none' ? file : await readBinaryFile(file)
  return { ...optionTexts(given), logo }
}

export const termOptions: Readonly<Record<string, Option>> = {
  ...optionsOfTerms(({ help }) => help),
  'refund-fee': { value: '0.00', help: "fee of a refund in the order's currency" },
  'chargeback-fee': { value: '0.00', help: "fee of a chargeback in the order's currency" },
}

function optionsOfTerms(helpOf: (term: (typeof terms)[TermName]) => string): Record<string, Option> {
  const options = termNames.map((name) => {
    const term = terms[name]
    const value = typeof term.initial === 'string' ? term.initial : 'N'
    return [optionOf(name), { value, help: helpOf(term) }] as const
  })
  return Object.fromEntries(options)
}
