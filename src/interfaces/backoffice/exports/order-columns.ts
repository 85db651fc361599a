// The columns of the order list and of its exports. This file imports nothing that needs a server, because the web app
// imports it.
import type { Static } from 'typebox'
import type { OrderRow } from '../orders/api.ts'
import { stateWords } from '../state-words.ts'

type Row = Static<typeof OrderRow>

const columns = {
  tradeNo: (row: Row) => row.tradeNo,
  merOrderNo: (row: Row) => row.merOrderNo,
  createdAt: (row: Row) => row.createdAt,
  state: (row: Row) => stateWords.en.orders[row.stage],
  method: (row: Row) => row.method,
  amount: (row: Row) => row.money.amount,
  currency: (row: Row) => row.money.currency,
  refunded: (row: Row) => row.refunded?.amount ?? '',
  chargedBack: (row: Row) => row.chargedBack?.amount ?? '',
  fees: (row: Row) => row.fees?.amount ?? '',
  settled: (row: Row) => (row.settled ? 'yes' : 'no'),
  settleAmount: (row: Row) => row.settleMoney?.amount ?? '',
  settleCurrency: (row: Row) => row.settleMoney?.currency ?? '',
  email: (row: Row) => row.email,
  payerName: (row: Row) => row.payerName,
  card: (row: Row) => (row.card === undefined ? '' : `${row.card.brand} ${row.card.last4}`),
  reference: (row: Row) => row.reference ?? '',
  message: (row: Row) => row.message,
} as const

export type ExportColumn = keyof typeof columns

export const exportColumns = Object.keys(columns).filter(isExportColumn)

function isExportColumn(name: string): name is ExportColumn {
  return Object.hasOwn(columns, name)
}

/** Reads column names, separated by commas. Unknown names are ignored. If no name is known, returns all columns. */
export function readColumns(names: string): readonly ExportColumn[] {
  const known = names.split(',').filter(isExportColumn)
  return known.length === 0 ? exportColumns : known
}

export function cellOf(row: Row, column: ExportColumn): string {
  return columns[column](row)
}
