import type { Queryable } from '../../platform/postgres/db.ts'
import { containsAnyCase } from '../../platform/postgres/texts.ts'
import type { MerchantState } from './merchant.ts'

export type MerchantFilter = {
  readonly state?: MerchantState | undefined
  /** A part of the name, or the merchant number. */
  readonly text?: string | undefined
  /** If true, the list has only merchants with a website that waits for approval. */
  readonly asksForWebsite?: boolean | undefined
  /** The list has only merchant numbers above this number. */
  readonly after?: number | undefined
}

export type ListedRow = {
  readonly mer_no: bigint
  readonly name: string
  readonly state: MerchantState
  readonly asked: number
}

export async function selectListed(
  db: Queryable,
  { state, text, asksForWebsite = false, after = 0 }: MerchantFilter,
  limit: number,
): Promise<ListedRow[]> {
  return await db.query<ListedRow>({
    text: `
      select m.mer_no, m.name, m.state, coalesce(w.asked, 0) as asked
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

export type WaitingMerchants = {
  readonly pending: number
  readonly pendingSince: Date | null
  readonly askedWebsites: number
}

/** Counts the merchants and the websites that wait for an operator's approval. */
export async function selectWaiting(db: Queryable): Promise<WaitingMerchants> {
  const [row] = await db.query<{ pending: number; since: Date | null; asked: number }>({
    text: `select
      (select count(*)::int from merchants where state = 'pending') as pending,
      (select min(created_at) from merchants where state = 'pending') as since,
      (select count(*)::int from merchant_websites where approved_at is null) as asked`,
  })
  return { pending: row?.pending ?? 0, pendingSince: row?.since ?? null, askedWebsites: row?.asked ?? 0 }
}
