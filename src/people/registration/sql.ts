import type { Queryable, Tx } from '../../postgres/db.ts'

export type Company = {
  readonly email: string
  readonly company: string
  readonly contact: string
  readonly website: string
  readonly country: string
  readonly language: string | null
}

export type UnconfirmedRow = Company & { readonly created_at: Date }

export type NewCompany = Company & {
  readonly linkId: string
  readonly now: Date
  readonly expiresAt: Date
}

/** One row for an address: a second form replaces the first. */
export async function upsertUnconfirmed(tx: Tx, row: NewCompany): Promise<void> {
  const { email, linkId, company, contact, website, country, language, now, expiresAt } = row
  await tx.query({
    text: `
      insert into unconfirmed_companies
        (email, link_id, company, contact, website, country, language, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (email) do update set link_id = excluded.link_id, company = excluded.company,
        contact = excluded.contact, website = excluded.website, country = excluded.country,
        language = excluded.language, created_at = excluded.created_at, expires_at = excluded.expires_at`,
    values: [email, linkId, company, contact, website, country, language, now, expiresAt],
  })
}

/** At most one more than `most`. */
export async function countUnconfirmed(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ found: number }>({
    text: 'select count(*)::int as found from (select 1 from unconfirmed_companies limit $1) as counted',
    values: [most + 1],
  })
  return row?.found ?? 0
}

export async function selectUnconfirmed(
  db: Queryable,
  linkId: string,
  now: Date,
): Promise<UnconfirmedRow | undefined> {
  const [row] = await db.query<UnconfirmedRow>({
    text: `
      select email, company, contact, website, country, language, created_at from unconfirmed_companies
      where link_id = $1 and expires_at > $2`,
    values: [linkId, now],
  })
  return row
}

/** Takes it out: of two calls at once, one gets it. */
export async function takeUnconfirmed(
  tx: Tx,
  linkId: string,
  now: Date,
): Promise<UnconfirmedRow | undefined> {
  const [row] = await tx.query<UnconfirmedRow>({
    text: `
      delete from unconfirmed_companies where link_id = $1 and expires_at > $2
      returning email, company, contact, website, country, language, created_at`,
    values: [linkId, now],
  })
  return row
}

export async function insertRegistered(
  tx: Tx,
  merNo: number,
  { email, company, contact, website, country, created_at }: UnconfirmedRow,
  confirmedAt: Date,
): Promise<void> {
  await tx.query({
    text: `
      insert into registered_companies
        (mer_no, email, company, contact, website, country, registered_at, confirmed_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [merNo, email, company, contact, website, country, created_at, confirmedAt],
  })
}
