import type { OptionTexts } from '../merchants/options.ts'
import type { Given, Option } from './command.ts'
import { readBinaryFile } from './read-file.ts'

/** For `merchant create` and `merchant set` alike. */
export const merchantOptions: Readonly<Record<string, Option>> = {
  name: { value: 'NAME', help: 'what it is called' },
  site: { value: 'HOST', multiple: true, help: 'a website it may send from: host, host:port or *.host' },
  currencies: { value: 'USD,EUR', help: 'the currencies that are open' },
  'settle-currency': { value: 'CUR', help: 'what all of them settle in (each in itself)' },
  'fee-bps': { value: 'N', help: 'percentage fee in basis points (0)' },
  'fee-fixed': { value: '0.00', help: "fixed fee in the order's currency (0.00)" },
  'refund-fee': { value: '0.00', help: "fee of a refund in the order's currency (0.00)" },
  'chargeback-fee': { value: '0.00', help: "fee of a chargeback in the order's currency (0.00)" },
  'margin-bps': { value: 'N', help: 'rolling reserve in basis points (0)' },
  'margin-days': { value: 'N', help: 'days until the reserve is released (180)' },
  'settle-days': { value: 'N', help: 'days until settlement (1)' },
  methods: { value: 'card,pix', help: 'the methods that are open, or all (all)' },
  'card-brands': { value: 'visa,mastercard', help: 'the card brands that are open, or all (all)' },
  'limit-single': {
    value: 'USD',
    help: 'the most for one order in USD value; none refuses every order (100000)',
  },
  'limit-daily': { value: 'USD', help: 'the most for one day; none refuses every order (1000000)' },
  'limit-monthly': { value: 'USD', help: 'the most for one month; none refuses every order (10000000)' },
  'refund-credit': { value: 'USD', help: 'how far refunds may take the balance below zero (500.00)' },
  'approve-refunds': { value: 'on|off', help: 'its refunds wait for "refund approve" (off)' },
  'payout-approval': { value: 'USD', help: 'payouts above it wait for "payout approve", or none (none)' },
  'review-above': {
    value: 'EUR',
    help: 'SEPA payments above it are reviewed, or none for the common rule (none)',
  },
  'payout-fee-bps': { value: 'N', help: 'percentage fee of payouts in basis points (0)' },
  'payout-fee-fixed': { value: '0.00', help: "fixed fee of payouts in the order's currency (0.00)" },
  'chargeback-url': {
    value: 'URL',
    help: "where chargebacks are told, if the order does not say; '' for nowhere",
  },
  timezone: { value: 'ZONE', help: 'IANA name of the zone its days are counted in (UTC)' },
  ip: { value: 'CIDR', multiple: true, help: "an address or range of its servers; '' empties the list" },
  'require-ip': { value: 'on|off', help: 'take requests from those addresses only (off)' },
  'require-rsa': { value: 'on|off', help: 'take RSA signatures only (off)' },
  'sign-answers': { value: 'on|off', help: 'sign every answer (off)' },
  'notify-review': { value: 'on|off', help: 'notify when more information is asked (off)' },
  accent: { value: '#rrggbb', help: 'the colour of its payment pages, or none for ours (none)' },
  logo: { value: 'FILE', help: 'a PNG or JPEG of at most 64 KiB for its payment pages, or none (none)' },
}

export function optionTexts(given: Given): OptionTexts {
  return {
    name: given.text('name'),
    sites: given.texts('site'),
    currencies: given.text('currencies'),
    settleCurrency: given.text('settle-currency'),
    feeBps: given.text('fee-bps'),
    feeFixed: given.text('fee-fixed'),
    refundFee: given.text('refund-fee'),
    chargebackFee: given.text('chargeback-fee'),
    marginBps: given.text('margin-bps'),
    marginDays: given.text('margin-days'),
    settleDays: given.text('settle-days'),
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
    accent: given.text('accent'),
  }
}

/** With the picture that an option names by its file. */
export async function optionTextsAndLogo(given: Given): Promise<OptionTexts> {
  const file = given.text('logo')
  const logo = file === undefined || file === 'none' ? file : await readBinaryFile(file)
  return { ...optionTexts(given), logo }
}
