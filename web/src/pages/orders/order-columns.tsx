// The columns of the order list. The page's address names the columns that are shown.
import type { RowOf } from '../../api/use-call.ts'
import type { Column } from '../../parts/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import type { OrdersWords } from '../../words/orders.ts'
import { OrderState } from './order-state.tsx'

export type OrderLine = RowOf<'GET /orders'>

export const columnNames = [
  'merOrderNo',
  'amount',
  'state',
  'createdAt',
  'method',
  'payerName',
  'email',
  'card',
  'refunded',
  'chargedBack',
  'fees',
  'settled',
  'tradeNo',
  'reference',
  'message',
] as const

export type ColumnName = (typeof columnNames)[number]

const usual: readonly ColumnName[] = [
  'merOrderNo',
  'amount',
  'state',
  'createdAt',
  'method',
  'payerName',
  'card',
]

/** Returns the columns that the address names. If it names none, returns the usual columns. */
export function shownColumns(names: string | undefined): readonly ColumnName[] {
  const wanted = names?.split(',') ?? []
  const known = columnNames.filter((name) => wanted.includes(name))
  return known.length === 0 ? usual : known
}

/** Returns the columns of the table. In a list of several merchants, the second column is the merchant. */
export function columnsOf(
  orders: OrdersWords,
  names: readonly ColumnName[],
  isOfMany: boolean,
): readonly Column<OrderLine>[] {
  const merchant: Column<OrderLine> = {
    id: 'merchant',
    head: orders.merchant,
    width: '100px',
    wideOnly: true,
    cell: ({ merNo }) => merNo,
  }
  const all: Readonly<Record<ColumnName, Omit<Column<OrderLine>, 'id' | 'head'>>> = {
    merOrderNo: { cell: (row) => row.merOrderNo },
    createdAt: { cell: (row) => <Moment at={row.createdAt} />, wideOnly: true },
    state: { cell: (row) => <OrderState of={row} /> },
    method: { cell: (row) => orders.methods[row.method] ?? row.method, wideOnly: true },
    payerName: { cell: (row) => row.payerName, wideOnly: true },
    email: { cell: (row) => row.email, wideOnly: true },
    card: { cell: (row) => cardText(row), wideOnly: true },
    amount: { cell: (row) => <Money value={row.money} />, align: 'end' },
    refunded: { cell: (row) => row.refunded && <Money value={row.refunded} />, align: 'end', wideOnly: true },
    chargedBack: {
      cell: (row) => row.chargedBack && <Money value={row.chargedBack} />,
      align: 'end',
      wideOnly: true,
    },
    fees: { cell: (row) => row.fees && <Money value={row.fees} />, align: 'end', wideOnly: true },
    settled: { cell: (row) => (row.settled ? orders.yes : orders.no), wideOnly: true },
    tradeNo: { cell: (row) => <span className="mono">{row.tradeNo}</span>, wideOnly: true },
    reference: { cell: (row) => row.reference, wideOnly: true },
    message: { cell: (row) => row.message, wideOnly: true },
  }
  const [first, ...others] = names.map((id) => ({ id, head: orders[id], ...all[id] }))
  return first === undefined ? [] : [first, ...(isOfMany ? [merchant] : []), ...others]
}

/** The names of card brands. A brand that is not listed is shown under the server's name for it. */
const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  'american-express': 'American Express',
  'diners-club': 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
  elo: 'Elo',
  hipercard: 'Hipercard',
}

export function cardText({ card }: Pick<OrderLine, 'card'>): string {
  return card === undefined ? '' : `${brands[card.brand] ?? card.brand} •••• ${card.last4}`
}
