// The countries, methods and banks that dLocal serves. Each currency belongs to one country and one method, so the
// currency of a payment determines both.

import { isBic } from '../../../platform/base/iban.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import { SettingError } from '../../../platform/errors/catalogue.ts'
import type { StartRequest } from '../../contract/channel.ts'
import type { ChannelSettings } from '../../contract/settings.ts'
import type { Method } from '../../methods/methods.ts'
import { taxNumberOf } from '../../methods/pix.ts'
import type { Terminal } from '../../methods/terminal.ts'
import { isCci } from '../../toolkit/formats/cci.ts'
import { isClabe } from '../../toolkit/formats/clabe.ts'

type Served = {
  readonly method: Method
  readonly country: string
  /** The amount of a placeholder payment (see channel.ts) in minor units, within dLocal's limits. */
  readonly usual: bigint
  /** Returns dLocal's code of the payment method. */
  readonly idOf: (details: Fields) => string
  readonly documentOf?: (request: StartRequest) => string | undefined
  /** Set if dLocal serves only these terminals. dLocal's pages need a browser. */
  readonly terminals?: readonly Terminal[]
}

const byCurrency: ReadonlyMap<string, Served> = new Map<string, Served>([
  [
    'PEN',
    {
      method: 'per_transfer',
      country: 'PE',
      usual: 10_00n,
      idOf: () => 'IO',
      documentOf: ({ personal }) => textOf(personal.customerIdentification),
    },
  ],
  // The payer transfers to an account or scans a code with a banking app.
  [
    'VND',
    {
      method: 'vn_bank',
      country: 'VN',
      usual: 50_000n,
      idOf: (details) => (details.paymentMethodStr === 'qrcode' ? 'QR' : 'VB'),
    },
  ],
  ['MXN', { method: 'spei', country: 'MX', usual: 50_00n, idOf: () => 'SE' }],
  ['BRL', { method: 'pix', country: 'BR', usual: 10_00n, idOf: () => 'PQ', documentOf: taxNumberIn }],
  ['PHP', { method: 'gcash', country: 'PH', usual: 50_00n, idOf: () => 'GC', terminals: ['WEB', 'WAP'] }],
])

export function servedBy(currency: string): Served | undefined {
  return byCurrency.get(currency)
}

export function servedAs(method: Method): Served | undefined {
  return [...byCurrency.values()].find((one) => one.method === method)
}

export const dlocalMethods: readonly Method[] = [...byCurrency.values()].map(({ method }) => method)

/** Returns the currency of a country's bank accounts. Undefined if dLocal does not serve the country. */
export function currencyOf(country: string): string | undefined {
  return [...byCurrency].find(([, one]) => one.country === country)?.[0]
}

function taxNumberIn({ personal, details }: StartRequest): string | undefined {
  const { socialSecurityNumber } = { ...details, ...personal }
  const tax = taxNumberOf(String(socialSecurityNumber ?? ''))
  if (tax === undefined) return undefined
  return 'cpf' in tax ? tax.cpf : tax.cnpj
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

// dLocal's codes of banks. In Peru and Mexico the code is the beginning of the account number. Elsewhere merchants name
// a bank by its BIC, and the setting "bankCodes" maps BICs to dLocal's codes. The codes are not built in, because
// dLocal changes its lists, and an outdated code could send money to another bank.

/** dLocal's codes by BIC, with the BICs in the form that `plain` returns. */
export type BankCodes = ReadonlyMap<string, string>

export function bankCodesSetting({ name, bankCodes = {} }: ChannelSettings): BankCodes {
  const isMap =
    isObject(bankCodes) && Object.entries(bankCodes).every(([bic, code]) => isBic(bic) && isCode(code))
  if (!isMap)
    throw new SettingError(
      `channel ${name}: "bankCodes" must map BICs to dLocal's codes of those banks, such as {"BFTVVNVX": "203"}`,
    )
  return new Map(Object.entries(bankCodes).map(([bic, code]) => [plain(bic), String(code)]))
}

/** True if the text may be a bank code of dLocal. False for a BIC: every payout to that bank would fail. */
function isCode(code: unknown): boolean {
  return typeof code === 'string' && /^[A-Za-z0-9_-]{1,32}$/.test(code) && !isBic(code)
}

/** Returns dLocal's code of the beneficiary's bank. Undefined if the code is unknown. */
export function bankCodeOf(
  { account, bic, country }: { readonly account: string; readonly bic: string; readonly country: string },
  codes: BankCodes,
): string | undefined {
  const isNumbered = (country === 'PE' && isCci(account)) || (country === 'MX' && isClabe(account))
  if (isNumbered) return account.slice(0, 3)
  return codes.get(plain(bic)) ?? codes.get(plain(bic.slice(0, 8)))
}

/** Returns the BIC in upper case, without the suffix XXX, which means the head office and may be left out. */
function plain(bic: string): string {
  return bic.toUpperCase().replace(/^(.{8})XXX$/, '$1')
}
