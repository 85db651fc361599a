import type { Queryable, Tx } from '../../postgres/db.ts'
import type { Details } from './details.ts'

export type StoredDetails = Details & {
  /** 0 until somebody has changed them. */
  readonly version: number
}

/** Until somebody has changed them, those of the registration; a company that did not register itself has none. */
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

/** The new version; undefined if somebody else changed them meanwhile. */
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
