import type { Queryable, Tx } from '../../platform/postgres/db.ts'

export type Details = {
  /** The name of a contact person. */
  readonly contact: string
  readonly email: string
  readonly website: string
  /** The country's ISO 3166-1 alpha-2 code. */
  readonly country: string
}

export type Company = Details & { readonly company: string; readonly language: string | null }

export type UnconfirmedRow = Company & { readonly created_at: Date }

type NewCompany = Company & {
  readonly linkId: string
  readonly now: Date
  readonly expiresAt: Date
}

/** Stores a registration. Each address has one row, so a second form replaces the first. */
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

/** Counts the unconfirmed registrations, up to `most` + 1. */
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

/** Deletes and returns the row. If two calls come at the same moment, only one gets the row. */
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

export async function deleteExpiredRows(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await db.query({
    text: `
      delete from unconfirmed_companies where email in (
        select email from unconfirmed_companies where expires_at < $1 limit $2) returning email`,
    values: [now, limit],
  })
  return rows.length
}

export type StoredDetails = Details & {
  /** The version, which is 0 until somebody changes the details. */
  readonly version: number
}

export async function selectDetails(db: Queryable, merNo: number): Promise<StoredDetails> {
  const [row] = await db.query<StoredDetails>({
    text: `
      select contact, email, website, country, version from company_details where mer_no = $1
      union all
      select contact, email, website, country, 0 from registered_companies where mer_no = $1
      order by version desc limit 1`,
    values: [merNo],
  })
  return row ?? { contact: '', email: '', website: '', country: '', version: 0 }
}

/** Stores the details. Returns the new version, or undefined if somebody else changed the details first. */
export async function writeDetails(
  tx: Tx,
  merNo: number,
  { contact, email, website, country, version }: StoredDetails,
  at: Date,
): Promise<number | undefined> {
  const [row] = await tx.query<{ version: number }>({
    text: `
      insert into company_details as d (mer_no, contact, email, website, country, version, changed_at)
      select $1, $2, $3, $4, $5, 1, $7 where $6 = 0 or exists (select 1 from company_details where mer_no = $1)
      on conflict (mer_no) do update set contact = $2, email = $3, website = $4, country = $5,
        version = d.version + 1, changed_at = $7
        where d.version = $6
      returning version`,
    values: [merNo, contact, email, website, country, version, at],
  })
  return row?.version
}
