// Every sentence that stands at a field. The sentence itself is the key by which the web app finds its translation, so
// handlers write plain English, and the compiler refuses one that is not listed. `{}` stands for a value.

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
  'List your addresses first: without them every request is refused.',
  'No money has ever passed through this channel. Check its name.',
  'None of your ways to pay takes {}.',
  'Paste the whole JSON body of the request.',
  'Register your RSA key first: without it every request is refused.',
  'The file has more than 8 MiB. Import it by the command line, or split it.',
  'There is no such merchant.',
  'This account is saved already: use that beneficiary.',
  'This address has an account already.',
  'This code is wrong or too old. Enter the one that your app shows now.',
  'This code is wrong. Enter the one that your app shows now.',
  'This code was used before. Wait for the next one.',
  'This is not your password.',
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
] as const

/** Above a form whose fields are marked. */
export const formTexts = [
  'A file has at most 2 MiB.',
  'Check the marked fields.',
  'Check your e-mail address and password.',
  'Choose a merchant first.',
  'There is a role of this name.',
  'There is no payout in it.',
  'There is no such permission.',
  'There is no such role.',
] as const

export type KnownText =
  | (typeof fieldTexts)[number]
  | (typeof domainTexts)[number]
  | (typeof formTexts)[number]

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
