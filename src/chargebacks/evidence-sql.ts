// Owns chargeback_evidence.
import type { Queryable, Tx } from '../postgres/db.ts'
import type { Chargeback } from './chargeback.ts'
import type { Evidence } from './evidence.ts'

/** Adds to the order's open chargeback, else to its inquiry; false when there is neither. */
export async function insertEvidence(
  tx: Queryable,
  evidence: Evidence,
  sealed: Buffer | undefined,
): Promise<boolean> {
  const { merNo, evidenceId, tradeNo, note, file, by, at } = evidence
  const rows = await tx.query({
    text: `insert into chargeback_evidence (
        mer_no, evidence_id, chargeback_id, note, file_name, file_bytes, file_sha256, file_sealed, added_by, added_at)
      select mer_no, $2, chargeback_id, $4, $5, $6, $7, $8, $9, $10 from chargebacks
      where mer_no = $1 and trade_no = $3 and state in ('inquiry', 'open')
      order by (state = 'open') desc, opened_at desc, chargeback_id desc limit 1
      returning evidence_id`,
    values: [
      merNo,
      evidenceId,
      tradeNo,
      note,
      file?.name ?? null,
      file?.bytes ?? null,
      file?.sha256 ?? null,
      sealed ?? null,
      by ?? null,
      at,
    ],
  })
  return rows.length === 1
}

/** What was added to an inquiry counts for the chargeback that followed. */
export async function moveEvidence(tx: Tx, from: Chargeback, to: Chargeback): Promise<void> {
  await tx.query({
    text: 'update chargeback_evidence set chargeback_id = $3 where mer_no = $1 and chargeback_id = $2',
    values: [from.merNo, from.chargebackId, to.chargebackId],
  })
}

type Row = {
  evidence_id: string
  note: string
  file_name: string | null
  file_bytes: number | null
  file_sha256: string | null
  added_by: string | null
  added_at: Date
}

/** Of one chargeback, oldest first. */
export async function selectEvidence(
  db: Queryable,
  {
    merNo,
    tradeNo,
    chargebackId,
  }: { readonly merNo: number; readonly tradeNo: string; readonly chargebackId: string },
): Promise<Evidence[]> {
  const rows = await db.query<Row>({
    text: `select evidence_id, note, file_name, file_bytes, file_sha256, added_by, added_at
      from chargeback_evidence where mer_no = $1 and chargeback_id = $2 order by evidence_id`,
    values: [merNo, chargebackId],
  })
  return rows.map((row) => {
    const { file_name: name, file_bytes: bytes, file_sha256: sha256 } = row
    const file = name === null || bytes === null || sha256 === null ? undefined : { name, bytes, sha256 }
    const { evidence_id: evidenceId, note, added_by: by, added_at: at } = row
    return { merNo, evidenceId, tradeNo, note, file, by: by ?? undefined, at }
  })
}

/** Undefined if it has no stored file. */
export async function selectFile(
  db: Queryable,
  merNo: number,
  evidenceId: string,
): Promise<{ readonly name: string; readonly sealed: Buffer } | undefined> {
  const [row] = await db.query<{ file_name: string; file_sealed: Buffer }>({
    text: `select file_name, file_sealed from chargeback_evidence
      where mer_no = $1 and evidence_id = $2 and file_sealed is not null`,
    values: [merNo, evidenceId],
  })
  return row && { name: row.file_name, sealed: row.file_sealed }
}
