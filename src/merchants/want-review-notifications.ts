import type { Queryable } from '../postgres/db.ts'

/** Which of these merchants want a notification when a review asks for information. */
export async function wantReviewNotifications(
  db: Queryable,
  merNos: readonly number[],
): Promise<Set<number>> {
  const rows = await db.query<{ mer_no: bigint }>({
    text: 'select mer_no from merchants where mer_no = any($1) and notify_review',
    values: [merNos],
  })
  return new Set(rows.map((row) => Number(row.mer_no)))
}
