import type { Tx } from '../postgres/db.ts'
import { arrayOf, itself, listOf, text } from '../postgres/lists.ts'

export async function insertWebsites(
  tx: Tx,
  merNo: number,
  sites: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query({
    text: `insert into merchant_websites (mer_no, site, approved_at)
      select $1::bigint, site, $2::timestamptz from ${approved.text}
      on conflict (mer_no, site) do update set approved_at = coalesce(merchant_websites.approved_at, excluded.approved_at)`,
    values: [merNo, now, ...approved.values(sites)],
  })
}

const approved = listOf({ site: text<string>(itself) }, 3)

/** As it was asked for; it counts once it is approved. */
export async function insertAskedWebsite(tx: Tx, merNo: number, site: string): Promise<void> {
  await tx.query({
    text: `insert into merchant_websites (mer_no, site, approved_at) values ($1, $2, null)
      on conflict (mer_no, site) do nothing`,
    values: [merNo, site],
  })
}

/** False when it was not requested. */
export async function approveAskedWebsite(tx: Tx, merNo: number, site: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: `update merchant_websites set approved_at = coalesce(approved_at, $3)
      where mer_no = $1 and site = $2 returning site`,
    values: [merNo, site, now],
  })
  return rows.length > 0
}

export async function deleteWebsite(tx: Tx, merNo: number, site: string): Promise<boolean> {
  const rows = await tx.query({
    text: 'delete from merchant_websites where mer_no = $1 and site = $2 returning site',
    values: [merNo, site],
  })
  return rows.length > 0
}

export async function deleteOtherWebsites(tx: Tx, merNo: number, sites: readonly string[]): Promise<void> {
  await tx.query({
    text: `delete from merchant_websites where mer_no = $1 and site <> all (${keptSites.text})`,
    values: [merNo, keptSites.value(sites)],
  })
}

const keptSites = arrayOf(text<string>(itself), 2)
