import type { Tx } from '../../platform/postgres/db.ts'

/** The advisory lock of the demo data. No other code takes it. */
const LOCK = 7_046_029_255

/** Takes the lock of the demo data. If two gateways start at the same time, the second waits here. */
export async function lockDemo(tx: Tx): Promise<void> {
  await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] })
}

export async function selectDemoMerchant(tx: Tx): Promise<number | undefined> {
  const rows = await tx.query<{ mer_no: bigint }>({
    text: 'select mer_no from demo_merchants order by made_at limit 1',
  })
  return rows[0] === undefined ? undefined : Number(rows[0].mer_no)
}

export async function insertDemoMerchant(tx: Tx, merNo: number, now: Date): Promise<void> {
  await tx.query({
    text: 'insert into demo_merchants (mer_no, made_at) values ($1, $2)',
    values: [merNo, now],
  })
}
