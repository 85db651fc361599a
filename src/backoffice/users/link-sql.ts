import type { Queryable, Tx } from '../../postgres/db.ts'

export type LinkRow = {
  readonly mer_no: bigint
  readonly user_id: string
  readonly purpose: 'invitation' | 'reset'
}

export type NewLink = {
  readonly merNo: number
  readonly userId: string
  readonly purpose: string
  readonly linkId: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

export async function insertLink(tx: Tx, link: NewLink): Promise<void> {
  const { merNo, userId, purpose, linkId, createdAt, expiresAt } = link
  await deleteLinks(tx, { merNo, userId })
  await tx.query({
    text: `
      insert into user_links (mer_no, link_id, user_id, purpose, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [merNo, linkId, userId, purpose, createdAt, expiresAt],
  })
}

export async function deleteLinks(
  tx: Tx,
  { merNo, userId }: Pick<NewLink, 'merNo' | 'userId'>,
): Promise<void> {
  await tx.query({
    text: 'delete from user_links where mer_no = $1 and user_id = $2 and used_at is null',
    values: [merNo, userId],
  })
}

export async function selectLink(db: Queryable, linkId: string, now: Date): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>({
    text: `
      select mer_no, user_id, purpose from user_links
      where link_id = $1 and used_at is null and expires_at > $2`,
    values: [linkId, now],
  })
  return row
}

export async function takeLinkRow(tx: Tx, linkId: string, now: Date): Promise<LinkRow | undefined> {
  const [row] = await tx.query<LinkRow>({
    text: `
      update user_links set used_at = $2
      where link_id = $1 and used_at is null and expires_at > $2 returning mer_no, user_id, purpose`,
    values: [linkId, now],
  })
  return row
}
