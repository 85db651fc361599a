import type { Tx } from '../postgres/db.ts'
import type { Check, Finding } from './check.ts'

/** Merchants per piece: enough that small ones do not cost a round trip each. */
const MERCHANTS_PER_PIECE = 200
/** Above every merchant number. */
const MAX_MERCHANTS = 10_000_000_000
/** Maximum findings per check and piece; more would not help an operator. */
const MAX_FINDINGS = 100

/** Uses one core at most; the others are for payments. */
export async function takeSnapshot(tx: Tx): Promise<void> {
  await tx.query({ text: 'set transaction isolation level repeatable read, read only' })
  await tx.query({ text: `set local work_mem = '64MB'` })
  await tx.query({ text: 'set local max_parallel_workers_per_gather = 0' })
}

export type Piece = { readonly first: number; readonly last: number }

/** Together they cover every possible merchant number: rows of an unknown merchant are findings too. */
export async function piecesOf(tx: Tx): Promise<Piece[]> {
  const rows = await tx.query<{ first: bigint }>({
    text: `
      select mer_no as first from (select mer_no, row_number() over (order by mer_no) as place from merchants) placed
      where place > $1 and place % $1 = 1 order by mer_no`,
    values: [MERCHANTS_PER_PIECE],
  })
  const firsts = [0, ...rows.map(({ first }) => Number(first))]
  return firsts.map((first, at) => ({ first, last: (firsts[at + 1] ?? MAX_MERCHANTS) - 1 }))
}

type FindingRow = { mer_no: bigint | number; subject: string; found: string; expected: string }

export async function runCheck(tx: Tx, check: Check, piece?: Piece): Promise<Finding[]> {
  const range = piece === undefined ? [] : [piece.first, piece.last]
  const rows = await tx.query<FindingRow>({
    text: `select * from (${check.text}) broken order by mer_no, subject limit ${MAX_FINDINGS}`,
    values: [...range, ...(check.values ?? [])],
  })
  return rows.map(({ mer_no, subject, found, expected }) => {
    return { check: check.name, merNo: Number(mer_no), subject, found, expected }
  })
}

export async function countOrders(tx: Tx): Promise<{ orders: number; merchants: number }> {
  const [row] = await tx.query<{ orders: bigint; merchants: bigint }>({
    text: 'select (select count(*) from orders) as orders, (select count(*) from merchants) as merchants',
  })
  return { orders: Number(row?.orders ?? 0), merchants: Number(row?.merchants ?? 0) }
}
