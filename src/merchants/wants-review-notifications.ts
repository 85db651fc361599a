import type { Queryable } from '../postgres/db.ts'
import { givenArray, int8, itself } from '../postgres/lists.ts'

/** Which of these merchants want to be told when more information is asked about a payment. */
export async function wantReviewNews(db: Queryable, merNos: readonly number[]): Promise<Set<number>> {
  const rows = await db.query<{ mer_no: bigint }>({
    text: `select mer_no from merchants where mer_no = any (${asked.text}) and notify_review`,
    values: [asked.value(merNos)],
  })
  return new Set(rows.map((row) => Number(row.mer_no)))
}

const asked = givenArray(int8<number>(itself))
