// Counts refunds for operators.
import type { Queryable } from '../postgres/db.ts'

export type OpenCounts = {
  readonly open: number
  readonly waiting: number
  /** Since when the oldest one waits for approval. */
  readonly waitingSince: Date | null
}

export async function selectOpenCounts(db: Queryable): Promise<OpenCounts> {
  const [row] = await db.query<OpenCounts>({
    text: `select
      (select count(*)::int from refunds where ask_at is not null) as open,
      (select count(*)::int from refunds where state = 'waiting') as waiting,
      (select min(created_at) from refunds where state = 'waiting') as "waitingSince"`,
  })
  return row ?? { open: 0, waiting: 0, waitingSince: null }
}
