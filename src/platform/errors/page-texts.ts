// Every sentence of the server that a page shows: at a field, at a line of a file, as the reason of a refusal. The sentence
// itself is the key by which the web app finds its translation, so handlers write plain English, and at fields the compiler
// refuses one that is not listed. `{}` stands for a value, which may be another sentence.
import type { catalogue, RefusalCode } from '../errors/catalogue.ts'
import type { examTexts } from './exam-texts.ts'

export const fieldTexts = [
  'Add a payout.',
  'Check this value.',
  'Choose a country.',
  'Choose a currency.',
  'Choose a currency, such as USD.',
  'Choose a day such as 2026-01-31.',
  'Choose a file of at most 2 MiB.',
  'Choose a later day.',
  'Choose a merchant.',
  'Choose a password of at least {} characters.',
  'Choose a state from the list.',
  'Choose a way to pay that takes {}.',
  'Choose another name.',
  'Choose from the list.',
  'Choose methods from the list.',
  'Choose one of the languages.',
  'Choose one of the roles.',
  'Choose one of your currencies.',
  'Choose states from the list.',
  'Choose the endpoint.',
  'Choose today or a later day.',
  'Choose what to block.',
  'Digits alone are easily guessed. Add words.',
  'Enter a date such as 2026-01-31.',
  'Enter a host such as shop.example, shop.example:8443 or *.shop.example.',
  'Enter a number of at least {}.',
  'Enter a number of at most {}.',
  'Enter a value.',
  'Enter a website such as shop.example.',
  'Enter a whole address that begins with https:// or http://.',
  'Enter a whole number.',
  'Enter an amount in US dollars, such as 1000.00.',
  'Enter an amount in {}, such as 12.00.',
  'Enter an amount such as 10.00.',
  'Enter an amount such as 12.50.',
  'Enter an amount such as 12.50, and choose its currency.',
  'Enter an amount that is not below the smallest one.',
  'Enter an e-mail address.',
  'Enter an e-mail address such as name@company.example.',
  'Enter at most {} characters.',
  'Enter the last four digits of the card.',
  'List at most {}.',
  'List your addresses first: without them every request is refused.',
  'No money has ever passed through this channel. Check its name.',
  'None of your ways to pay takes {}.',
  'Paste the whole JSON body of the request.',
  'Register your RSA key first: without it every request is refused.',
  'Somebody of the company has this address already.',
  'The file has more than 8 MiB. Import it by the command line, or split it.',
  'There is no order with this number.',
  'There is no such merchant.',
  'This account is saved already: use that beneficiary.',
  'This channel sends no statements. Import a file.',
  'This code is wrong or too old. Enter the one that your app shows now.',
  'This code is wrong. Enter the one that your app shows now.',
  'This code was used before. Wait for the next one.',
  'This is not your password.',
  'This is the last {}. Give the role to somebody else first.',
  'This list has no such filter.',
  'This password is a pattern that is easily guessed. Choose another one.',
  'This password is one of the first that are tried. Add a word that nobody connects with you.',
  'This recovery code does not exist or was used. Try another one.',
  'Use letters, digits and signs only.',
  'Use your second factor.',
] as const

/** Sentences of domains, which commands print too. A test compares them with the code of the domains. */
export const domainTexts = [
  // The lists of risk.
  'A BIN is the first six digits of a card.',
  'Give an IP address, or a network as in 203.0.113.0/24.',
  'Give an e-mail address, or a domain as in @example.com.',
  'Name a device by one of its orders.',
  'The network is too large: its prefix has at least {} bits.',
  'This is not a card number: check its digits, or name an order instead.',
  'Give a value, or the number of an order that has it.',
  'Order {} is not known, or has no {}.',
  'The entry would have expired already: give a later time.',
  '{} is on the {} list already.',
  // Risk rules.
  'A country has two letters, as in DE.',
  'Give a number of payments, an amount, or both.',
  'Give a whole number from 1 to {}.',
  'Give an amount in US dollars, as in 250.00.',
  'Give at least one condition.',
  'Give it a name of 1 to {} characters.',
  'Name at most {}.',
  'Name methods of the interface, as in card.',
  // Keys and addresses of merchants.
  'The RSA key has {} bits: use one of {} bits or more.',
  'The file is a private key: register the public one, and never send the private one.',
  'The file is not an RSA public key in PEM form.',
  '{} is not an IP address or a range such as 203.0.113.0/24.',
  '{} is not an absolute http or https address.',
  // Reference lists.
  'A BIC has 8 or 11 characters, as in BFTVVNVX.',
  'A code of {} has {} digits.',
  'A code of {} has 1 to 8 capital letters and digits.',
  'A name has 1 to {} characters and no control characters.',
  '{} has no BICs: leave it out.',
  '{} already has {}: change it instead.',
  // Options of merchants.
  'A name must have 1 to 100 characters and no control characters.',
  '{} is not a website: give host, host:port or *.host.',
  '{} is not an ISO 4217 currency code.',
  '{} is not a currency.',
  'It must be a whole number from 0 to {}.',
  'It must be an amount such as 0.30.',
  '{} is not a method: use one of {}.',
  'There is no channel {}; channels: {}.',
  'Channel {} does not serve {}, but {}.',
  '{} is not a {}: use all, or a list of {}.',
  '{} is neither "on" nor "off".',
  '{} is not an amount in euros such as 5000.00.',
  '{} is not an amount in US dollars such as 500.00.',
  '{} is not a time zone: give an IANA name such as Europe/Berlin.',
  '{} is not a colour such as #0f766e.',
  'The logo is larger than 64 KiB: use a smaller file.',
  'The logo must be a PNG or JPEG file.',
  'A merchant needs at least one currency.',
  'A merchant needs at least one website.',
  // Named fee plans.
  'A plan is named by 1 to 40 letters, digits, spaces, dots or hyphens.',
  'There is no plan {}.',
  'There is no plan {}: set its terms for all methods first.',
  // Rates.
  'The two currencies must differ.',
  '{} is not a rate: use a decimal above zero with at most 12 digits before and 12 after the point.',
  // Corrections.
  'The amount must be above zero, and an amount that one entry can hold.',
  'The account {} cannot be corrected: use {}.',
  'The two accounts must differ.',
  'There is no merchant {}.',
  '{} is not an amount in {}.',
  // Disputes and reviews.
  'A note has 1 to {} characters.',
  'A note has 1 to {} characters, and no control characters.',
  'Order {} has an open chargeback already.',
  'Order {} was paid in {}, not in {}.',
  'Order {} was paid with {} {}: no more can be charged back.',
  'The amount of a chargeback must be above zero.',
  'The chargeback of order {} was lost: there is no second one.',
  'There is no chargeback reason {}.',
  'There is no order {}.',
  'There is no paid order {}.',
  // Money in suspense.
  'Order {} is in {}, this money in {}.',
  'Order {} is still open: assign the money when it has ended.',
  'Order {} was never tried at the channel {}, which has the money.',
  'There is no payment with the number {}.',
] as const

