// Merchants, their websites, keys, currencies and fee plans. Only this folder writes these tables, and every change
// locks the merchant's row first and announces it in its own transaction.
import type { Queryable, Tx } from '../postgres/db.ts'
import { arrayOf, int8, itself } from '../postgres/lists.ts'
import type { FeePlan, MerchantState } from './merchant.ts'

/** The row of `merchants`; null means every method, every brand, no limit configured. */
export type MerchantRow = {
  readonly mer_no: bigint
  readonly name: string
  readonly state: MerchantState
  readonly timezone: string
  readonly methods: string[] | null
  readonly card_brands: string[] | null
  readonly require_rsa: boolean
  readonly require_ip: boolean
  readonly sign_answers: boolean
  readonly notify_review: boolean
  readonly ips: string[]
  readonly limit_single: bigint | null
  readonly limit_daily: bigint | null
  readonly limit_monthly: bigint | null
  readonly refund_credit: bigint
  readonly approve_refunds: boolean
  readonly payout_approval: bigint | null
  readonly chargeback_url: string
  readonly review_above: bigint | null
  readonly accent: string | null
  readonly created_at: Date
}

export type KeyKind = 'md5' | 'rsa' | 'webhook'

export type KeyRow = {
  readonly keyId: string
  readonly kind: KeyKind
  /** The encrypted secret as base64. */
  readonly sealed: string
  readonly used: boolean
  readonly retiresAt: string | null
}

/** A merchant with all its related rows. */
export type WholeMerchantRow = MerchantRow & {
  readonly has_logo: boolean
  readonly websites: string[]
  readonly asked_websites: string[]
  readonly keys: KeyRow[]
  readonly currencies: Record<string, string>
  readonly fee_plans: Record<string, FeePlan>
  readonly routes: RouteRow[]
}

export type RouteRow = {
  readonly method: string
  readonly channel: string
  readonly priority: number
  readonly weight: number
}

const names = [
  'mer_no',
  'name',
  'state',
  'timezone',
  'methods',
  'card_brands',
  'require_rsa',
  'require_ip',
  'sign_answers',
  'notify_review',
  'ips',
  'limit_single',
  'limit_daily',
  'limit_monthly',
  'refund_credit',
  'approve_refunds',
  'payout_approval',
  'chargeback_url',
  'review_above',
  'accent',
  'created_at',
] as const satisfies readonly (keyof MerchantRow)[]

const columns = names.join(', ')
const placeholders = names.map((_, at) => `$${at + 1}`).join(', ')

function valuesOf(row: MerchantRow): unknown[] {
  return names.map((name) => row[name])
}

/** False when the number is taken. */
export async function insertMerchant(tx: Tx, row: MerchantRow): Promise<boolean> {
  const inserted = await tx.query({
    text: `insert into merchants (${columns})
      values (${placeholders})
      on conflict (mer_no) do nothing returning mer_no`,
    values: valuesOf(row),
  })
  return inserted.length === 1
}

export async function lockMerchant(tx: Tx, merNo: number): Promise<MerchantRow | undefined> {
  const rows = await tx.query<MerchantRow>({
    text: `select ${columns} from merchants where mer_no = $1 for update`,
    values: [merNo],
  })
  return rows[0]
}

export async function updateMerchant(tx: Tx, row: MerchantRow): Promise<void> {
  await tx.query({
    text: `update merchants set (${columns}) = (${placeholders}) where mer_no = $1`,
    values: valuesOf(row),
  })
}

/** Separate from the other columns: the logo is read only where it is shown. */
export async function updateLogo(tx: Tx, merNo: number, logo: Buffer | null): Promise<void> {
  await tx.query({ text: 'update merchants set logo = $2 where mer_no = $1', values: [merNo, logo] })
}

export async function selectLogo(db: Queryable, merNo: number): Promise<Buffer | undefined> {
  const [row] = await db.query<{ logo: Buffer | null }>({
    text: 'select logo from merchants where mer_no = $1',
    values: [merNo],
  })
  return row?.logo ?? undefined
}

/** One statement, so that all parts come from one snapshot. */
export async function selectMerchants(
  db: Queryable,
  merNos: readonly number[],
  now: Date,
): Promise<WholeMerchantRow[]> {
  return db.query<WholeMerchantRow>({
    name: 'select_merchants',
    text: `select ${columns}, logo is not null as has_logo,
      (select coalesce(json_agg(w.site order by w.site), '[]') from merchant_websites w
        where w.mer_no = m.mer_no and w.approved_at is not null) as websites,
      (select coalesce(json_agg(w.site order by w.site), '[]') from merchant_websites w
        where w.mer_no = m.mer_no and w.approved_at is null) as asked_websites,
      (select coalesce(json_agg(json_build_object('keyId', k.key_id, 'kind', k.kind,
          'sealed', encode(k.sealed, 'base64'), 'used', k.first_used_at is not null, 'retiresAt', k.retires_at)
          order by k.retires_at desc nulls first, k.made_at desc, k.key_id), '[]') from merchant_keys k
        where k.mer_no = m.mer_no and (k.retires_at is null or k.retires_at > $2)) as keys,
      (select coalesce(json_object_agg(c.currency, c.settle_currency order by c.currency), '{}')
        from merchant_currencies c where c.mer_no = m.mer_no) as currencies,
      (select coalesce(json_object_agg(f.method, json_build_object('feeBps', f.fee_bps,
          'feeFixed', f.fee_fixed::text, 'refundFee', f.refund_fee::text, 'chargebackFee', f.chargeback_fee::text,
          'marginBps', f.margin_bps, 'marginDays', f.margin_days, 'settleDays', f.settle_days)), '{}')
        from fee_plans f where f.mer_no = m.mer_no) as fee_plans,
      (select coalesce(json_agg(json_build_object('method', r.method, 'channel', r.channel, 'priority', r.priority,
          'weight', r.weight) order by r.method, r.priority, r.channel), '[]')
        from merchant_channels r where r.mer_no = m.mer_no) as routes
      from merchants m where m.mer_no = any (${wanted.text})`,
    values: [wanted.value(merNos), now],
  })
}

