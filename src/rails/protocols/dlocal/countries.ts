// What dLocal serves for us. Each currency has one country and one method, so a payment's currency tells which it is.
import type { Fields } from '../../base/object.ts'
import type { StartRequest } from '../contract.ts'
import type { Method } from '../method.ts'
import { taxNumberOf } from '../pix/method.ts'
import type { Terminal } from '../terminal.ts'

type Served = {
  readonly method: Method
  readonly country: string
  /** An amount that dLocal takes, in minor units. */
  readonly usual: bigint
  /** dLocal's code of the payment method. */
  readonly idOf: (details: Fields) => string
  readonly documentOf?: (request: StartRequest) => string | undefined
  /** If it serves fewer than the method: dLocal's pages are for browsers. */
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
  // A transfer to an account, or a code for banking apps.
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

export const dlocalMethods: readonly string[] = [...byCurrency.values()].map(({ method }) => method)

/** The currency of a country's bank accounts. */
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