/** Above a form whose fields are marked. */
export const formTexts = [
  'Check the marked fields.',
  'Check your e-mail address and password.',
  'Choose a merchant first.',
  'There is a role of this name.',
  'There is no payout in it.',
  'There is no such permission.',
  'There is no such role.',
  'This address has an account already. Ask the company to invite another address of yours.',
] as const

/** In the lines of an uploaded file. */
export const lineTexts = [
  'The channel does not pay in this coin',
  'There is no price of {} in {}',
  'The address does not fit its checksum',
  "The address is the coin's contract",
  'Nobody has the zero address',
  'The payout is smaller than the smallest unit of the coin',
  'There is no order with this number.',
  'There is nothing left to refund.',
  'The order is in the list twice. Leave one of them out.',
  'Enter an amount in {}, such as 12.50.',
  'The file cannot be read: {}.',
  'line {}: {}',
  'it has {} cells, the first line has {}',
  'cell {} is only partly quoted',
  'a record is longer than {} characters',
  'a file has at most {} payouts: divide it',
  'the first line names the columns, among them currencyCode and sourceAmount',
] as const

/** What stands behind the colon of a refusal of the merchant interface. A test compares them with the code. */
export const detailTexts = [
  'beneficiary must be a saved one',
  'withdrawType must be 3, 4, 5, 6 or coin: others are made by the interface',
  'merOrderNo is used by another line',
  'cardNo must be empty: the beneficiary enters the account',
  'cardNo is not a card number',
  'cardNo is not a Pix key',
  'cardNo is not a CCI',
  'cardNo is neither an IBAN nor an account number',
  'cardNo is not a CLABE',
  'cardNo is not an address with its EIP-55 checksum',
  'the CLABE belongs to another bank than bankCode',
  'merRefundNo stands for another refund',
  'if another refund of the same amount is meant, send a merRefundNo',
  'amount has more decimals than {}: they must be 00',
  'a file has at most 2 MiB',
  'a file is named twice',
  'a file is not known, or was submitted for another order',
  'an order has at most {} files',
  'at most {} files may wait to be submitted',
  'the content is not that of a {} file',
  'the file is empty',
  'type must be .pdf, .png or .jpg',
  '{} must be an absolute http or https address',
  '{} must be a two-letter ISO country code',
  '{} must be an IPv4 or IPv6 address',
  '{} must be an e-mail address',
  '{} must be digits with an optional leading +, or in the form 1-5125550100',
  '{} must be a month from 01 to 12',
  '{} must be a four-digit year',
  '{} must be three digits',
  '{} must be a date such as 2026-01-31',
  '{} must be a time such as 2026-01-31 23:59:59',
  '{} must be an amount with two decimals, such as 10.00',
  '{} must be above zero',
  '{} must end in .00: the currency has no decimals',
  '{} must not point to a private or reserved address',
  '{} must not point to a loopback address',
  '{} must be 12 to 16 digits',
  '{} is not a card number: its check digit is wrong',
  '{} must not hold control characters or lone surrogates',
  '{} must be at most {} characters',
  '{} must be one of {}',
  '{} and {} must not differ',
] as const

export type KnownText =
  | (typeof fieldTexts)[number]
  | (typeof domainTexts)[number]
  | (typeof formTexts)[number]
  | (typeof lineTexts)[number]
  | (typeof detailTexts)[number]
  | (typeof examTexts)[number]
  | (typeof catalogue)[RefusalCode]

type Filled<Text extends string> = Text extends `${infer Before}{}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Text

/** A listed sentence, with its values. */
export type FieldText = Filled<(typeof fieldTexts)[number]>

/** What a domain says, which the compiler cannot know. */
export type DomainText = { readonly domain: string }

/** Commands begin their messages in lower case; pages do not. */
export function domainText(message: string): DomainText {
  return { domain: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` }
}