const wanted = arrayOf(int8<number>(itself))

/** By number; a merchant that does not exist has none. */
export async function selectNames(db: Queryable, merNos: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ mer_no: bigint; name: string }>({
    text: `select mer_no, name from merchants where mer_no = any (${wanted.text})`,
    values: [wanted.value(merNos)],
  })
  return new Map(rows.map((row) => [Number(row.mer_no), row.name]))
}

export async function selectReviewSubscribers(db: Queryable, merNos: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ mer_no: bigint }>({
    text: `select mer_no from merchants where mer_no = any (${wanted.text}) and notify_review`,
    values: [wanted.value(merNos)],
  })
  return rows.map((row) => Number(row.mer_no))
}

export async function selectFeePlan(tx: Tx, merNo: number, method: string): Promise<FeePlan | undefined> {
  const rows = await tx.query<FeePlan>({
    text: `select fee_bps as "feeBps", fee_fixed as "feeFixed", refund_fee as "refundFee",
      chargeback_fee as "chargebackFee", margin_bps as "marginBps", margin_days as "marginDays",
      settle_days as "settleDays" from fee_plans where mer_no = $1 and method = $2`,
    values: [merNo, method],
  })
  return rows[0]
}

export async function upsertFeePlan(tx: Tx, merNo: number, method: string, plan: FeePlan): Promise<void> {
  await tx.query({
    text: `insert into fee_plans (mer_no, method, fee_bps, fee_fixed, refund_fee, chargeback_fee, margin_bps,
      margin_days, settle_days) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (mer_no, method) do update set fee_bps = excluded.fee_bps, fee_fixed = excluded.fee_fixed,
        refund_fee = excluded.refund_fee, chargeback_fee = excluded.chargeback_fee,
        margin_bps = excluded.margin_bps, margin_days = excluded.margin_days, settle_days = excluded.settle_days`,
    values: [
      merNo,
      method,
      plan.feeBps,
      plan.feeFixed,
      plan.refundFee,
      plan.chargebackFee,
      plan.marginBps,
      plan.marginDays,
      plan.settleDays,
    ],
  })
}

/** False when there was none. */
export async function deleteFeePlan(tx: Tx, merNo: number, method: string): Promise<boolean> {
  const rows = await tx.query({
    text: 'delete from fee_plans where mer_no = $1 and method = $2 returning method',
    values: [merNo, method],
  })
  return rows.length > 0
}

export async function insertKey(
  tx: Tx,
  key: { merNo: number; keyId: string; kind: KeyKind; sealed: Buffer; madeAt: Date },
): Promise<void> {
  await tx.query({
    text: 'insert into merchant_keys (mer_no, key_id, kind, sealed, made_at) values ($1, $2, $3, $4, $5)',
    values: [key.merNo, key.keyId, key.kind, key.sealed, key.madeAt],
  })
}

/** The current key of this kind ends at `until`; one that was already retiring ends now. */
export async function retireKeys(
  tx: Tx,
  merNo: number,
  kind: KeyKind,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  await tx.query({
    text: `update merchant_keys set retires_at = case when retires_at is null then $4::timestamptz else $3::timestamptz end
      where mer_no = $1 and kind = $2 and (retires_at is null or retires_at > $3)`,
    values: [merNo, kind, now, until],
  })
}

/** Announces the change only if this was the key's first use. */
export async function markKeyUsed(db: Queryable, merNo: number, keyId: string, now: Date): Promise<void> {
  await db.query({
    text: `with marked as (
        update merchant_keys set first_used_at = $3
        where mer_no = $1 and key_id = $2 and first_used_at is null returning mer_no
      ) select pg_notify('merchants', mer_no::text) from marked`,
    values: [merNo, keyId, now],
  })
}

/** Every node is notified when the transaction commits. */
export async function announceMerchant(tx: Tx, merNo: number): Promise<void> {
  await tx.query({ text: `select pg_notify('merchants', $1)`, values: [String(merNo)] })
}

/** Any stored key. */
export async function selectSomeKey(
  db: Queryable,
): Promise<{ mer_no: bigint; key_id: string; kind: KeyKind; sealed: Buffer } | undefined> {
  const rows = await db.query<{ mer_no: bigint; key_id: string; kind: KeyKind; sealed: Buffer }>({
    text: 'select mer_no, key_id, kind, sealed from merchant_keys order by made_at desc limit 1',
  })
  return rows[0]
}
