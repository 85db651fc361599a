import type { Queryable } from '../../platform/postgres/db.ts'
import { arrayOf, int8, itself } from '../../platform/postgres/lists.ts'
import { containsAnyCase } from '../../platform/postgres/texts.ts'
import type { MerchantState } from './merchant.ts'

export type MerchantFilter = {
  readonly state?: MerchantState | undefined
  /** The text to search for: a part of the name, or the merchant number. */
  readonly text?: string | undefined
  /** If true, the list has only merchants with a website that waits for approval. */
  readonly asksForWebsite?: boolean | undefined
  readonly after?: number | undefined
}

type ListedMerchant = {
  readonly merNo: number
  readonly name: string
  readonly state: MerchantState
  readonly askedWebsites: number
}

export async function selectListed(
  db: Queryable,
  { state, text, asksForWebsite = false, after = 0 }: MerchantFilter,
  limit: number,
): Promise<ListedMerchant[]> {
  return await db.query<ListedMerchant>({
    text: `
      select m.mer_no::float8 as "merNo", m.name, m.state, coalesce(w.asked, 0) as "askedWebsites"
      from merchants m
      left join lateral (
        select count(*)::int as asked from merchant_websites s where s.mer_no = m.mer_no and s.approved_at is null
      ) w on true
      where m.mer_no > $1 and ($2::text is null or m.state = $2)
        and ($3::text is null or m.name ~ $6 or m.mer_no::text = $3)
        and (not $4 or w.asked > 0)
      order by m.mer_no
      limit $5`,
    values: [after, state ?? null, text ?? null, asksForWebsite, limit, containsAnyCase(text ?? '')],
  })
}

type WaitingMerchants = {
  readonly pending: number
  readonly pendingSince: Date | null
  readonly askedWebsites: number
}

export async function selectWaiting(db: Queryable): Promise<WaitingMerchants> {
  const [row] = await db.query<WaitingMerchants>({
    text: `select
      (select count(*)::int from merchants where state = 'pending') as pending,
      (select min(created_at) from merchants where state = 'pending') as "pendingSince",
      (select count(*)::int from merchant_websites where approved_at is null) as "askedWebsites"`,
  })
  return row ?? { pending: 0, pendingSince: null, askedWebsites: 0 }
}

const wanted = arrayOf(int8<number>(itself))

export async function selectNames(db: Queryable, merNos: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ mer_no: bigint; name: string }>({
    text: `select mer_no, name from merchants where mer_no = any (${wanted.text})`,
    values: [wanted.value(merNos)],
  })
  return new Map(rows.map((row) => [Number(row.mer_no), row.name]))
}

export async function selectReviewSubscribers(
  db: Queryable,
  merNos: readonly number[],
): Promise<Set<number>> {
  const rows = await db.query<{ mer_no: bigint }>({
    text: `select mer_no from merchants where mer_no = any (${wanted.text}) and notify_review`,
    values: [wanted.value(merNos)],
  })
  return new Set(rows.map((row) => Number(row.mer_no)))
}
