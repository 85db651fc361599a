// All statements that write the table beneficiaries.

import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { arrayOf, itself, text } from '../../../platform/postgres/lists.ts'
import { containsAnyCase } from '../../../platform/postgres/texts.ts'
import type { Beneficiary, BeneficiaryKind } from './beneficiary.ts'

type Row = {
  mer_no: bigint
  beneficiary_id: string
  label: string
  kind: BeneficiaryKind
  currency: string
  account_masked: string
  fingerprint: string
  details: Readonly<Record<string, unknown>>
  sealed: Buffer
  usable_at: Date
  confirmed_by: string | null
  created_by: string
  created_at: Date
  version: number
}

const columns = `mer_no, beneficiary_id, label, kind, currency, account_masked, fingerprint, details, sealed, usable_at,
  confirmed_by, created_by, created_at, version`

function toBeneficiary(row: Row): Beneficiary {
  return {
    merNo: Number(row.mer_no),
    beneficiaryId: row.beneficiary_id,
    label: row.label,
    kind: row.kind,
    currency: row.currency,
    accountMasked: row.account_masked,
    fingerprint: row.fingerprint,
    details: row.details,
    sealed: row.sealed,
    usableAt: row.usable_at,
    confirmedBy: row.confirmed_by ?? undefined,
    createdBy: row.created_by,
    createdAt: row.created_at,
    version: row.version,
  }
}

/** Returns false if the merchant has already saved this account. */
export async function insertBeneficiary(tx: Tx, one: Beneficiary): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into beneficiaries (${columns}, state)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'active')
      on conflict (mer_no, fingerprint) where state = 'active' do nothing
      returning beneficiary_id`,
    values: valuesOf(one),
  })
  return rows.length === 1
}

export async function updateBeneficiary(tx: Tx, one: Beneficiary): Promise<void> {
  await tx.query({
    text: `
      update beneficiaries set label = $3, kind = $4, currency = $5, account_masked = $6, fingerprint = $7,
        details = $8, sealed = $9, usable_at = $10, confirmed_by = $11, created_by = $12, created_at = $13, version = $14
      where mer_no = $1 and beneficiary_id = $2`,
    values: valuesOf(one),
  })
}

function valuesOf(one: Beneficiary): unknown[] {
  return [
    one.merNo,
    one.beneficiaryId,
    one.label,
    one.kind,
    one.currency,
    one.accountMasked,
    one.fingerprint,
    JSON.stringify(one.details),
    one.sealed,
    one.usableAt,
    one.confirmedBy ?? null,
    one.createdBy,
    one.createdAt,
    one.version,
  ]
}

export async function lockBeneficiary(
  tx: Tx,
  merNo: number,
  beneficiaryId: string,
): Promise<Beneficiary | undefined> {
  const [row] = await tx.query<Row>({
    text: `select ${columns} from beneficiaries
      where mer_no = $1 and beneficiary_id = $2 and state = 'active' for update`,
    values: [merNo, beneficiaryId],
  })
  return row && toBeneficiary(row)
}

export async function removeBeneficiary(tx: Tx, merNo: number, beneficiaryId: string): Promise<void> {
  await tx.query({
    text: `update beneficiaries set state = 'removed' where mer_no = $1 and beneficiary_id = $2`,
    values: [merNo, beneficiaryId],
  })
}

const MOST_LISTED = 1_000

export async function selectBeneficiaries(db: Queryable, merNo: number): Promise<Beneficiary[]> {
  const rows = await db.query<Row>({
    text: `select ${columns} from beneficiaries where mer_no = $1 and state = 'active'
      order by label, beneficiary_id limit ${MOST_LISTED}`,
    values: [merNo],
  })
  return rows.map(toBeneficiary)
}

const NEWEST_SEARCHED = 1_000

/** Searches only the newest rows, so that the cost has a bound. */
export async function searchBeneficiaries(
  db: Queryable,
  merNo: number,
  part: string,
  limit: number,
): Promise<Beneficiary[]> {
  const rows = await db.query<Row>({
    text: `
      select ${columns} from (
        select * from beneficiaries where mer_no = $1 and state = 'active'
        order by beneficiary_id desc limit ${NEWEST_SEARCHED}
      ) newest
      where label ~ $2 or account_masked ~ $2
      order by label, beneficiary_id limit $3`,
    values: [merNo, containsAnyCase(part), limit],
  })
  return rows.map(toBeneficiary)
}

export async function selectByFingerprints(
  db: Queryable,
  merNo: number,
  fingerprints: readonly string[],
): Promise<Beneficiary[]> {
  const rows = await db.query<Row>({
    text: `select ${columns} from beneficiaries
      where mer_no = $1 and state = 'active' and fingerprint = any (${listed.text})`,
    values: [merNo, listed.value(fingerprints)],
  })
  return rows.map(toBeneficiary)
}

const listed = arrayOf(text<string>(itself), 2)
