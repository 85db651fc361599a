// Owns notification_resends.
import type { Tx } from '../postgres/db.ts'
import type { FailedFilter } from './sql.ts'

export type AskedResend = FailedFilter & { readonly askedAt: Date }

/** In the table, where a merchant's number is part of the key. */
const ALL_MERCHANTS = 0

export async function insertResend(tx: Tx, { merNo, askedAt, since }: AskedResend): Promise<void> {
  await tx.query({
    text: `
      insert into notification_resends (mer_no, asked_at, since) values ($1, $2, $3)
      on conflict (mer_no, asked_at) do update set since = least(notification_resends.since, excluded.since)`,
    values: [merNo ?? ALL_MERCHANTS, askedAt, since],
  })
}

/** The oldest that no other worker is at. */
export async function lockResend(tx: Tx): Promise<AskedResend | undefined> {
  const [row] = await tx.query<{ mer_no: bigint; asked_at: Date; since: Date }>({
    text: `
      select mer_no, asked_at, since from notification_resends order by asked_at limit 1
      for update skip locked`,
  })
  if (row === undefined) return undefined
  const merNo = Number(row.mer_no)
  return { askedAt: row.asked_at, since: row.since, ...(merNo !== ALL_MERCHANTS && { merNo }) }
}

export async function deleteResend(tx: Tx, { merNo, askedAt }: AskedResend): Promise<void> {
  await tx.query({
    text: 'delete from notification_resends where mer_no = $1 and asked_at = $2',
    values: [merNo ?? ALL_MERCHANTS, askedAt],
  })
}
